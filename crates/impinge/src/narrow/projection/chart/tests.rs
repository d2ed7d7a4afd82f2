use super::*;
use crate::narrow::projection::samples::{bent, sample};
use crate::shape::{Face, FaceKind};
use crate::space::Random;

fn agrees<const D: usize>(face: &Face<D>, y: &Point<D>, chart: &impl Chart<D>, local: [f64; 2]) {
    let jet = chart.jet(local);
    assert!((jet.r - (face.position(local) - y)).amax() < 1e-13);
    let (first, second) = (face.tangents(local), face.second_derivatives(local));
    assert!(
        (0..2).all(|i| (jet.first[i] - first[i]).amax() < 1e-13),
        "{}",
        face.kind().name()
    );

    assert!(
        (0..3).all(|i| (jet.second[i] - second[i]).amax() < 1e-12),
        "{}",
        face.kind().name()
    );
}

#[test]
fn monomials_are_the_face_and_its_derivatives() {
    let mut random = Random::new(1);
    for _ in 0..50 {
        let y = Point::from(random.direction::<3>());
        for kind in [
            FaceKind::Quad4,
            FaceKind::Quad8,
            FaceKind::Quad9,
            FaceKind::Tri6,
        ] {
            let face = bent::<3>(kind, 0.6, &mut random);
            let local = sample(kind, &mut random);
            match kind {
                FaceKind::Quad4 => agrees(&face, &y, &Square::of(&grid4(face.nodes(), &y)), local),
                FaceKind::Tri6 => {
                    let n = std::array::from_fn(|i| face.nodes()[i] - y);
                    agrees(&face, &y, &Triangle::of(&n), local);
                }
                _ => agrees(&face, &y, &Square::of(&grid9(face.nodes(), &y)), local),
            }
        }

        let y = Point::from(random.direction::<2>());
        let face = bent::<2>(FaceKind::Line3, 0.6, &mut random);
        let n = std::array::from_fn(|i| face.nodes()[i] - y);
        agrees(&face, &y, &Line::of(&n), [random.within(-1.0, 1.0), 0.0]);
    }
}
