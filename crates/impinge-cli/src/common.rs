//! Options common to all commands.

use clap::Args;
use std::num::NonZeroUsize;

/// Options common to all commands.
#[derive(Args)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Print the result as JSON (the schema is in docs/json.md)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print nothing but errors and JSON
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Number of threads (default: all cores). Results do not depend on it
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}
