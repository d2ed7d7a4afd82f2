//! Section 3.2: hierarchies over the faces of a motorcycle, their depths, the cost to build and to
//! update them, and the pictures of Figure 3.

use crate::study::{Findings, Table, timed};
use anyhow::Result;
use impinge::bound::{Ball, Bound};
use impinge::shape::{Surface, generate};
use impinge::space::Aabb;
use impinge::tree::{BallTree, Builder, Bvh, LeafDepths};
use impinge_draw::{Camera, Canvas, Colour};
use std::path::Path;

/// Depths for the paper's motorcycle of 17,955 faces.
const PAPER: LeafDepths = LeafDepths {
    least: 8,
    mean: 18.0,
    largest: 38,
};

/// The level of the paper's Figures 3e and 3f.
const MIDDLE: usize = 12;

pub(super) fn run(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let body = generate::motorcycle();
    let balls: Vec<Ball<3>> = faces(&body)
        .map(|t| Ball::smallest(&body.corners(t)))
        .collect();
    let boxes: Vec<Aabb<3>> = faces(&body).map(|t| Aabb::of(body.corners(t))).collect();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (mut up, in_up) =
        one_thread.install(|| timed(|| BallTree::build(&balls, Builder::BottomUp)));
    let (down, in_down) =
        one_thread.install(|| timed(|| BallTree::build(&balls, Builder::TopDown)));
    let (of_boxes, in_boxes) = one_thread.install(|| timed(|| Bvh::new(&boxes)));
    let (_, refit) = one_thread.install(|| timed(|| up.refit(&balls)));

    println!(
        "\nHierarchies of {} faces    build s   depth: least  mean  largest   volume    cost",
        balls.len()
    );
    let mut table = Table::new(&[
        "tree", "build_s", "least", "mean", "largest", "volume", "cost",
    ]);
    let mut enter = |name: &str, seconds: f64, depths: LeafDepths, volume: f64, cost: f64| {
        let LeafDepths {
            least,
            mean,
            largest,
        } = depths;
        println!(
            "  {name:<22}{seconds:>12.4}{least:>14}{mean:>6.1}{largest:>9}{volume:>9.2}{cost:>8.1}"
        );
        table.row(&[&name, &seconds, &least, &mean, &largest, &volume, &cost]);
    };
    enter("the paper's", f64::NAN, PAPER, f64::NAN, f64::NAN);

    enter(
        "balls bottom-up",
        in_up,
        up.depths(),
        up.volume(),
        up.cost(),
    );
    enter(
        "balls top-down",
        in_down,
        down.depths(),
        down.volume(),
        down.cost(),
    );

    enter(
        "boxes top-down",
        in_boxes,
        of_boxes.depths(),
        of_boxes.volume(),
        of_boxes.cost(),
    );
    println!("  all balls refitted in {:.3} ms", refit * 1e3);
    table.save(&folder.join("trees.csv"))?;

    findings.check(
        up.volume() < down.volume(),
        "the bottom-up tree has the least volume [Omohundro]",
    );
    findings.timing(
        in_up < 1.0,
        format!("building from the bottom up takes {in_up:.3} s, not 99 % of a run"),
    );

    if !quick {
        growth(&one_thread, findings)?;
    }

    pictures(folder, &body, &up, &boxes)
}

fn faces(body: &Surface) -> std::ops::Range<usize> {
    0..body.triangles().len()
}

/// Measures build time against the number of faces.
fn growth(one_thread: &rayon::ThreadPool, findings: &mut Findings) -> Result<()> {
    println!("  bottom-up on foams, one thread:");
    let mut last = 0.0;
    for triangles in [30_000, 120_000, 490_000] {
        let foam = generate::foam(triangles, 1)?;
        let balls: Vec<Ball<3>> = faces(&foam)
            .map(|t| Ball::smallest(&foam.corners(t)))
            .collect();
        let (tree, seconds) = one_thread.install(|| timed(|| BallTree::bottom_up(&balls)));
        println!(
            "    {:>7} faces {seconds:>8.3} s, depth {:?}",
            balls.len(),
            tree.depths()
        );

        last = seconds;
    }

    findings.timing(
        last < 10.0,
        format!("half a million faces take {last:.1} s, less than 10"),
    );
    Ok(())
}

fn pictures(folder: &Path, body: &Surface, tree: &BallTree<3>, boxes: &[Aabb<3>]) -> Result<()> {
    let camera = Camera::looking_along([-1.0, 2.2, -0.8], body.bounds());
    let canvas = || Canvas::new(700, 460, camera);
    let mut mesh = canvas();
    faces(body).for_each(|t| mesh.triangle(&body.corners(t), Colour::rgb(120, 130, 150)));
    let balls = |level: &[Ball<3>]| {
        let mut picture = canvas();
        let shown = level.iter().filter(|ball| !ball.is_empty());
        shown.for_each(|ball| picture.sphere(&ball.centre, ball.radius, Colour::rgb(200, 120, 60)));
        picture
    };
    let (leaves, middle) = (balls(&tree.level(usize::MAX)), balls(&tree.level(MIDDLE)));
    let mut blocks = canvas();
    boxes
        .iter()
        .for_each(|bounds| draw_box(&mut blocks, bounds));

    let pictures = [
        ("mesh", mesh),
        ("leaves", leaves),
        ("level12", middle),
        ("boxes", blocks),
    ];

    for (name, picture) in &pictures {
        std::fs::write(
            folder.join(format!("motorcycle_{name}.png")),
            picture.to_png(),
        )?;
    }

    Ok(())
}

fn draw_box(canvas: &mut Canvas, bounds: &Aabb<3>) {
    let corner = |k: usize| {
        let end = |axis: usize| {
            if k >> axis & 1 == 1 {
                bounds.max[axis]
            } else {
                bounds.min[axis]
            }
        };
        [end(0), end(1), end(2)].into()
    };
    for [a, b, c, d] in [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
    ] {
        let [a, b, c, d] = [a, b, c, d].map(corner);
        canvas.triangle(&[a, b, c], Colour::rgb(90, 150, 110));
        canvas.triangle(&[a, c, d], Colour::rgb(90, 150, 110));
    }
}
