//! Bodies that are not convex: rings, hooks, pieces with feet.

use super::*;
use impinge::shape::Surface;

fn ring(radius: f64, tube: f64) -> RigidShape3 {
    let ring = generate::torus(radius, tube, [24, 10]).expect("a ring");
    RigidShape3::closed(&ring).expect("a body")
}

/// An arch: a beam on two feet, 3 × 1 × 2 cells of an edge, its lower side at z = 0.
pub(super) fn arch(edge: f64) -> RigidShape3 {
    let outline = [
        [0, 0],
        [1, 0],
        [1, 1],
        [2, 1],
        [2, 0],
        [3, 0],
        [3, 2],
        [0, 2],
    ];
    let points: Vec<Point<3>> = [0.0, 1.0]
        .iter()
        .flat_map(|&y| {
            outline.map(|[x, z]| Point::from([f64::from(x) - 1.5, y - 0.5, f64::from(z)]) * edge)
        })
        .collect();
    let lid = [
        [0, 1, 2],
        [0, 2, 7],
        [2, 6, 7],
        [2, 3, 6],
        [3, 4, 5],
        [3, 5, 6],
    ];
    let mut triangles: Vec<[u32; 3]> = lid.to_vec();
    triangles.extend(lid.map(|[a, b, c]| [a + 8, c + 8, b + 8]));
    for i in 0..8 {
        let next = (i + 1) % 8;
        triangles.extend([[i, i + 8, next + 8], [i, next + 8, next]]);
    }
    let (surface, _) = Surface::repair(&points, &triangles).expect("closed");
    RigidShape3::closed(&surface).expect("a body")
}

/// Returns the linking number of two circles, by Gauss's integral over polygons.
fn linking(circles: [&[Vector<3>]; 2]) -> f64 {
    let mut sum = 0.0;
    for (i, p) in circles[0].iter().enumerate() {
        let along_p = circles[0][(i + 1) % circles[0].len()] - p;
        for (j, q) in circles[1].iter().enumerate() {
            let along_q = circles[1][(j + 1) % circles[1].len()] - q;
            let way = (p + 0.5 * along_p) - (q + 0.5 * along_q);
            sum += way.dot(&along_p.cross(&along_q)) / way.norm().powi(3);
        }
    }

    sum / (4.0 * PI)
}

fn circle(rings: &Rigid3, body: usize, radius: f64) -> Vec<Vector<3>> {
    let pose = rings.pose(body).expect("finite");
    (0..120)
        .map(|i| {
            let (sin, cos) = (PI * f64::from(i) / 60.0).sin_cos();
            pose.point(&Point::from([radius * cos, radius * sin, 0.0]))
                .coords
        })
        .collect()
}

/// Rings that hang in each other, the first fixed, the last thrown sideways.
fn chain(count: usize) -> Rigid3 {
    let soft = RigidLaw {
        stiffness: ContactStiffness::Given(2e8),
        ..RigidLaw::default()
    };
    let mut rings = Rigid3::new(soft, [0.0, 0.0, -G]).expect("valid");
    let shape = rings.add_shape(ring(0.1, 0.02));
    for n in 0..count {
        // Alternately upright in the planes of x and y.
        let orientation = if n % 2 == 0 {
            [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()]
        } else {
            [0.5, 0.5, 0.5, 0.5]
        };
        let position = [0.0, 0.0, -0.159 * n as f64];
        let is_last = n + 1 == count;
        rings
            .add(&NewBody {
                shape,
                position,
                orientation,
                velocity: [if is_last { 1.0 } else { 0.0 }, 0.0, 0.0],
                guide: (n == 0).then_some(PrescribedMotion {
                    orientation,
                    ..PrescribedMotion::at(position)
                }),
                ..NewBody::default()
            })
            .expect("a ring");
    }

    rings
}

#[test]
fn a_chain_of_rings_stays_linked_when_it_swings() {
    let mut rings = chain(5);
    let linked = |rings: &Rigid3, n: usize| {
        let [a, b] = [n, n + 1].map(|body| circle(rings, body, 0.1));
        linking([&a, &b]).abs()
    };
    for n in 0..4 {
        assert!(
            (linked(&rings, n) - 1.0).abs() < 0.05,
            "linked at the start"
        );
    }

    run(&mut rings, 0.4);
    for n in 0..4 {
        assert!((linked(&rings, n) - 1.0).abs() < 0.05, "ring {n} came off");
    }
    assert!(rings.centre(4).x.abs() > 0.02, "it swung");
}

