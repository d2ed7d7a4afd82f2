//! Pictures of bodies and of the bounding volumes with the highest priority (Figures 6 and 7 of
//! \[Aragon2013\]).

use anyhow::{Context, Result};
use impinge::bound::Ball;
use impinge::detect::forecast::{Forecast, ForecastEventKind};
use impinge::space::{Aabb, Point, Vector};
use impinge_draw::{Camera, Canvas, Colour};
use std::f64::consts::TAU;

/// Contents of one picture.
pub(super) struct Scene {
    /// Viewing direction.
    pub(super) look: Vector<3>,
    pub(super) window: Aabb<3>,
    /// Points and triangles of each body.
    pub(super) bodies: Vec<(Vec<Point<3>>, Vec<[u32; 3]>)>,
    pub(super) balls: Vec<Ball<3>>,
}

const COLOURS: [Colour; 2] = [Colour::rgb(120, 140, 175), Colour::rgb(190, 180, 160)];
const RED: Colour = Colour::rgb(190, 20, 30);

/// Runs the engine from one predicted time to the next until the first contact, and draws `count` of
/// these times side by side. They become denser towards the contact, so their indices grow
/// geometrically.
pub(super) fn strip(
    forecast: &Forecast,
    count: usize,
    scene: impl Fn(&Forecast, [Ball<3>; 2]) -> Result<Scene>,
) -> Result<Vec<u8>> {
    let times = moments(&mut forecast.clone())?;
    let mut pictures = Vec::new();
    for k in 0..count {
        let share = k as f64 / (count - 1).max(1) as f64;
        let number = (times.len() as f64).powf(share).round() as usize - 1;
        let mut there = forecast.clone();
        let balls = until(&mut there, times[number.min(times.len() - 1)])?;
        pictures.push(draw(&scene(&there, balls)?));
    }

    Canvas::strip(&pictures).context("there is a picture")
}

/// Returns the predicted times up to the first contact.
pub(super) fn moments(forecast: &mut Forecast) -> Result<Vec<f64>> {
    let (mut times, mut events) = (Vec::new(), Vec::new());
    while !events
        .iter()
        .any(|event: &impinge::detect::forecast::ForecastEvent| {
            event.kind == ForecastEventKind::Contact
        })
    {
        let time = forecast.upcoming().context("they meet")?.time;
        times.push(time);
        forecast.advance(time, &mut events)?;
    }
    times.dedup();

    Ok(times)
}

/// Advances until the next predicted time is not before `time`; returns its two bounding volumes.
fn until(forecast: &mut Forecast, time: f64) -> Result<[Ball<3>; 2]> {
    loop {
        let next = forecast.upcoming().context("something is due")?;
        if next.time >= time {
            // Nothing happens before that time: the bodies are already in their final poses.
            let before = next.time.next_down().max(forecast.time());
            forecast.advance(before, &mut Vec::new())?;
            return next.balls.context("volumes are due");
        }
        forecast.advance(next.time, &mut Vec::new())?;
    }
}

fn draw(scene: &Scene) -> Canvas {
    let mut canvas = Canvas::new(520, 420, Camera::looking_along(scene.look, &scene.window));
    for ((points, triangles), colour) in scene.bodies.iter().zip(COLOURS) {
        for triangle in triangles {
            canvas.triangle(&triangle.map(|n| points[n as usize]), colour);
        }
    }

    // In front of everything: in an orthographic view, a shift towards the viewer does not displace the
    // outline.
    let nearer = scene.look * (-2.0 * scene.window.extent().norm() / scene.look.norm());
    scene
        .balls
        .iter()
        .for_each(|ball| outline(&mut canvas, &Ball::new(ball.centre + nearer, ball.radius)));

    canvas
}

/// Draws a ball as three great circles, so that its contents stay visible.
fn outline(canvas: &mut Canvas, ball: &Ball<3>) {
    const PIECES: usize = 96;
    for axis in 0..3 {
        let at = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / PIECES as f64).sin_cos();
            let mut way: Vector<3> = Vector::zeros();
            (way[(axis + 1) % 3], way[(axis + 2) % 3]) = (cos, sin);
            ball.centre + way * ball.radius
        };
        (0..PIECES).for_each(|k| canvas.line(&at(k), &at(k + 1), 1.5, RED));
    }
}
