//! Project tasks: `cargo xtask test`, `cargo xtask layers`, `cargo xtask book`, `cargo xtask figures`, `cargo xtask metrics`, `cargo xtask
//! viewer`, `cargo xtask manual`, `cargo xtask wheel`.

mod bench;
mod book;
mod debian;
mod figures;
mod layers;
mod metrics;
mod mpi;
mod python;
mod source;
mod test;
mod viewer;

use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
Development tasks of the impinge workspace.

Usage: cargo xtask COMMAND

Commands:
  test     formatting, clippy, layers, all tests, the page in a browser, documentation, Python; ends with a count of tests;
           'test STEP ...' runs only some steps: formatting, clippy, features, layers, book, tests, MPI, viewer, documentation, Python
  layers   fails if modules or crates form a cycle or use a later one
  bench    measures the ten kernels and compares with benchmarks/kernels.csv; 'bench save' replaces it
  book     updates the code and the scene keys in docs/book from their sources
  figures  makes the pictures of docs/book and examples/README.md
  metrics  prints tokens per line, blank lines and colliding public names
  viewer   builds the page of `impinge view` from viewer/ (needs node)
  manual   writes the man pages and shell completions to target/manual
  wheel    builds the Python wheel, with the command, to target/wheels
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test", ref steps @ ..] => test::run(steps),
        ["layers"] => layers::run(),
        ["bench"] => bench::run(bench::Mode::Compare),
        ["bench", "save"] => bench::run(bench::Mode::Save),
        ["book"] => book::run(book::Mode::Write),
        ["figures"] => figures::run(),
        ["metrics"] => metrics::run(),
        ["wheel"] => python::wheel(&root()),
        ["viewer"] => viewer::build(),
        ["manual"] => {
            let root = root();
            test::cargo(
                &[
                    "run",
                    "--release",
                    "--quiet",
                    "-p",
                    "impinge-cli",
                    "--",
                    "manual",
                    "target/manual",
                ],
                &root,
            )
        }
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => bail!("unknown command '{}'\n\n{HELP}", arguments.join(" ")),
    }
}

/// Returns the workspace's folder. It is determined at run time, because several clones may share a
/// build folder.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent()
        .expect("xtask lies in the workspace")
        .to_owned()
}
