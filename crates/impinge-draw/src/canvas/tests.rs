use super::*;
use impinge::space::Aabb;

const RED: Colour = Colour::rgb(255, 0, 0);
const BLUE: Colour = Colour::rgb(0, 0, 255);

fn from_above() -> Canvas {
    Canvas::new(
        20,
        20,
        Camera::looking_along([0.0, 0.0, -1.0], &Aabb::new([-1.0; 3], [1.0; 3])),
    )
}

fn square(z: f64) -> [[Point<3>; 3]; 2] {
    let [a, b, c, d] = [
        [-1.0, -1.0, z],
        [1.0, -1.0, z],
        [1.0, 1.0, z],
        [-1.0, 1.0, z],
    ]
    .map(Point::from);
    [[a, b, c], [a, c, d]]
}

#[test]
fn what_is_nearer_hides_what_is_farther_whatever_is_drawn_first() {
    for order in [[(0.5, RED), (-0.5, BLUE)], [(-0.5, BLUE), (0.5, RED)]] {
        let mut canvas = from_above();
        for (z, colour) in order {
            square(z).iter().for_each(|t| canvas.triangle(t, colour));
        }
        let [red, _, blue] = canvas.pixel(10, 10);
        assert!(red > 100 && blue == 0);
        assert_eq!(canvas.pixel(0, 0), [255; 3]);
    }
}

#[test]
fn labels_and_bars_lie_over_everything_and_end_at_the_edge() {
    let mut canvas = from_above();
    square(0.9).iter().for_each(|t| canvas.triangle(t, RED));
    canvas.label([4, 4], "1", BLUE);
    // The stem of the figure, and a dot beside it that is not set.
    assert_eq!(canvas.pixel(7, 9), [0, 0, 255]);
    assert_ne!(canvas.pixel(4, 9), [0, 0, 255]);

    canvas.scale_bar([0, 18], [20, 20]);
    let ends = [canvas.pixel(0, 19), canvas.pixel(19, 19)];
    assert!(ends[0][2] > ends[0][1] && ends[1][0] > 200);
    canvas.label([18, 18], "speed 0.5 m/s", BLUE);
}

#[test]
fn perspective_shows_the_nearer_of_two_equal_spheres_larger_and_hides_the_other() {
    let scene = Aabb::new([-1.0; 3], [1.0; 3]);
    let width = |camera: Camera, z: f64| {
        let mut canvas = Canvas::new(200, 200, camera);
        canvas.sphere(&Point::from([0.0, 0.0, z]), 0.3, RED);
        (0..200)
            .filter(|&x| canvas.pixel(x, 100) != [255; 3])
            .count()
    };
    let down = [0.0, 0.0, -1.0];
    let parallel = Camera::looking_along(down, &scene);
    assert_eq!(width(parallel, -0.7), width(parallel, 0.7));

    // A sphere with its centre at a distance d from the eye appears with the radius r / √(d² - r²).
    let camera = Camera::in_perspective(down, &scene);
    let eye = 1.0 / (1.0 - 1.0 / camera.growth(1.0));
    for z in [-0.7, 0.7] {
        let distance = eye - z;
        let radius = 0.3 / (distance * distance - 0.09_f64).sqrt() * eye;
        let expected = 2.0 * radius * camera.scale([200, 200]);
        let seen = width(camera, z) as f64;
        assert!((seen - expected).abs() < 2.0, "{seen} for {expected}");
    }

    let mut canvas = Canvas::new(200, 200, camera);
    canvas.sphere(&Point::from([0.0, 0.0, 0.7]), 0.3, RED);
    canvas.sphere(&Point::from([0.0, 0.0, -0.7]), 0.3, BLUE);
    square(0.0).iter().for_each(|t| canvas.triangle(t, BLUE));
    assert!(canvas.pixel(100, 100)[0] > 100);
}

#[test]
fn odd_shapes_do_not_break_the_picture() {
    let mut canvas = from_above();
    let far = Point::from([1e300, f64::NAN, -1e300]);
    canvas.triangle(&[far, far, Point::origin()], RED);
    canvas.sphere(&far, f64::INFINITY, RED);
    canvas.line(&far, &Point::origin(), 1.0, RED);
    canvas.sphere(&Point::origin(), 0.0, RED);

    assert_eq!(canvas.to_png().len(), from_above().to_png().len());
}
