//! Self-contact of a deforming body: candidate faces within a time interval, and the first contact.
//!
//! The hierarchy is traversed against itself; a pair of branches is followed if their moving balls
//! touch in time [Aragon2013, eq. (12)]. As a branch moves at the common velocity of its corners, a
//! motion of the whole body adds no candidates. Translating a V of 1,000 faces by 80 times its size
//! in the step leaves their number unchanged, whereas swept boxes would leave every pair. Faces
//! that share a corner are excluded.

use super::body::{Body, Path};
use super::straight::Straight;
use super::{Forecast, ForecastEvent, ForecastEventKind, ForecastId, InvalidInput, InvalidTime};
use crate::predict::{FaceTouch, straight_touch, touch_bound};
use thiserror::Error;

/// Error of a self-contact query.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidSelfContact {
    /// Invalid body.
    #[error(transparent)]
    Body(#[from] InvalidInput),
    /// Invalid time.
    #[error(transparent)]
    Time(#[from] InvalidTime),
}

impl Forecast {
    /// Writes the candidate pairs of faces of a deforming body: those without a common corner whose
    /// bounds touch between now and a time. Pairs are sorted, the lower index first.
    pub fn self_candidates(
        &self,
        body: ForecastId,
        until: f64,
        pairs: &mut Vec<[u32; 2]>,
    ) -> Result<(), InvalidSelfContact> {
        let (body, nodes) = self.deforming(body, until)?;
        pairs.clear();
        visit_candidates(body, nodes, [self.time, until], |pair| pairs.push(pair));
        pairs.sort_unstable();
        Ok(())
    }

    /// Returns the first self-contact of a deforming body between now and a time; at once if its
    /// faces already cross.
    pub fn self_contact(
        &mut self,
        id: ForecastId,
        until: f64,
    ) -> Result<Option<ForecastEvent>, InvalidSelfContact> {
        let mut pairs = Vec::new();
        self.self_candidates(id, until, &mut pairs)?;
        let (body, nodes) = self.deforming(id, until)?;
        let (drift, tolerance) = (nodes.motion().0, self.settings.tolerance);
        let (mut first, mut tests): (Option<ForecastEvent>, usize) = (None, 0);

        for faces in pairs {
            let [a, b] = faces.map(|face| nodes.face(body.shape.triangles()[face as usize]));
            let found = straight_touch([&a, &b], [self.time, until], &drift, tolerance, &mut tests);
            let FaceTouch::At {
                time,
                latest,
                certain,
                point,
            } = found
            else {
                continue;
            };

            if first.is_none_or(|known| time < known.time) {
                let (faces, point) = (Some(faces), Some(point));
                first = Some(ForecastEvent {
                    kind: ForecastEventKind::Contact,
                    time,
                    latest,
                    certain,
                    bodies: [id; 2],
                    faces,
                    point,
                });
            }
        }

        self.counters.primitives.count += tests;
        Ok(first)
    }

    fn deforming(
        &self,
        id: ForecastId,
        until: f64,
    ) -> Result<(&Body, &Straight), InvalidSelfContact> {
        if !(until >= self.time && until.is_finite()) {
            return Err(InvalidTime {
                asked: until,
                now: self.time,
            }
            .into());
        }

        let body = self.body(id)?;
        match &body.path {
            Path::Deforming(nodes) => Ok((body, nodes)),
            Path::Rigid(_) => Err(InvalidInput::Rigid(id).into()),
        }
    }
}

fn visit_candidates(
    body: &Body,
    nodes: &Straight,
    interval: [f64; 2],
    mut visit: impl FnMut([u32; 2]),
) {
    let (tree, triangles) = (body.shape.balls(), body.shape.triangles());
    let [from, to] = interval;
    let touch = |a: u32, b: u32| {
        touch_bound(&nodes.ball(a, from), &nodes.ball(b, from))
            .is_some_and(|wait| wait <= to - from)
    };
    let shares = |a: u32, b: u32| {
        triangles[a as usize]
            .iter()
            .any(|n| triangles[b as usize].contains(n))
    };
    let mut waiting = vec![[0u32, 0u32]];

    while let Some([i, j]) = waiting.pop() {
        if i != j && !touch(i, j) {
            continue;
        }

        let [a, b] = [i, j].map(|k| tree.nodes[k as usize]);
        if i == j && !a.is_leaf() {
            waiting.extend([
                [a.first, a.first],
                [a.first + 1, a.first + 1],
                [a.first, a.first + 1],
            ]);
        } else if !a.is_leaf() && (b.is_leaf() || a.bounds.radius >= b.bounds.radius) {
            waiting.extend([[a.first, j], [a.first + 1, j]]);
        } else if !b.is_leaf() {
            waiting.extend([[i, b.first], [i, b.first + 1]]);
        } else {
            for &face in tree.items_of(&a) {
                let others = tree
                    .items_of(&b)
                    .iter()
                    .filter(|&&other| i != j || face < other);
                others
                    .filter(|&&other| !shares(face, other))
                    .for_each(|&other| {
                        visit([face.min(other), face.max(other)]);
                    });
            }
        }
    }
}
