//! Progress display for anything that takes over a second; only on a terminal.

use crate::common::Common;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Delay before progress is shown.
const SHOW_AFTER: Duration = Duration::from_secs(1);

/// Runs work of unknown length, with a spinner once it takes longer than a second.
pub(crate) fn during<T>(common: &Common, what: &str, work: impl FnOnce() -> T) -> T {
    if common.quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, finished) = channel::<()>();
        scope.spawn(move || {
            if finished.recv_timeout(SHOW_AFTER) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_message(what.to_owned());
                spinner.set_style(
                    ProgressStyle::with_template("{spinner} {msg} {elapsed}")
                        .expect("a valid template"),
                );
                spinner.enable_steady_tick(Duration::from_millis(100));
                // Returns when the sender is dropped, at the end of the work or on its panic.
                let _ = finished.recv();
                spinner.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}
