//! Worlds: particles, rigid bodies and elastic solids in contact, step by step; and whole runs.

use crate::arrays::{self, Table};
use crate::bodies::Convex;
use crate::errors::{self, Checked};
use crate::mesh::Mesh;
use crate::threads::{self, compute, lock};
use impinge_run::run::{Ending, RunError, Runner, Source, Start};
use impinge_run::scene::SceneSpec;
use impinge_sim::world::{BodyDef, BodyShape, State, WallDef, WorldOptions};
use impinge_sim::{BodyKind, BodyRef, ContactRecord, Grain, TriangleMesh};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// An (n, 3) array.
type Rows<'py> = Bound<'py, PyArray2<f64>>;

/// Time between two checks for Ctrl-C.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// All matter of a simulation.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct World {
    world: Mutex<impinge_sim::world::World>,
}

/// Ids, positions, velocities, spins, radii.
type Particles<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// Kinds and indices of both bodies, point, normal, force, depth.
type Contacts<'py> = (
    Bound<'py, PyArray2<i64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// Positions, orientations as matrices, velocities, spins; NaN for bodies that were removed.
type Bodies<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
);

/// Forces on all particles of the last call, by id, and forces on bodies: body, force, torque.
type Push<'py> = (Option<Table<'py>>, Vec<(usize, [f64; 3], [f64; 3])>);

#[pymethods]
impl World {
    /// Builds the world of a scene; mesh paths are relative to the folder.
    #[staticmethod]
    fn of_scene(py: Python<'_>, text: &str, folder: PathBuf) -> PyResult<Self> {
        let scene = SceneSpec::parse(text).map_err(errors::value)?;
        let world = compute(py, || impinge_run::build::world(&scene, &folder))?;
        Ok(Self {
            world: Mutex::new(world.map_err(errors::value)?),
        })
    }

    /// Creates an empty world with one material: density, Young's modulus, Poisson's ratio,
    /// restitution, friction, rolling friction.
    #[new]
    fn new(gravity: [f64; 3], material: [f64; 6]) -> PyResult<Self> {
        let mut options = WorldOptions {
            gravity,
            ..WorldOptions::default()
        };

        let given = &mut options.materials[0];
        [
            given.density,
            given.young,
            given.poisson,
            given.restitution,
            given.friction,
            given.rolling_friction,
        ] = material;

        let world = impinge_sim::world::World::new(options).map_err(errors::value)?;
        Ok(Self {
            world: Mutex::new(world),
        })
    }

    /// Adds a half-space.
    fn add_half_space(&self, name: String, point: [f64; 3], normal: [f64; 3]) -> PyResult<usize> {
        let wall = WallDef {
            name,
            ..WallDef::half_space(point, normal)
        };
        lock(&self.world).add_wall(wall).map_err(errors::value)
    }

    /// Adds a surface.
    fn add_wall(
        &self,
        py: Python<'_>,
        name: String,
        mesh: &Bound<'_, Mesh>,
        hollow: bool,
    ) -> PyResult<usize> {
        let wall = WallDef {
            name,
            is_hollow: hollow,
            ..WallDef::surface(triangles(py, mesh)?)
        };
        let add = compute(py, || lock(&self.world).add_wall(wall))?;
        add.map_err(errors::value)
    }

    /// Adds a rigid body: a radius, a convex body or a closed surface.
    fn add_body(
        &self,
        py: Python<'_>,
        name: String,
        shape: &Bound<'_, PyAny>,
        position: [f64; 3],
        orientation: [f64; 4],
        velocity: [f64; 3],
        spin: [f64; 3],
    ) -> PyResult<usize> {
        let shape = if let Ok(convex) = shape.cast::<Convex>() {
            BodyShape::Polyhedron(convex.get().polyhedron().clone())
        } else if let Ok(mesh) = shape.cast::<Mesh>() {
            BodyShape::Surface(Arc::new(triangles(py, mesh)?))
        } else {
            BodyShape::Sphere(shape.extract()?)
        };

        let body = BodyDef {
            name,
            position,
            orientation,
            velocity,
            spin,
            ..BodyDef::new(shape)
        };

        let add = compute(py, || lock(&self.world).add_body(body))?;
        add.map_err(errors::value)
    }

    /// Adds particles; returns the range of their ids.
    fn add_particles(
        &self,
        positions: Table<'_>,
        radii: PyReadonlyArray1<'_, f64>,
        velocities: Table<'_>,
    ) -> PyResult<(u32, u32)> {
        let positions = arrays::rows::<f64, 3>(&positions)?;
        let velocities = arrays::rows::<f64, 3>(&velocities)?;
        let radii = radii.as_slice()?;

        if [radii.len(), velocities.len()] != [positions.len(); 2] {
            return Err(errors::value(
                "positions, radii and velocities differ in number",
            ));
        }

        let grains: Vec<Grain> = (0..positions.len())
            .map(|i| Grain {
                position: positions[i],
                velocity: velocities[i],
                radius: radii[i],
                ..Grain::default()
            })
            .collect();
        let ids = lock(&self.world)
            .add_particles(&grains)
            .map_err(errors::value)?;

        Ok((ids.start, ids.end))
    }

