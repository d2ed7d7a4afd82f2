//! Sums over the polygons of each part.
//!
//! The polygons of a part close without gaps, because crossings are computed once. With the
//! tetrahedra between an origin and the triangles of each polygon's fan, volume and first moment
//! are exact up to rounding.

use super::super::overlap::winding_of;
use super::Part;
use super::patch::{Outline, Patches, area_vector};
use crate::space::{Aabb, Point, Vector};

/// Volume of a cavity, relative to the cube of its diameter, below which it is rounding.
const CAVITY: f64 = 1e-12;

/// The sums of one part.
#[derive(Clone, Copy, Debug)]
struct Sum {
    patch: u32,
    volume: f64,
    moment: Vector<3>,
    section: Vector<3>,
    bounds: Aabb<3>,
    /// Sum and number of the vertices.
    mean: (Vector<3>, f64),
    faces: [Option<u32>; 2],
    is_cut: bool,
}

/// Cosine of the largest angle between the mean normal and a face that counts as facing it. Narrow
/// side faces tilt the mean normal of a shallow overlap a little, and along a tilted normal a wide
/// overlap seems several times as deep.
const FACING: f64 = 0.985;

/// The mean direction of the faces of a part.
#[derive(Clone, Copy, Debug, Default)]
struct Facing {
    normal: Vector<3>,
    /// Height over the centroid of the first body's highest point and of the second body's lowest.
    ends: [f64; 2],
}

/// Reusable lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    list: Vec<Sum>,
    /// For each part.
    facing: Vec<Facing>,
    /// For each patch, the number of its sum.
    numbers: Vec<u32>,
}

impl Sums {
    /// Writes the parts, sorted by their lowest faces.
    pub(super) fn write(
        &mut self,
        patches: &mut Patches,
        origin: &Point<3>,
        found: &mut Vec<Part>,
    ) {
        self.add_up(patches, origin);
        if self.join_cavities(patches) {
            self.add_up(patches, origin);
        }

        let start = found.len();
        found.extend(self.list.iter().map(|sum| sum.part(origin)));
        for place in 0..patches.outlines.len() {
            let outline = patches.outlines[place];
            let number = self.numbers[patches.root(outline.patch) as usize];
            deepen(
                &mut found[start + number as usize],
                outline.own,
                patches.polygon(&outline),
            );
        }

        for part in &mut found[start..] {
            if let Some(normal) = part.normal() {
                part.depth = normal.dot(&(part.on_a - part.on_b)).max(0.0);
            }
        }
        self.measure_heights(patches, &mut found[start..]);
        found[start..].sort_unstable_by_key(|part| part.faces);
    }

    /// Measures each part along the normal of the faces that face its mean normal, or along the mean
    /// normal itself if none does.
    fn measure_heights(&mut self, patches: &Patches, parts: &mut [Part]) {
        self.facing.clear();
        self.facing.resize(parts.len(), Facing::default());
        for outline in &patches.outlines {
            let number = self.numbers[patches.root(outline.patch) as usize] as usize;
            let area = area_vector(patches.polygon(outline));
            let area = if outline.own == 0 { area } else { -area };
            let section = &parts[number].section;
            if area.dot(section) > FACING * area.norm() * section.norm() {
                self.facing[number].normal += area;
            }
        }

        for (facing, part) in self.facing.iter_mut().zip(&*parts) {
            let normal = facing.normal.try_normalize(0.0).or_else(|| part.normal());
            facing.normal = normal.unwrap_or_else(Vector::zeros);
        }

        for outline in &patches.outlines {
            let number = self.numbers[patches.root(outline.patch) as usize] as usize;
            let Facing { normal, ends } = &mut self.facing[number];
            for point in patches.polygon(outline) {
                let height = normal.dot(&(point - parts[number].centroid));
                match outline.own {
                    0 => ends[0] = ends[0].max(height),
                    _ => ends[1] = ends[1].min(height),
                }
            }
        }

        for (facing, part) in self.facing.iter().zip(parts) {
            let [top, bottom] = facing.ends;
            part.height = (top - bottom).max(0.0);
        }
    }

    fn add_up(&mut self, patches: &Patches, origin: &Point<3>) {
        self.list.clear();
        self.numbers.clear();
        self.numbers.resize(patches.is_cut.len(), u32::MAX);

        for place in 0..patches.outlines.len() {
            let outline = patches.outlines[place];
            let patch = patches.root(outline.patch);
            let number = &mut self.numbers[patch as usize];
            if *number == u32::MAX {
                *number = self.list.len() as u32;
                self.list.push(Sum::new(patch));
            }
            let is_cut = patches.is_cut[outline.patch as usize];
            let polygon = patches.polygon(&outline);
            self.list[*number as usize].add(&outline, polygon, is_cut, origin);
        }
    }

