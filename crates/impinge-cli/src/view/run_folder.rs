//! The folder of a run, finished or still growing, read as files only.

use super::manifest::{
    FrameInfo, Manifest, Role, SeriesInfo, State, TableInfo, WallInfo, origin_for,
};
use super::overview::{Overview, presentable};
use super::pack::{Packed, Precision};
use impinge::space::{Aabb, Point};
use impinge_io::Dataset;
use impinge_io::pvd::Series;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

/// The series of a run: file, noun, role.
const SERIES: [(&str, &str, Role); 5] = [
    ("particles", "spheres", Role::Matter),
    ("bodies", "rigid bodies", Role::Matter),
    ("solids", "elastic solids", Role::Matter),
    ("walls", "walls", Role::Walls),
    ("contacts", "contacts", Role::Contacts),
];

/// The table of energies and counts.
const HISTORY: &str = "history.csv";

/// A run without a summary that has written nothing for this long counts as stopped.
const STALL_TIMEOUT: Duration = Duration::from_secs(300);

/// Difference of file times up to which a summary counts as the last file written.
const LAST: Duration = Duration::from_secs(2);

/// The folder of a run.
pub(super) struct RunFolder {
    folder: PathBuf,
    seen: Mutex<Option<Seen>>,
}

/// Overview computed from a sample of the frames.
#[derive(Clone)]
struct Seen {
    /// Number of frames at that time.
    frames: usize,
    origin: Point<3>,
    overview: Overview,
}

impl RunFolder {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            seen: Mutex::new(None),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// Reads what is there now.
    pub(super) fn manifest(&self) -> Manifest {
        let mut manifest = Manifest::new(title(&self.folder), State::Computing);
        let Some(state) = self.state(&mut manifest.written_by) else {
            manifest.state = State::Stopped;
            manifest.problem = Some(format!(
                "There is no run in {}: 'impinge run SCENE -o {}' makes one, and this page follows it.",
                self.folder.display(),
                self.folder.display()
            ));
            return manifest;
        };
        manifest.state = state;
        self.read_scene(&mut manifest);
        let history = std::fs::metadata(self.folder.join(HISTORY));
        manifest.history = history.ok().map(|data| TableInfo {
            path: HISTORY.to_owned(),
            bytes: data.len(),
        });

        for (kind, label, role) in SERIES {
            match self.series(kind) {
                Ok(Some(frames)) => manifest.series.push(SeriesInfo {
                    kind: kind.to_owned(),
                    label: label.to_owned(),
                    role,
                    frames,
                }),
                Ok(None) => {}
                Err(error) => manifest.notes.push(format!("Left out: {error}")),
            }
        }

        self.add_overview(&mut manifest);
        manifest
    }

    /// Returns the walls of the scene.
    pub(super) fn walls(&self) -> Vec<WallInfo> {
        let mut manifest = Manifest::new(String::new(), State::Still);
        self.read_scene(&mut manifest);
        manifest.walls
    }

    /// Returns the state of the run; `None` if there is no run.
    fn state(&self, version: &mut Option<String>) -> Option<State> {
        let time_of = |name: &str| {
            let data = std::fs::metadata(self.folder.join(name)).ok()?;
            data.modified().ok()
        };
        let written = ["frames", HISTORY, ".impinge-run", "checkpoint.bin"];
        let newest = written.into_iter().filter_map(time_of).max();
        let summary = std::fs::read(self.folder.join("summary.json")).ok();
        let summary: Option<serde_json::Value> =
            summary.and_then(|bytes| serde_json::from_slice(&bytes).ok());

        if let Some(summary) = &summary {
            *version = summary["version"].as_str().map(str::to_owned);
            if summary["finished"] == true {
                return Some(State::Finished);
            }
        }

        let newest = newest?;
        // A summary that is older than the frames is that of the session before.
        let is_last = time_of("summary.json").is_some_and(|time| time + LAST >= newest);
        let age = SystemTime::now().duration_since(newest).unwrap_or_default();
        Some(
            match (summary.is_some() && is_last) || age > STALL_TIMEOUT {
                true => State::Stopped,
                false => State::Computing,
            },
        )
    }

    fn series(&self, kind: &str) -> Result<Option<Vec<FrameInfo>>, impinge_io::Error> {
        let path = self.folder.join(format!("{kind}.pvd"));
        if !path.exists() {
            return Ok(None);
        }

        let series = Series::open(&path)?;
        let frames = series.steps().iter().map(|step| FrameInfo {
            time: step.time,
            path: step.file.clone(),
        });
        Ok(Some(frames.collect()))
    }

