use super::super::super::impact::{edge_edge, vertex_face};
use super::*;
use crate::space::{Point, Random};

#[test]
fn parts_that_stay_apart_have_no_impact_and_most_that_do_not_meet_stay_apart() {
    let mut random = Random::new(41);
    let (mut apart, mut free) = (0, 0);
    for round in 0..20_000 {
        // Flat, thin and close steps as well as wide ones.
        let flat = [1.0, 1e-3, 0.0][round % 3];
        let mut corner = |_: usize| {
            let [x, y, z] = [(); 3].map(|()| random.within(-1.0, 1.0));
            Point::from([x, y, flat * z])
        };
        let step: VertexStep = [(); 2].map(|()| std::array::from_fn(&mut corner));
        for kind in [Parts::VertexFace, Parts::EdgeEdge] {
            let impact = match kind {
                Parts::VertexFace => vertex_face(&step, 1e-9),
                Parts::EdgeEdge => edge_edge(&step, 1e-9),
            };
            let meets = impact.expect("finite").is_some();
            let is_apart = stay_apart(kind, &step, [0.0, 1.0]);
            assert!(!(meets && is_apart), "{step:?}");
            apart += usize::from(is_apart);
            free += usize::from(!meets);
        }
    }

    assert!(2 * apart > free, "{apart} of {free}");
}

#[test]
fn the_direction_may_turn_during_the_step() {
    // A vertex passes from one side of a face to the other, through its plane and past its rim.
    let face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    let step = |from: [f64; 3], to: [f64; 3]| -> VertexStep {
        [from, to].map(|v| [v.into(), face[0], face[1], face[2]])
    };
    let past = step([1.1, 1.1, 1.0], [1.1, 1.1, -1.0]);
    assert!(stay_apart(Parts::VertexFace, &past, [0.0, 1.0]));
    let through = step([0.2, 0.2, 1.0], [0.2, 0.2, -1.0]);
    assert!(!stay_apart(Parts::VertexFace, &through, [0.0, 1.0]));
    assert!(stay_apart(Parts::VertexFace, &through, [0.0, 0.4]));
}
