//! `impinge predict`: times of impact of the objects of a scene, as they fly without contact.

mod actor;
mod itinerary;
mod journey;

use crate::Answer;
use crate::common::Common;
use crate::progress;
use crate::terminal::{self, say};
use crate::view::{Exhibit, Role, ViewOption};
use actor::Actor;
use anyhow::{Context, bail, ensure};
use clap::Args;
use impinge::detect::forecast::{
    Forecast, ForecastCounters, ForecastEvent, ForecastEventKind, ForecastId, Settings,
};
use impinge::predict::first_touch;
use impinge::shape::ElementKind;
use impinge::space::{Point, Vector};
use impinge_io::{Dataset, Field};
use impinge_run::build;
use impinge_run::scene::SceneSpec;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Number of time steps, to report how many of them needed no work.
const STEPS: u32 = 1000;

/// Compute when flying, falling and spinning bodies touch (continuous collision detection)
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge predict two-balls.toml --until 20
  impinge predict two-balls.toml --until 20 --json
  impinge predict swarm.toml --until 100 --tolerance 1e-6

SCENE is a scene of 'impinge run': walls, rigid bodies, elastic solids and particles, in space or in the plane. \
Everything moves as it does until the first contact: free bodies and solids fall with gravity, turn at constant \
spin, and nodes of solids keep their velocities; walls and bodies on a path follow it, oscillations to 4e-7 of their \
amplitude; a solid that is held and at rest stays. Balls meet as balls, and other shapes as triangles that enclose \
them. Solids with self_contact are searched for contacts with themselves.

  gravity = [0, 0, -9.81]
  [run]
  duration = 20                        # the default of --until
  [[body]]
  name = \"left\"
  shape = { mesh = \"ball.stl\" }        # relative to the scene
  velocity = [50, 0, 86.6]             # m/s

Each predicted time is when the bounding spheres of two bodies will touch: they cannot touch before. Bodies \
that overlap at time 0 are in contact at 0. Contacts do not change the motion: bodies pass through each other.

A contact that rounding cannot distinguish from a near miss is marked as uncertain, with the time by which it would \
have happened. Bodies that spin too fast near each other to be followed are undecided from some time on. Exit code 1 \
if nothing touches, 2 if that is undecided.")]
pub(crate) struct Predict {
    /// Scene file, as for 'impinge run'
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// End time, s (default: the duration of the scene)
    #[arg(long, value_name = "T")]
    until: Option<f64>,
    /// Maximum time by which a contact may be reported early, s
    #[arg(long, value_name = "E", default_value_t = 1e-9)]
    tolerance: f64,
    /// Maximum number of face distances per pair of bodies before it is reported as undecided
    #[arg(long, value_name = "N", default_value_t = Settings::default().most_work)]
    work: usize,
    #[command(flatten)]
    view: ViewOption,
}

pub(crate) fn run(predict: &Predict, common: &Common) -> anyhow::Result<Answer> {
    ensure!(
        predict.tolerance > 0.0,
        "--tolerance {} is not greater than 0",
        predict.tolerance
    );
    let scene = read_scene(&predict.scene)?;
    let until = predict.until.unwrap_or(scene.run.duration);
    ensure!(
        until >= 0.0 && until.is_finite(),
        "--until {until} is not a time"
    );
    let start = Instant::now();

    let mut forecast = Forecast::new(Settings {
        tolerance: predict.tolerance,
        most_work: predict.work,
        ..Settings::default()
    });
    let actors = progress::during(common, "reading meshes and planning", || {
        let folder = predict.scene.parent().unwrap_or(Path::new(""));
        let world = build::world(&scene, folder)?;
        let actors = actor::of_world(&world, &scene, until)?;
        actor::add_all(&actors, &mut forecast)?;
        anyhow::Ok(actors)
    })?;
    let (mut events, idle) = progress::during(common, "following the bodies", || {
        let mut events = journey::folds(&actors, &mut forecast, until)?;
        let idle = journey::follow(&actors, &mut forecast, [0.0, until], STEPS, &mut events)?;
        anyhow::Ok((events, idle))
    })?;
    let gravity = Vector::from(scene.weight::<3>());
    meet_balls(&actors, until, &mut events);
    fall(&mut events, &gravity);
    let names: Vec<&str> = actors.iter().map(|actor| actor.name.as_str()).collect();

    let undecided: Vec<Undecided> = forecast
        .undecided()
        .iter()
        .map(|(pair, from)| Undecided::of(pair, *from, &names))
        .collect();
    let facts = Facts {
        status: if undecided.is_empty() {
            "decided"
        } else {
            "undecided"
        },
        undecided,
        events: events
            .iter()
            .map(|event| EventRow::of(event, &names))
            .collect(),
        idle_share: f64::from(idle) / f64::from(STEPS),
        counters: Costs::of(forecast.counters()),
        seconds: start.elapsed().as_secs_f64(),
    };
    print(&facts, common)?;
    predict.view.show(common, || {
        Ok(exhibit(predict, &actors, &facts.events, &gravity, until))
    })?;
    let touched = facts.events.iter().any(|event| event.kind == "contact");

    match facts.undecided.first() {
        _ if touched => Ok(Answer::Yes),
        None => Ok(Answer::No),
        Some(Undecided { a, b, from }) => bail!(
            "contact of '{a}' and '{b}' is undecided from {from} s on: they rotate too fast at a \
             small distance; raise the limit with --work, or choose an earlier --until"
        ),
    }
}

/// Shows the bodies on their paths, with the events on the time line.
fn exhibit(
    predict: &Predict,
    actors: &[Actor],
    events: &[EventRow],
    gravity: &Vector<3>,
    until: f64,
) -> Exhibit {
    /// Frames, besides those at the events.
    const FRAMES: u32 = 120;
    let regular = (0..=FRAMES).map(|i| until * f64::from(i) / f64::from(FRAMES));
    let mut times: Vec<f64> = regular
        .chain(events.iter().map(|event| event.time))
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup();

    let frames = times
        .into_iter()
        .map(|time| (time, placed(actors, time, gravity)))
        .collect();
    let title = predict.scene.display().to_string();
    let mut exhibit = Exhibit::new(title).with_frames("bodies", "bodies", Role::Matter, frames);

    for EventRow {
        kind, time, a, b, ..
    } in events
    {
        exhibit = exhibit.with_event(*time, format!("{kind}: {a} and {b}"));
    }
    exhibit
}

/// Returns all bodies where they are at a time.
fn placed(actors: &[Actor], time: f64, gravity: &Vector<3>) -> Dataset {
    let mut dataset = Dataset::default();
    let mut numbers = Vec::new();
    let shown = (0..).zip(actors).filter(|(_, actor)| !actor.is_unbounded);
    for (number, actor) in shown {
        let first = dataset.mesh.points.len() as u32;
        dataset.mesh.points.extend(actor.points_at(time, gravity));
        for triangle in &actor.triangles {
            let nodes = triangle.map(|node| first + node);
            dataset.mesh.push(ElementKind::Tri3, &nodes);
            numbers.push(number);
        }
    }

    dataset.cell_fields = vec![Field::whole("body", numbers)];
    dataset
}

/// Replaces the contacts of balls by those of the true balls; their separation is not followed.
fn meet_balls(actors: &[Actor], until: f64, events: &mut Vec<ForecastEvent>) {
    let are_balls = |event: &ForecastEvent| {
        let radius = |id: ForecastId| actors[id.0 as usize].radius;
        event.bodies.iter().all(|&id| radius(id).is_some())
            && event.kind != ForecastEventKind::Undecided
    };
    let of_balls: Vec<ForecastEvent> = events.iter().filter(|e| are_balls(e)).cloned().collect();
    events.retain(|event| !are_balls(event));

    // The triangles enclose the balls, so pairs that touch are among those that were found.
    let mut pairs: Vec<[ForecastId; 2]> = of_balls.iter().map(|event| event.bodies).collect();
    pairs.sort_unstable();
    pairs.dedup();
    for pair in pairs {
        let found = of_balls.iter().find(|event| event.bodies == pair).cloned();
        let balls = pair.map(|id| actors[id.0 as usize].ball());
        if let (Some(mut event), [Some(a), Some(b)]) = (found, balls)
            && let Some(time) = first_touch(&a, &b, until)
        {
            let [on_a, on_b] = [&a, &b].map(|ball| {
                ball.ball.centre + ball.velocity * time + ball.acceleration * (0.5 * time * time)
            });
            let share = a.ball.radius / (a.ball.radius + b.ball.radius);
            event.kind = ForecastEventKind::Contact;
            (event.time, event.latest, event.certain) = (time, time, true);
            (event.faces, event.point) = (None, Some(on_a + (on_b - on_a) * share));
            events.push(event);
        }
    }
    events.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.bodies.cmp(&b.bodies)));
}

