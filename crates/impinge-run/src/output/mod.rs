//! Output of a run: frames for ParaView, tables, and their progress marks for checkpoints.
//!
//! | file | what |
//! |---|---|
//! | `particles.pvd`, `bodies.pvd`, `solids.pvd`, `walls.pvd`, `contacts.pvd` | time series of the files in `frames/` |
//! | `history.csv` | energies, momentum, counts and the largest overlap |
//! | `contacts.csv` | every contact with its force |
//! | `loads.csv`, `averages.csv`, `flow.csv`, `forces.csv` | measurements, if the scene requests them |
//! | `.impinge-run` | names of all files that the run wrote |
//!
//! Frames appear complete or not at all. Tables grow, and are truncated when a run resumes from a
//! checkpoint. A run that was stopped at any moment and resumed therefore produces the same bytes
//! as an uninterrupted one.
//!
//! Frames are synced to disk just before a checkpoint is written, not one by one, which took longer
//! than the steps of a short run. A killed program loses none of them. After a power loss, frames
//! since the last checkpoint may be missing or empty; a resumed run writes them again, and
//! everything that a checkpoint relies on is on disk before it.

mod manifest;
mod table;
mod writer;

pub use manifest::{MANIFEST, Manifest};

use impinge::shape::Feature;
use impinge_io::pvd::{Series, SeriesStep};
use impinge_io::{Dataset, Durability, Error, Format};
use impinge_sim::world::Counts;
use impinge_sim::{BodyKind, BodyRef, ContactRecord, Energy};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use table::Table;
use writer::Writer;

/// Name of the frames folder within a run's folder.
pub const FRAMES: &str = "frames";

/// Contacts formatted by one task.
const TASK: usize = 1024;

const HISTORY: &str = "history.csv";
const CONTACTS: &str = "contacts.csv";

const HISTORY_HEADER: &str = "step,time,kinetic,potential,elastic,dissipated,work,total,momentum_x,momentum_y,\
                              momentum_z,particles,bodies,solids,contacts,overlap,angular_momentum_x,\
                              angular_momentum_y,angular_momentum_z,outlet_mass";
const CONTACTS_HEADER: &str = "time,kind_a,id_a,name_a,kind_b,id_b,name_b,x,y,z,normal_x,normal_y,normal_z,force_x,force_y,\
                               force_z,depth,feature";

/// A table of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// File name in the run's folder.
    pub file: &'static str,
    /// Column names.
    pub header: &'static str,
}

/// The data of one kind of object at one time.
pub struct Frame {
    /// The series it belongs to.
    pub kind: &'static str,
    /// File format.
    pub format: Format,
    /// The data.
    pub dataset: Dataset,
}

/// One row of the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Number of steps done.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Energies.
    pub energy: Energy,
    /// Momentum, kg m/s; the last component is 0 in 2D.
    pub momentum: [f64; 3],
    /// Numbers of objects and contacts.
    pub counts: Counts,
    /// Largest overlap since the last row, relative to the thickness of the thinner body.
    pub overlap: f64,
    /// Angular momentum about the origin, kg m²/s.
    pub angular_momentum: [f64; 3],
    /// Mass that outlets have removed, kg.
    pub outlet_mass: f64,
}

/// Formats the row of a contact in the table, with the line ending.
fn contact_row(contact: &ContactRecord, time: f64, name: &impl Fn(BodyRef) -> String) -> String {
    let [a, b] = contact.bodies.map(|body| {
        let name = match body.kind {
            BodyKind::Particle => String::new(),
            _ => quoted(name(body)),
        };
        format!("{},{},{name}", body.kind.name(), body.index)
    });
    let [[x, y, z], [nx, ny, nz], [fx, fy, fz]] =
        [contact.point.coords, contact.normal, contact.force]
            .map(|vector| <[f64; 3]>::from(vector).map(unsigned));
    let depth = unsigned(contact.depth);
    let feature = match contact.feature {
        None => String::new(),
        Some(Feature::Face(face)) => format!("face {face}"),
        Some(Feature::Edge([from, to])) => format!("edge {from}-{to}"),
        Some(Feature::Vertex(vertex)) => format!("vertex {vertex}"),
    };

    format!(
        "{time:?},{a},{b},{x:?},{y:?},{z:?},{nx:?},{ny:?},{nz:?},{fx:?},{fy:?},{fz:?},{depth:?},{feature}\n"
    )
}

/// Quotes a name for CSV if it needs that.
pub(crate) fn quoted(name: String) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name
    }
}

/// Replaces −0 by 0, which tables should not show.
fn unsigned(number: f64) -> f64 {
    number + 0.0
}

/// Progress of the output files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// Times of the frames.
    pub frames: Vec<f64>,
    /// Kinds of objects in them, and the number of frames of each.
    kinds: BTreeMap<String, (String, u64)>,
    /// Lengths of the tables, in bytes.
    tables: BTreeMap<String, u64>,
}

