//! One self-contained HTML file: the page with its frames inside, to open from disk or to send.
//!
//! Arrays that several frames share, such as triangles and radii, are stored once. All are quantised to 16 bits,
//! compressed and written in base64. If the file would be too large, frames are left out evenly, with a note.

use super::content::Content;
use super::manifest::{Manifest, Role, TableInfo};
use super::pack::{Grid, Header, Packed, Precision};
use super::server::PAGE;
use anyhow::{Context, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use impinge::space::{Aabb, Point};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;

/// Size of the data beyond which frames are left out.
const MOST_BYTES: usize = 100_000_000;

/// The marker in the page that is replaced by its data.
const PLACE: &str = "<!--DATA-->";

/// How far beyond the shown box coordinates are quantised, relative to its size.
const AROUND: f64 = 0.5;

/// Frames packed at a time.
const BATCH: usize = 16;

/// A finished page.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) notes: Vec<String>,
}

/// Data that the page reads from itself; `viewer/src/source.ts` is the other side.
#[derive(Serialize)]
struct Embedded<'a> {
    manifest: &'a Manifest,
    parts: BTreeMap<String, Header>,
    tables: BTreeMap<String, String>,
}

/// Packs everything into one page.
pub(super) fn page(content: &Content) -> anyhow::Result<Page> {
    page_of_size(content, MOST_BYTES)
}

fn page_of_size(content: &Content, most: usize) -> anyhow::Result<Page> {
    let mut manifest = content.manifest();
    if let Some(problem) = manifest.problem {
        bail!("{problem}");
    }
    let grid = grid(&manifest).context("there are no frames to show")?;
    let notes = manifest.notes.len();
    let arrays = fill(content, &mut manifest, grid, most)?;
    let notes = manifest.notes[notes..].to_vec();

    let data = Embedded {
        manifest: &manifest,
        parts: arrays.parts,
        tables: tables(content, &manifest),
    };
    let mut text = String::new();
    text += "<script type=\"application/json\" id=\"embedded\">";
    // A script ends at "</script", even inside a string.
    text += &serde_json::to_string(&data)?.replace('<', "\\u003c");
    text += "</script>\n";
    for (number, array) in arrays.packed.iter().enumerate() {
        text += &format!("<script type=\"text/plain\" id=\"array-{number}\">{array}</script>\n");
    }

    Ok(Page {
        text: PAGE.replacen(PLACE, &text, 1),
        notes,
    })
}

fn grid(manifest: &Manifest) -> Option<Grid> {
    let bounds: Aabb<3> = manifest.bounds?.into();
    let around = bounds.grown(AROUND * bounds.longest_edge());
    Some(Grid::over(&around, &Point::from(manifest.origin)))
}

/// Packs the frames: all of them, or as many as fit; without contacts if too few fit.
fn fill(
    content: &Content,
    manifest: &mut Manifest,
    grid: Grid,
    most: usize,
) -> anyhow::Result<Arrays> {
    let times = times(manifest);
    let mut stride = 1;
    loop {
        let mut thinned = thinned(manifest, &times, stride);
        let mut arrays = Arrays::default();
        let packed = arrays.add_all(content, &mut thinned, grid, most)?;
        if packed.is_none() {
            if stride > 1 {
                let kept = times.len().div_ceil(stride);
                thinned.notes.push(format!(
                    "Every {stride}th of {} frames is in this file, {kept} in all: it would be too large otherwise.",
                    times.len()
                ));
            }
            *manifest = thinned;
            return Ok(arrays);
        }

        // With a margin, because frames differ in size.
        let share = packed.unwrap_or(0.5) * 0.95;
        let next = (stride as f64 / share.max(1e-3)).ceil() as usize;
        let has_contacts = manifest
            .series
            .iter()
            .any(|series| series.role == Role::Contacts);
        match (stride >= times.len(), has_contacts) {
            (false, _) => stride = next.clamp(stride + 1, 2 * times.len()),
            (true, true) => {
                manifest
                    .series
                    .retain(|series| series.role != Role::Contacts);
                manifest.notes.push(
                    "The contacts are not in this file: it would be too large otherwise.".into(),
                );
                stride = 1;
            }
            (true, false) => bail!(
                "a single frame is larger than {} MB; serve the folder with 'impinge view' instead",
                most / 1_000_000
            ),
        }
    }
}

