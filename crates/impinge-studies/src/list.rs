//! All studies, in the order of the report.

use crate::study::{Findings, Record};
use crate::{
    aragon2013, correct, erleben2005, muth2006, peers, piles, schinner1997, stratbuecker2003,
    validate,
};
use anyhow::{Result, bail};

/// A study of the list.
pub(crate) struct Study {
    /// Name of its folder and of its record.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Whether it belongs to a paper; the others compare with peers or oracles.
    pub(crate) is_of_paper: bool,
    run: fn(bool) -> Result<Findings>,
}

const fn paper(
    name: &'static str,
    title: &'static str,
    run: fn(bool) -> Result<Findings>,
) -> Study {
    Study {
        name,
        title,
        is_of_paper: true,
        run,
    }
}

const fn comparison(
    name: &'static str,
    title: &'static str,
    run: fn(bool) -> Result<Findings>,
) -> Study {
    Study {
        is_of_paper: false,
        ..paper(name, title, run)
    }
}

pub(crate) const STUDIES: [Study; 27] = [
    paper(
        "muth2006",
        "Muth, Of, Eberhard & Steinbach 2006: point in polyhedron by the fast multipole method or ray crossing",
        muth2006::run,
    ),
    paper(
        "aragon2013",
        "Aragón & Molinari 2013: a hierarchical detection framework for non-convex solids",
        |quick| {
            aragon2013::run(&aragon2013::Aragon2013 {
                quick,
                queries: None,
            })
        },
    ),
    paper(
        "stratbuecker2003",
        "Stratbücker 2003: collision detection in large particle systems",
        stratbuecker2003::run,
    ),
    paper(
        "erleben2005",
        "Erleben & Sporring 2005: collision detection of deformable volumetric meshes",
        erleben2005::run,
    ),
    paper(
        "schinner1997",
        "Schinner 1997: insertion sort and closest features",
        schinner1997::run,
    ),
    comparison(
        "correct-narrow",
        "Distance and depth of convex bodies against brute force",
        |quick| {
            correct::narrow::run(if quick {
                20_000
            } else {
                correct::narrow::PAIRS
            })
        },
    ),
    comparison(
        "peers-ccd",
        "First impact of meshes, beside the IPC Toolkit",
        peers::ccd::run,
    ),
    comparison(
        "peers-dem",
        "A settled bed of spheres, beside LAMMPS",
        peers::dem::run,
    ),
    comparison(
        "peers-detect",
        "A step of convex bodies and meshes, beside parry",
        peers::detect::run,
    ),
    comparison(
        "peers-distance",
        "Distance of convex bodies, beside parry and coal",
        peers::distance::run,
    ),
    comparison(
        "peers-inside",
        "Point in polyhedron, beside CGAL, Embree, libigl and Open3D",
        peers::inside::run,
    ),
    comparison(
        "peers-meshes",
        "Surfaces against surfaces, beside coal and parry",
        peers::meshes::run,
    ),
    comparison(
        "peers-mpi",
        "A settled bed of spheres on MPI ranks, beside LAMMPS",
        peers::mpi::run,
    ),
    comparison(
        "peers-pairs",
        "Overlapping pairs, beside parry, rapier, kiddo, broccoli, scipy and LAMMPS",
        |quick| peers::pairs::run(&peers::pairs::Pairs::all(quick)),
    ),
    comparison(
        "peers-solids",
        "Deforming solids, beside parry and the IPC Toolkit",
        peers::solids::run,
    ),
    comparison(
        "peers-predict",
        "Time of impact of thrown balls, beside the IPC Toolkit and parry",
        peers::predict::run,
    ),
    comparison(
        "peers-project",
        "Closest points on curved faces, beside SLSQP, Akantu and NGSolve",
        peers::project::run,
    ),
    comparison(
        "piles",
        "Piles of polyhedra and of rings: what a step costs per touching pair",
        piles::run,
    ),
    comparison(
        "validate-beverloo",
        "Discharge of a silo: Beverloo's law",
        validate::beverloo::run,
    ),
    comparison(
        "validate-haff",
        "Cooling of a granular gas: Haff's law with Enskog's rate",
        validate::haff::run,
    ),
    comparison(
        "validate-impact",
        "Single impacts: the tests of Chung and Ooi, Coulomb's law in gross sliding",
        validate::impact::run,
    ),
    comparison(
        "validate-janssen",
        "Load on the floor of a tube: Janssen's law",
        validate::janssen::run,
    ),
    comparison(
        "validate-jkr",
        "Cohesion: the largest pull of JKR and DMT",
        validate::jkr::run,
    ),
    comparison(
        "validate-packing",
        "Solid fraction of settled beds against friction",
        validate::packing::run,
    ),
    comparison(
        "validate-settle",
        "Beds that come to rest: the energy balance at every restitution",
        validate::settle::run,
    ),
    comparison(
        "validate-solids",
        "Elastic solids: bending, waves, a spinning ring, contact patch, two balls, Hertz's contact",
        validate::solids::run,
    ),
    comparison(
        "validate-tower",
        "Stacks of rigid blocks that stand or fall, a block on an incline",
        validate::tower::run,
    ),
];

/// Runs every study, or those of the papers, and then lists what failed and what was skipped.
pub(crate) fn run(quick: bool, papers_only: bool) -> Result<()> {
    let wanted = |study: &&Study| study.is_of_paper || !papers_only;
    let mut records = Vec::new();
    for study in STUDIES.iter().filter(wanted) {
        records.push(Record::of_run(study.name, quick, || (study.run)(quick))?);
    }

    println!();
    records.iter().for_each(|r| println!("{}", r.summary()));
    let failures: usize = records.iter().map(Record::failures).sum();
    if failures > 0 {
        bail!("{failures} finding(s) fail");
    }

    Ok(())
}

#[cfg(test)]
mod tests;
