//! Cells of every kind: forces from energy, modes without energy, patch tests, conserved quantities.

use super::{run, weightless};
use crate::matter::Matter;
use crate::solid::{
    ElasticMaterial, ElasticModel, ElasticSolid, InvalidSolid, SelfContact, SolidMesh, Solids,
    Strain,
};
use impinge::shape::{ElementKind, Mesh, generate::brick};
use impinge::space::{Matrix, Point, Random, Vector};
use nalgebra::{DMatrix, SymmetricEigen};

const KINDS: [ElementKind; 5] = [
    ElementKind::Tet4,
    ElementKind::Tet10,
    ElementKind::Hex8,
    ElementKind::Hex20,
    ElementKind::Hex27,
];

/// A brick whose nodes are displaced at random, so that cells are curved and skew.
fn shaken(kind: ElementKind, cells: [usize; 3], by: f64) -> SolidMesh {
    let mut mesh = brick(cells, cells.map(|n| n as f64), kind).expect("valid");
    let mut random = Random::new(7);
    for point in &mut mesh.points {
        *point += random.direction() * by;
    }
    SolidMesh::from_mesh(&mesh).expect("valid")
}

fn solid_of(mesh: &SolidMesh, material: &ElasticMaterial) -> ElasticSolid {
    ElasticSolid::new(mesh.clone(), material, SelfContact::Ignored).expect("valid")
}

fn materials() -> impl Iterator<Item = ElasticMaterial> {
    let laws = [ElasticModel::SmallStrain, ElasticModel::NeoHookean];
    laws.into_iter().flat_map(|law| {
        [0.0, 0.3, 0.49].map(|poisson| ElasticMaterial {
            young: 1.0,
            poisson,
            density: 1.0,
            law,
            ..ElasticMaterial::default()
        })
    })
}

#[test]
fn forces_are_the_gradient_of_the_energy() {
    let h = 1e-5;
    for kind in KINDS {
        let mesh = shaken(kind, [1, 1, 2], 0.03);
        for material in materials() {
            let mut solid = solid_of(&mesh, &material);
            let mut random = Random::new(3);
            solid
                .points
                .iter_mut()
                .for_each(|p| *p += random.direction() * 0.1);
            solid.strain();

            for node in 0..solid.points.len() {
                for axis in 0..3 {
                    let mut energy_at = |by: f64| {
                        solid.points[node][axis] += by;
                        let energy = solid.strain_energy();
                        solid.points[node][axis] -= by;
                        energy
                    };
                    let slope = (energy_at(h) - energy_at(-h)) / (2.0 * h);
                    let force = solid.forces[node][axis];
                    assert!(
                        (force + slope).abs() < 1e-7,
                        "{} {material:?}: {force} {slope}",
                        kind.name()
                    );
                }
            }
        }
    }
}

/// The stiffness matrix at rest, from forces of small displacements.
fn stiffness(solid: &mut ElasticSolid) -> DMatrix<f64> {
    let (count, h) = (3 * solid.points.len(), 1e-6);
    let mut matrix = DMatrix::zeros(count, count);
    for column in 0..count {
        for sign in [1.0, -1.0] {
            solid.points.copy_from_slice(&solid.rest);
            solid.points[column / 3][column % 3] += sign * h;
            solid.forces.fill(Vector::zeros());
            solid.strain();
            for (row, force) in solid.forces.iter().flat_map(|f| f.iter()).enumerate() {
                matrix[(row, column)] -= sign * force / (2.0 * h);
            }
        }
    }

    (&matrix + matrix.transpose()) * 0.5
}

#[test]
fn exactly_the_six_rigid_motions_have_no_energy() {
    for kind in KINDS {
        for (cells, strain) in [([1; 3], Strain::PerElement), ([1, 1, 2], Strain::Smoothed)] {
            for material in materials() {
                let material = ElasticMaterial { strain, ..material };
                let mut solid = solid_of(&shaken(kind, cells, 0.03), &material);
                let eigen = SymmetricEigen::new(stiffness(&mut solid)).eigenvalues;
                let mut values: Vec<f64> = eigen.iter().copied().collect();
                values.sort_by(f64::total_cmp);
                let largest = values[values.len() - 1];

                let zeros = values.iter().filter(|v| v.abs() < 1e-7 * largest).count();
                assert_eq!(zeros, 6, "{} {material:?}: {:?}", kind.name(), &values[..9]);
                // The first deformation is far from them.
                assert!(
                    values[6] > 1e-5 * largest,
                    "{} {:?}",
                    kind.name(),
                    &values[..9]
                );
            }
        }
    }
}

