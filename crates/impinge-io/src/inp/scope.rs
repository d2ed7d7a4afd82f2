//! Scopes of numbers and names: a part, an instance, the assembly or the whole model.

use super::kinds::Row;
use super::lines::{Keyword, Source, places};
use crate::{ParseError, SetOf};
use std::collections::BTreeMap;

/// Nodes, elements and sets as defined in the file.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) name: String,
    pub(super) numbers: Vec<u64>,
    pub(super) points: Vec<[f64; 3]>,
    pub(super) runs: Vec<Run>,
    pub(super) groups: Vec<Group>,
    by_name: BTreeMap<(u8, String), usize>,
}

/// Elements of one type.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) row: &'static Row,
    pub(super) numbers: Vec<u64>,
    /// Node numbers, in the order of the file.
    pub(super) nodes: Vec<u32>,
}

/// A set or surface as defined in the file.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) of: SetOf,
    pub(super) line: usize,
    /// Groups of members, in the order of the file.
    pub(super) parts: Vec<Members>,
}

/// Memory per name apart from its characters, doubled because lists grow.
const NAME_COST: usize = 96;

/// Abaqus' face names.
const FACES: [&str; 12] = [
    "S1", "S2", "S3", "S4", "S5", "S6", "E1", "E2", "E3", "E4", "SPOS", "SNEG",
];

/// Members of a set.
#[derive(Debug)]
pub(super) struct Members {
    /// The instance that the numbers and names refer to.
    pub(super) instance: Option<String>,
    /// The face, for surfaces.
    pub(super) face: Option<&'static str>,
    pub(super) numbers: Vec<u64>,
    /// Ranges: first, last, step.
    pub(super) ranges: Vec<[u64; 3]>,
    /// Names of sets, or `instance.name`, or `instance.number`.
    pub(super) names: Vec<String>,
}

