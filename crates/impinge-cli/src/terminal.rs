//! Terminal output: errors with hints, formatted numbers and lists.

use impinge::shape::{Problem, ProblemKind};
use impinge_io::Ignored;
use impinge_run::build::BuildError;
use impinge_run::run::RunError;
use impinge_sim::world::WorldError;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether notes and warnings are suppressed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Prints a line to standard output unless `--quiet` is set.
macro_rules! say {
    ($common:expr, $($text:tt)*) => {
        if $common.quiet { Ok(()) } else { $crate::terminal::line(format_args!($($text)*)) }
    };
}
pub(crate) use say;

/// The first failure to print.
static UNPRINTED: Mutex<Option<std::io::Error>> = Mutex::new(None);

/// Prints a line to standard output. The work continues if that fails. A closed pipe, as with `head`, is not an error;
/// any other failure, as on a full disk, is one at the end of the command: [`unprinted`].
pub(crate) fn line(text: std::fmt::Arguments<'_>) -> std::io::Result<()> {
    if let Err(error) = writeln!(std::io::stdout().lock(), "{text}")
        && error.kind() != ErrorKind::BrokenPipe
        && let Ok(mut first) = UNPRINTED.lock()
    {
        first.get_or_insert(error);
    }
    Ok(())
}

/// Takes the first failure to print.
pub(crate) fn unprinted() -> Option<anyhow::Error> {
    let error = UNPRINTED.lock().ok()?.take()?;
    Some(anyhow::Error::new(error).context("cannot write to standard output"))
}

/// Prints a value as JSON, one field per line for readability.
pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    line(format_args!("{}", serde_json::to_string_pretty(value)?))?;
    Ok(())
}

/// Suppresses all further output of [`note`].
pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Prints a note or a warning to standard error unless `--quiet` is set.
pub(crate) fn note(text: std::fmt::Arguments<'_>) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        print_stderr(format_args!("impinge: {text}"));
    }
}

/// Notes on standard error what was dropped or changed when reading or writing a file.
pub(crate) fn note_ignored(path: &Path, ignored: &[Ignored]) {
    for Ignored { what, count } in ignored {
        note(format_args!(
            "note: {}: ignored: {count} {what}",
            path.display()
        ));
    }
}

/// Prints a line to standard error. Failures are ignored: there is nowhere left to report them.
pub(crate) fn print_stderr(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints an error with its causes, and a hint if there is one.
pub(crate) fn print_error(error: &anyhow::Error) {
    print_stderr(format_args!("impinge: error: {error:#}"));
    if let Some(hint) = hint(error) {
        print_stderr(format_args!("  hint: {hint}"));
    }
}
/// Returns a hint for the kind of the error or of one of its causes.
fn hint(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| {
        if let Some(cause) = cause.downcast_ref::<RunError>() {
            return hint_of_run(cause);
        }
        if let Some(cause) = cause.downcast_ref::<impinge_io::Error>() {
            return hint_of_file(cause);
        }
        let problem = cause.downcast_ref::<Problem>()?;
        hint_of_problem(problem.kind)
    })
}

fn hint_of_run(error: &RunError) -> Option<&'static str> {
    match error {
        RunError::File(file) => hint_of_file(file),
        RunError::World { fault, .. } => match fault.as_ref() {
            BuildError::File { fault, .. } if is_missing(fault) => {
                Some("check the path; a scene's meshes are relative to the folder of the scene")
            }
            BuildError::File { fault, .. } => hint_of_file(fault),
            BuildError::Shape { fault, .. }
            | BuildError::World {
                fault: WorldError::Shape { fault, .. },
                ..
            } => hint_of_problem(fault.kind),
            _ => None,
        },
        _ => None,
    }
}

fn hint_of_file(error: &impinge_io::Error) -> Option<&'static str> {
    match error {
        impinge_io::Error::System { reason, .. } => match reason.kind() {
            ErrorKind::NotFound => {
                Some("check the path; paths are relative to the folder you are in")
            }
            ErrorKind::PermissionDenied => {
                Some("check the permissions there, or choose another path with -o")
            }
            _ => None,
        },
        impinge_io::Error::Format { .. } => {
            Some("the extension selects the format; rename the file or use another extension")
        }
        impinge_io::Error::Content { .. } => None,
    }
}

fn is_missing(error: &impinge_io::Error) -> bool {
    matches!(error, impinge_io::Error::System { reason, .. } if reason.kind() == ErrorKind::NotFound)
}

fn hint_of_problem(kind: ProblemKind) -> Option<&'static str> {
    match kind {
        ProblemKind::OpenEdge | ProblemKind::NonManifoldEdge => Some(
            "'impinge info MESH' lists what is wrong; 'impinge convert IN OUT --repair' merges equal points",
        ),
        ProblemKind::InsideOut => Some("'impinge convert IN OUT --repair' turns the surface over"),
        ProblemKind::DuplicatePoint => {
            Some("'impinge convert IN OUT --repair' merges equal points")
        }
        _ => None,
    }
}

/// Normalises a number for display: zero has no sign.
pub(crate) fn shown(number: f64) -> f64 {
    number + 0.0
}

/// Formats a number with seven significant digits.
pub(crate) fn digits(number: f64) -> String {
    let rounded: f64 = format!("{number:.6e}").parse().unwrap_or(number);
    let size = shown(rounded).abs();
    if size == 0.0 || !size.is_finite() || (1e-3..1e9).contains(&size) {
        format!("{}", shown(rounded))
    } else {
        format!("{rounded:e}")
    }
}

/// Formats an integer with thousands separators: 131,072.
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

/// Formats a count with its noun: `1 triangle`, `12 triangles`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

#[cfg(test)]
mod tests;
