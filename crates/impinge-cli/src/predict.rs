//! `impinge predict`: times of impact of bodies on prescribed paths.

use crate::Answer;
use crate::common::Common;
use crate::faces::triangles_of;
use crate::progress;
use crate::terminal::{self, note_ignored, say};
use crate::view::{Exhibit, Role, ViewOption};
use anyhow::{Context, bail, ensure};
use clap::Args;
use impinge::detect::forecast::{
    Forecast, ForecastCounters, ForecastEvent, ForecastEventKind, ForecastId, Prepared, Settings,
};
use impinge::narrow::meshes::TriangleTree;
use impinge::shape::{ElementKind, Mesh};
use impinge::space::{Motion, Pose};
use impinge_io::{Dataset, Field};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
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

SCENE is a TOML file with one [[body]] for each mesh, in SI units:

  [[body]]
  name = \"left\"
  mesh = \"ball.stl\"              # any surface; relative to the scene
  position = [0, 0, 0]           # the rest is optional
  rotation = [0, 0, 0, 1]        # quaternion x, y, z, w
  velocity = [50, 0, 86.6]       # m/s
  acceleration = [0, 0, -9.81]   # m/s²
  spin = [0, 0, 1]               # rad/s

Each predicted time is when the bounding spheres of two bodies will touch: nothing can happen between them before. \
Bodies that overlap at time 0 are in contact at 0. Bodies pass through each other: a contact changes no motion.

A contact that rounding cannot distinguish from a near miss is marked as uncertain, with the time by which it would \
have happened. Bodies that spin too fast near each other to be followed are undecided from some time on. Exit code 1 \
if nothing touches, 2 if that is undecided.")]
pub(crate) struct Predict {
    /// Scene file with the bodies and their motions
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// End time, s
    #[arg(long, value_name = "T", default_value_t = 10.0)]
    until: f64,
    /// How early a contact may be reported, s
    #[arg(long, value_name = "E", default_value_t = 1e-9)]
    tolerance: f64,
    /// Maximum number of face distances per pair of bodies before it is reported as undecided
    #[arg(long, value_name = "N", default_value_t = Settings::default().most_work)]
    work: usize,
    #[command(flatten)]
    view: ViewOption,
}

/// The scene file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scene {
    body: Vec<Body>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    name: String,
    mesh: PathBuf,
    #[serde(default)]
    position: [f64; 3],
    #[serde(default = "upright")]
    rotation: [f64; 4],
    #[serde(default)]
    velocity: [f64; 3],
    #[serde(default)]
    acceleration: [f64; 3],
    #[serde(default)]
    spin: [f64; 3],
}

fn upright() -> [f64; 4] {
    [0.0, 0.0, 0.0, 1.0]
}

pub(crate) fn run(predict: &Predict, common: &Common) -> anyhow::Result<Answer> {
    ensure!(
        predict.until >= 0.0 && predict.until.is_finite(),
        "--until {} is not a time",
        predict.until
    );
    ensure!(
        predict.tolerance > 0.0,
        "--tolerance {} is not greater than 0",
        predict.tolerance
    );
    let scene = read_scene(&predict.scene)?;
    let start = Instant::now();

    let mut forecast = Forecast::new(Settings {
        tolerance: predict.tolerance,
        most_work: predict.work,
        ..Settings::default()
    });
    progress::during(common, "reading meshes and planning", || {
        add_all(&mut forecast, predict, &scene)
    })?;
    let (events, idle) = progress::during(common, "following the bodies", || {
        follow(&mut forecast, predict.until)
    })?;
    let names: Vec<&str> = scene.body.iter().map(|body| body.name.as_str()).collect();

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
            .map(|event| Happening::of(event, &names))
            .collect(),
        idle_share: f64::from(idle) / f64::from(STEPS),
        counters: Costs::of(forecast.counters()),
        seconds: start.elapsed().as_secs_f64(),
    };
    print(&facts, common)?;
    predict
        .view
        .show(common, || exhibit(predict, &scene, &facts.events))?;
    let touched = facts.events.iter().any(|event| event.kind == "contact");

    match facts.undecided.first() {
        _ if touched => Ok(Answer::Yes),
        None => Ok(Answer::No),
        Some(Undecided { a, b, from }) => bail!(
            "whether '{a}' and '{b}' touch is undecided from {from} s on: they turn too fast so near to each other; \
             --work raises the limit, --until lowers what is asked"
        ),
    }
}