impl Members {
    fn of(instance: Option<&str>, face: Option<&'static str>) -> Self {
        Self {
            instance: instance.map(str::to_ascii_uppercase),
            face,
            numbers: Vec::new(),
            ranges: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Adds a number or, failing that, a name.
    fn push(&mut self, word: &[u8], source: &mut Source) -> Result<(), ParseError> {
        match crate::text::whole(word) {
            Some(number) => self.numbers.push(number),
            None => {
                source.budget.take(1, NAME_COST + word.len())?;
                self.names.push(
                    String::from_utf8_lossy(word)
                        .trim_matches('"')
                        .to_ascii_uppercase(),
                );
            }
        }
        Ok(())
    }
}

/// Key of a name; sets of points, sets of elements and surfaces have separate namespaces.
pub(super) fn key(of: SetOf, name: &str) -> (u8, String) {
    let of = match of {
        SetOf::Points => 0,
        SetOf::Elements => 1,
        SetOf::Sides => 2,
    };
    (of, name.to_ascii_uppercase())
}

impl Scope {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Returns the set of that name; a second definition adds to it.
    fn group(&mut self, of: SetOf, name: &str, line: usize) -> &mut Group {
        let next = self.groups.len();
        let at = *self.by_name.entry(key(of, name)).or_insert(next);
        if at == next {
            self.groups.push(Group {
                name: name.to_owned(),
                of,
                line,
                parts: Vec::new(),
            });
        }
        &mut self.groups[at]
    }

    /// Reads `*NODE`: a number and up to three coordinates per line.
    pub(super) fn nodes(
        &mut self,
        keyword: &Keyword,
        source: &mut Source,
    ) -> Result<(), ParseError> {
        if keyword
            .get("SYSTEM")
            .is_some_and(|system| !system.eq_ignore_ascii_case("R"))
        {
            return Err(
                keyword.fault("nodes in cylindrical or spherical coordinates are not supported")
            );
        }
        let first = self.numbers.len();

        while let Some(line) = source.data() {
            let mut places = places(line);
            let number = source.number(places.next().unwrap_or_default())?;
            let mut point = [0.0; 3];
            for x in &mut point {
                *x = source.real(places.next().unwrap_or_default())?;
            }
            self.numbers.push(number);
            self.points.push(point);
        }

        if let Some(name) = keyword.get("NSET") {
            let mut members = Members::of(None, None);
            members.numbers = self.numbers[first..].to_vec();
            self.group(SetOf::Points, name, keyword.line)
                .parts
                .push(members);
        }

        Ok(())
    }

    /// Reads `*ELEMENT`: a number and the nodes of the type, over as many lines as necessary.
    pub(super) fn elements(
        &mut self,
        keyword: &Keyword,
        row: &'static Row,
        source: &mut Source,
    ) -> Result<(), ParseError> {
        let mut run = Run {
            row,
            numbers: Vec::new(),
            nodes: Vec::new(),
        };
        let needed = row.kind.node_count();
        let mut open = 0;

        while let Some(line) = source.data() {
            for word in places(line).filter(|word| !word.is_empty()) {
                match open {
                    0 => {
                        run.numbers.push(source.number(word)?);
                        open = needed;
                    }
                    _ => {
                        run.nodes.push(source.number(word)?);
                        open -= 1;
                    }
                }
            }
        }

        if open > 0 {
            let number = run.numbers.last().copied().unwrap_or_default();
            return Err(source.fault(format!(
                "element {number} has {open} nodes fewer than its type needs"
            )));
        }

        if let Some(name) = keyword.get("ELSET") {
            let mut members = Members::of(None, None);
            members.numbers = run.numbers.clone();
            self.group(SetOf::Elements, name, keyword.line)
                .parts
                .push(members);
        }

        self.runs.push(run);
        Ok(())
    }

    /// Reads `*NSET` or `*ELSET`.
    pub(super) fn set(
        &mut self,
        of: SetOf,
        name: &str,
        keyword: &Keyword,
        source: &mut Source,
    ) -> Result<(), ParseError> {
        let mut members = Members::of(keyword.get("INSTANCE"), None);
        let generate = keyword.get("GENERATE").is_some();
        while let Some(line) = source.data() {
            let mut words = places(line).filter(|word| !word.is_empty());
            if !generate {
                words.try_for_each(|word| members.push(word, source))?;
                continue;
            }

            let first = source.number(words.next().unwrap_or_default())?;
            let last = words.next().map_or(Ok(first), |word| source.number(word))?;
            let step = words.next().map_or(Ok(1), |word| source.number(word))?;

            if step == 0 || last < first {
                return Err(source.fault(
                    "a range needs a first number, a last number at least as large, and a step",
                ));
            }

            members.ranges.push([first, last, step]);
        }

        self.group(of, name, keyword.line).parts.push(members);
        Ok(())
    }

    /// Reads a `*SURFACE` of elements or nodes. Returns what was ignored.
    pub(super) fn surface(
        &mut self,
        of: SetOf,
        name: &str,
        keyword: &Keyword,
        source: &mut Source,
    ) -> Result<[(&'static str, usize); 2], ParseError> {
        let (mut free, mut unknown) = (0, 0);
        let mut parts: Vec<Members> = Vec::new();
        while let Some(line) = source.data() {
            let mut words = places(line);
            let what = words.next().unwrap_or_default();
            let face = words.next().unwrap_or_default().to_ascii_uppercase();
            let face = match of {
                SetOf::Sides if face.is_empty() => {
                    free += 1;
                    continue;
                }
                SetOf::Sides => match FACES.into_iter().find(|known| known.as_bytes() == face) {
                    None => {
                        unknown += 1;
                        continue;
                    }
                    known => known,
                },
                // The value after a node is its area.
                _ => None,
            };

            let at = parts
                .iter()
                .position(|part| part.face == face)
                .unwrap_or_else(|| {
                    parts.push(Members::of(keyword.get("INSTANCE"), face));
                    parts.len() - 1
                });

            parts[at].push(what, source)?;
        }

        self.group(of, name, keyword.line).parts.extend(parts);
        Ok([
            ("surfaces' lines without a face (free surfaces)", free),
            ("surfaces' lines with unknown faces", unknown),
        ])
    }
}
