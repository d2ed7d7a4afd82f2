use super::super::overlap;
use super::super::overlap::winding_of;
use super::*;
use crate::narrow::overlap3;
use crate::narrow::samples::{any_body, any_pose, boxed, prism, round};
use crate::shape::HalfSpace;
use crate::shape::{Polyhedron, Surface, generate};
use crate::space::{Aabb, Matrix, Random};
use std::collections::{BTreeMap, BTreeSet};

type Cell = [i32; 3];

fn tree_of(body: &Polyhedron) -> Option<TriangleTree> {
    let mut triangles = Vec::new();
    for face in 0..body.face_count() {
        let corners: Vec<u32> = body.face_corners(face).collect();
        triangles.extend(corners[1..].windows(2).map(|p| [corners[0], p[0], p[1]]));
    }
    let surface = Surface::new(body.points(), &triangles).ok()?;
    Some(TriangleTree::new(&surface))
}

/// The surface of a set of unit cells whose boundary is a manifold.
fn voxels(cells: &BTreeSet<Cell>) -> Surface {
    let (mut numbers, mut points, mut triangles) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut node = |at: Cell| {
        *numbers.entry(at).or_insert_with(|| {
            points.push(Point::from(at.map(f64::from)));
            points.len() as u32 - 1
        })
    };
    for &cell in cells {
        for axis in 0..3 {
            for (step, up) in [(-1, 0), (1, 1)] {
                let mut beside = cell;
                beside[axis] += step;
                if cells.contains(&beside) {
                    continue;
                }
                let mut corner = |i: i32, j: i32| {
                    let mut at = cell;
                    at[axis] += up;
                    at[(axis + 1) % 3] += i;
                    at[(axis + 2) % 3] += j;
                    node(at)
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                triangles.extend(match up {
                    1 => [[a, b, c], [a, c, d]],
                    _ => [[a, c, b], [a, d, c]],
                });
            }
        }
    }

    Surface::new(&points, &triangles).expect("a manifold")
}

fn blocks(blocks: &[[Cell; 2]]) -> BTreeSet<Cell> {
    let mut cells = BTreeSet::new();
    for [low, up] in blocks {
        for x in low[0]..up[0] {
            for y in low[1]..up[1] {
                cells.extend((low[2]..up[2]).map(|z| [x, y, z]));
            }
        }
    }
    cells
}

/// An L, a U, a frame, a frame with a bar, a hollow box and a comb.
fn pieces() -> Vec<BTreeSet<Cell>> {
    let frame = [
        [[0, 0, 0], [4, 1, 1]],
        [[0, 3, 0], [4, 4, 1]],
        [[0, 0, 0], [1, 4, 1]],
        [[3, 0, 0], [4, 4, 1]],
    ];
    let mut hollow = blocks(&[[[0, 0, 0], [3, 3, 3]]]);
    hollow.remove(&[1, 1, 1]);
    vec![
        blocks(&[[[0, 0, 0], [3, 1, 1]], [[0, 0, 0], [1, 3, 1]]]),
        blocks(&[
            [[0, 0, 0], [3, 1, 1]],
            [[0, 0, 0], [1, 3, 1]],
            [[2, 0, 0], [3, 3, 1]],
        ]),
        blocks(&frame),
        blocks(&[&frame[..], &[[[0, 0, 1], [1, 1, 4]]]].concat()),
        hollow,
        blocks(&[
            [[0, 0, 0], [5, 1, 1]],
            [[0, 0, 0], [1, 1, 3]],
            [[2, 0, 0], [3, 1, 3]],
            [[4, 0, 0], [5, 1, 3]],
        ]),
    ]
}

/// Volume and first moment of each connected part of two sets of cells, the second shifted: the
/// boxes between the planes of both lattices, joined across their faces.
fn parts_of_cells(a: &BTreeSet<Cell>, b: &BTreeSet<Cell>, shift: [f64; 3]) -> Vec<[f64; 4]> {
    let cuts = shift.map(|s| {
        let mut cuts: Vec<f64> = (-8..16)
            .flat_map(|i| [f64::from(i), f64::from(i) + s])
            .collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts
    });
    let mut boxes = BTreeMap::new();
    for x in 0..cuts[0].len() - 1 {
        for y in 0..cuts[1].len() - 1 {
            for z in 0..cuts[2].len() - 1 {
                let at = [x, y, z];
                let middle =
                    std::array::from_fn(|k: usize| 0.5 * (cuts[k][at[k]] + cuts[k][at[k] + 1]));
                let cell = |shift: [f64; 3]| -> Cell {
                    std::array::from_fn(|k| (middle[k] - shift[k]).floor() as i32)
                };
                if a.contains(&cell([0.0; 3])) && b.contains(&cell(shift)) {
                    let volume: f64 = (0..3)
                        .map(|k| cuts[k][at[k] + 1] - cuts[k][at[k]])
                        .product();
                    let [x, y, z] = middle.map(|m: f64| m * volume);
                    boxes.insert(at, [volume, x, y, z]);
                }
            }
        }
    }

    let mut parts = Vec::new();
    while let Some((start, _)) = boxes.first_key_value() {
        let (mut open, mut sum) = (vec![*start], [0.0; 4]);
        while let Some(at) = open.pop() {
            let Some(found) = boxes.remove(&at) else {
                continue;
            };
            (0..4).for_each(|k| sum[k] += found[k]);
            for axis in 0..3 {
                let [mut low, mut up] = [at, at];
                (low[axis], up[axis]) = (at[axis].wrapping_sub(1), at[axis] + 1);
                open.extend([low, up]);
            }
        }
        parts.push(sum);
    }
    parts
}

fn found(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    work: &mut PartsWork,
) -> Vec<Part> {
    let mut list = Vec::new();
    let status = parts(a, pose_a, b, pose_b, work, &mut list);
    assert_eq!(status, PartsStatus::Separate);
    for part in &list {
        assert!(part.volume >= 0.0 && part.depth >= 0.0, "{part:?}");
        let numbers = [
            part.centroid.coords,
            part.section,
            part.on_a.coords,
            part.on_b.coords,
        ];
        assert!(
            numbers.iter().all(|v| v.iter().all(|x| x.is_finite())),
            "{part:?}"
        );
        assert!(part.faces.iter().any(Option::is_some));
    }
    assert!(list.is_sorted_by_key(|part| part.faces));
    list
}

#[test]
fn convex_bodies_share_the_one_part_that_clipping_finds() {
    let mut random = Random::new(301);
    let (mut work, mut compared) = (PartsWork::default(), 0);
    for _ in 0..500 {
        let mut body = || match random.below(4) {
            0 => any_body(&mut random),
            1 => round(&mut random, 40),
            2 => boxed(1.0, 1.5, 0.7),
            _ => prism(7, 0.8, 1.0),
        };
        let (a, b) = (body(), body());
        let (Some(tree_a), Some(tree_b)) = (tree_of(&a), tree_of(&b)) else {
            continue;
        };
        let (pose_a, pose_b) = (any_pose(&mut random, 0.3), any_pose(&mut random, 1.5));
        let list = found(&tree_a, &pose_a, &tree_b, &pose_b, &mut work);
        let Some(expected) = overlap3::polyhedra(&a, &pose_a, &b, &pose_b) else {
            assert!(list.iter().all(|part| part.volume < 1e-12), "{list:?}");
            continue;
        };
        if expected.volume < 1e-6 {
            continue;
        }

        compared += 1;
        assert_eq!(list.len(), 1, "{list:?} {expected:?}");
        assert!((list[0].volume - expected.volume).abs() < 1e-12);
        assert!((list[0].centroid - expected.centroid).norm() < 1e-8);
        assert!((list[0].section - expected.section).norm() < 1e-11);

        if let Some(normal) = list[0].normal() {
            let apart = normal.dot(&(list[0].on_a - list[0].on_b));
            assert!((apart - list[0].depth).abs() < 1e-12);
        }
    }

    assert!(compared > 150, "{compared}");
}

#[test]
fn parts_of_voxel_bodies_are_those_of_flooding_their_cells() {
    let mut random = Random::new(302);
    let (mut work, mut several) = (PartsWork::default(), 0);
    let bodies: Vec<_> = pieces()
        .into_iter()
        .map(|cells| (TriangleTree::new(&voxels(&cells)), cells))
        .collect();
    for _ in 0..600 {
        let ((a, cells_a), (b, cells_b)) = (&bodies[random.below(6)], &bodies[random.below(6)]);
        let shift = [(); 3].map(|()| random.below(6) as f64 - 3.0 + random.within(0.1, 0.9));
        let turn = any_pose(&mut random, 2.0);
        let list = found(a, &turn, b, &turn.after(&Pose::at(shift)), &mut work);
        let mut expected = parts_of_cells(cells_a, cells_b, shift);
        let mut sums: Vec<[f64; 4]> = list
            .iter()
            .map(|part| {
                let [x, y, z] = (turn.to_local(&part.centroid).coords * part.volume).into();
                [part.volume, x, y, z]
            })
            .collect();
        let order = |a: &[f64; 4], b: &[f64; 4]| a.partial_cmp(b).expect("finite");
        expected.sort_by(order);
        sums.sort_by(order);

        assert_eq!(sums.len(), expected.len(), "{shift:?} {list:?}");
        for (sum, expected) in sums.iter().zip(&expected) {
            assert!((sum[0] - expected[0]).abs() < 1e-12, "{sum:?} {expected:?}");
        }
        // Parts of equal volume may be listed in either order: compare the moments as a whole.
        for k in 0..4 {
            let [one, other] = [&sums, &expected].map(|all| all.iter().map(|s| s[k]).sum::<f64>());
            assert!((one - other).abs() < 1e-11, "{one} {other}");
        }
        several += usize::from(expected.len() > 1);
    }

    assert!(several > 40, "{several}");
}

#[test]
fn bodies_on_one_lattice_share_whole_cells_without_any_perturbation() {
    let mut random = Random::new(303);
    let (mut work, mut overlapping) = (PartsWork::default(), 0);
    let bodies: Vec<_> = pieces()
        .into_iter()
        .map(|cells| (TriangleTree::new(&voxels(&cells)), cells))
        .collect();
    for _ in 0..600 {
        let ((a, cells_a), (b, cells_b)) = (&bodies[random.below(6)], &bodies[random.below(6)]);
        let shift = [(); 3].map(|()| 0.5 * (random.below(13) as f64 - 6.0));
        let list = found(a, &Pose::identity(), b, &Pose::at(shift), &mut work);
        let expected: f64 = parts_of_cells(cells_a, cells_b, shift)
            .iter()
            .map(|s| s[0])
            .sum();
        let volume: f64 = list.iter().map(|part| part.volume).sum();
        assert!((volume - expected).abs() < 1e-13, "{shift:?} {volume}");

        // Exchanging the bodies moves the other one infinitesimally: the volumes are the same.
        let swapped = found(b, &Pose::at(shift), a, &Pose::identity(), &mut work);
        let swapped: f64 = swapped.iter().map(|part| part.volume).sum();
        assert!((swapped - expected).abs() < 1e-13, "{shift:?} {swapped}");
        overlapping += usize::from(expected > 0.0);
    }

    assert!(overlapping > 120, "{overlapping}");
}

#[test]
fn the_parts_of_random_surfaces_add_up_to_their_overlap() {
    let mut random = Random::new(304);
    let trees: Vec<TriangleTree> = [
        generate::sphere(3).expect("valid"),
        generate::torus(1.0, 0.3, [24, 10]).expect("valid"),
        generate::torus(1.2, 0.1, [40, 12]).expect("valid"),
        generate::block([4, 3, 2], [1.0, 1.5, 0.4]).expect("valid"),
        generate::tube(
            [-1.0, 0.0, 0.2].into(),
            [1.0, 0.3, 0.0].into(),
            0.05,
            [7, 9],
        )
        .expect("valid"),
        voxels(&pieces()[3]),
    ]
    .iter()
    .map(TriangleTree::new)
    .collect();
    let (mut work, mut crossing, mut several) = (PartsWork::default(), 0, 0);
    for _ in 0..800 {
        let (a, b) = (&trees[random.below(6)], &trees[random.below(6)]);
        let (pose_a, pose_b) = (any_pose(&mut random, 0.5), any_pose(&mut random, 2.0));
        let list = found(a, &pose_a, b, &pose_b, &mut work);
        let expected = overlap(a, &pose_a, b, &pose_b).expect("closed");
        let volume: f64 = list.iter().map(|part| part.volume).sum();
        let section: Vector<3> = list.iter().map(|part| part.section).sum();
        assert!(
            (volume - expected.volume).abs() < 1e-9,
            "{volume} {expected:?}"
        );
        assert!(
            (section - expected.push).norm() < 1e-9,
            "{section} {expected:?}"
        );
        crossing += usize::from(volume > 0.0);
        several += usize::from(list.len() > 1);
    }

    assert!(crossing > 300 && several > 30, "{crossing} {several}");
}

/// Voxels of the common volume: their number, their mean, and the number of connected groups.
fn counted(trees: [&TriangleTree; 2], poses: [&Pose<3>; 2], step: f64) -> Vec<(f64, Point<3>)> {
    let bounds = Aabb::of(trees[0].points.iter().map(|p| poses[0].point(p)));
    let cells = bounds.extent().map(|x| (x / step).ceil() as usize + 1);
    let mut inside = BTreeSet::new();
    for x in 0..cells.x {
        for y in 0..cells.y {
            for z in 0..cells.z {
                let offset = Vector::<3>::new(x as f64, y as f64, z as f64) * step;
                let point = bounds.min + offset;
                let within = |k: usize| {
                    let local = poses[k].to_local(&point);
                    let tree = trees[k];
                    winding_of(&local, (0..tree.len()).map(|face| tree.corners(face))) > 0
                };
                let near = |k: usize| {
                    let bounds = trees[k].boxes.bounds();
                    bounds.contains(&poses[k].to_local(&point))
                };
                if near(0) && near(1) && within(0) && within(1) {
                    inside.insert([x, y, z]);
                }
            }
        }
    }

    let mut groups = Vec::new();
    while let Some(&start) = inside.first() {
        let (mut open, mut count, mut sum) = (vec![start], 0.0, Vector::<3>::zeros());
        while let Some(at) = open.pop() {
            if !inside.remove(&at) {
                continue;
            }
            count += 1.0;
            sum += Vector::<3>::new(at[0] as f64, at[1] as f64, at[2] as f64) * step;
            for axis in 0..3 {
                let [mut low, mut up] = [at, at];
                (low[axis], up[axis]) = (at[axis].wrapping_sub(1), at[axis] + 1);
                open.extend([low, up]);
            }
        }
        // A few points at a corner of the grid are no group of their own.
        if count > 8.0 {
            groups.push((count * step.powi(3), bounds.min + sum / count));
        }
    }
    groups
}

#[test]
fn rings_through_each_other_share_the_parts_that_counting_points_finds() {
    let ring = TriangleTree::new(&generate::torus(1.0, 0.35, [20, 8]).expect("valid"));
    let mut work = PartsWork::default();
    for (x, expected) in [(0.0, 2), (0.4, 2), (1.0, 0), (1.5, 1), (2.3, 1)] {
        let upright = Matrix::<3>::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
        let pose = Pose::new(upright, [x, 0.02, 0.03]).expect("a rotation");
        let list = found(&ring, &Pose::identity(), &ring, &pose, &mut work);
        assert_eq!(list.len(), expected, "at {x}: {list:?}");
        let groups = counted([&ring; 2], [&Pose::identity(), &pose], 0.03);
        assert_eq!(groups.len(), expected, "at {x}: {groups:?}");
        for part in &list {
            let near = |group: &&(f64, Point<3>)| (group.1 - part.centroid).norm() < 0.03;
            let group = groups
                .iter()
                .find(near)
                .unwrap_or_else(|| panic!("{part:?} {groups:?}"));
            assert!(
                (group.0 - part.volume).abs() < 0.1 * part.volume + 1e-3,
                "{part:?} {group:?}"
            );
        }
    }
}

#[test]
fn a_body_inside_another_is_one_part_and_one_in_a_cavity_is_none() {
    let mut work = PartsWork::default();
    let ball = generate::sphere(3).expect("valid");
    let scaled = |factor: f64, flip: bool| {
        let points: Vec<Point<3>> = ball.points().iter().map(|p| p * factor).collect();
        let triangles: Vec<[u32; 3]> = ball
            .triangles()
            .iter()
            .map(|&[a, b, c]| if flip { [a, c, b] } else { [a, b, c] })
            .collect();
        (points, triangles)
    };
    let (small, _) = (
        TriangleTree::new(&Surface::new(&scaled(0.3, false).0, ball.triangles()).expect("valid")),
        (),
    );
    let large =
        TriangleTree::new(&Surface::new(&scaled(3.0, false).0, ball.triangles()).expect("valid"));
    let (mut points, mut triangles) = scaled(2.0, false);
    let (inner, inward) = scaled(1.0, true);
    triangles.extend(inward.iter().map(|t| t.map(|n| n + points.len() as u32)));
    points.extend(inner);
    let hollow = Surface::new(&points, &triangles).expect("a shell with a cavity");
    let shell = TriangleTree::new(&hollow);
    let here = Pose::identity();

    for (a, b) in [(&small, &large), (&large, &small)] {
        let list = found(a, &Pose::at([0.5, 0.1, 0.0]), b, &here, &mut work);
        let volume = 0.3f64.powi(3) * ball.volume();
        assert_eq!(
            (list.len(), list[0].normal(), list[0].depth),
            (1, None, 0.0)
        );
        assert!((list[0].volume - volume).abs() < 1e-12);
    }

    // The shell inside the large ball has two boundaries; its cavity holds the small one freely.
    let list = found(&shell, &here, &large, &here, &mut work);
    assert_eq!(list.len(), 1, "{list:?}");
    assert!((list[0].volume - 7.0 * ball.volume()).abs() < 1e-11);
    assert!(found(&small, &here, &shell, &here, &mut work).is_empty());

    // Half out, the cavity's wall is cut too.
    let half = HalfSpace::new([0.0, 0.0, 0.1], [0.0, 0.0, 1.0]).expect("a direction");
    let mut below = Vec::new();
    parts_below(&shell, &here, &half, &here, &mut work, &mut below);
    assert_eq!(below.len(), 1, "{below:?}");
    let block = TriangleTree::new(&generate::block([1, 1, 1], [6.0; 3]).expect("valid"));
    let list = found(
        &shell,
        &here,
        &block,
        &Pose::at([-3.0, -3.0, -5.9]),
        &mut work,
    );
    assert_eq!(list.len(), 1, "{list:?}");
    assert!((list[0].volume - below[0].volume).abs() < 1e-11);
}

#[test]
fn equal_bodies_share_their_volume_and_touching_ones_nothing() {
    let mut work = PartsWork::default();
    let mut random = Random::new(305);
    for surface in [
        generate::torus(1.0, 0.3, [24, 10]).expect("valid"),
        generate::block([3, 2, 1], [1.0, 1.0, 1.0]).expect("valid"),
        voxels(&pieces()[4]),
    ] {
        let tree = TriangleTree::new(&surface);
        for pose in [Pose::identity(), any_pose(&mut random, 1.0)] {
            let list = found(&tree, &pose, &tree, &pose, &mut work);
            let volume: f64 = list.iter().map(|part| part.volume).sum();
            assert!((volume - surface.volume()).abs() < 1e-12, "{list:?}");
        }
    }

    let cube = TriangleTree::new(&generate::block([2, 2, 2], [1.0; 3]).expect("valid"));
    for shift in [
        [1.0, 0.0, 0.0],
        [-1.0, 0.5, 0.0],
        [0.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
    ] {
        let list = found(&cube, &Pose::identity(), &cube, &Pose::at(shift), &mut work);
        assert!(list.iter().all(|part| part.volume == 0.0), "{list:?}");
    }
}

#[test]
fn parts_below_a_plane_are_those_in_a_large_box() {
    let mut random = Random::new(306);
    let (mut work, mut several) = (PartsWork::default(), 0);
    let box_ = TriangleTree::new(&generate::block([1, 1, 1], [40.0; 3]).expect("valid"));
    let trees: Vec<TriangleTree> = pieces()
        .iter()
        .map(|c| TriangleTree::new(&voxels(c)))
        .collect();
    let here = Pose::identity();
    for _ in 0..1000 {
        let (tree, pose) = (&trees[random.below(6)], any_pose(&mut random, 3.0));
        let height = random.within(-2.0, 3.0);
        let half = HalfSpace::new([0.0, 0.0, height], [0.0, 0.0, 1.0]).expect("a direction");
        let mut below = Vec::new();
        parts_below(tree, &pose, &half, &here, &mut work, &mut below);
        let list = found(
            tree,
            &pose,
            &box_,
            &Pose::at([-20.0, -20.0, height - 40.0]),
            &mut work,
        );
        let big = |list: &[Part]| {
            list.iter()
                .filter(|p| p.volume > 1e-9)
                .copied()
                .collect::<Vec<_>>()
        };
        let (below, list) = (big(&below), big(&list));
        assert_eq!(below.len(), list.len(), "{below:?} {list:?}");
        for (one, other) in below.iter().zip(&list) {
            assert!(
                (one.volume - other.volume).abs() < 1e-10,
                "{one:?} {other:?}"
            );
            assert!(
                (one.centroid - other.centroid).norm() < 1e-6,
                "{one:?} {other:?}"
            );
            assert!(
                (one.section - other.section).norm() < 1e-10,
                "{one:?} {other:?}"
            );
            if one.normal().is_some() {
                assert!((one.depth - other.depth).abs() < 1e-9, "{one:?} {other:?}");
            }
        }
        several += usize::from(list.len() > 1);
    }

    assert!(several > 15, "{several}");
}

#[test]
fn a_surface_that_crosses_itself_counts_twice_and_an_open_one_is_refused() {
    let (mut work, mut list) = (PartsWork::default(), Vec::new());
    let ball = generate::sphere(2).expect("valid");
    let mut points = ball.points().to_vec();
    points.extend(ball.points().iter().map(|p| p + Vector::x()));
    let count = ball.points().len() as u32;
    let twice = ball.triangles().iter().map(|t| t.map(|n| n + count));
    let triangles: Vec<[u32; 3]> = ball.triangles().iter().copied().chain(twice).collect();
    let double = TriangleTree::new(&Surface::new(&points, &triangles).expect("closed"));
    let bar = TriangleTree::new(&generate::block([1, 1, 1], [4.0, 0.2, 0.2]).expect("valid"));
    let here = Pose::identity();

    // Its end in both balls at once, and through both.
    for (x, merged) in [(-3.6, true), (-1.5, false)] {
        let at = Pose::at([x, 0.0, 0.0]);
        let status = parts(&bar, &at, &double, &here, &mut work, &mut list);
        let expected = overlap(&bar, &at, &double, &here).expect("closed");
        let volume: f64 = list.iter().map(|part| part.volume).sum();
        assert_eq!(status == PartsStatus::Merged, merged);
        assert!(
            (volume - expected.volume).abs() < 1e-9,
            "{volume} {expected:?}"
        );
    }

    let open = TriangleTree::of_triangles(&points[..3], &[[0, 1, 2]]).expect("a triangle");
    let status = parts(&bar, &here, &open, &here, &mut work, &mut list);
    assert_eq!((status, list.len()), (PartsStatus::Open, 0));
}

#[test]
fn the_buffers_change_no_result() {
    let mut random = Random::new(307);
    let ring = TriangleTree::new(&generate::torus(1.0, 0.3, [24, 10]).expect("valid"));
    let ball = TriangleTree::new(&generate::sphere(3).expect("valid"));
    let mut work = PartsWork::default();
    for _ in 0..100 {
        let (pose_a, pose_b) = (any_pose(&mut random, 0.5), any_pose(&mut random, 1.5));
        let list = found(&ring, &pose_a, &ball, &pose_b, &mut work);
        assert_eq!(
            list,
            found(&ring, &pose_a, &ball, &pose_b, &mut PartsWork::default())
        );
    }
}