#[test]
fn a_ball_falls_through_a_ring_and_rests_on_a_narrower_one() {
    for (radius, passes) in [(0.06, true), (0.1, false)] {
        let mut bodies = Rigid3::new(law(1e8), [0.0, 0.0, -G]).expect("valid");
        let forms = [
            ring(0.1, 0.02),
            RigidShape3::sphere(radius).expect("a ball"),
        ]
        .map(|shape| bodies.add_shape(shape));
        let guide = Some(PrescribedMotion::default());
        for new in [
            NewBody {
                shape: forms[0],
                guide,
                ..NewBody::default()
            },
            NewBody {
                shape: forms[1],
                position: [0.0, 0.0, 0.15],
                ..NewBody::default()
            },
        ] {
            bodies.add(&new).expect("a body");
        }
        run(&mut bodies, 0.4);
        let z = bodies.centre(1).z;
        assert_eq!(z < -0.1, passes, "{z}");
        assert!(passes || bodies.velocity(1).norm() < 0.05);
    }
}

#[test]
fn an_arch_stands_on_two_feet_each_with_its_own_contact() {
    for on_mesh in [false, true] {
        let mut bodies = Rigid3::new(law(1e8), [0.0, 0.0, -G]).expect("valid");
        let shape = bodies.add_shape(arch(0.1));
        let position = [0.01, 0.02, 0.001];
        bodies
            .add(&NewBody {
                shape,
                position,
                ..NewBody::default()
            })
            .expect("an arch");
        let floor = if on_mesh {
            let block = generate::block([3, 3, 1], [2.0, 2.0, 0.5]).expect("a block");
            let points: Vec<Point<3>> = block
                .points()
                .iter()
                .map(|p| p - Vector::<3>::new(1.0, 1.0, 0.5))
                .collect();
            let wall = MeshWall::closed(&points, block.triangles()).expect("a wall");
            bodies.add_mesh(wall, PrescribedMotion::default())
        } else {
            bodies.add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        };
        floor.expect("a floor");
        run(&mut bodies, 0.5);
        assert_eq!(bodies.contacts.len(), 2, "{:?}", bodies.contacts);
        let weight: f64 = bodies.contacts.iter().map(|line| -line.force.z).sum();
        assert!(
            (weight / (bodies.mass(0) * G) - 1.0).abs() < 0.01,
            "{weight}"
        );
        assert!(bodies.velocity(0).norm() < 1e-3 && bodies.spin(0).norm() < 1e-2);
    }
}

#[test]
fn collisions_of_every_pair_of_shapes_keep_momentum_and_angular_momentum() {
    let forms = || {
        [
            RigidShape3::sphere(0.1).expect("a ball"),
            cuboid(0.2, 0.15, 0.1),
            ring(0.1, 0.03),
            arch(0.06),
        ]
    };
    for i in 0..4 {
        for j in 0..4 {
            let mut bodies = Rigid3::new(law(1e8), [0.0; 3]).expect("valid");
            let numbers = forms().map(|shape| bodies.add_shape(shape));
            for (shape, x, y) in [(numbers[i], -0.16, 0.0), (numbers[j], 0.16, 0.03)] {
                bodies
                    .add(&NewBody {
                        shape,
                        position: [x, y, 0.01 - 0.5 * y],
                        orientation: [0.3, 0.1 + x, 0.2, 0.9],
                        velocity: [-10.0 * x, 0.0, 0.0],
                        spin: [1.0, 2.0, 3.0 * y],
                        ..NewBody::default()
                    })
                    .expect("a body");
            }
            let sums = |bodies: &Rigid3| {
                let mut sums = [Vector::<3>::zeros(); 2];
                for body in &bodies.bodies {
                    let momentum = body.velocity * body.mass;
                    sums[0] += momentum;
                    sums[1] += body.momentum + body.position.cross(&momentum);
                }
                sums
            };
            let before = sums(&bodies);
            let dt = bodies.stable_step();
            let mut touched = 0;
            for _ in 0..(0.2 / dt) as usize {
                step(&mut bodies, dt).expect("no trouble");
                touched += bodies.contacts.len();
            }
            let after = sums(&bodies);
            assert!(touched > 0, "{i} {j} missed each other");
            for k in 0..2 {
                let off = (after[k] - before[k]).norm();
                assert!(off < 1e-10 * bodies.mass(0), "{i} {j}: {off:e}");
            }
        }
    }
}