#[test]
fn single_cells_have_no_hourglass_modes() {
    for kind in [
        ElementKind::Tet10,
        ElementKind::Hex8,
        ElementKind::Hex20,
        ElementKind::Hex27,
    ] {
        let mesh = brick([1; 3], [1.0; 3], kind).expect("valid");
        let nodes: Vec<u32> = mesh.blocks[0].elements().next().expect("a cell").to_vec();
        let one = Mesh {
            points: nodes.iter().map(|&n| mesh.points[n as usize]).collect(),
            blocks: vec![impinge::shape::Block {
                kind,
                nodes: (0..nodes.len() as u32).collect(),
            }],
        };
        let one = SolidMesh::from_mesh(&one).expect("valid");
        for material in materials() {
            let mut solid = solid_of(&one, &material);
            let values = SymmetricEigen::new(stiffness(&mut solid)).eigenvalues;
            let largest = values.amax();
            let zeros = values.iter().filter(|v| v.abs() < 1e-7 * largest).count();
            assert_eq!(zeros, 6, "{} {material:?}", kind.name());
        }
    }
}

#[test]
fn the_square_of_the_highest_frequency_bounds_that_of_the_stiffness_matrix() {
    for kind in KINDS {
        let mesh = shaken(kind, [1, 1, 2], 0.03);
        for material in materials() {
            let mut solid = solid_of(&mesh, &material);
            let scale: Vec<f64> = solid
                .masses
                .iter()
                .flat_map(|m| [1.0 / m.sqrt(); 3])
                .collect();
            let mut matrix = stiffness(&mut solid);
            for (row, of_row) in scale.iter().enumerate() {
                for (column, of_column) in scale.iter().enumerate() {
                    matrix[(row, column)] *= of_row * of_column;
                }
            }
            solid.points.copy_from_slice(&solid.rest);
            let highest = SymmetricEigen::new(matrix).eigenvalues.max();
            let ours = solid.squared_frequency();
            assert!(
                ours >= highest * (1.0 - 1e-6) && ours < 1.2 * highest,
                "{} {ours} {highest}",
                kind.name()
            );
        }
    }
}

#[test]
fn masses_are_positive_and_add_up() {
    for kind in KINDS {
        let mesh = shaken(kind, [2, 1, 1], 0.03);
        let solid = solid_of(&mesh, &ElasticMaterial::default());
        assert!(solid.masses().iter().all(|&m| m > 0.0), "{}", kind.name());
    }

    let straight =
        SolidMesh::from_mesh(&brick([1; 3], [1.0; 3], ElementKind::Tet10).expect("valid"));
    let solid = solid_of(&straight.expect("valid"), &ElasticMaterial::default());
    assert!((solid.mass() - 1000.0).abs() < 1e-9);
    // The two corners on the diagonal belong to six cells, the node in the middle of it too.
    let sixth = 1000.0 / 6.0;
    let at = |point: [f64; 3]| solid.points.iter().position(|p| *p == Point::from(point));
    let [corner, middle] = [[0.0; 3], [0.5; 3]].map(|p| solid.masses[at(p).expect("a node")]);
    assert!((corner - 6.0 * sixth / 36.0).abs() < 1e-9, "{corner}");
    assert!((middle - 6.0 * sixth * 4.0 / 27.0).abs() < 1e-9, "{middle}");
}

#[test]
fn a_homogeneous_deformation_has_the_stress_of_the_law_in_every_cell_and_no_inner_forces() {
    let f = Matrix::<3>::new(1.1, 0.05, 0.0, 0.02, 0.95, 0.1, 0.0, -0.04, 1.02);
    for kind in KINDS {
        // Curved tet10 do not pass exactly with 4 points: their Jacobian varies.
        let by = if kind == ElementKind::Tet4 || kind == ElementKind::Hex8 {
            0.05
        } else {
            0.0
        };
        let mesh = shaken(kind, [2, 2, 2], by);
        for material in materials() {
            let mut solid = solid_of(&mesh, &material);
            let bend = |p: &Point<3>| Point::from(f * p.coords);
            solid.points = solid.rest.iter().map(bend).collect();
            solid.forces.fill(Vector::zeros());
            solid.strain();

            let (mut stresses, mut strains) = (Vec::new(), Vec::new());
            solid.stresses(&mut stresses);
            solid.strains(&mut strains);
            let exact = material.elasticity().cauchy(&f);
            let green = (f.tr_mul(&f) - Matrix::identity()) * 0.5;
            for (stress, strain) in stresses.iter().zip(&strains) {
                assert!((stress.cauchy[3] - exact[(0, 1)]).abs() < 1e-12);
                assert!((stress.cauchy[0] - exact[(0, 0)]).abs() < 1e-12);
                assert!((strain[4] - green[(1, 2)]).abs() < 1e-12);
            }

            let inner =
                (0..solid.points.len()).filter(|n| !solid.surface_nodes().contains(&(*n as u32)));
            for node in inner {
                assert!(solid.forces[node].norm() < 1e-12, "{}", kind.name());
            }
        }
    }
}