/// Writes a run's files.
pub struct Recorder {
    folder: PathBuf,
    manifest: Manifest,
    /// By file name.
    tables: BTreeMap<&'static str, Table>,
    marks: Marks,
    /// Frames that may not be on disk yet.
    unsynced: Vec<PathBuf>,
    /// Frames that existed when the checkpoint was written but no longer do.
    missing: BTreeSet<String>,
    writer: Writer,
}

impl Recorder {
    /// Starts the files of a run in the manifest's folder, with these tables besides history and
    /// contacts.
    pub fn create(mut manifest: Manifest, sheets: &[Sheet]) -> Result<Self, Error> {
        let folder = manifest.folder().to_owned();
        make_folder(&folder.join(FRAMES))?;
        let mut tables = BTreeMap::new();
        for sheet in all_sheets(sheets) {
            list(&mut manifest, [sheet.file])?;
            let path = folder.join(sheet.file);
            let table = Table::create(&path, sheet.header);
            tables.insert(
                sheet.file,
                table.map_err(|source| Error::system(&path, source))?,
            );
        }

        Ok(Self {
            tables,
            folder,
            manifest,
            marks: Marks::default(),
            unsynced: Vec::new(),
            missing: BTreeSet::new(),
            writer: Writer::default(),
        })
    }

    /// Continues from a checkpoint: later output is discarded. Series omit frames that are
    /// [missing](Self::missing). Tables that the checkpoint does not know start empty.
    pub fn resume(mut manifest: Manifest, marks: Marks, sheets: &[Sheet]) -> Result<Self, Error> {
        let folder = manifest.folder().to_owned();
        make_folder(&folder.join(FRAMES))?;
        let mut tables = BTreeMap::new();
        for sheet in all_sheets(sheets) {
            let path = folder.join(sheet.file);
            let table = match marks.tables.get(sheet.file) {
                Some(&bytes) => Table::reopen(&path, bytes),
                None => {
                    list(&mut manifest, [sheet.file])?;
                    Table::create(&path, sheet.header)
                }
            };
            tables.insert(
                sheet.file,
                table.map_err(|source| Error::system(&path, source))?,
            );
        }

        let mut recorder = Self {
            tables,
            folder,
            manifest,
            marks,
            unsynced: Vec::new(),
            missing: BTreeSet::new(),
            writer: Writer::default(),
        };
        recorder.missing = recorder.find_missing();

        for kind in recorder.marks.kinds.keys() {
            let (series, steps) = recorder.series(kind);
            Series::of(&series, steps)?;
        }

        Ok(recorder)
    }

    fn find_missing(&self) -> BTreeSet<String> {
        let kinds = self.marks.kinds.keys();
        kinds
            .flat_map(|kind| self.series(kind).1)
            .map(|step| step.file)
            .filter(|file| !self.folder.join(file).exists())
            .collect()
    }

    /// Returns the frames, relative to the folder, that existed when the checkpoint was written but
    /// no longer do.
    pub fn missing(&self) -> &BTreeSet<String> {
        &self.missing
    }

    /// Returns the run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Registers files that other code will write, by their names within the folder.
    pub fn announce(&mut self, names: &[&str]) -> Result<(), Error> {
        names
            .iter()
            .try_for_each(|name| list(&mut self.manifest, [name]))
    }

