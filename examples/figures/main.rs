//! Diagrams of the book, drawn from what the library computes. `cargo xtask figures` runs this and the
//! examples, and puts the pictures into the book.

mod broad;
mod convex;
mod svg;
mod trees;

use std::error::Error;
use std::path::PathBuf;

const BLUE: &str = "#5682be";
const ORANGE: &str = "#e27832";
const GREY: &str = "#9a9a9a";
const PALE: &str = "#dfe8f3";
const INK: &str = "#333333";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: figures FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    broad::draw(&folder.join("broad.svg"))?;
    trees::draw(&folder.join("trees.svg"))?;
    convex::draw(&folder.join("convex.svg"))?;

    Ok(())
}
