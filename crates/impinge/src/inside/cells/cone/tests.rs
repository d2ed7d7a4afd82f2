use super::super::groups::Groups;
use super::*;
use crate::space::Random;

/// A tetrahedron around the unit cell: small, large, flat or long.
fn tetrahedron(random: &mut Random, round: usize) -> Option<Surface> {
    let size = [0.2, 1.0, 30.0, 1e4][round % 4];
    let squeeze = [1.0, 1e-3, 1e-8][round / 4 % 3];
    let middle = [0; 3].map(|_| random.unit());
    let corners: Vec<[f64; 3]> = (0..4)
        .map(|_| {
            let [x, y, z] = [0; 3].map(|_| size * random.within(-1.0, 1.0));
            // Squeezed in an oblique direction, so that no coordinate stays small.
            let pushed = (x + y + z) / 3.0 * (1.0 - squeeze);
            [
                x - pushed + middle[0],
                y - pushed + middle[1],
                z - pushed + middle[2],
            ]
        })
        .collect();

    Surface::repair(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        .ok()
        .map(|(surface, _)| surface)
}

#[test]
fn sure_terms_never_contradict_the_exact_predicates_and_most_are_sure() {
    let mut random = Random::new(33);
    let mut seen = [0usize; 3];
    for round in 0..20_000 {
        let Some(surface) = tetrahedron(&mut random, round) else {
            continue;
        };
        let mut point = || Point::from([0; 3].map(|_| random.unit()));
        let eye = Eye {
            point: point(),
            inverse: 1.0 / 1.001,
            inside: false,
        };
        let mut groups = Groups::default();
        assert!(groups.append(&eye, &surface, &[0, 1, 2, 3]));

        let view = View {
            eye,
            cones: &groups.cones,
            triangles: &groups.triangles,
        };

        for near in 0..4 {
            // Every other point is pulled towards a face.
            let [a, b, c] = surface.corners(near);
            let face = Point::from((a.coords + b.coords + c.coords) / 3.0);
            let p = if near % 2 == 0 {
                point()
            } else {
                face.map(|x| x.clamp(0.0, 1.0))
            };
            let terms = groups.cones[0].least_terms(view.seen(&p));

            for (triangle, term) in terms.iter().enumerate() {
                let sure = usize::from(*term > UNSURE) + 2 * usize::from(*term < -UNSURE);
                seen[sure] += 1;
                if sure > 0 && locate_on(&surface, triangle, &p).is_none() {
                    assert_eq!(
                        view.crosses(&surface, triangle as u32, &p),
                        sure == 1,
                        "{round} {triangle}"
                    );
                }
                assert!(sure == 0 || locate_on(&surface, triangle, &p).is_none());
            }
        }
    }

    assert!(
        seen[1] > 10_000 && seen[2] > 10_000 && seen[0] < (seen[1] + seen[2]) / 10,
        "{seen:?}"
    );
}

#[test]
fn an_eye_on_a_triangle_is_refused() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let surface = Surface::new(&corners, &faces).expect("closed");
    let mut groups = Groups::default();

    let mut accepts = |point: [f64; 3]| {
        let eye = Eye {
            point: point.into(),
            inverse: 1.0,
            inside: true,
        };
        groups.append(&eye, &surface, &[3, 2, 1, 0])
    };
    assert!(!accepts([0.25, 0.25, 0.0]));
    assert!(!accepts([0.0, 0.0, 0.0]));
    assert!(accepts([0.75, 0.75, 0.0]));
    assert!(accepts([0.25, 0.25, 0.25]));

    assert_eq!((groups.cones.len(), groups.triangles.len()), (2, 2));
}