    /// Writes another file of the run, by its name within the folder.
    pub fn write_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        list(&mut self.manifest, [name])?;
        impinge_io::write_atomically(&self.folder.join(name), |out| out.write_all(bytes))
    }

    /// Writes all frames of one time in the background; an error is returned by the next call of
    /// this method or of [`Self::marks`].
    pub fn frame(&mut self, time: f64, frames: Vec<Frame>) -> Result<(), Error> {
        let number = self.marks.frames.len();
        self.marks.frames.push(time);
        let mut files = Vec::new();

        for frame in frames {
            let extension = frame.format.extension();
            let name = frame_name(frame.kind, number, extension);
            list(&mut self.manifest, [&*name, &*series_name(frame.kind)])?;
            let file = self.folder.join(&name);
            self.unsynced.push(file.clone());
            let entry = self
                .marks
                .kinds
                .entry(frame.kind.to_owned())
                .or_insert((extension.to_owned(), 0));
            entry.1 = number as u64 + 1;

            files.push((file, frame.dataset, self.series(frame.kind)));
        }

        for table in self.tables.values_mut() {
            let flushed = table.flush();
            flushed.map_err(|source| Error::system(table.path(), source))?;
        }
        self.writer.start(move || {
            files
                .into_iter()
                .try_for_each(|(file, dataset, (series, steps))| {
                    impinge_io::write_with(&file, &dataset, Durability::Program)?;
                    Series::of(&series, steps).map(|_| ())
                })
        })
    }

    /// Returns the series of a kind and its file: a kind is in every frame from the first to the
    /// last that has it.
    fn series(&self, kind: &str) -> (PathBuf, Vec<SeriesStep>) {
        let (extension, count) = &self.marks.kinds[kind];
        let times = self.marks.frames.iter().take(*count as usize);
        let steps = times.enumerate().map(|(number, &time)| SeriesStep {
            time,
            file: frame_name(kind, number, extension),
        });
        let steps = steps.filter(|step| !self.missing.contains(&step.file));

        (self.folder.join(series_name(kind)), steps.collect())
    }

    /// Returns the times of the frames so far.
    pub fn frames(&self) -> &[f64] {
        &self.marks.frames
    }

    /// Adds a row to the history.
    pub fn history(&mut self, row: &Row) -> Result<(), Error> {
        let Row {
            step,
            time,
            energy,
            momentum,
            counts,
            overlap,
            angular_momentum,
            outlet_mass,
        } = row;

        let Energy {
            kinetic,
            potential,
            elastic,
            dissipated,
            work,
        } = energy;
        let [kinetic, potential, elastic, dissipated, work, total] = [
            *kinetic,
            *potential,
            *elastic,
            *dissipated,
            *work,
            energy.total(),
        ]
        .map(unsigned);
        let [x, y, z] = momentum.map(unsigned);
        let [around_x, around_y, around_z] = angular_momentum.map(unsigned);

        let Counts {
            particles,
            bodies,
            solids,
            contacts,
        } = counts;
        let text = format!(
            "{step},{time:?},{kinetic:?},{potential:?},{elastic:?},{dissipated:?},{work:?},{total:?},{x:?},{y:?},\
             {z:?},{particles},{bodies},{solids},{contacts},{overlap:?},{around_x:?},{around_y:?},{around_z:?},\
             {outlet_mass:?}\n"
        );

        self.rows(HISTORY, &text)
    }

    /// Adds rows, each with its line ending, to a table of the run.
    pub fn rows(&mut self, file: &str, rows: &str) -> Result<(), Error> {
        let Some(table) = self.tables.get_mut(file) else {
            return Ok(());
        };
        let written = table.rows(rows);
        written.map_err(|source| Error::system(table.path(), source))
    }

    /// Adds all contacts of one time; `name` returns the name of a wall, body or solid.
    pub fn contacts(
        &mut self,
        time: f64,
        contacts: &[ContactRecord],
        name: impl Fn(BodyRef) -> String + Sync,
    ) -> Result<(), Error> {
        let rows = |contacts: &[ContactRecord]| -> String {
            let rows = contacts.iter();
            rows.map(|contact| contact_row(contact, time, &name))
                .collect()
        };
        let parts: Vec<String> = contacts.par_chunks(TASK).map(rows).collect();
        parts.iter().try_for_each(|rows| self.rows(CONTACTS, rows))
    }

    /// Syncs everything to disk and returns the progress of the files.
    pub fn marks(&mut self) -> Result<Marks, Error> {
        self.writer.wait()?;
        self.manifest
            .sync()
            .map_err(|source| Error::system(&self.folder.join(MANIFEST), source))?;
        self.sync_frames()?;
        for (file, table) in &mut self.tables {
            let bytes = table
                .sync()
                .map_err(|source| Error::system(table.path(), source))?;
            self.marks.tables.insert((*file).to_owned(), bytes);
        }
        Ok(self.marks.clone())
    }

    /// Syncs all frames together: the system then batches the writes.
    fn sync_frames(&mut self) -> Result<(), Error> {
        let series = self
            .marks
            .kinds
            .keys()
            .map(|kind| self.folder.join(series_name(kind)));
        self.unsynced.extend(series);
        self.unsynced
            .par_iter()
            .try_for_each(|path| impinge_io::sync(path))?;
        self.unsynced.clear();

        [self.folder.join(FRAMES), self.folder.clone()]
            .iter()
            .try_for_each(|folder| impinge_io::sync(folder))
    }
}

/// Returns history and contacts, then the others.
fn all_sheets(others: &[Sheet]) -> impl Iterator<Item = Sheet> {
    let own = [(HISTORY, HISTORY_HEADER), (CONTACTS, CONTACTS_HEADER)];
    let own = own.map(|(file, header)| Sheet { file, header });
    own.into_iter().chain(others.iter().copied())
}

fn frame_name(kind: &str, number: usize, extension: &str) -> String {
    format!("{FRAMES}/{kind}_{number:06}.{extension}")
}

fn series_name(kind: &str) -> String {
    format!("{kind}.pvd")
}

fn list<const N: usize>(manifest: &mut Manifest, names: [&str; N]) -> Result<(), Error> {
    let listed = manifest.add(names);
    listed.map_err(|source| Error::system(&manifest.folder().join(MANIFEST), source))
}

fn make_folder(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|source| Error::system(folder, source))
}

#[cfg(test)]
mod tests;
