use super::*;
use crate::space::Random;
use proptest::prelude::*;

const CORNERS: [[f64; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn kind_of(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> ProblemKind {
    Surface::new(points, triangles).unwrap_err().kind
}

#[test]
fn each_fault_has_its_error() {
    use ProblemKind::*;
    assert_eq!(kind_of(&CORNERS, &[]), Empty);
    assert_eq!(kind_of(&CORNERS, &FACES[1..]), OpenEdge);
    assert_eq!(
        kind_of(&CORNERS, &FACES.map(|[a, b, c]| [a, c, b])),
        InsideOut
    );
    assert_eq!(kind_of(&CORNERS, &[[0, 1, 2], [0, 2, 1]]), DuplicateElement);

    assert_eq!(
        kind_of(&CORNERS, &[FACES[0], FACES[1], FACES[2], [2, 0, 9]]),
        IndexOutOfRange
    );
    assert_eq!(
        kind_of(&CORNERS, &[FACES[0], FACES[1], FACES[2], [2, 0, u32::MAX]]),
        IndexOutOfRange
    );

    assert_eq!(
        kind_of(&CORNERS, &[FACES[0], FACES[1], FACES[2], [2, 0, 2]]),
        RepeatedNode
    );
    assert_eq!(
        kind_of(&CORNERS, &[FACES[0], FACES[1], FACES[2], [0, 2, 3]]),
        InconsistentOrientation
    );

    for bad in [f64::NAN, f64::INFINITY, 1e61] {
        let mut corners = CORNERS;
        corners[2][1] = bad;
        let problem = Surface::new(&corners, &FACES).unwrap_err();
        assert_eq!((problem.kind, problem.first), (NotFinite, Item::Point(2)));
    }

    let flat = CORNERS.map(|[x, y, _]| [x, y, 0.0]);
    assert_eq!(
        kind_of(&[flat[0], flat[1], flat[2], [2.0, 3.0, 0.0]], &FACES),
        ZeroVolume
    );

    assert_eq!(kind_of(&flat, &FACES), ZeroArea);
}

#[test]
fn a_tetrahedron_one_ulp_thick_is_oriented_exactly() {
    // The height of the last corner above the plane x + y + z = 1 is one ulp or zero.
    let third = 1.0 / 3.0;
    let base = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tetrahedron = |top: f64| [base[0], base[1], base[2], [third, third, top]];
    assert_eq!(
        kind_of(&tetrahedron(third.next_down().next_down()), &FACES),
        ProblemKind::InsideOut
    );

    assert!(Surface::new(&tetrahedron(third.next_up().next_up()), &FACES).is_ok());
}

#[test]
fn repair_merges_points_and_turns_an_inward_surface() {
    let soup: Vec<[f64; 3]> = FACES
        .iter()
        .flat_map(|[a, b, c]| [*a, *c, *b])
        .map(|n| CORNERS[n as usize])
        .collect();
    let faces: Vec<[u32; 3]> = (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let (surface, repair) = Surface::repair(&soup, &faces).expect("mendable");
    assert_eq!(
        repair,
        Repair {
            merged_points: 8,
            dropped_triangles: 0,
            flipped_triangles: 4
        }
    );

    surface.assert_valid();
}

#[test]
fn the_volume_does_not_depend_on_where_the_surface_stands() {
    let far = Surface::new(&CORNERS, &FACES)
        .expect("valid")
        .moved(&Pose::at([1e9, -1e9, 1e9]))
        .expect("valid");
    assert!((far.volume() - 1.0 / 6.0).abs() < 1e-6);
    assert!((far.area() - (1.5 + 3f64.sqrt() / 2.0)).abs() < 1e-6);
}

proptest! {
    /// Whichever single triangle of a closed surface is damaged, the checks detect it.
    #[test]
    fn any_damage_to_one_triangle_is_reported(seed in 0u64..1000, damage in 0usize..5) {
        let mut random = Random::new(seed);
        let mut corners = CORNERS.map(|c| c.map(|x| x + random.within(-0.1, 0.1)));
        let mut faces = FACES.to_vec();
        let t = random.below(4);

        match damage {
            0 => { faces.remove(t); }
            1 => faces[t].swap(0, 1),
            2 => faces[t][random.below(3)] = 4 + random.bits() as u32 % 1000,
            3 => faces.push(faces[t]),
            _ => corners[t][random.below(3)] = f64::NAN,
        }

        prop_assert!(Surface::new(&corners, &faces).is_err());
    }

    #[test]
    fn rotating_the_corners_of_triangles_changes_nothing(seed in 0u64..200) {
        let mut random = Random::new(seed);
        let faces = FACES.map(|mut f| { f.rotate_left(random.below(3)); f });
        let surface = Surface::new(&CORNERS, &faces).unwrap();
        surface.assert_valid();
        prop_assert!((surface.volume() - 1.0 / 6.0).abs() < 1e-15);
    }
}
