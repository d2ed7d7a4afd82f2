//! The result of a command other than `run`, in memory: datasets with a role, over time or not.

use super::manifest::{FrameInfo, Manifest, Role, SeriesInfo, State, TimelineEvent, origin_for};
use super::overview::{Overview, presentable};
use super::pack::{Packed, Precision};
use anyhow::Context;
use impinge::space::Point;
use impinge_io::Dataset;
use std::collections::BTreeMap;

/// Datasets to show.
pub(crate) struct Exhibit {
    title: String,
    notes: Vec<String>,
    series: Vec<SeriesInfo>,
    datasets: BTreeMap<String, Dataset>,
    events: Vec<TimelineEvent>,
    overview: Overview,
}

impl Exhibit {
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            notes: Vec::new(),
            series: Vec::new(),
            datasets: BTreeMap::new(),
            events: Vec::new(),
            overview: Overview::default(),
        }
    }

    /// Adds a dataset that is there at all times. `kind` is its name for machines, `label` its plural for people.
    #[must_use]
    pub(crate) fn with(self, kind: &str, label: &str, role: Role, dataset: Dataset) -> Self {
        self.with_frames(kind, label, role, vec![(0.0, dataset)])
    }

    /// Adds a dataset for each of several times.
    #[must_use]
    pub(crate) fn with_frames(
        mut self,
        kind: &str,
        label: &str,
        role: Role,
        frames: Vec<(f64, Dataset)>,
    ) -> Self {
        let mut infos = Vec::new();
        for (number, (time, dataset)) in frames.into_iter().enumerate() {
            match role {
                Role::Contacts => self.overview.add_ranges(&dataset),
                _ => self.overview.add_bodies(&dataset),
            }
            let path = format!("{kind}/{number}");
            infos.push(FrameInfo {
                time,
                path: path.clone(),
            });
            self.datasets.insert(path, dataset);
        }

        self.series.push(SeriesInfo {
            kind: kind.to_owned(),
            label: label.to_owned(),
            role,
            frames: infos,
        });
        self
    }

    /// Adds a sentence that the page shows.
    #[must_use]
    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Marks a time on the time line.
    #[must_use]
    pub(crate) fn with_event(mut self, time: f64, text: impl Into<String>) -> Self {
        self.events.push(TimelineEvent {
            time,
            text: text.into(),
        });
        self
    }

    fn origin(&self) -> Point<3> {
        self.overview
            .bounds()
            .map_or_else(Point::origin, |bounds| origin_for(&bounds))
    }

    pub(super) fn manifest(&self) -> Manifest {
        let bounds = self.overview.bounds();
        let is_flat = bounds.is_some_and(|bounds| bounds.extent().z == 0.0);
        Manifest {
            notes: self.notes.clone(),
            dimension: if is_flat { 2 } else { 3 },
            origin: self.origin().into(),
            bounds: bounds.map(|bounds| presentable(&bounds).into()),
            problem: bounds.is_none().then(|| "The result is empty.".to_owned()),
            series: self.series.clone(),
            events: self.events.clone(),
            ranges: self.overview.ranges().clone(),
            ..Manifest::new(self.title.clone(), State::Still)
        }
    }

    pub(super) fn packed(&self, path: &str, precision: Precision) -> anyhow::Result<Packed> {
        let dataset = self
            .datasets
            .get(path)
            .with_context(|| format!("{path} does not exist"))?;
        Ok(Packed::of(dataset, &self.origin(), precision))
    }
}
