//! Signal handling: Ctrl-C and termination.
//!
//! Most commands exit at once with the usual code 130: partial files are removed, finished ones are kept. A command
//! with state to save can request a flag instead; a second signal still ends it at once.

use crate::terminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);
static IS_GRACEFUL: AtomicBool = AtomicBool::new(false);
static FIRST: Mutex<Option<Instant>> = Mutex::new(None);

/// Signals within this time of the first count as one: `timeout` and shells signal both the process and its group.
const SAME: Duration = Duration::from_millis(500);

/// Delay after which a command that is still stopping says so.
const REPORT_AFTER: Duration = Duration::from_millis(800);

/// Conventional shell exit code for Ctrl-C.
pub(crate) const EXIT_CODE: u8 = 130;

/// Installs the signal handler.
pub(crate) fn listen() {
    let handler = || {
        if IS_GRACEFUL.load(Ordering::Relaxed) && is_first() {
            STOP_REQUESTED.store(true, Ordering::Relaxed);
            std::thread::spawn(explain_delay);
            return;
        }
        impinge_io::remove_unfinished();
        terminal::print_stderr(format_args!(
            "\nimpinge: interrupted; no partial files were left"
        ));
        std::process::exit(EXIT_CODE.into());
    };
    // Without a handler the signal still ends the program, so failing to install one is not an error.
    let _ = ctrlc::set_handler(handler);
}

/// Reports what the command is waiting for if it does not stop at once.
fn explain_delay() {
    std::thread::sleep(REPORT_AFTER);
    terminal::note(format_args!(
        "stopping after the current step; press Ctrl-C again to stop at once (the last checkpoint is kept)"
    ));
}

fn is_first() -> bool {
    let mut first = FIRST
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    first.get_or_insert_with(Instant::now).elapsed() < SAME
}

/// Makes the first signal set the returned flag instead of ending the program.
pub(crate) fn stop_gracefully() -> &'static AtomicBool {
    IS_GRACEFUL.store(true, Ordering::Relaxed);
    &STOP_REQUESTED
}

/// Lets the next signal end the program at once again.
pub(crate) fn stop_at_once() {
    IS_GRACEFUL.store(false, Ordering::Relaxed);
}

/// Whether a signal has requested a command to stop gracefully.
pub(crate) fn is_stop_requested() -> bool {
    STOP_REQUESTED.load(Ordering::Relaxed)
}
