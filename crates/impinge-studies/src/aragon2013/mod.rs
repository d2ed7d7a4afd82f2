//! Three levels of contact detection \[Aragon2013\], part one: what an exclusion test and a projection cost, the
//! hierarchies of section 3.2, volume adaptivity. One file for each table.

mod exclusion;
mod projection;
mod refinement;
mod trees;

use crate::study::{self, Findings};
use anyhow::Result;

pub(crate) fn run(quick: bool) -> Result<()> {
    let folder = study::folder("aragon2013")?;
    let mut findings = Findings::default();
    exclusion::run(&folder, quick, &mut findings)?;
    projection::run(&folder, quick, &mut findings)?;
    trees::run(&folder, quick, &mut findings)?;
    refinement::run(&folder, quick, &mut findings)?;
    println!("\nwritten: {}", folder.display());
    findings.finish()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_quick_study_finds_what_the_paper_finds() {
        super::run(true).unwrap();
    }
}
