//! Translates errors of the TOML reader into messages that help to fix a scene.

use super::SceneError;
use super::fault::in_words;
use super::place::Places;

/// Rewrites an error message of the reader.
pub(super) fn explain(error: &toml::de::Error, places: &Places) -> SceneError {
    let span = error.span().unwrap_or(0..usize::MAX);
    let line = places.line(span.start);
    let key = places.path_around(&span);
    let message = error.message();

    if let Some((name, known)) = unknown(message, "unknown field ") {
        return SceneError {
            line,
            message: format!("unknown key \"{name}\"{}", remedy(name, &known)),
        };
    }

    if let Some((name, known)) = unknown(message, "unknown variant ") {
        // The kind may itself be a key: region = { bocks = … }.
        let key = key.map(|key| key.strip_suffix(&format!(".{name}")).unwrap_or(key));
        let key = key.map_or_else(String::new, |key| format!(" for {key}"));
        return SceneError {
            line,
            message: format!("unknown kind \"{name}\"{key}{}", remedy(name, &known)),
        };
    }

    if let Some(name) = message
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split('`').next())
    {
        let inside = key.map_or_else(String::new, |key| format!(" in {key}"));
        return SceneError {
            line,
            message: format!("the key \"{name}\" is missing{inside}"),
        };
    }
    let advice = brackets(message, key.unwrap_or_default());
    let key = key.map_or_else(String::new, |key| format!("{key}: "));

    SceneError {
        line,
        message: format!("{key}{}", advice.unwrap_or_else(|| in_words(message))),
    }
}

/// Explains how to fix a section header with the wrong number of brackets.
fn brackets(message: &str, key: &str) -> Option<String> {
    const ONCE: [&str; 4] = ["run", "contact", "periodic", "grid"];
    let is_section = !key.is_empty() && !key.contains(['.', '[']);
    if is_section && message.starts_with("invalid type: map, expected a sequence") {
        return Some(format!(
            "there can be several, so its header needs double brackets: [[{key}]]"
        ));
    }

    let section = key
        .strip_suffix("[0]")
        .filter(|section| ONCE.contains(section))?;
    Some(format!(
        "there can be only one, so its header needs single brackets: [{section}]"
    ))
}

/// Extracts the unknown name and the known names from serde's "unknown field `x`, expected one of `a`,
/// `b`".
fn unknown<'a>(message: &'a str, start: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let mut quoted = message.strip_prefix(start)?.split('`').skip(1).step_by(2);
    Some((quoted.next()?, quoted.collect()))
}

/// Suggests a likely spelling, or lists the known names.
fn remedy(name: &str, known: &[&str]) -> String {
    // Top-level keys that users easily write below the first section header, where they belong to that
    // section.
    const OF_THE_SCENE: [&str; 3] = ["gravity", "dimension", "damping"];
    if OF_THE_SCENE.contains(&name) && !known.contains(&name) {
        return " here; it belongs at the top, before the first [section]".to_owned();
    }

    if let Some(near) = nearest(name, known) {
        return format!("; did you mean \"{near}\"?");
    }

    match known {
        [] => String::new(),
        _ => format!("; known: {}", known.join(", ")),
    }
}

/// Returns the known word closest to a misspelt one.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(1);
    let scored = known.iter().map(|word| (distance(name, word), *word));
    scored
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, word)| word)
}

/// Returns the edit distance of two words: insertions, deletions, substitutions and transpositions
/// (Damerau–Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (
        a.to_lowercase().chars().collect(),
        b.to_lowercase().chars().collect(),
    );
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    (0..=a.len()).for_each(|i| rows[i][0] = i);
    (0..=b.len()).for_each(|j| rows[0][j] = j);

    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            rows[i][j] = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                rows[i][j] = rows[i][j].min(rows[i - 2][j - 2] + 1);
            }
        }
    }

    rows[a.len()][b.len()]
}