/// Shows the bodies on their paths, with the events on the time line.
fn exhibit(predict: &Predict, scene: &Scene, events: &[Happening]) -> anyhow::Result<Exhibit> {
    /// Frames, besides those at the events.
    const FRAMES: u32 = 120;
    let regular = (0..=FRAMES).map(|i| predict.until * f64::from(i) / f64::from(FRAMES));
    let mut times: Vec<f64> = regular
        .chain(events.iter().map(|event| event.time))
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup();

    let mut meshes: HashMap<&Path, Mesh> = HashMap::new();
    for body in &scene.body {
        if let Entry::Vacant(entry) = meshes.entry(&body.mesh) {
            let path = beside(&predict.scene, &body.mesh);
            entry.insert(impinge_io::read(&path)?.mesh);
        }
    }
    let frames: anyhow::Result<Vec<_>> = times
        .into_iter()
        .map(|time| Ok((time, placed(scene, &meshes, time)?)))
        .collect();
    let title = predict.scene.display().to_string();
    let mut exhibit = Exhibit::new(title).with_frames("bodies", "bodies", Role::Matter, frames?);

    for Happening {
        kind, time, a, b, ..
    } in events
    {
        exhibit = exhibit.with_event(*time, format!("{kind}: {a} and {b}"));
    }
    Ok(exhibit)
}

/// Returns all bodies where they are at a time.
fn placed(scene: &Scene, meshes: &HashMap<&Path, Mesh>, time: f64) -> anyhow::Result<Dataset> {
    let mut dataset = Dataset::default();
    let mut numbers = Vec::new();
    for (number, body) in (0..).zip(&scene.body) {
        let (pose, mesh) = (body.motion()?.pose_at(time), &meshes[body.mesh.as_path()]);
        let first = dataset.mesh.points.len() as u32;
        let points = mesh.points.iter().map(|point| pose.point(point));
        dataset.mesh.points.extend(points);
        for triangle in mesh.triangles() {
            let nodes = triangle.map(|node| first + node);
            dataset.mesh.push(ElementKind::Tri3, &nodes);
            numbers.push(number);
        }
    }

    dataset.cell_fields = vec![Field::whole("body", numbers)];
    Ok(dataset)
}

/// Adds the bodies; bodies with the same mesh file share its bounding-volume hierarchy.
fn add_all(forecast: &mut Forecast, predict: &Predict, scene: &Scene) -> anyhow::Result<()> {
    let mut known: HashMap<&Path, Prepared> = HashMap::new();
    for body in &scene.body {
        let mut add = || -> anyhow::Result<()> {
            let shape = match known.entry(&body.mesh) {
                Entry::Occupied(entry) => entry.get().clone(),
                Entry::Vacant(entry) => entry
                    .insert(tree(&predict.scene, &body.mesh)?.into())
                    .clone(),
            };
            forecast.add(shape, body.motion()?)?;
            Ok(())
        };
        add().with_context(|| format!("body '{}'", body.name))?;
    }

    Ok(())
}

/// Returns the events up to a time and the number of steps that needed no work.
fn follow(forecast: &mut Forecast, until: f64) -> anyhow::Result<(Vec<ForecastEvent>, u32)> {
    let (mut events, mut idle) = (Vec::new(), 0);
    for step in 1..=STEPS {
        let time = until * f64::from(step) / f64::from(STEPS);
        idle += u32::from(forecast.advance(time, &mut events)?.worked == 0);
    }

    events.retain(|event| event.time <= until);
    Ok((events, idle))
}

fn read_scene(path: &Path) -> anyhow::Result<Scene> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

impl Body {
    fn motion(&self) -> anyhow::Result<Motion<3>> {
        let pose = Pose::from_quaternion(self.rotation, self.position)?;
        Ok(Motion::at_rest(pose)
            .with_velocity(self.velocity)
            .with_acceleration(self.acceleration)
            .with_spin(self.spin)
            .checked()?)
    }
}

/// Returns the path of a file that is given relative to the scene.
fn beside(scene: &Path, mesh: &Path) -> PathBuf {
    scene
        .parent()
        .map_or_else(|| mesh.to_owned(), |folder| folder.join(mesh))
}

fn tree(scene: &Path, mesh: &Path) -> anyhow::Result<TriangleTree> {
    let path = beside(scene, mesh);
    let mut dataset = impinge_io::read(&path)?;
    note_ignored(&path, &dataset.ignored);
    triangles_of(&path, &mut dataset.mesh)
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
                format!("  uncertain, until {latest:.9} s if at all")
            }
            _ => String::new(),
        };

        say!(
            common,
            "{:>16.9} s  {:<10}  {} and {}{faces}{doubt}",
            event.time,
            event.kind,
            event.a,
            event.b
        )?;
    }

    if facts.events.is_empty() {
        say!(common, "nothing ever comes near")?;
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
    events: Vec<Happening>,
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
struct Happening {
    kind: &'static str,
    time: f64,
    latest: Option<f64>,
    certain: Option<bool>,
    a: String,
    b: String,
    face_a: Option<u32>,
    face_b: Option<u32>,
    point: Option<[f64; 3]>,
}

impl Happening {
    fn of(event: &ForecastEvent, names: &[&str]) -> Self {
        let name = |k: usize| names[event.bodies[k].0 as usize].to_owned();
        let is_contact = event.kind == ForecastEventKind::Contact;
        Self {
            kind: event.kind.name(),
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