    /// Removes particles by their ids.
    fn remove_particles(&self, ids: Vec<u32>) {
        lock(&self.world).remove_particles(&ids);
    }

    /// Removes a rigid body.
    fn remove_body(&self, body: usize) -> PyResult<()> {
        lock(&self.world).remove_body(body).map_err(errors::value)
    }

    /// Runs steps, with constant external forces. Ctrl-C stops between two steps.
    fn step(&self, py: Python<'_>, count: u64, dt: f64, push: Push<'_>) -> PyResult<()> {
        let (on_particles, on_bodies) = push;
        let forces = match &on_particles {
            Some(table) => Some(arrays::rows::<f64, 3>(table)?),
            None => None,
        };
        if let Some(forces) = forces {
            let particles = lock(&self.world).particles().map_or(0, |all| all.len());
            if forces.len() != particles {
                return Err(errors::value(format!(
                    "{} forces for {particles} particles",
                    forces.len()
                )));
            }
        }

        let mut left = count;
        while left > 0 {
            let work = || {
                let (start, mut world) = (Instant::now(), lock(&self.world));
                // Forces are given in the order of ids, as positions are read.
                let order = forces.map(|_| rank(&world));
                while left > 0 && start.elapsed() < CHECK_INTERVAL {
                    world.step_with(dt, |act| {
                        if let (Some(forces), Some(order)) = (forces, &order) {
                            act.on_each_particle(|id, _| match order.binary_search(&id) {
                                Ok(row) => [forces[row], [0.0; 3]],
                                Err(_) => [[0.0; 3]; 2],
                            })?;
                        }
                        for &(body, force, torque) in &on_bodies {
                            let at = act
                                .body(body)
                                .map_or([0.0; 3], |state| state.pose.position().into());
                            act.on_body(body, force, at, torque)?;
                        }
                        Ok(())
                    })?;
                    left -= 1;
                }
                Ok::<_, impinge_sim::StepError>(())
            };
            compute(py, work)?.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            py.check_signals()?;
        }

        Ok(())
    }

    /// The longest stable step.
    fn stable_step(&self, py: Python<'_>) -> PyResult<f64> {
        compute(py, || lock(&self.world).stable_step())
    }

    /// The simulated time.
    fn time(&self) -> f64 {
        lock(&self.world).time()
    }

    /// Notes about the initial state.
    fn notes(&self) -> Vec<String> {
        lock(&self.world).notes()
    }

    /// The particles, by ascending id.
    fn particles<'py>(&self, py: Python<'py>) -> PyResult<Particles<'py>> {
        let mut grains: Vec<(u32, Grain)> = lock(&self.world)
            .particles()
            .map_or_else(Vec::new, |particles| particles.grains().collect());
        grains.sort_unstable_by_key(|(id, _)| *id);
        let table = |of: fn(&Grain) -> [f64; 3]| {
            arrays::table(py, grains.iter().map(|(_, grain)| of(grain)).collect())
        };

        Ok((
            arrays::numbers(py, grains.iter().map(|(id, _)| *id)),
            table(|grain| grain.position)?,
            table(|grain| grain.velocity)?,
            table(|grain| grain.spin)?,
            arrays::list(py, grains.iter().map(|(_, grain)| grain.radius).collect()),
        ))
    }

    /// The rigid bodies.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bodies<'py>> {
        let world = lock(&self.world);
        let states: Vec<_> = (0..world.body_count())
            .map(|body| world.body(body))
            .collect();
        let nothing = [f64::NAN; 3];
        let position = states
            .iter()
            .map(|s| s.map_or(nothing, |s| s.pose.position().into()));
        let rotation = states.iter().map(|s| {
            s.map_or([f64::NAN; 9], |s| {
                std::array::from_fn(|k| s.pose.rotation()[(k / 3, k % 3)])
            })
        });
        let velocity = states
            .iter()
            .map(|s| s.map_or(nothing, |s| s.velocity.into()));
        let spin = states.iter().map(|s| s.map_or(nothing, |s| s.spin.into()));

        Ok((
            arrays::table(py, position.collect())?,
            arrays::table(py, rotation.collect())?,
            arrays::table(py, velocity.collect())?,
            arrays::table(py, spin.collect())?,
        ))
    }

    /// The nodes of an elastic solid, and their velocities.
    fn solid<'py>(&self, py: Python<'py>, solid: usize) -> PyResult<(Rows<'py>, Rows<'py>)> {
        let world = lock(&self.world);
        let found = world.solids().get(solid);
        let found = found.ok_or_else(|| errors::value(format!("solid {solid}: no such solid")))?;
        let points = found.points().iter().map(|&point| point.into()).collect();
        let velocities = found.velocities().iter().map(|&v| v.into()).collect();
        Ok((arrays::table(py, points)?, arrays::table(py, velocities)?))
    }

    /// The contacts with a force.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Contacts<'py>> {
        let contacts = compute(py, || lock(&self.world).contacts())?;
        let ids = |contact: &ContactRecord| {
            let [a, b] = contact.bodies;
            [
                number(a.kind),
                i64::from(a.index),
                number(b.kind),
                i64::from(b.index),
            ]
        };
        let table = |of: fn(&ContactRecord) -> [f64; 3]| {
            arrays::table(py, contacts.iter().map(of).collect())
        };

        Ok((
            arrays::table(py, contacts.iter().map(ids).collect())?,
            table(|contact| contact.point.into())?,
            table(|contact| contact.normal.into())?,
            table(|contact| contact.force.into())?,
            arrays::list(py, contacts.iter().map(|contact| contact.depth).collect()),
        ))
    }

    /// The name of an object.
    fn name(&self, kind: usize, index: u32) -> PyResult<String> {
        let kind = *KINDS
            .get(kind)
            .ok_or_else(|| errors::value("no such kind"))?;
        Ok(lock(&self.world).name(BodyRef { kind, index }))
    }

    /// Kinetic, potential, elastic and dissipated energy, and work.
    fn energy(&self, py: Python<'_>) -> PyResult<[f64; 5]> {
        let energy = compute(py, || lock(&self.world).energy())?;
        Ok([
            energy.kinetic,
            energy.potential,
            energy.elastic,
            energy.dissipated,
            energy.work,
        ])
    }

    /// The complete state.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = lock(&self.world).save();
        let bytes = postcard::to_stdvec(&state).map_err(errors::value)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Restores the state of a world with the same objects.
    fn restore(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let state: State = postcard::from_bytes(bytes)
            .map_err(|error| errors::value(format!("not the state of a world: {error}")))?;
        let restored = compute(py, || lock(&self.world).restore(state))?;
        restored.map_err(errors::value)
    }
}

