use super::*;

fn square(at: [f64; 2]) -> Body {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    Body {
        points: corners
            .map(|[x, y]| Point::from([x + at[0], y + at[1]]))
            .to_vec(),
    }
}

#[test]
fn the_walk_finds_the_distance_of_squares_from_every_start() {
    for (at, gap) in [([1.5, 0.25], 0.5), ([4.0, 5.0], 5.0)] {
        let (a, b) = (square([0.0; 2]), square(at));
        for i in 0..4 {
            for j in 0..4 {
                let (end, _) = walk([&a, &b], [Part::Vertex(i), Part::Vertex(j)]);
                assert_eq!(end, End::Apart(gap), "{i} {j}");
            }
        }
    }
}

#[test]
fn edges_that_cross_collide() {
    let (a, b) = (square([0.0; 2]), square([0.5, 0.5]));
    assert_eq!(
        walk([&a, &b], [Part::Edge(1), Part::Edge(0)]).0,
        End::Colliding
    );
}
