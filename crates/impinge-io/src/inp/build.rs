//! Combines parts, instances and names into one mesh with sets.

use super::kinds::{Row, order, side};
use super::scope::{Group, Members, Scope, key};
use crate::budget::Budget;
use crate::cells::BLOCK_COST;
use crate::numbering::Numbering;
use crate::surface::MOST_POINTS;
use crate::text::shown;
use crate::{Dataset, ParseError, Set, SetOf};
use impinge::space::{Point, Vector};
use std::collections::BTreeMap;

/// Placement of an instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Placement {
    pub(super) shift: [f64; 3],
    /// Rotation after the translation: two points of the axis and an angle in degrees.
    pub(super) turn: Option<([f64; 3], [f64; 3], f64)>,
}

impl Placement {
    /// Returns the transformed point, or `None` on overflow.
    fn of(&self, point: [f64; 3]) -> Option<Point<3>> {
        let shifted = Vector::from(point) + Vector::from(self.shift);
        let placed = match self.turn {
            None => shifted,
            Some((a, b, angle)) => turned(
                shifted,
                Vector::from(a),
                Vector::from(b),
                angle.to_radians(),
            ),
        };

        placed
            .iter()
            .all(|x| x.is_finite())
            .then(|| Point::from(placed))
    }
}

/// Rodrigues' rotation about the axis from a to b; the identity if they coincide.
fn turned(p: Vector<3>, a: Vector<3>, b: Vector<3>, angle: f64) -> Vector<3> {
    let Some(axis) = (b - a).try_normalize(0.0) else {
        return p;
    };
    let r = p - a;
    let (sin, cos) = angle.sin_cos();
    a + r * cos + axis.cross(&r) * sin + axis * (axis.dot(&r) * (1.0 - cos))
}

/// Maps the names and numbers of one instance, or of the model, to the mesh.
struct Body {
    nodes: Numbering,
    first_point: u64,
    elements: Numbering,
    first_element: u64,
    sets: BTreeMap<(u8, String), Vec<u64>>,
}

/// A mesh under construction.
pub(super) struct Builder {
    pub(super) dataset: Dataset,
    budget: Budget,
    /// By name in upper case; the model and the assembly have no name and are not included.
    bodies: BTreeMap<String, Body>,
    /// The type of each element.
    rows: Vec<&'static Row>,
}

impl Builder {
    pub(super) fn new(dataset: Dataset, budget: Budget) -> Self {
        Self {
            dataset,
            budget,
            bodies: BTreeMap::new(),
            rows: Vec::new(),
        }
    }

