//! The program `impinge`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(impinge_cli::main_with(std::env::args_os()))
}
