//! The `impinge` command as a library, for the program and for the Python package: raw arguments → checked arguments → work.
//!
//! Exit codes: 0 success, 1 if the answer to a yes/no question is "no", 2 error, 130 stopped by a signal.

mod arguments;
mod common;
mod contacts;
mod convert;
mod demo;
mod destination;
mod distance;
mod faces;
mod info;
mod inside;
mod interrupt;
mod manual;
mod memory;
mod mesh;
mod mesh_file;
mod pairs;
mod picture;
mod plot;
mod predict;
mod progress;
mod project;
mod run;
mod solids;
mod terminal;
mod view;

use arguments::{Arguments, Command};
use clap::FromArgMatches;
use std::ffi::OsString;

/// Runs the command with these arguments, the first of which is the program's name, and returns the
/// exit code. It installs signal handlers and may end the process, so call it only from the command's
/// own program.
pub fn main_with<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> u8 {
    let matches = Arguments::grouped().try_get_matches_from(arguments);
    let arguments = match matches.and_then(|found| Arguments::from_arg_matches(&found)) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help goes to standard output. A closed pipe is not an error.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };

    interrupt::listen();
    let answer = run(&arguments);
    let answer = answer.and_then(|answer| terminal::unprinted().map_or(Ok(answer), Err));
    match answer {
        Ok(Answer::Yes) => 0,
        Ok(Answer::No) => 1,
        Ok(Answer::Interrupted) => interrupt::EXIT_CODE,
        Err(error) => {
            terminal::print_error(&error);
            2
        }
    }
}

/// Outcome of a command; `No` answers a question and is not a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// Stopped by a signal, with everything saved.
    Interrupted,
}

fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let common = &arguments.common;
    if common.quiet {
        terminal::be_quiet();
    }

    if let Some(threads) = common.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()?;
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
        Command::Run(run) => run::run(run, common),
        Command::View(view) => view::run(view, common),
        Command::Demo(demo) => demo::run(demo, common),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Manual { folder } => manual::pages(folder),
    }
}
