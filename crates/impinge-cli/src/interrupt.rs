//! Ctrl-C and termination.
//!
//! Most commands end at once: half-written files go, finished ones stay, and the shell sees the usual 130. A command that
//! has something to save asks to be told instead; a second signal ends it at once all the same.

use crate::terminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);
static IS_PATIENT: AtomicBool = AtomicBool::new(false);
static FIRST: Mutex<Option<Instant>> = Mutex::new(None);

/// Signals so soon after the first are the same wish: `timeout` and shells send it to the process and to its group.
const SAME: Duration = Duration::from_millis(500);

/// A command that takes longer than this to stop says so.
const PATIENCE: Duration = Duration::from_millis(800);

/// The exit code that shells know for Ctrl-C.
pub(crate) const EXIT_CODE: u8 = 130;

/// Begins to listen.
pub(crate) fn listen() {
    let handler = || {
        if IS_PATIENT.load(Ordering::Relaxed) && is_first() {
            ASKED_TO_STOP.store(true, Ordering::Relaxed);
            std::thread::spawn(explain_delay);
            return;
        }
        impinge_io::remove_unfinished();
        terminal::complain(format_args!(
            "\nimpinge: interrupted; nothing half-written was left behind"
        ));
        std::process::exit(EXIT_CODE.into());
    };
    // Without a handler the signal still ends the program, which is no reason not to run.
    let _ = ctrlc::set_handler(handler);
}

/// Says what is waited for where a wish to stop is not met at once.
fn explain_delay() {
    std::thread::sleep(PATIENCE);
    terminal::note(format_args!(
        "stopping after the step under way; Ctrl-C again ends at once, with the last checkpoint"
    ));
}

fn is_first() -> bool {
    let mut first = FIRST
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    first.get_or_insert_with(Instant::now).elapsed() < SAME
}

/// From now on the first signal sets this flag and does nothing else.
pub(crate) fn patiently() -> &'static AtomicBool {
    IS_PATIENT.store(true, Ordering::Relaxed);
    &ASKED_TO_STOP
}