/// Returns the times at which something moves, ascending.
fn times(manifest: &Manifest) -> Vec<f64> {
    let mut times: Vec<f64> = manifest
        .series
        .iter()
        .flat_map(|series| &series.frames)
        .map(|frame| frame.time)
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Returns the manifest thinned to every n-th time, and with the first frame of each series.
fn thinned(manifest: &Manifest, times: &[f64], stride: usize) -> Manifest {
    let kept: BTreeSet<u64> = times
        .iter()
        .step_by(stride)
        .map(|time| time.to_bits())
        .collect();
    let mut thinned = manifest.clone();
    for series in &mut thinned.series {
        let mut number = 0;
        series.frames.retain(|frame| {
            number += 1;
            number == 1 || kept.contains(&frame.time.to_bits())
        });
    }
    thinned
}

/// The arrays of the file, each stored once.
#[derive(Default)]
struct Arrays {
    parts: BTreeMap<String, Header>,
    /// Compressed, in base64.
    packed: Vec<String>,
    numbers: HashMap<Vec<u8>, usize>,
    bytes: usize,
}

impl Arrays {
    /// Adds all frames of a manifest; unreadable ones are skipped with a note. Returns the share of the
    /// frames that would fit if not all do.
    fn add_all(
        &mut self,
        content: &Content,
        manifest: &mut Manifest,
        grid: Grid,
        most: usize,
    ) -> anyhow::Result<Option<f64>> {
        let mut frames: Vec<(f64, String)> = manifest
            .series
            .iter()
            .flat_map(|series| &series.frames)
            .map(|frame| (frame.time, frame.path.clone()))
            .collect();
        frames.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut failed = BTreeSet::new();

        for (number, batch) in frames.chunks(BATCH).enumerate() {
            let packed: Vec<anyhow::Result<Packed>> = batch
                .par_iter()
                .map(|(_, path)| content.packed(path, Precision::Eye(grid)))
                .collect();
            for ((_, path), packed) in batch.iter().zip(packed) {
                match packed {
                    Ok(packed) => self.add(path, packed),
                    Err(error) => {
                        manifest.notes.push(format!("Left out: {error:#}"));
                        failed.insert(path.clone());
                    }
                }
            }
            self.compress()?;
            if self.bytes > most {
                let done = (number * BATCH + batch.len()) as f64;
                let size = self.bytes as f64 / done * frames.len() as f64;
                return Ok(Some(most as f64 / size));
            }
        }

        for series in &mut manifest.series {
            series.frames.retain(|frame| !failed.contains(&frame.path));
        }
        Ok(None)
    }

    /// Adds a part; equal arrays get the same number.
    fn add(&mut self, path: &str, packed: Packed) {
        let mut header = packed.header;
        for (info, bytes) in header.arrays.iter_mut().zip(packed.arrays) {
            let next = self.numbers.len();
            info.at = *self.numbers.entry(bytes).or_insert(next);
        }
        self.parts.insert(path.to_owned(), header);
    }

    /// Compresses the arrays that are new.
    fn compress(&mut self) -> anyhow::Result<()> {
        let first = self.packed.len();
        let mut fresh: Vec<(&Vec<u8>, usize)> = self
            .numbers
            .iter()
            .map(|(bytes, number)| (bytes, *number))
            .filter(|(_, number)| *number >= first)
            .collect();
        fresh.sort_unstable_by_key(|(_, number)| *number);
        let packed: std::io::Result<Vec<String>> = fresh
            .par_iter()
            .map(|(bytes, _)| {
                let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
                zlib.write_all(bytes)?;
                Ok(STANDARD.encode(zlib.finish()?))
            })
            .collect();

        let packed = packed?;
        self.bytes += packed.iter().map(String::len).sum::<usize>();
        self.packed.extend(packed);
        Ok(())
    }
}

/// Reads the tables that the page draws curves of.
fn tables(content: &Content, manifest: &Manifest) -> BTreeMap<String, String> {
    let read = |table: &TableInfo| {
        let path = content.folder()?.join(&table.path);
        Some((table.path.clone(), std::fs::read_to_string(path).ok()?))
    };
    manifest.history.iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests;
