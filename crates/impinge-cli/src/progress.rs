//! Progress on anything that takes over a second; on a terminal only.

use crate::arguments::Common;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs work that cannot say how far it is, with a spinner once it takes longer than a second.
pub(crate) fn during<T>(common: &Common, what: &str, work: impl FnOnce() -> T) -> T {
    if common.quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, finished) = channel::<()>();
        scope.spawn(move || {
            if finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_message(what.to_owned());
                spinner.set_style(
                    ProgressStyle::with_template("{spinner} {msg} {elapsed}")
                        .expect("a valid template"),
                );
                spinner.enable_steady_tick(Duration::from_millis(100));
                // Ends when the sender is dropped, with the work or with its panic.
                let _ = finished.recv();
                spinner.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}