fn angular_momentum(solid: &ElasticSolid) -> Vector<3> {
    let nodes = solid
        .masses
        .iter()
        .zip(&solid.points)
        .zip(&solid.velocities);
    nodes.map(|((m, x), v)| x.coords.cross(v) * *m).sum()
}

#[test]
fn energy_momentum_and_angular_momentum_are_conserved() {
    for kind in KINDS {
        for material in materials() {
            let mut solids = weightless();
            let mesh = shaken(kind, [1, 1, 2], 0.03);
            let number = solids
                .add(mesh, &material, SelfContact::Ignored)
                .expect("valid");
            let mut random = Random::new(11);
            let velocities: Vec<Vector<3>> = solids
                .solid(number)
                .points()
                .iter()
                .map(|p| Vector::from([0.0, 0.1, 0.2]).cross(&p.coords) + random.direction() * 0.02)
                .collect();
            solids.set_velocities(number, &velocities).expect("finite");
            let state = |solids: &Solids| {
                let solid = solids.solid(number);
                (
                    solids.energy().total(),
                    solid.momentum(),
                    angular_momentum(solid),
                )
            };
            let (energy, momentum, spin) = state(&solids);

            let dt = 0.5 * solids.stable_step();
            run(&mut solids, dt, 400);
            let after = state(&solids);
            assert!(
                (after.0 / energy - 1.0).abs() < 0.01,
                "{} {energy} {}",
                kind.name(),
                after.0
            );
            assert!((after.1 - momentum).norm() < 1e-12, "{}", kind.name());
            // Velocity Verlet conserves it without error but rounding.
            assert!(
                (after.2 - spin).norm() < 1e-12 * spin.norm().max(1.0),
                "{}",
                kind.name()
            );
        }
    }
}

#[test]
fn a_saved_solid_continues_with_the_same_numbers() {
    for kind in KINDS {
        let mut solids = weightless();
        let material = ElasticMaterial::default();
        let mesh = shaken(kind, [1, 1, 2], 0.02);
        solids
            .add(mesh, &material, SelfContact::Ignored)
            .expect("valid");
        let random = Random::new(2);
        let velocities = {
            let mut random = random;
            solids
                .solid(0)
                .points()
                .iter()
                .map(|_| random.direction())
                .collect::<Vec<_>>()
        };
        solids.set_velocities(0, &velocities).expect("finite");
        let dt = solids.stable_step();
        run(&mut solids, dt, 5);

        let bytes = postcard::to_stdvec(&solids).expect("written");
        let mut resumed: Solids = postcard::from_bytes(&bytes).expect("read");
        run(&mut solids, dt, 5);
        run(&mut resumed, dt, 5);
        assert_eq!(
            solids.solid(0).points(),
            resumed.solid(0).points(),
            "{}",
            kind.name()
        );
    }
}

#[test]
fn mixed_cells_move_together() {
    // A hex8 between a tet4 and a tet10, each touching it at a corner only.
    let mut mesh = brick([1; 3], [1.0; 3], ElementKind::Hex8).expect("valid");
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let other = brick([1; 3], [1.0; 3], kind).expect("valid");
        let shift = if kind == ElementKind::Tet4 { 1.0 } else { -1.0 };
        let first = mesh.points.len() as u32;
        mesh.points
            .extend(other.points.iter().map(|p| p + Vector::repeat(shift)));
        for nodes in other.blocks[0].elements() {
            let nodes: Vec<u32> = nodes.iter().map(|n| n + first).collect();
            mesh.push(kind, &nodes);
        }
    }
    mesh.weld(0.0);
    let mixed = SolidMesh::from_mesh(&mesh.compacted()).expect("valid");
    assert_eq!(mixed.cells().count(), 13);

    let mut solids = weightless();
    let material = ElasticMaterial::default();
    let number = solids
        .add(mixed, &material, SelfContact::Ignored)
        .expect("valid");
    assert!((solids.solid(number).mass() - 3000.0).abs() < 1e-6);
    let velocities: Vec<Vector<3>> = solids
        .solid(number)
        .points()
        .iter()
        .map(|p| p.coords * -0.5)
        .collect();
    solids.set_velocities(number, &velocities).expect("finite");
    let energy = solids.energy().total();
    let dt = 0.5 * solids.stable_step();
    run(&mut solids, dt, 500);
    assert!((solids.energy().total() / energy - 1.0).abs() < 0.01);
}

