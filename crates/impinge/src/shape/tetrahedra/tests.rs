use super::super::samples::cube;
use super::*;
use crate::shape::Solid;
use crate::space::Random;
use proptest::prelude::*;

const CORNERS: [[f64; 3]; 5] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 1., 1.],
];

fn fault(points: &[[f64; 3]], tetrahedra: &[[u32; 4]]) -> (ProblemKind, Item, usize) {
    let problem = Solid::new(points, tetrahedra).unwrap_err();
    (problem.kind, problem.first, problem.count)
}

#[test]
fn each_fault_has_its_error() {
    use ProblemKind::*;
    let good = [[0, 1, 2, 3], [1, 4, 2, 3]];
    assert_eq!(fault(&CORNERS, &[]), (Empty, Item::Whole, 1));
    assert_eq!(
        fault(&CORNERS, &[good[0], [1, 4, 2, 5]]),
        (IndexOutOfRange, Item::Tetrahedron(1), 1)
    );
    assert_eq!(
        fault(&CORNERS, &[good[0], [1, 4, 4, 3]]),
        (RepeatedNode, Item::Tetrahedron(1), 1)
    );

    assert_eq!(
        fault(&CORNERS, &[[0, 2, 1, 3], good[1]]),
        (Inverted, Item::Tetrahedron(0), 1)
    );
    let side = |cell, side| Item::Side { cell, side };
    assert_eq!(
        fault(&CORNERS, &[good[0], [0, 1, 2, 4]]),
        (InconsistentOrientation, side(0, 3), 1)
    );

    assert_eq!(
        fault(&CORNERS, &[good[0], good[0]]),
        (InconsistentOrientation, side(0, 0), 4)
    );
    assert_eq!(
        fault(&CORNERS, &[good[0], good[1], good[1]]),
        (NonManifoldFace, side(0, 0), 1)
    );
    let mut corners = CORNERS;
    corners[3] = [0.3, 0.3, 0.0];

    assert_eq!(
        fault(&corners, &good),
        (ZeroVolume, Item::Tetrahedron(0), 1)
    );
    corners[3] = [0.0, f64::NAN, 0.0];

    assert_eq!(fault(&corners, &good), (NotFinite, Item::Point(3), 1));
}

#[test]
fn all_kinds_of_faults_are_listed_together() {
    let points = CORNERS.map(Point::from);
    let kinds = |tetrahedra: &[[u32; 4]]| {
        Solid::problems(&points, tetrahedra)
            .iter()
            .map(|p| p.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&[[0, 1, 2, 3], [1, 4, 2, 3]]), []);

    assert_eq!(
        kinds(&[[0, 2, 1, 3], [1, 4, 2, 3]]),
        [ProblemKind::Inverted, ProblemKind::InconsistentOrientation]
    );
}

#[test]
fn a_tetrahedron_one_ulp_thick_is_judged_exactly() {
    let third = 1.0 / 3.0;
    let with = |top: f64| {
        [
            [1., 0., 0.],
            [0., 1., 0.],
            [0., 0., 1.],
            [third, third, top],
        ]
    };
    assert!(Solid::new(&with(third.next_up().next_up()), &[[0, 1, 2, 3]]).is_ok());

    assert_eq!(
        fault(&with(third.next_down().next_down()), &[[0, 1, 2, 3]]).0,
        ProblemKind::Inverted
    );
}

proptest! {
    #[test]
    fn random_damage_is_always_reported(seed in 0u64..1000, damage in 0usize..6) {
        use ProblemKind::*;
        let mut random = Random::new(seed);
        let (mut points, mut tetrahedra) = cube(2, seed);
        let t = random.below(tetrahedra.len());
        let (node, k) = (random.below(points.len()), random.below(4));
        let expected = match damage {
            0 => { points[node][random.below(3)] = f64::NAN; NotFinite }
            1 => { tetrahedra[t][k] = points.len() as u32 + random.bits() as u32 % 1000; IndexOutOfRange }
            2 => { tetrahedra[t][k] = tetrahedra[t][(k + 1) % 4]; RepeatedNode }
            3 => { tetrahedra[t].swap(k, (k + 1) % 4); Inverted }
            4 => { points[tetrahedra[t][k] as usize] = points[tetrahedra[t][(k + 1) % 4] as usize]; ZeroVolume }
            _ => { tetrahedra.push(tetrahedra[t]); NonManifoldFace }
        };

        prop_assert_eq!(Solid::new(&points, &tetrahedra).unwrap_err().kind, expected);
    }
}
