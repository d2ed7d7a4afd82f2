//! What a person reads: errors with a hint, numbers and lists.

use std::io::Write;

/// Prints a line to standard output, or returns the error (a closed pipe) instead of panicking as `println!` does.
macro_rules! say {
    ($common:expr, $($text:tt)*) => {
        if $common.quiet { Ok(()) } else { $crate::terminal::line(format_args!($($text)*)) }
    };
}
pub(crate) use say;

pub(crate) fn line(text: std::fmt::Arguments<'_>) -> std::io::Result<()> {
    writeln!(std::io::stdout().lock(), "{text}")
}

/// Prints a value as JSON, on one line for each field so that people can read it too.
pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    line(format_args!("{}", serde_json::to_string_pretty(value)?))?;
    Ok(())
}

/// The error and what led to it, and a hint where there is one to give.
pub(crate) fn print_error(error: &anyhow::Error) {
    eprintln!("impinge: error: {error:#}");
    if let Some(hint) = hint(&format!("{error:#}")) {
        eprintln!("  hint: {hint}");
    }
}

/// What usually helps, by what the error says.
fn hint(message: &str) -> Option<&'static str> {
    const HINTS: [(&str, &str); 7] = [
        (
            "No such file",
            "check the path; paths are relative to the folder you are in",
        ),
        (
            "Permission denied",
            "check who may read or write there, or choose another place with -o",
        ),
        (
            "names no mesh format",
            "the extension chooses the format; rename the file or give another",
        ),
        (
            "breaks the surface",
            "'impinge info MESH' lists what is wrong; 'impinge convert IN OUT --repair' merges equal points",
        ),
        (
            "faces inward",
            "'impinge convert IN OUT --repair' turns the surface over",
        ),
        (
            "same coordinates",
            "'impinge convert IN OUT --repair' merges equal points",
        ),
        (
            "boundary",
            "'impinge convert IN OUT --boundary' takes the outside of a solid",
        ),
    ];
    if message.contains(".shape: ") && message.contains("No such file") {
        return Some("check the path; a scene's meshes are relative to the folder of the scene");
    }
    HINTS
        .iter()
        .find(|(part, _)| message.contains(part))
        .map(|(_, hint)| *hint)
}

/// Whether the reader of our output went away, as `head` does.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error
        .downcast_ref::<std::io::Error>()
        .map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}

/// A whole number in groups of three: 131,072.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 triangle`, `12 triangles`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(
            [0, 999, 1000, 131_072, 1_000_000].map(grouped),
            ["0", "999", "1,000", "131,072", "1,000,000"]
        );
        assert_eq!(
            (count(1, "triangle"), count(2, "triangle")),
            ("1 triangle".into(), "2 triangles".into())
        );
    }
}
