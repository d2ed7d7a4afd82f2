//! Background writing of files during the next steps.
//!
//! Compressing and writing a frame of 50,000 spheres takes as long as about five steps, and steps
//! rarely keep every core busy. At most one job runs at a time; the next one, and any caller that needs
//! the files, waits for it.

use impinge_io::Error;
use std::thread::JoinHandle;

/// Runs one job at a time on its own thread.
#[derive(Default)]
pub(super) struct Writer {
    thread: Option<JoinHandle<Result<(), Error>>>,
}

impl Writer {
    /// Starts a job after the previous one has succeeded.
    pub(super) fn start(
        &mut self,
        work: impl FnOnce() -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Error> {
        self.wait()?;
        self.thread = Some(std::thread::spawn(work));
        Ok(())
    }

    /// Waits for the current job and returns its result.
    pub(super) fn wait(&mut self) -> Result<(), Error> {
        let ended = self.thread.take().map(JoinHandle::join);
        ended
            .unwrap_or(Ok(Ok(())))
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Writer {
    /// Completes the frame even if the run ends with an error.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
