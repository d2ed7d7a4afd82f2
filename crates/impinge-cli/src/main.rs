//! The command `impinge`: raw arguments → checked arguments → work.
//!
//! Exit codes: 0 found or fine, 1 the answer is "no" where a command asks a yes/no question, 2 an error.

mod arguments;
mod contacts;
mod convert;
mod demo;
mod distance;
mod faces;
mod info;
mod inside;
mod manual;
mod mesh;
mod pairs;
mod predict;
mod progress;
mod project;
mod solids;
mod terminal;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    stop_cleanly_on_interrupt();
    match run(&arguments) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if terminal::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::print_error(&error);
            ExitCode::from(2)
        }
    }
}

/// What a command found: `No` is the answer to a question, not a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
}

fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let common = &arguments.common;
    if let Some(threads) = common.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?;
    }
    match &arguments.command {
        Command::Info(info) => info::run(info, common),
        Command::Mesh(mesh) => mesh::run(mesh, common),
        Command::Convert(convert) => convert::run(convert, common),
        Command::Inside(inside) => inside::run(inside, common),
        Command::Distance(distance) => distance::run(distance, common),
        Command::Pairs(pairs) => pairs::run(pairs, common),
        Command::SelfHits(arguments) => solids::run_self(arguments, common),
        Command::Collide(arguments) => solids::run_collide(arguments, common),
        Command::Contacts(contacts) => contacts::run(contacts, common),
        Command::Project(project) => project::run(project, common),
        Command::Predict(predict) => predict::run(predict, common),
        Command::Demo(demo) => demo::run(demo, common),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Manual { folder } => manual::pages(folder),
    }
}

/// Ctrl-C and termination: half-written files go, finished ones stay, and the shell sees the usual 130.
fn stop_cleanly_on_interrupt() {
    let handler = || {
        impinge_io::remove_unfinished();
        eprintln!("\nimpinge: interrupted; nothing half-written was left behind");
        std::process::exit(130);
    };
    // Without a handler the signal still ends the program, which is no reason not to run.
    let _ = ctrlc::set_handler(handler);
}
