//! An overview of datasets: the box worth showing and the ranges of the fields, both without outliers.
//!
//! A single stray body must not shrink the view of all others, nor a single fast one compress the
//! colour scale. The pictures of `impinge run --pictures` and the viewer's first view both come from
//! here.

use impinge::space::{Aabb, Point, Vector};
use impinge_io::{Dataset, Field, Values};
use std::collections::BTreeMap;

/// Share of the bodies at each end of an axis that may be outliers.
const TAIL: f64 = 0.05;

/// A body is an outlier if it is farther outside the others than this many times their extent.
const FAR: f64 = 1.0;

/// Fewer bodies than this have no outliers.
const FEW: usize = 10;

/// Share of the values at each end of a range that saturate.
const CLIPPED: f64 = 0.005;

/// Maximum number of values of a field that are examined.
const SAMPLE: usize = 50_000;

/// Boxes and ranges of one or more datasets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overview {
    bounds: Option<Aabb<3>>,
    ranges: BTreeMap<String, [f64; 2]>,
}

impl Overview {
    /// Adds the bodies of a dataset, whose triangles name their body in a field.
    pub(crate) fn add_bodies(&mut self, dataset: &Dataset) {
        if let Some(shown) = shown(&boxes(dataset)) {
            self.bounds = Some(self.bounds.map_or(shown, |bounds| bounds.merged(&shown)));
        }
        self.add_ranges(dataset);
    }

    /// Adds the ranges of a dataset's fields.
    pub(crate) fn add_ranges(&mut self, dataset: &Dataset) {
        for field in dataset.point_fields.iter().chain(&dataset.cell_fields) {
            let Values::Real(values) = &field.values else {
                continue;
            };
            self.add_range(&field.name, &sizes(field, values));
            if field.components > 1 {
                for component in 0..field.components {
                    let part = values.iter().skip(component).step_by(field.components);
                    let part: Vec<f64> = part.copied().collect();
                    self.add_range(&format!("{}:{component}", field.name), &part);
                }
            }
        }
    }

    fn add_range(&mut self, name: &str, values: &[f64]) {
        let Some([low, up]) = range(values) else {
            return;
        };
        let known = self.ranges.entry(name.to_owned()).or_insert([low, up]);
        *known = [known[0].min(low), known[1].max(up)];
    }

    /// Extends the box by the walls near the bodies; alone, walls are what is shown.
    pub(crate) fn add_walls(&mut self, walls: &Aabb<3>) {
        /// Margin around the bodies, relative to their extent, within which walls are shown.
        const AROUND: f64 = 0.25;
        if walls.is_empty() {
            return;
        }
        let Some(bounds) = self.bounds else {
            self.bounds = Some(*walls);
            return;
        };

        let near = walls.intersection(&bounds.grown(AROUND * bounds.longest_edge()));
        if !near.is_empty() {
            self.bounds = Some(bounds.merged(&near));
        }
    }

    /// Returns the box to show; `None` if nothing was added.
    pub(crate) fn bounds(&self) -> Option<Aabb<3>> {
        self.bounds
    }

    /// Returns the range of each field; of vectors, of their length and of each component (`velocity:0`).
    pub(crate) fn ranges(&self) -> &BTreeMap<String, [f64; 2]> {
        &self.ranges
    }
}

/// Returns the bounding box of each body: of each sphere, each numbered object, or all points together.
fn boxes(dataset: &Dataset) -> Vec<Aabb<3>> {
    let points = &dataset.mesh.points;
    if let Some(Values::Real(radii)) = field(&dataset.point_fields, "radius") {
        let sphere = |(point, &radius): (&Point<3>, &f64)| Aabb::of([*point]).grown(radius);
        return points.iter().zip(radii).map(sphere).collect();
    }

    let numbers = ["body", "solid"]
        .into_iter()
        .find_map(|name| field(&dataset.cell_fields, name));
    let Some(Values::Whole(numbers)) = numbers else {
        return match dataset
            .mesh
            .blocks
            .iter()
            .all(|block| block.kind.dimension() == 0)
        {
            true => points.iter().map(|point| Aabb::of([*point])).collect(),
            false => vec![dataset.mesh.bounds()],
        };
    };

    let mut boxes: BTreeMap<i64, Aabb<3>> = BTreeMap::new();
    let elements = dataset
        .mesh
        .blocks
        .iter()
        .flat_map(|block| block.elements());
    for (nodes, number) in elements.zip(numbers) {
        let own = Aabb::of(nodes.iter().map(|&node| points[node as usize]));
        let known = boxes.entry(*number).or_insert(Aabb::EMPTY);
        *known = known.merged(&own);
    }

    boxes.into_values().collect()
}

/// Returns the box around all bodies but the outliers.
fn shown(boxes: &[Aabb<3>]) -> Option<Aabb<3>> {
    let limits = match boxes.len() {
        0..FEW => Aabb::new([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]),
        _ => limits(boxes),
    };
    let is_near = |one: &&Aabb<3>| limits.contains(&one.centre());
    boxes
        .iter()
        .filter(is_near)
        .copied()
        .reduce(|a, b| a.merged(&b))
}

/// Returns the box outside which the centre of a body is an outlier.
fn limits(boxes: &[Aabb<3>]) -> Aabb<3> {
    let mut inner = Aabb::EMPTY;
    let largest = boxes.iter().map(Aabb::longest_edge).fold(0.0, f64::max);
    for axis in 0..3 {
        let mut centres: Vec<f64> = boxes.iter().map(|one| one.centre()[axis]).collect();
        centres.sort_by(f64::total_cmp);
        let tail = (TAIL * centres.len() as f64).ceil() as usize;
        inner.min[axis] = centres[tail];
        inner.max[axis] = centres[centres.len() - 1 - tail];
    }

    // Bodies in one plane or on one line are near each other too.
    let reach = FAR * inner.longest_edge() + largest;
    inner.grown(reach)
}

/// Returns the values of a scalar field, the lengths of the vectors of others.
fn sizes(field: &Field, values: &[f64]) -> Vec<f64> {
    match field.components {
        1 => values.to_vec(),
        n => values
            .chunks_exact(n)
            .map(|item| item.iter().map(|x| x * x).sum::<f64>().sqrt())
            .collect(),
    }
}

/// Returns the range of most values; it begins at zero if that is near.
fn range(values: &[f64]) -> Option<[f64; 2]> {
    let stride = values.len().div_ceil(SAMPLE).max(1);
    let finite = |x: &f64| x.is_finite();
    let mut sample: Vec<f64> = values
        .iter()
        .step_by(stride)
        .copied()
        .filter(finite)
        .collect();
    sample.sort_by(f64::total_cmp);
    let last = sample.len().checked_sub(1)?;
    let cut = (CLIPPED * last as f64) as usize;
    let [low, up] = [sample[cut], sample[last - cut]];

    Some(if low >= 0.0 && low < 0.3 * up {
        [0.0, up]
    } else {
        [low, up]
    })
}

fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Values> {
    fields
        .iter()
        .find(|field| field.name == name)
        .map(|field| &field.values)
}

/// Returns a box without extent as one that can be shown.
pub(crate) fn presentable(bounds: &Aabb<3>) -> Aabb<3> {
    let longest = bounds.longest_edge();
    let margin = match longest > 0.0 && longest.is_finite() {
        true => 0.0,
        false => bounds.centre().coords.norm().max(1.0) * 1e-3,
    };
    Aabb::new(
        bounds.min - Vector::repeat(margin),
        bounds.max + Vector::repeat(margin),
    )
}

#[cfg(test)]
mod tests;