/// Moves the points of events from the falling frame to the frame at rest.
fn fall(events: &mut [ForecastEvent], gravity: &Vector<3>) {
    for event in events {
        let shift = gravity * (0.5 * event.time * event.time);
        let point: Option<Point<3>> = event.point;
        event.point = point.map(|point| point + shift);
    }
}

fn read_scene(path: &Path) -> anyhow::Result<SceneSpec> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    SceneSpec::parse(&text).with_context(|| path.display().to_string())
}

fn print(facts: &Facts, common: &Common) -> anyhow::Result<()> {
    if common.json {
        return terminal::json(facts);
    }

    for event in &facts.events {
        let faces = match (event.face_a, event.face_b) {
            (Some(a), Some(b)) => format!("  faces {a} and {b}"),
            _ => String::new(),
        };
        let doubt = match event.latest {
            Some(latest) if event.certain == Some(false) => {
                format!("  uncertain, by {latest:.9} s if at all")
            }
            _ => String::new(),
        };

        say!(
            common,
            "{:>16.9} s  {:<10}  {} and {}{faces}{doubt}",
            event.time,
            event.kind,
            event.a,
            if event.is_self {
                "itself"
            } else {
                event.b.as_str()
            }
        )?;
    }

    if facts.events.is_empty() {
        say!(common, "no bodies ever come close")?;
    }

    say!(
        common,
        "\nidle in {:.1} % of the steps; {:.3} s in all",
        100.0 * facts.idle_share,
        facts.seconds
    )?;
    let costs = &facts.counters;

    for (name, cost) in [
        ("trajectories", &costs.trajectories),
        ("updates", &costs.updates),
        ("volumes", &costs.volumes),
        ("primitives", &costs.primitives),
    ] {
        say!(
            common,
            "  {name:<14}{:>10}  {:>10.6} s",
            cost.count,
            cost.seconds
        )?;
    }

    Ok(())
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    status: &'static str,
    undecided: Vec<Undecided>,
    events: Vec<EventRow>,
    idle_share: f64,
    counters: Costs,
    seconds: f64,
}