#[test]
fn cells_that_share_a_face_but_not_its_nodes_are_refused() {
    // A tet10 and a tet4 on the same corners.
    let points = [
        [0., 0., 0.],
        [1., 0., 0.],
        [0., 1., 0.],
        [0., 0., 1.],
        [1., 1., 1.],
    ];
    let mut mesh = Mesh {
        points: points.map(Point::from).to_vec(),
        blocks: vec![],
    };
    let mid =
        |a: usize, b: usize| nalgebra::center(&Point::from(points[a]), &Point::from(points[b]));
    for [a, b] in [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]] {
        mesh.points.push(mid(a, b));
    }
    mesh.push(ElementKind::Tet10, &[0, 1, 2, 3, 5, 6, 7, 8, 9, 10]);
    mesh.push(ElementKind::Tet4, &[1, 4, 2, 3]);
    let fault = SolidMesh::from_mesh(&mesh).expect_err("they would come apart");
    assert_eq!(
        fault,
        InvalidSolid::Nonconforming {
            cells: [0, 1],
            kinds: ["tet10", "tet4"]
        }
    );

    // A hex8 with a tet4 on half of a face.
    let mut mesh = brick([1; 3], [1.0; 3], ElementKind::Hex8).expect("valid");
    let at = |p: [f64; 3]| {
        mesh.points
            .iter()
            .position(|q| *q == Point::from(p))
            .expect("a node") as u32
    };
    let three = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]].map(at);
    let tip = mesh.points.len() as u32;
    mesh.points.push(Point::from([2.0, 0.5, 0.5]));
    mesh.push(ElementKind::Tet4, &[three[0], three[1], three[2], tip]);
    let fault = SolidMesh::from_mesh(&mesh).expect_err("they bend differently");
    assert!(
        matches!(fault, InvalidSolid::Nonconforming { cells: [0, 1], .. }),
        "{fault}"
    );
}

/// A block whose top is the paraboloid z = 1 − 0.2 (x² + y²), in cells of a kind.
fn cushion(kind: ElementKind) -> SolidMesh {
    let mut mesh = brick([2; 3], [2.0, 2.0, 1.0], kind).expect("valid");
    for p in &mut mesh.points {
        *p -= Vector::from([1.0, 1.0, 0.0]);
        p.z *= 1.0 - 0.2 * p.xy().coords.norm_squared();
    }
    SolidMesh::from_mesh(&mesh).expect("valid")
}

#[test]
fn contacts_of_quadratic_cells_have_the_depth_of_their_curved_faces() {
    for kind in [ElementKind::Tet10, ElementKind::Hex27] {
        let mut solids = weightless();
        let cushion = cushion(kind);
        solids
            .add(cushion, &ElasticMaterial::default(), SelfContact::Ignored)
            .expect("valid");
        // A tet4 whose lowest node is 0.03 below the paraboloid, away from all nodes of the faces.
        let (x, y, depth) = (0.27, 0.31, 0.03);
        let normal = Vector::<3>::new(0.4 * x, 0.4 * y, 1.0).normalize();
        let tip = Point::from([x, y, 1.0 - 0.2 * (x * x + y * y)]) - normal * depth;
        let mut points = [
            [0.0; 3],
            [0.3, 0.0, 1.0],
            [0.0, 0.3, 1.0],
            [-0.3, -0.3, 1.0],
        ];
        points
            .iter_mut()
            .for_each(|p| (0..3).for_each(|k| p[k] += tip[k]));
        let pin = impinge::shape::Solid::new(&points, &[[0, 1, 2, 3]])
            .or_else(|_| impinge::shape::Solid::new(&points, &[[0, 2, 1, 3]]))
            .expect("valid");
        solids
            .add(pin, &ElasticMaterial::default(), SelfContact::Ignored)
            .expect("valid");

        solids.begin(1e-9);
        solids.interact(1e-9).expect("finite");
        let mut contacts = Vec::new();
        solids.contacts(&mut contacts);
        let found = contacts
            .iter()
            .find(|c| (c.point - tip).norm() < 1e-6)
            .expect("a contact");
        // The faces are biquadratic or quadratic: the paraboloid itself, but for the division of z.
        assert!(
            (found.depth - depth).abs() < 1e-3,
            "{} {}",
            kind.name(),
            found.depth
        );
        assert!(
            found.normal.dot(&normal).abs() > 0.9999,
            "{} {}",
            kind.name(),
            found.normal
        );
    }
}

