//! 3MF: a ZIP archive with XML that describes objects (meshes or assemblies of other objects) and the items to build.
//!
//! All items are read as one triangle mesh, in the unit of the file; colours, materials, textures and slices are
//! ignored. Document types are rejected, so no entity can expand; the expansion of nested objects is limited.

use crate::budget::Budget;
use crate::surface::MOST_POINTS;
use crate::text::shown;
use crate::zip::Archive;
use crate::{Dataset, ParseError};
use impinge::shape::Mesh;
use impinge::space::{Matrix, Point, Vector};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Maximum nesting depth of objects.
const DEEPEST: usize = 32;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let mut budget = Budget::of(bytes);
    let archive = Archive::open(bytes, &mut budget)?;
    let mut package = Package {
        archive,
        models: Vec::new(),
        budget,
    };
    let root = package.root()?;
    let root = package.model(&root)?;
    let items = std::mem::take(&mut package.models[root].items);

    if items.is_empty() {
        return Err(ParseError::whole("the 3MF file has no item to build"));
    }

    let mut built = Built::default();
    for item in &items {
        package.build(root, item, &Placement::identity(), 0, &mut built)?;
    }

    let mut dataset = Dataset::from(Mesh::of_triangles(built.points, &built.triangles));
    let other: usize = package.models.iter().map(|model| model.passed_over).sum();
    dataset.ignore("other elements (colours, materials, metadata)", other);
    dataset.ignored.retain(|ignored| ignored.count > 0);
    Ok(dataset)
}

/// The mesh built so far.
#[derive(Default)]
struct Built {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
}

/// A linear map and a translation.
#[derive(Clone, Copy)]
struct Placement {
    linear: Matrix<3>,
    shift: Vector<3>,
}

impl Placement {
    fn identity() -> Self {
        Self {
            linear: Matrix::<3>::identity(),
            shift: Vector::<3>::zeros(),
        }
    }

    /// Parses twelve numbers, row by row, with points as row vectors: x' = x M + t.
    fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<f64>> = text.split_ascii_whitespace().map(finite).collect();
        let numbers: [f64; 12] = numbers?.try_into().ok()?;
        Some(Self {
            linear: Matrix::<3>::from_column_slice(&numbers[..9]),
            shift: Vector::from_column_slice(&numbers[9..]),
        })
    }

    fn after(&self, first: &Self) -> Self {
        Self {
            linear: self.linear * first.linear,
            shift: self.linear * first.shift + self.shift,
        }
    }
}

/// A reference to an object.
#[derive(Clone)]
struct Use {
    path: Option<String>,
    object: u32,
    placement: Placement,
}

#[derive(Default)]
struct Object {
    id: u32,
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
    components: Vec<Use>,
}

/// An XML file of objects.
#[derive(Default)]
struct Model {
    path: String,
    objects: Vec<Object>,
    items: Vec<Use>,
    passed_over: usize,
}

struct Package<'a> {
    archive: Archive<'a>,
    models: Vec<Model>,
    budget: Budget,
}

impl Package<'_> {
    /// Returns the path of the package's main model.
    fn root(&mut self) -> Result<String, ParseError> {
        let missing = || ParseError::whole("the ZIP archive is not a 3MF file: it has no 3D model");
        let relations = self
            .archive
            .read("_rels/.rels", &mut self.budget)?
            .ok_or_else(missing)?;
        let mut target = None;
        visit(&relations, "_rels/.rels", |tag| {
            let is_model = attribute(tag, "Type")?.is_some_and(|kind| kind.ends_with("/3dmodel"));
            if name(tag) == "Relationship" && is_model && target.is_none() {
                target = attribute(tag, "Target")?;
            }
            Ok(())
        })?;

        target.ok_or_else(missing)
    }

    /// Returns the index of a model, reading it on first use.
    fn model(&mut self, path: &str) -> Result<usize, ParseError> {
        if let Some(known) = self.models.iter().position(|model| model.path == path) {
            return Ok(known);
        }

        let xml = self.archive.read(path, &mut self.budget)?;
        let xml =
            xml.ok_or_else(|| ParseError::whole(format!("{} is missing", shown(path.as_bytes()))))?;
        let mut model = Model {
            path: path.to_owned(),
            ..Model::default()
        };
        visit(&xml, path, |tag| model.take(tag))?;
        model.objects.sort_by_key(|object| object.id);
        self.models.push(model);

        Ok(self.models.len() - 1)
    }

    /// Appends an object and all its components.
    fn build(
        &mut self,
        model: usize,
        used: &Use,
        outer: &Placement,
        depth: usize,
        built: &mut Built,
    ) -> Result<(), ParseError> {
        if depth > DEEPEST {
            return Err(ParseError::whole(
                "objects of the 3MF file are nested too deeply",
            ));
        }

        let model = match &used.path {
            Some(path) => self.model(path)?,
            None => model,
        };
        let known = self.models[model]
            .objects
            .binary_search_by_key(&used.object, |o| o.id);
        let known =
            known.map_err(|_| ParseError::whole(format!("object {} is missing", used.object)))?;
        let placement = outer.after(&used.placement);

        let object = &self.models[model].objects[known];
        self.budget.take(1 + object.components.len(), 128)?;
        self.budget
            .take(object.points.len(), size_of::<Point<3>>())?;
        self.budget
            .take(object.triangles.len(), size_of::<[u32; 3]>())?;
        append(object, &placement, built)?;

        let components = object.components.clone();
        components
            .iter()
            .try_for_each(|component| self.build(model, component, &placement, depth + 1, built))
    }
}

