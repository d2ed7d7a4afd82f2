//! Measurements compared with known values.

use super::*;
use crate::build;
use impinge_sim::world::World;
use std::path::Path;

fn scene(text: &str) -> SceneSpec {
    SceneSpec::parse(text).unwrap_or_else(|fault| panic!("{fault}"))
}

fn world(scene: &SceneSpec) -> World {
    build::world(scene, Path::new("")).expect("a world")
}

fn numbers(rows: &str, row: usize) -> Vec<f64> {
    let row = rows.lines().nth(row).expect("a row");
    row.split(',')
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// A bed of spheres at rest in a box of 4 × 4 cm.
const BED: &str = "gravity = [0, 0, -9.81]
[run]
duration = 1
loads = 0.1
[[material]]
young = 1e6
restitution = 0.3
friction = 0.3
density = 2000
[[wall]]
name = 'floor'
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
point = [-0.02, 0, 0]
normal = [1, 0, 0]
[[wall]]
point = [0.02, 0, 0]
normal = [-1, 0, 0]
[[wall]]
point = [0, -0.02, 0]
normal = [0, 1, 0]
[[wall]]
point = [0, 0.02, 0]
normal = [0, -1, 0]
[[particles]]
count = 400
radius = { uniform = [0.0018, 0.0022] }
placement = 'lattice'
region = { box = { min = [-0.02, -0.02, 0], max = [0.02, 0.02, 0.1] } }
[[average]]
name = 'middle'
region = { box = { min = [-0.012, -0.012, 0.003], max = [0.012, 0.012, 0.012] } }
[grid]
min = [-0.02, -0.02, 0]
max = [0.02, 0.02, 0.1]
cells = [2, 2, 25]
";

fn settled() -> (SceneSpec, World) {
    let scene = scene(BED);
    let mut world = world(&scene);
    let dt = 0.9 * world.stable_step();
    let steps = (0.6 / dt) as usize;
    (0..steps).for_each(|_| world.step(dt).expect("a good step"));
    (scene, world)
}

#[test]
fn a_bed_at_rest_weighs_on_its_floor_and_has_the_stress_of_its_depth() {
    let (scene, world) = settled();
    let particles = world.particles().expect("spheres");
    let mass: f64 = (0..particles.len()).map(|n| particles.mass_at(n)).sum();

    // The walls carry a part by friction; floor and walls together carry all.
    let rows = loads(&world, 0.6);
    assert!(
        rows.starts_with("0.6,wall,0,floor,0.0,0.0,0.0,0.0,0.0,0.0,1.0"),
        "{rows}"
    );
    let lifted: f64 = (0..5).map(|row| -numbers(&rows, row)[17]).sum();
    assert!(
        (lifted / (mass * 9.81) - 1.0).abs() < 0.01,
        "{lifted} of {}",
        mass * 9.81
    );

    let row = averages(&world, &scene, 0.6);
    assert!(row.starts_with("0.6,middle,"), "{row}");
    let row = numbers(&row, 0);
    let [count, solid_fraction, coordination, temperature] = [row[1], row[3], row[4], row[5]];
    assert!(
        count > 60.0 && (0.52..0.66).contains(&solid_fraction),
        "{row:?}"
    );
    assert!(
        (4.0..6.2).contains(&coordination) && temperature < 1e-6,
        "{row:?}"
    );

    // σ_zz at the middle of the region is the weight of the column above it, less what friction carries.
    let is_above = |n: &usize| {
        let [x, y, z] = particles.grain_at(*n).position;
        x.abs() < 0.012 && y.abs() < 0.012 && z > 0.0075
    };
    let above = (0..particles.len()).filter(is_above);
    let above: f64 = above.map(|n| particles.mass_at(n)).sum();
    let share = row[12] / (above * 9.81 / 0.024_f64.powi(2));
    assert!((0.8..1.2).contains(&share), "{share}");
}

#[test]
fn cells_of_a_grid_hold_all_the_spheres() {
    let (scene, world) = settled();
    let snapshot = Snapshot::of(&world);
    let grid = scene.grid.expect("a grid");
    let cells = grid::averages(&snapshot, &grid);
    let particles = world.particles().expect("spheres");
    let mass: f64 = (0..particles.len()).map(|n| particles.mass_at(n)).sum();

    let cell = 0.02 * 0.02 * 0.004;
    let solid: f64 = cells
        .iter()
        .map(|average| average.solid_fraction * cell)
        .sum();
    assert!(
        (solid * 2000.0 / mass - 1.0).abs() < 0.02,
        "{}",
        solid * 2000.0 / mass
    );
    assert_eq!(
        cells.iter().map(|average| average.particles).sum::<usize>(),
        400
    );
    assert!(cells[0].solid_fraction > 0.4 && cells[99].solid_fraction == 0.0);
}

#[test]
fn mass_that_passes_a_plane_is_counted_once_and_not_across_a_period() {
    let scene = scene(
        "[run]\nduration = 1\n[periodic]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
         [[particles]]\ncount = 1\nradius = 0.1\nvelocity = [1, 0, 0]\n\
         region = { box = { min = [0.4, 0.4, 0.4], max = [0.6, 0.6, 0.6] } }\n\
         [[flow]]\nname = 'gate'\npoint = [0.8, 0, 0]\nnormal = [1, 0, 0]\n\
         [[flow]]\npoint = [0.8, 0, 0]\nnormal = [-1, 0, 0]\n\
         [[flow]]\npoint = [0.8, 0, 0]\nnormal = [1, 0, 0]\nregion = { box = { min = [0, 0, 0], max = [1, 0.2, 1] } }\n",
    );
    let mut world = world(&scene);
    let mut meter = FlowMeter::start(&scene, &world, Vec::new());
    for _ in 0..1050 {
        world.step(1e-3).expect("a step");
        meter.follow(&world);
    }

    let mass = world.particles().expect("one").mass_at(0);
    let rows = meter.rows(1.0);
    assert_eq!(
        rows.lines().next(),
        Some(&*format!("1.0,gate,{mass:?},1,{mass:?}"))
    );
    assert_eq!(numbers(&rows, 1), [1.0, -mass, -1.0, -mass]);
    assert_eq!(numbers(&rows, 2), [1.0, 0.0, 0.0, 0.0]);
    assert!(meter.rows(2.0).lines().all(|row| row.ends_with(",0.0")));
}

#[test]
fn force_intervals_hold_all_contacts_between_spheres() {
    let (_, world) = settled();
    let rows = forces(&world, 0.6);
    let counted: f64 = (0..39)
        .map(|row| *numbers(&rows, row).last().expect("a count"))
        .sum();
    let last = rows.lines().nth(39).expect("the last interval");
    assert!(last.contains(",9.75,inf,"), "{last}");
    let contacts = numbers(&rows, 0)[2];
    assert!(
        contacts > 500.0 && counted > 0.99 * contacts,
        "{counted} of {contacts}"
    );
}
