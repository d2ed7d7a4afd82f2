//! The `impinge` command: raw arguments → checked arguments → work.
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
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    interrupt::listen();
    match run(&arguments) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Interrupted) => ExitCode::from(interrupt::EXIT_CODE),
        Err(error) => {
            terminal::print_error(&error);
            ExitCode::from(2)
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