#[derive(Serialize)]
struct Undecided {
    a: String,
    b: String,
    from: f64,
}

impl Undecided {
    fn of(pair: &[ForecastId; 2], from: f64, names: &[&str]) -> Self {
        let [a, b] = pair.map(|body| names[body.0 as usize].to_owned());
        Self { a, b, from }
    }
}

#[derive(Serialize)]
struct EventRow {
    kind: &'static str,
    #[serde(skip)]
    is_self: bool,
    time: f64,
    latest: Option<f64>,
    certain: Option<bool>,
    a: String,
    b: String,
    face_a: Option<u32>,
    face_b: Option<u32>,
    point: Option<[f64; 3]>,
}

impl EventRow {
    fn of(event: &ForecastEvent, names: &[&str]) -> Self {
        let name = |k: usize| names[event.bodies[k].0 as usize].to_owned();
        let is_contact = event.kind == ForecastEventKind::Contact;
        Self {
            kind: event.kind.name(),
            is_self: event.bodies[0] == event.bodies[1],
            time: event.time,
            latest: is_contact.then_some(event.latest),
            certain: is_contact.then_some(event.certain),
            a: name(0),
            b: name(1),
            face_a: event.faces.map(|faces| faces[0]),
            face_b: event.faces.map(|faces| faces[1]),
            point: event.point.map(Into::into),
        }
    }
}

#[derive(Serialize)]
struct Cost {
    count: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Costs {
    trajectories: Cost,
    updates: Cost,
    volumes: Cost,
    primitives: Cost,
}

impl Costs {
    fn of(counters: &ForecastCounters) -> Self {
        let [trajectories, updates, volumes, primitives] = counters.terms().map(|(_, term)| Cost {
            count: term.count,
            seconds: term.seconds,
        });
        Self {
            trajectories,
            updates,
            volumes,
            primitives,
        }
    }
}