    /// Takes names, half-spaces and gravity from the scene. All of it is optional, because a scene of
    /// another version may differ.
    fn read_scene(&self, manifest: &mut Manifest) {
        let Ok(text) = std::fs::read_to_string(self.folder.join("scene.toml")) else {
            return;
        };
        let Ok(scene) = toml::from_str::<toml::Table>(&text) else {
            return;
        };
        let list = |key: &str| {
            scene
                .get(key)
                .and_then(toml::Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let name = |item: &toml::Value| item.get("name")?.as_str().map(str::to_owned);

        if scene.get("dimension").and_then(toml::Value::as_integer) == Some(2) {
            manifest.dimension = 2;
        }
        manifest.gravity = scene.get("gravity").and_then(vector);
        let run = scene.get("run");
        manifest.duration = run.and_then(|run| run.get("duration")).and_then(real);
        manifest.materials = list("material")
            .iter()
            .enumerate()
            .map(|(i, material)| name(material).unwrap_or_else(|| format!("material {i}")))
            .collect();
        manifest.walls = list("wall")
            .iter()
            .enumerate()
            .map(|(i, wall)| WallInfo {
                name: name(wall).unwrap_or_else(|| format!("wall {i}")),
                point: wall.get("point").and_then(vector),
                normal: wall.get("normal").and_then(vector),
            })
            .collect();
    }

    /// Adds the box to show and the ranges of the fields. They come from a few frames, and again from others when a
    /// run has twice as many.
    fn add_overview(&self, manifest: &mut Manifest) {
        let count = manifest
            .series
            .iter()
            .map(|series| series.frames.len())
            .max()
            .unwrap_or(0);
        if count == 0 {
            return;
        }

        let mut seen = self.lock();
        let is_current = seen
            .as_ref()
            .is_some_and(|seen| (seen.frames..2 * seen.frames.max(4)).contains(&count));
        if !is_current {
            let overview = self.sample(&manifest.series);
            let Some(bounds) = overview.bounds() else {
                return;
            };
            let origin = seen
                .as_ref()
                .map_or_else(|| origin_for(&bounds), |seen| seen.origin);
            *seen = Some(Seen {
                frames: count,
                origin,
                overview,
            });
        }

        let Some(Seen {
            origin, overview, ..
        }) = seen.as_ref()
        else {
            return;
        };
        manifest.origin = (*origin).into();
        manifest.bounds = overview.bounds().map(|bounds| presentable(&bounds).into());
        manifest.ranges = overview.ranges().clone();
    }

    /// Looks at the first, the middle and the last frame of each series. Unreadable frames are skipped
    /// here; the page reports them when it requests them.
    fn sample(&self, series: &[SeriesInfo]) -> Overview {
        let mut overview = Overview::default();
        let mut walls = Aabb::EMPTY;
        for SeriesInfo { role, frames, .. } in series {
            let last = frames.len().saturating_sub(1);
            let mut numbers = vec![0, last / 2, last];
            numbers.dedup();
            for frame in numbers.into_iter().filter_map(|number| frames.get(number)) {
                let Ok(dataset) = self.dataset(&frame.path) else {
                    continue;
                };
                match role {
                    Role::Matter | Role::Marks => overview.add_bodies(&dataset),
                    Role::Walls => walls = walls.merged(&dataset.mesh.bounds()),
                    Role::Contacts => overview.add_ranges(&dataset),
                }
            }
        }

        overview.add_walls(&walls);
        overview
    }

    /// Reads a frame by its path within the folder.
    pub(super) fn dataset(&self, path: &str) -> Result<Dataset, impinge_io::Error> {
        impinge_io::read(&self.folder.join(path))
    }

    /// Reads and packs a frame.
    pub(super) fn packed(&self, path: &str, precision: Precision) -> anyhow::Result<Packed> {
        let origin = self
            .lock()
            .as_ref()
            .map_or_else(Point::origin, |seen| seen.origin);
        Ok(Packed::of(&self.dataset(path)?, &origin, precision))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Seen>> {
        self.seen
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Returns the folder's own name.
fn title(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole
        .file_name()
        .unwrap_or(whole.as_os_str())
        .to_string_lossy()
        .into_owned()
}

fn real(value: &toml::Value) -> Option<f64> {
    value
        .as_float()
        .or_else(|| value.as_integer().map(|whole| whole as f64))
}

/// Reads two or three numbers.
fn vector(value: &toml::Value) -> Option<[f64; 3]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(real).collect();
    match numbers?[..] {
        [x, y] => Some([x, y, 0.0]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}
