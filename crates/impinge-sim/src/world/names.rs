//! The names of walls, bodies and solids, for errors, notes and contacts.

use crate::{BodyKind, BodyRef};

/// The names of all objects but particles, by kind and index.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    walls: Vec<String>,
    bodies: Vec<String>,
    solids: Vec<String>,
}

impl Names {
    /// Returns the name of the next object of a kind: the given one unless it is empty.
    pub(super) fn next(&self, kind: BodyKind, given: &str) -> String {
        let index = self.of_kind(kind).len() as u32;
        if given.is_empty() {
            default_name(BodyRef { kind, index })
        } else {
            given.to_owned()
        }
    }

    /// Adds the name of the next object of a kind; returns its index.
    pub(super) fn add(&mut self, kind: BodyKind, name: String) -> usize {
        let names = match kind {
            BodyKind::Wall => &mut self.walls,
            BodyKind::Body => &mut self.bodies,
            BodyKind::Solid | BodyKind::Particle => &mut self.solids,
        };
        names.push(name);
        names.len() - 1
    }

    /// Returns the name of an object.
    pub(super) fn of(&self, object: BodyRef) -> String {
        match self.of_kind(object.kind).get(object.index as usize) {
            Some(name) => name.clone(),
            None => default_name(object),
        }
    }

    /// Returns the index of the object of a kind with a name.
    pub(super) fn find(&self, kind: BodyKind, name: &str) -> Option<usize> {
        self.of_kind(kind).iter().position(|known| known == name)
    }

    /// Returns the number of objects of a kind.
    pub(super) fn count(&self, kind: BodyKind) -> usize {
        self.of_kind(kind).len()
    }

    fn of_kind(&self, kind: BodyKind) -> &[String] {
        match kind {
            BodyKind::Wall => &self.walls,
            BodyKind::Body => &self.bodies,
            BodyKind::Solid => &self.solids,
            BodyKind::Particle => &[],
        }
    }
}

/// Returns the default name of an object.
fn default_name(BodyRef { kind, index }: BodyRef) -> String {
    match kind {
        BodyKind::Particle => format!("particle {index}"),
        BodyKind::Body => format!("rigid body {index}"),
        BodyKind::Solid => format!("solid {index}"),
        BodyKind::Wall => format!("wall {index}"),
    }
}