/// A fork of two prongs along z with a slit between them, in cells of a kind.
fn fork(kind: ElementKind) -> SolidMesh {
    let mut mesh = brick([5, 2, 6], [0.5, 0.2, 0.6], kind).expect("valid");
    let count = kind.node_count();
    let points = mesh.points.clone();
    let is_kept = |nodes: &&[u32]| {
        let sum: Vector<3> = nodes.iter().map(|&n| points[n as usize].coords).sum();
        let centre = sum / count as f64;
        (centre.x - 0.25).abs() > 0.05 || centre.z < 0.1
    };
    let block = &mut mesh.blocks[0];
    block.nodes = block
        .nodes
        .chunks(count)
        .filter(is_kept)
        .flatten()
        .copied()
        .collect();
    SolidMesh::from_mesh(&mesh.compacted()).expect("valid")
}

#[test]
fn prongs_of_every_kind_do_not_pass_through_each_other() {
    for kind in [ElementKind::Tet10, ElementKind::Hex8, ElementKind::Hex27] {
        let nearest = |found: SelfContact| {
            let mut solids = weightless();
            solids
                .add(fork(kind), &ElasticMaterial::default(), found)
                .expect("valid");
            let closing = |p: &Point<3>| {
                Vector::from([
                    10.0 * (0.25 - p.x).signum() * (p.z - 0.1).max(0.0),
                    0.0,
                    0.0,
                ])
            };
            let velocities: Vec<Vector<3>> = solids.solid(0).points().iter().map(closing).collect();
            solids.set_velocities(0, &velocities).expect("finite");
            let dt = solids.stable_step();
            let mut least = f64::INFINITY;
            while solids.time() < 0.04 {
                run(&mut solids, dt, 1);
                least = least.min(slit(solids.solid(0)));
            }
            least
        };

        let (through, stopped) = (nearest(SelfContact::Ignored), nearest(SelfContact::Found));
        assert!(
            through < -0.05,
            "{}: without contact {through}",
            kind.name()
        );
        assert!(stopped > -0.01, "{}: {stopped}", kind.name());
    }
}

/// Returns the width of the slit at its open end: negative once the prongs have passed each other.
fn slit(solid: &ElasticSolid) -> f64 {
    let mean = |x: f64| {
        let nodes = solid.rest.iter().zip(&solid.points);
        let side = nodes.filter(|(rest, _)| (rest.x - x).abs() < 1e-9 && rest.z > 0.6 - 1e-9);
        let places: Vec<f64> = side.map(|(_, now)| now.x).collect();
        places.iter().sum::<f64>() / places.len() as f64
    };
    mean(0.3) - mean(0.2)
}

#[test]
fn cells_of_every_kind_give_the_same_bytes_for_any_number_of_threads() {
    let after = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let mut solids = weightless();
            for (number, kind) in KINDS.into_iter().enumerate() {
                let mut mesh = brick([3, 2, 2], [0.3, 0.2, 0.2], kind).expect("valid");
                let lift = Vector::from([0.0, 0.03 * number as f64, 0.205 * number as f64]);
                mesh.points.iter_mut().for_each(|p| *p += lift);
                let mesh = SolidMesh::from_mesh(&mesh).expect("valid");
                let material = ElasticMaterial {
                    stiffness_damping: 1e-5,
                    ..ElasticMaterial::default()
                };
                solids
                    .add(mesh, &material, SelfContact::Ignored)
                    .expect("valid");
                solids
                    .set_velocity(number, [0.0, 0.0, -2.0 * number as f64])
                    .expect("finite");
            }
            let dt = solids.stable_step();
            // Until they touch, and on.
            let mut steps = 0;
            while solids.contacts.is_empty() && steps < 5000 {
                run(&mut solids, dt, 1);
                steps += 1;
            }
            assert!(!solids.contacts.is_empty());
            run(&mut solids, dt, 50);
            postcard::to_stdvec(&solids).expect("plain numbers")
        })
    };

    let one = after(1);
    assert!(one == after(2) && one == after(7));
}
