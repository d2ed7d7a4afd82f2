//! How elastic solids bounce: off walls, off each other, and off rigid bodies.

use super::super::{ElasticMaterial, Solids, SurfaceMaterial};
use super::{add, block, run, weightless};
use crate::{BodyRef, Collider, Matter};
use impinge::shape::generate;
use impinge::space::{Point, Vector};

const SPEED: f64 = 0.3;
const LENGTH: f64 = 0.1;

/// Far enough that nothing touches in the first step.
const GAP: f64 = 1e-3;

fn surface(restitution: f64) -> SurfaceMaterial {
    SurfaceMaterial {
        restitution,
        ..SurfaceMaterial::default()
    }
}

/// What a bar lands on.
#[derive(Clone, Copy, Debug)]
enum Ground {
    HalfSpace,
    Mesh,
    /// An equal bar.
    Bar,
}

/// What is left of a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounce {
    /// Ratio of the speeds of the centres, after and before.
    speed: f64,
    /// Largest error of the total energy, relative to that before.
    error: f64,
}

/// Throws a bar of a number of cells at the ground.
fn thrown(cells: [usize; 3], material: &ElasticMaterial, ground: Ground) -> Bounce {
    let mut solids = weightless();
    let size = [
        0.1 * cells[0] as f64 / cells[2] as f64,
        0.1 * cells[1] as f64 / cells[2] as f64,
        0.1,
    ];
    let bar = add(&mut solids, block(cells, size, [0.0, 0.0, GAP]), material);
    solids
        .set_velocity(bar, [0.0, 0.0, -SPEED])
        .expect("finite");
    let mut wall = None;
    match ground {
        Ground::HalfSpace => {
            solids
                .add_half_space([0.0; 3], [0.0, 0.0, 1.0], material.surface)
                .expect("a floor");
        }
        Ground::Mesh => {
            let floor = generate::block([3, 3, 1], [2.0, 2.0, 0.5]).expect("a block");
            let down = Vector::<3>::new(1.0, 1.0, 0.5);
            let points: Vec<Point<3>> = floor.points().iter().map(|p| p - down).collect();
            let floor = impinge::shape::Surface::new(&points, floor.triangles()).expect("closed");
            let floor = Collider::closed(BodyRef::body(0), &floor)
                .expect("valid")
                .with_surface(material.surface);
            wall = Some(floor);
        }
        Ground::Bar => {
            add(&mut solids, block(cells, size, [0.0, 0.0, -0.1]), material);
        }
    }

    let before = solids.energy().total();
    let dt = solids.stable_step();
    let (mut error, mut touched, mut free) = (0.0f64, false, 0);
    // Nodes still hop while the bar leaves: it has left when none touched for as long as a wave takes.
    let patience = (0.2 / material.wave_speed() / dt) as usize;
    while free < patience && solids.time() < 0.2 {
        match &wall {
            None => run(&mut solids, dt, 1),
            Some(wall) => {
                solids.begin(dt);
                solids.interact(dt).expect("fine");
                solids
                    .press_barrier(0, wall, &Point::origin(), dt)
                    .expect("fine");
                solids.finish(dt).expect("fine");
            }
        }
        touched |= !solids.contacts.is_empty();
        free = if touched && solids.contacts.is_empty() {
            free + 1
        } else {
            0
        };
        error = error.max((solids.energy().total() / before - 1.0).abs());
    }

    let speed = |solids: &Solids, solid: usize| {
        solids.solid(solid).momentum().z / solids.solid(solid).mass()
    };
    let other = if solids.len() > 1 {
        speed(&solids, 1)
    } else {
        0.0
    };
    Bounce {
        speed: (speed(&solids, bar) - other) / SPEED,
        error,
    }
}

#[test]
fn a_bar_bounces_off_walls_and_bars_by_its_elasticity_whatever_the_restitution() {
    // A bar of a continuum leaves as fast as it came. The nodes that land lose their own motion, and
    // short waves lag behind; both vanish with refinement.
    let least = [(3, 0.7), (6, 0.86), (12, 0.92), (24, 0.94)];
    for ground in [Ground::HalfSpace, Ground::Mesh, Ground::Bar] {
        let mut slower = 0.0;
        for (cells, least) in least {
            let [dead, alive] = [0.1, 1.0].map(|restitution| {
                let material = ElasticMaterial {
                    poisson: 0.0,
                    surface: surface(restitution),
                    ..ElasticMaterial::default()
                };
                thrown([1, 1, cells], &material, ground)
            });
            assert_eq!(dead, alive, "{cells} cells on {ground:?}");
            assert!(
                alive.speed > least && alive.speed < 1.0 && alive.error < 0.03,
                "{cells} cells on {ground:?}: {alive:?}"
            );
            assert!(
                alive.speed > slower,
                "{cells} cells on {ground:?}: {alive:?}"
            );
            slower = alive.speed;
        }
    }
}

#[test]
fn damping_gives_a_bar_the_restitution_it_was_computed_for() {
    for restitution in [0.2, 0.3, 0.5, 0.8] {
        for poisson in [0.0, 0.3] {
            let material = ElasticMaterial {
                poisson,
                surface: surface(restitution),
                ..ElasticMaterial::default()
            };
            let damped = ElasticMaterial {
                stiffness_damping: material.damping_for(restitution, LENGTH),
                ..material
            };
            let found = thrown([1, 1, 12], &damped, Ground::HalfSpace);
            assert!(
                (found.speed / restitution - 1.0).abs() < 0.05,
                "{restitution}, ν = {poisson}: {found:?}"
            );
        }
    }
}

#[test]
fn what_a_cube_keeps_in_its_vibration_does_not_depend_on_its_cells() {
    let speed = |cells: usize| {
        let material = ElasticMaterial::default();
        thrown([cells; 3], &material, Ground::HalfSpace).speed
    };
    let [coarse, fine] = [6, 10].map(speed);
    assert!((coarse - fine).abs() < 0.02, "{coarse} {fine}");
    assert!((0.77..0.85).contains(&fine), "{fine}");
}
