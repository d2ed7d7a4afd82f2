//! Abaqus input files (.inp): nodes, elements, sets and surfaces of a flat model or of parts and instances.
//!
//! Instances are placed as the file specifies, and their sets are named `instance.set`, as in Abaqus. Keywords
//! that do not describe the mesh are counted; those that would change it (`*INCLUDE`, `*NGEN`, …) are an error.

mod build;
mod kinds;
mod lines;
mod scope;

use crate::budget::Budget;
use crate::text::{Lines, shown};
use crate::{Dataset, ParseError, SetOf};
use build::{Builder, Placement};
use lines::{Keyword, Source, places};
use scope::Scope;
use std::collections::BTreeMap;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    refuse_others(bytes)?;
    let mut model = Model::default();
    let mut source = Source::new(bytes);

    while let Some(keyword) = source.keyword() {
        if KEPT.contains(&keyword.name.as_str()) {
            source.budget.take(1, KEPT_COST)?;
        }
        model.take(&keyword, &mut source)?;
    }

    model.build(source.budget)
}

/// Keywords whose data are stored until the end of the file.
const KEPT: [&str; 7] = [
    "PART", "INSTANCE", "NODE", "ELEMENT", "NSET", "ELSET", "SURFACE",
];
/// Maximum memory per stored keyword, apart from its numbers; a named set takes the most.
const KEPT_COST: usize = 1024;

/// Returns an error for other formats with the same extension, such as AVS.
fn refuse_others(bytes: &[u8]) -> Result<(), ParseError> {
    let mut lines = Lines::new(bytes);
    match lines.next_filled() {
        Some(line) if line.starts_with(b"*") => Ok(()),
        Some(line) => Err(lines.fault(format!(
            "an Abaqus file begins with a keyword such as *HEADING, not with {} (AVS files are not supported)",
            shown(line)
        ))),
        None => Err(ParseError::whole("the file is empty")),
    }
}

/// An instance of a part.
#[derive(Debug)]
struct Instance {
    /// Index of the part.
    part: Option<usize>,
    placement: Placement,
    /// Nodes, elements and sets defined in the instance itself.
    own: Scope,
}

/// Position of a keyword in the structure of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Model,
    Part,
    Assembly,
    Instance,
}

/// The contents of the file.
#[derive(Debug, Default)]
struct Model {
    inside: Inside,
    whole: Scope,
    parts: Vec<Scope>,
    part_names: BTreeMap<String, usize>,
    assembly: Scope,
    instances: Vec<Instance>,
    /// Collects what is not read.
    ignored: Dataset,
}

impl Model {
    /// Returns the scope that keywords currently add to.
    fn scope(&mut self) -> &mut Scope {
        match self.inside {
            Inside::Model => &mut self.whole,
            Inside::Part => self.parts.last_mut().expect("a part was begun"),
            Inside::Assembly => &mut self.assembly,
            Inside::Instance => {
                &mut self
                    .instances
                    .last_mut()
                    .expect("an instance was begun")
                    .own
            }
        }
    }

    fn take(&mut self, keyword: &Keyword, source: &mut Source) -> Result<(), ParseError> {
        match keyword.name.as_str() {
            "INCLUDE" => {
                return Err(keyword.fault("*INCLUDE is not supported; merge the files first"));
            }
            "NODE" | "ELEMENT" | "NSET" | "ELSET" if keyword.get("INPUT").is_some() => {
                return Err(keyword.fault("INPUT= is not supported; merge the files first"));
            }
            "NGEN" | "NFILL" | "NCOPY" | "NMAP" | "ELGEN" | "ELCOPY" | "SYSTEM" => {
                let name = &keyword.name;
                return Err(keyword.fault(format!(
                    "*{name} is not supported; save the model as a plain mesh"
                )));
            }
            "PART" => self.begin_part(keyword)?,
            "ASSEMBLY" => self.inside = Inside::Assembly,
            "INSTANCE" => self.begin_instance(keyword, source)?,
            "END INSTANCE" => self.inside = Inside::Assembly,
            "END PART" | "END ASSEMBLY" => self.inside = Inside::Model,
            "NODE" => self.scope().nodes(keyword, source)?,
            "ELEMENT" => self.elements(keyword, source)?,
            "NSET" => self
                .scope()
                .set(SetOf::Points, keyword.need("NSET")?, keyword, source)?,
            "ELSET" => {
                self.scope()
                    .set(SetOf::Elements, keyword.need("ELSET")?, keyword, source)?
            }
            "SURFACE" => self.surface(keyword, source)?,
            other => self.ignored.ignore(
                &format!("keywords *{}", other.get(..40).unwrap_or(other)),
                1,
            ),
        }
        Ok(())
    }