/// The kinds of objects, in the order of their numbers in Python.
const KINDS: [BodyKind; 4] = [
    BodyKind::Particle,
    BodyKind::Body,
    BodyKind::Solid,
    BodyKind::Wall,
];

fn number(kind: BodyKind) -> i64 {
    KINDS
        .iter()
        .position(|known| *known == kind)
        .unwrap_or_default() as i64
}

/// The ids of the particles, ascending.
fn rank(world: &impinge_sim::world::World) -> Vec<u32> {
    let mut ids = world
        .particles()
        .map_or_else(Vec::new, |particles| particles.ids().to_vec());
    ids.sort_unstable();
    ids
}

fn triangles(py: Python<'_>, mesh: &Bound<'_, Mesh>) -> PyResult<TriangleMesh> {
    let surface = mesh.get().surface().checked(py)?;
    let points: Vec<[f64; 3]> = surface.points.iter().map(|&point| point.into()).collect();
    Ok(TriangleMesh::new(&points, &surface.triangles()))
}

/// Step, steps, time, particles, contacts.
type ProgressReport = (u64, u64, f64, usize, usize);

/// Runs a scene to its end in a folder, calling back up to ten times a second. Returns whether it
/// finished. Ctrl-C, or an exception of the callback, stops it with a checkpoint.
#[pyfunction]
pub(crate) fn run(
    py: Python<'_>,
    path: PathBuf,
    text: String,
    folder: PathBuf,
    start: &str,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<bool> {
    let start = match start {
        "new" => Start::New,
        "resume" => Start::Resume,
        "force" => Start::Overwrite,
        _ => return Err(errors::value("start: 'new', 'resume' or 'force'")),
    };
    let stop = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    let work = || -> Result<Ending, RunError> {
        let source = Source {
            path: &path,
            text: &text,
        };
        let mut runner = Runner::start_from(source, &folder, start)?;
        runner.advance(&stop, &mut |runner| {
            let news = runner.news();
            let counts = (news.counts.particles, news.counts.contacts);
            // The receiver is gone if the run is being stopped.
            let _ = send.send((news.step, news.steps, news.time, counts.0, counts.1));
        })
    };

    // The run has a thread of its own, because only Python's main thread receives Ctrl-C.
    let pool = threads::own_pool()?;
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| pool.install(work));
        let listened = listen(py, receive, progress.as_ref(), || running.is_finished());
        if listened.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        let ending = py.detach(|| running.join());
        listened.map(|()| ending)
    });

    match outcome? {
        Ok(Ok(ending)) => Ok(ending == Ending::Finished),
        Ok(Err(error)) => Err(PyRuntimeError::new_err(error.to_string())),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Forwards progress reports until the run ends. Fails at Ctrl-C or with the callback's exception.
fn listen(
    py: Python<'_>,
    receive: mpsc::Receiver<ProgressReport>,
    progress: Option<&Bound<'_, PyAny>>,
    is_finished: impl Fn() -> bool + Sync,
) -> PyResult<()> {
    // A receiver cannot be shared between threads; it stays on this one.
    let receive = Mutex::new(receive);

    while !is_finished() {
        match py.detach(|| lock(&receive).recv_timeout(CHECK_INTERVAL)) {
            Ok(report) => {
                if let Some(progress) = progress {
                    progress.call1(report)?;
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        py.check_signals()?;
    }

    Ok(())
}