    /// Joins cavities, whose surfaces face inward, with the parts around them.
    fn join_cavities(&self, patches: &mut Patches) -> bool {
        let mut joined = false;
        for cavity in self.list.iter().filter(|sum| sum.is_cavity()) {
            let around = |sum: &&Sum| {
                sum.volume > 0.0
                    && sum.bounds.contains(&cavity.bounds.min)
                    && sum.bounds.contains(&cavity.bounds.max)
            };
            let host = self.list.iter().filter(around).min_by(|a, b| {
                let [misses_a, misses_b] = [a, b].map(|sum| !sum.encloses(cavity, patches));
                let size = |sum: &Sum| sum.bounds.volume();
                misses_a.cmp(&misses_b).then(size(a).total_cmp(&size(b)))
            });
            if let Some(host) = host {
                patches.join(host.patch, cavity.patch);
                joined = true;
            }
        }

        joined
    }
}

impl Sum {
    fn new(patch: u32) -> Self {
        Self {
            patch,
            volume: 0.0,
            moment: Vector::zeros(),
            section: Vector::zeros(),
            bounds: Aabb::of([]),
            mean: (Vector::zeros(), 0.0),
            faces: [None; 2],
            is_cut: false,
        }
    }

    fn add(&mut self, outline: &Outline, polygon: &[Point<3>], is_cut: bool, origin: &Point<3>) {
        let first = polygon[0] - origin;
        for pair in polygon[1..].windows(2) {
            let [p, q] = [pair[0] - origin, pair[1] - origin];
            let volume = first.dot(&p.cross(&q)) / 6.0;
            self.volume += volume;
            self.moment += (first + p + q) * (0.25 * volume);
        }

        for point in polygon {
            self.bounds = self.bounds.with(point);
            self.mean.0 += point - origin;
            self.mean.1 += 1.0;
        }
        if outline.own == 0 {
            self.section += area_vector(polygon);
        }

        let lowest = &mut self.faces[outline.own as usize];
        *lowest = Some(lowest.map_or(outline.face, |face| face.min(outline.face)));
        self.is_cut |= is_cut;
    }

    fn is_cavity(&self) -> bool {
        self.volume < -CAVITY * self.bounds.extent().norm().powi(3)
    }

    /// Returns whether the boundary of this part surrounds another.
    fn encloses(&self, other: &Self, patches: &Patches) -> bool {
        let mut triangles = Vec::new();
        let mut point = None;
        for place in 0..patches.outlines.len() {
            let outline = patches.outlines[place];
            let patch = patches.root(outline.patch);
            let polygon = patches.polygon(&outline);
            if patch == other.patch {
                point = point.or(Some(polygon[0]));
            } else if patch == self.patch {
                let fan = polygon[1..].windows(2);
                triangles.extend(fan.map(|pair| [polygon[0], pair[0], pair[1]]));
            }
        }

        point.is_some_and(|point| winding_of(&point, triangles.into_iter()) > 0)
    }

    fn part(&self, origin: &Point<3>) -> Part {
        let mean = self.mean.0 / self.mean.1.max(1.0);
        let centre = if self.volume > 0.0 {
            self.moment / self.volume
        } else {
            mean
        };
        // A volume of rounding errors has its centre anywhere.
        let within = self.bounds.contains(&(origin + centre));
        let middle = origin + if within { centre } else { mean };

        Part {
            volume: self.volume.max(0.0),
            centroid: middle,
            section: if self.is_cut {
                self.section
            } else {
                Vector::zeros()
            },
            depth: 0.0,
            height: 0.0,
            on_a: middle,
            on_b: middle,
            faces: self.faces,
        }
    }
}

/// Moves the witness points of a part to the deepest vertices.
fn deepen(part: &mut Part, own: u8, polygon: &[Point<3>]) {
    let along = part.section;
    for point in polygon {
        let on = match own {
            0 => &mut part.on_a,
            _ => &mut part.on_b,
        };
        let deeper = along.dot(&(point - *on));
        if (own == 0 && deeper > 0.0) || (own == 1 && deeper < 0.0) {
            *on = *point;
        }
    }
}
