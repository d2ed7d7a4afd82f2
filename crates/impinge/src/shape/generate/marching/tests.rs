use super::super::test_support::genus;
use super::*;
use crate::shape::Surface;

#[test]
fn a_ball_and_a_ring_have_their_volume_and_genus() {
    let ball = |p: &Point<3>| 1.0 - p.coords.norm();
    let ring = |p: &Point<3>| 0.25 - ((p.x.hypot(p.y) - 0.7).powi(2) + p.z.powi(2)).sqrt();
    let bounds = Aabb::new([-1.0; 3], [1.0; 3]);
    let pi = std::f64::consts::PI;

    for (f, volume, handles) in [
        (
            &ball as &(dyn Fn(&Point<3>) -> f64 + Sync),
            4.0 * pi / 3.0,
            0,
        ),
        (&ring, 2.0 * pi * 0.7 * pi * 0.0625, 1),
    ] {
        let (points, triangles) = marching(&f, &bounds, 0.05);
        let surface = Surface::new(&points, &triangles).expect("closed");
        assert_eq!(genus(&surface), handles);
        assert!(
            (surface.volume() / volume - 1.0).abs() < 0.02,
            "{} {volume}",
            surface.volume()
        );
    }
}

#[test]
fn any_signs_at_all_give_a_closed_surface() {
    // White noise is the hardest function: every second node is on the other side.
    let noise = |p: &Point<3>| {
        if p.iter().any(|x| x.abs() > 1.0) {
            return -1.0;
        }
        let bits = p.iter().fold(7u64, |h, x| {
            (h ^ x.to_bits())
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        });
        (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let (points, triangles) = marching(&noise, &Aabb::new([-1.0; 3], [1.0; 3]), 0.21);
    assert!(triangles.len() > 10_000);

    Surface::new(&points, &triangles)
        .expect("closed")
        .assert_valid();
}

#[test]
fn moved_nodes_keep_all_tetrahedra_positive() {
    let f = |p: &Point<3>| 0.9 - p.coords.norm();
    let lattice = Lattice::around(&Aabb::new([-1.0; 3], [1.0; 3]), 0.2);
    let nodes: Vec<Point<3>> = (0..lattice.node_count())
        .map(|n| moved_away(&f, lattice.position(n), 0.2).0)
        .collect();
    let mut least = f64::INFINITY;
    lattice.visit_tetrahedra(|t| {
        let [a, b, c, d] = t.map(|n| nodes[n as usize]);
        least = least.min((b - a).dot(&(c - a).cross(&(d - a))));
    });

    // Undeformed: half the volume of a cube.
    assert!(least > 0.05 * 0.2f64.powi(3), "{least}");
    assert!((0..nodes.len()).any(|n| nodes[n] != lattice.position(n)));
}