fn append(object: &Object, placement: &Placement, built: &mut Built) -> Result<(), ParseError> {
    let first = built.points.len();
    if (first + object.points.len()) as u64 > MOST_POINTS {
        return Err(ParseError::whole("too many points for 32 bits"));
    }

    let place = |p: &Point<3>| Point::from(placement.linear * p.coords + placement.shift);
    built.points.extend(object.points.iter().map(place));
    if built.points[first..]
        .iter()
        .any(|p| !p.iter().all(|x| x.is_finite()))
    {
        return Err(ParseError::whole(format!(
            "object {} is placed too far away",
            object.id
        )));
    }
    let mirrored = placement.linear.determinant() < 0.0;
    let corners = |[a, b, c]: [u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
    let moved = |t: &[u32; 3]| corners(t.map(|n| n + first as u32));
    built.triangles.extend(object.triangles.iter().map(moved));

    Ok(())
}

impl Model {
    fn take(&mut self, tag: &BytesStart) -> Result<(), String> {
        match name(tag) {
            "object" => {
                let id = required(tag, "id")?;
                self.objects.push(Object {
                    id,
                    ..Object::default()
                });
            }
            "vertex" => {
                let point = [number(tag, "x")?, number(tag, "y")?, number(tag, "z")?];
                self.object()?.points.push(point.into());
            }
            "triangle" => {
                let corners: [u32; 3] = [
                    required(tag, "v1")?,
                    required(tag, "v2")?,
                    required(tag, "v3")?,
                ];
                let object = self.object()?;
                let held = object.points.len();
                if let Some(corner) = corners.iter().find(|&&corner| corner as usize >= held) {
                    return Err(format!("vertex {corner} does not exist; there are {held}"));
                }
                object.triangles.push(corners);
            }
            "component" => {
                let used = used(tag)?;
                self.object()?.components.push(used);
            }
            "item" => self.items.push(used(tag)?),
            "model" | "resources" | "build" | "mesh" | "vertices" | "triangles" | "components" => {}
            _ => self.passed_over += 1,
        }
        Ok(())
    }

    fn object(&mut self) -> Result<&mut Object, String> {
        let last = self.objects.last_mut();
        last.ok_or_else(|| "it is outside of an object".to_owned())
    }
}

fn used(tag: &BytesStart) -> Result<Use, String> {
    let placement = match attribute(tag, "transform")? {
        None => Placement::identity(),
        Some(text) => Placement::parse(&text)
            .ok_or_else(|| format!("{} is not a transform", shown(text.as_bytes())))?,
    };
    Ok(Use {
        path: attribute(tag, "path")?,
        object: required(tag, "objectid")?,
        placement,
    })
}

/// Calls `take` for each tag; its error messages become parse errors with the line of the XML file.
fn visit(
    xml: &[u8],
    path: &str,
    mut take: impl FnMut(&BytesStart) -> Result<(), String>,
) -> Result<(), ParseError> {
    let mut reader = Reader::from_reader(xml);
    loop {
        let event = reader.read_event();
        let fault = |reason: String| {
            let before = &xml[..xml.len().min(reader.buffer_position() as usize)];
            let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
            ParseError::whole(format!("{}, line {line}: {reason}", shown(path.as_bytes())))
        };

        match event.map_err(|error| fault(format!("this is not well-formed XML: {error}")))? {
            Event::Start(tag) | Event::Empty(tag) => {
                take(&tag).map_err(|reason| fault(format!("<{}>: {reason}", name(&tag))))?;
            }
            Event::DocType(_) => return Err(fault("document types are not accepted".into())),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Returns a tag's name without its namespace prefix.
fn name<'t>(tag: &'t BytesStart) -> &'t str {
    let name: &str = tag.name().into_inner();
    name.rsplit(':').next().unwrap_or_default()
}

fn attribute(tag: &BytesStart, wanted: &str) -> Result<Option<String>, String> {
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let key: &str = attribute.key.as_ref();
        if key.rsplit(':').next() == Some(wanted) {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return Ok(Some(value.map_err(|error| error.to_string())?.into_owned()));
        }
    }
    Ok(None)
}

fn required(tag: &BytesStart, wanted: &str) -> Result<u32, String> {
    let text = attribute(tag, wanted)?.ok_or_else(|| format!("{wanted} is missing"))?;
    let number = text.trim().parse();
    number.map_err(|_| format!("{wanted}={} is not a number", shown(text.as_bytes())))
}

fn number(tag: &BytesStart, wanted: &str) -> Result<f64, String> {
    let text = attribute(tag, wanted)?.ok_or_else(|| format!("{wanted} is missing"))?;
    finite(text.trim())
        .ok_or_else(|| format!("{wanted}={} is not a number", shown(text.as_bytes())))
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.is_finite())
}
