//! Files that are written while the next steps are under way.
//!
//! Packing and writing a frame of 50,000 spheres takes as long as some five steps of them, and steps rarely keep every core
//! busy. One piece of work is under way at most; the next one, and whoever needs the files, waits for it.

use impinge_io::Error;
use std::thread::JoinHandle;

/// Does one piece of work at a time on a thread of its own.
#[derive(Default)]
pub(super) struct Writer {
    thread: Option<JoinHandle<Result<(), Error>>>,
}

impl Writer {
    /// Starts a piece of work, once the one before has ended well.
    pub(super) fn start(
        &mut self,
        work: impl FnOnce() -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Error> {
        self.wait()?;
        self.thread = Some(std::thread::spawn(work));
        Ok(())
    }

    /// Waits for what is under way, and tells how it ended.
    pub(super) fn wait(&mut self) -> Result<(), Error> {
        let ended = self.thread.take().map(JoinHandle::join);
        ended
            .unwrap_or(Ok(Ok(())))
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Writer {
    /// A run that ends with an error still completes its frame.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn an_error_is_told_to_whoever_waits_next_and_once() {
        let mut writer = Writer::default();
        let fault = || {
            Err(Error::system(
                Path::new("full"),
                std::io::Error::other("no space"),
            ))
        };
        writer.start(fault).expect("nothing before");

        assert!(
            writer
                .start(|| Ok(()))
                .unwrap_err()
                .to_string()
                .contains("no space")
        );
        writer.wait().expect("told already");
        writer.start(|| Ok(())).expect("nothing under way");

        writer.wait().expect("ends well");
    }
}