    /// Adds the nodes, elements and sets of the scopes, which share their numbering.
    pub(super) fn add(
        &mut self,
        scopes: &[&Scope],
        name: Option<&str>,
        placement: &Placement,
    ) -> Result<(), ParseError> {
        let called = name
            .map(|name| format!(" of {}", shown(name.as_bytes())))
            .unwrap_or_default();
        let first_point = self.dataset.mesh.points.len() as u64;
        let nodes = self.points(scopes, placement, &called)?;
        let first_element = self.rows.len() as u64;
        let elements = self.elements(scopes, &nodes, first_point as u32, &called)?;
        let mut body = Body {
            nodes,
            first_point,
            elements,
            first_element,
            sets: BTreeMap::new(),
        };

        for group in scopes.iter().flat_map(|scope| &scope.groups) {
            let members = self.members(group, &body)?;
            let full = name.map_or_else(
                || group.name.clone(),
                |name| format!("{name}.{}", group.name),
            );
            self.budget.take(members.len(), size_of::<u64>())?;
            self.dataset.sets.push(Set {
                name: full,
                of: group.of,
                members: members.clone(),
            });

            body.sets.insert(key(group.of, &group.name), members);
        }

        match name.map(str::to_ascii_uppercase) {
            Some(name) if self.bodies.contains_key(&name) => Err(ParseError::whole(format!(
                "the instance {} is defined twice",
                shown(name.as_bytes())
            ))),
            Some(name) => {
                self.bodies.insert(name, body);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn points(
        &mut self,
        scopes: &[&Scope],
        placement: &Placement,
        called: &str,
    ) -> Result<Numbering, ParseError> {
        let numbers: Vec<u64> = scopes
            .iter()
            .flat_map(|scope| scope.numbers.iter().copied())
            .collect();
        self.budget
            .take(numbers.len(), size_of::<Point<3>>() + 3 * size_of::<u64>())?;

        if (self.dataset.mesh.points.len() + numbers.len()) as u64 > MOST_POINTS {
            return Err(ParseError::whole("more than 4 billion nodes"));
        }

        for (i, &point) in scopes.iter().flat_map(|scope| &scope.points).enumerate() {
            let placed = placement.of(point);
            let lost =
                || ParseError::whole(format!("node {}{called} is moved out of range", numbers[i]));
            self.dataset.mesh.points.push(placed.ok_or_else(lost)?);
        }

        Numbering::new(&numbers)
            .map_err(|twice| ParseError::whole(format!("node {twice}{called} is listed twice")))
    }

    fn elements(
        &mut self,
        scopes: &[&Scope],
        nodes: &Numbering,
        first_point: u32,
        called: &str,
    ) -> Result<Numbering, ParseError> {
        let mut numbers = Vec::new();
        for run in scopes.iter().flat_map(|scope| &scope.runs) {
            let kind = run.row.kind;
            self.budget.take(run.nodes.len(), size_of::<u32>())?;
            self.budget.take(run.numbers.len(), 5 * size_of::<u64>())?;
            self.budget.take(1, BLOCK_COST)?;
            let order = order(kind);
            let mut vtk = vec![0; order.len()];

            for (&number, list) in run.numbers.iter().zip(run.nodes.chunks_exact(order.len())) {
                for (to, &from) in vtk.iter_mut().zip(&order) {
                    let node = nodes.get(list[from].into()).ok_or_else(|| {
                        let node = list[from];
                        ParseError::whole(format!(
                            "element {number}{called} has node {node}, which does not exist"
                        ))
                    })?;
                    *to = first_point + node;
                }

                self.dataset.mesh.push(kind, &vtk);
                self.rows.push(run.row);
            }

            numbers.extend_from_slice(&run.numbers);
        }

        Numbering::new(&numbers)
            .map_err(|twice| ParseError::whole(format!("element {twice}{called} is listed twice")))
    }

    /// Returns the members of a set, ascending.
    fn members(&mut self, group: &Group, own: &Body) -> Result<Vec<u64>, ParseError> {
        let mut all = Vec::new();
        for part in &group.parts {
            // The sides of a surface are derived from its elements.
            let of = if group.of == SetOf::Sides {
                SetOf::Elements
            } else {
                group.of
            };
            let items = self.items(group, part, of, own)?;

            match part.face {
                None => all.extend(items),
                Some(face) => self.sides(&items, face, &mut all),
            }
        }

        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Returns the points or elements named by one group of members.
    fn items(
        &mut self,
        group: &Group,
        part: &Members,
        of: SetOf,
        own: &Body,
    ) -> Result<Vec<u64>, ParseError> {
        let mut items = Vec::new();
        let mut lost = 0;
        let at = |reason: String| {
            ParseError::line(
                group.line,
                format!("set {} names {reason}", shown(group.name.as_bytes())),
            )
        };

        let body = match &part.instance {
            None => own,
            Some(instance) => self.bodies.get(instance).ok_or_else(|| {
                at(format!(
                    "the instance {}, which does not exist",
                    shown(instance.as_bytes())
                ))
            })?,
        };
        self.budget.take(part.numbers.len(), size_of::<u64>())?;

        for &number in &part.numbers {
            body.find(of, number)
                .map_or_else(|| lost += 1, |item| items.push(item));
        }

        for &range in &part.ranges {
            body.between(of, range, &mut items, &mut self.budget)?;
        }

        for name in &part.names {
            let members = body.sets.get(&key(of, name));
            if let Some(members) = members {
                self.budget.take(members.len(), size_of::<u64>())?;
                items.extend_from_slice(members);
                continue;
            }

            let (instance, rest) = name.split_once('.').unwrap_or(("", ""));
            let other = self.bodies.get(instance);
            let number = rest.parse().ok().and_then(|number| other?.find(of, number));

            match (
                number,
                other.and_then(|other| other.sets.get(&key(of, rest))),
            ) {
                (Some(item), _) => items.push(item),
                (None, Some(members)) => {
                    self.budget.take(members.len(), size_of::<u64>())?;
                    items.extend_from_slice(members);
                }

                (None, None) => {
                    return Err(at(format!(
                        "{}, which is not defined before it",
                        shown(name.as_bytes())
                    )));
                }
            }
        }

        if lost > 0 {
            self.dataset.ignore(
                "members of sets that refer to items that were not read",
                lost,
            );
        }

        Ok(items)
    }

    fn sides(&mut self, elements: &[u64], face: &str, all: &mut Vec<u64>) {
        let mut lost = 0;
        let mut known: Option<(&Row, Option<u64>)> = None;
        for &element in elements {
            let row = self.rows[element as usize];
            let side = match known {
                Some((same, side)) if std::ptr::eq(same, row) => side,
                _ => side(row, face),
            };
            known = Some((row, side));
            match side {
                Some(side) => all.push(8 * element + side),
                None => lost += 1,
            }
        }

        if lost > 0 {
            self.dataset.ignore(
                &format!(
                    "faces {} that do not exist on their elements",
                    shown(face.as_bytes())
                ),
                lost,
            );
        }
    }
}

impl Body {
    /// Returns the index of the point or element with that number.
    fn find(&self, of: SetOf, number: u64) -> Option<u64> {
        let (numbering, first) = self.numbering(of);
        numbering.get(number).map(|place| first + u64::from(place))
    }

    fn numbering(&self, of: SetOf) -> (&Numbering, u64) {
        match of {
            SetOf::Points => (&self.nodes, self.first_point),
            _ => (&self.elements, self.first_element),
        }
    }

    /// Returns the points or elements with numbers in a range.
    fn between(
        &self,
        of: SetOf,
        range: [u64; 3],
        items: &mut Vec<u64>,
        budget: &mut Budget,
    ) -> Result<(), ParseError> {
        let (numbering, first) = self.numbering(of);
        let [low, high, step] = range;

        // Every visited slot is charged to the budget, to bound the time for many wide ranges.
        let slots = numbering.slots(low, high);
        budget.take(slots.len(), size_of::<u64>())?;
        for (number, place) in slots.filter_map(|slot| numbering.slot(slot)) {
            if (number - low) % step == 0 {
                items.push(first + u64::from(place));
            }
        }

        Ok(())
    }
}
