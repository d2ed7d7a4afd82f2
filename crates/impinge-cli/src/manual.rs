//! Man pages and shell completions, generated from the command-line arguments.

use crate::Answer;
use crate::arguments::Arguments;
use anyhow::Context;
use clap::CommandFactory;
use std::path::Path;

/// Prints a completion script.
pub(crate) fn completions(shell: clap_complete::Shell) -> anyhow::Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "impinge", &mut script);
    crate::terminal::line(format_args!(
        "{}",
        String::from_utf8_lossy(&script).trim_end()
    ))?;

    Ok(Answer::Yes)
}

/// Writes man pages for `impinge` and its subcommands, and completion scripts for common shells.
pub(crate) fn pages(folder: &Path) -> anyhow::Result<Answer> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    clap_mangen::generate_to(Arguments::command(), folder)?;
    for shell in [
        clap_complete::Shell::Bash,
        clap_complete::Shell::Zsh,
        clap_complete::Shell::Fish,
    ] {
        clap_complete::generate_to(shell, &mut Arguments::command(), "impinge", folder)?;
    }

    Ok(Answer::Yes)
}