    fn begin_part(&mut self, keyword: &Keyword) -> Result<(), ParseError> {
        let name = keyword.need("NAME")?;
        if self
            .part_names
            .insert(name.to_ascii_uppercase(), self.parts.len())
            .is_some()
        {
            return Err(keyword.fault(format!(
                "the part {} is defined twice",
                shown(name.as_bytes())
            )));
        }
        self.parts.push(Scope::new(name));
        self.inside = Inside::Part;

        Ok(())
    }

    fn begin_instance(&mut self, keyword: &Keyword, source: &mut Source) -> Result<(), ParseError> {
        let part = match keyword.get("PART") {
            None => None,
            Some(part) => {
                let found = self.part_names.get(&part.to_ascii_uppercase()).copied();
                let missing = || {
                    keyword.fault(format!(
                        "the part {} does not exist",
                        shown(part.as_bytes())
                    ))
                };
                Some(found.ok_or_else(missing)?)
            }
        };
        let placement = placement(source)?;

        self.instances.push(Instance {
            part,
            placement,
            own: Scope::new(keyword.need("NAME")?),
        });
        self.inside = Inside::Instance;

        Ok(())
    }

    fn elements(&mut self, keyword: &Keyword, source: &mut Source) -> Result<(), ParseError> {
        let name = keyword.need("TYPE")?;
        match kinds::find(name) {
            Some(row) => self.scope().elements(keyword, row, source),
            None => {
                // An element continues on the next line if its line ends with a comma.
                let (mut count, mut goes_on) = (0, false);
                while let Some(line) = source.data() {
                    count += usize::from(!goes_on);
                    goes_on = line.ends_with(b",");
                }
                self.ignored.ignore(
                    &format!("elements of type {}", shown(name.as_bytes())),
                    count,
                );
                Ok(())
            }
        }
    }

    fn surface(&mut self, keyword: &Keyword, source: &mut Source) -> Result<(), ParseError> {
        let name = keyword.need("NAME")?;
        let of = match keyword
            .get("TYPE")
            .unwrap_or("ELEMENT")
            .to_ascii_uppercase()
            .as_str()
        {
            "ELEMENT" => SetOf::Sides,
            "NODE" => SetOf::Points,
            other => {
                self.ignored
                    .ignore(&format!("surfaces of type {}", shown(other.as_bytes())), 1);
                return Ok(());
            }
        };
        let lost = self.scope().surface(of, name, keyword, source)?;

        for (what, count) in lost.into_iter().filter(|(_, count)| *count > 0) {
            self.ignored.ignore(what, count);
        }

        Ok(())
    }

    fn build(self, budget: Budget) -> Result<Dataset, ParseError> {
        let mut builder = Builder::new(self.ignored, budget);
        builder.add(&[&self.whole], None, &Placement::default())?;
        if self.instances.is_empty() {
            for part in &self.parts {
                builder.add(&[part], Some(&part.name), &Placement::default())?;
            }
        }

        let mut used = vec![self.instances.is_empty(); self.parts.len()];
        for instance in &self.instances {
            let part = instance.part.map(|part| &self.parts[part]);
            instance.part.into_iter().for_each(|part| used[part] = true);
            let scopes: Vec<&Scope> = part.into_iter().chain([&instance.own]).collect();
            builder.add(&scopes, Some(&instance.own.name), &instance.placement)?;
        }

        let unused = used.iter().filter(|used| !**used).count();
        if unused > 0 {
            builder.dataset.ignore("parts without an instance", unused);
        }

        builder.add(&[&self.assembly], None, &Placement::default())?;
        Ok(builder.dataset)
    }
}

/// Reads the lines after `*INSTANCE`: a translation, and a rotation in degrees about an axis through two points.
fn placement(source: &mut Source) -> Result<Placement, ParseError> {
    let mut placement = Placement::default();
    if let Some(line) = source.data() {
        for (x, word) in placement.shift.iter_mut().zip(places(line)) {
            *x = source.real(word)?;
        }
    }

    if let Some(line) = source.data() {
        let mut turn = [0.0; 7];
        for (x, word) in turn.iter_mut().zip(places(line)) {
            *x = source.real(word)?;
        }
        let [ax, ay, az, bx, by, bz, angle] = turn;
        placement.turn = Some(([ax, ay, az], [bx, by, bz], angle));
    }

    if source.data().is_some() {
        return Err(source.fault(
            "an instance has at most one line for its translation and one for its \
             rotation",
        ));
    }

    Ok(placement)
}
