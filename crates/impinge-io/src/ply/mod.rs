//! PLY: a header that declares elements and their properties, then their values in text or binary of either
//! byte order.
//!
//! Vertices and faces are read. Their additional scalar properties become fields; list properties and other elements
//! are counted as ignored.

mod body;
mod element;
mod header;
mod write;

pub use write::{check, write};

use crate::surface::{Cut, MOST_POINTS, Polygons, note};
use crate::{Dataset, Field, ParseError, Values};
use body::{Body, Number};
use element::{Element, Property};
use header::Header;
use impinge::space::Point;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let (header, mut body) = header::parse(bytes)?;
    let vertex_count = header.count("vertex");
    if vertex_count > MOST_POINTS {
        return Err(body.fault(format!("{vertex_count} vertices are too many for 32 bits")));
    }

    let mut vertices = Vertices::default();
    let mut faces = Faces::default();
    let mut others = Dataset::default();

    for element in &header.elements {
        body.announce(element)?;
        match element.name.as_str() {
            "vertex" => vertices = Vertices::read(element, &mut body)?,
            "face" => faces = Faces::read(element, vertex_count, &mut body)?,
            name => {
                skip(element, &mut body)?;
                note(
                    &mut others.ignored,
                    &format!("{name} elements"),
                    element.count as usize,
                );
            }
        }
    }

    assemble(&header, vertices, faces, others)
}

fn assemble(
    header: &Header,
    vertices: Vertices,
    faces: Faces,
    others: Dataset,
) -> Result<Dataset, ParseError> {
    let cut = faces.polygons.cut(&vertices.points)?;
    let cell_fields = faces
        .fields
        .iter()
        .map(|field| spread(field, &cut))
        .collect();
    let mut dataset = cut.into_dataset(vertices.points);
    dataset.point_fields = vertices.fields;
    dataset.cell_fields = cell_fields;

    note(
        &mut dataset.ignored,
        "list properties",
        header.lists_passed_over(),
    );
    dataset.ignored.extend(others.ignored);

    Ok(dataset)
}

fn spread(field: &Field, cut: &Cut) -> Field {
    let values = match &field.values {
        Values::Real(values) => Values::Real(cut.spread(values)),
        Values::Whole(values) => Values::Whole(cut.spread(values)),
    };
    Field {
        name: field.name.clone(),
        components: 1,
        values,
    }
}

fn skip(element: &Element, body: &mut Body) -> Result<(), ParseError> {
    if element.properties.is_empty() {
        return Ok(()); // Elements without properties take no bytes, whatever their count.
    }

    for _ in 0..element.count {
        body.begin_row()?;
        for property in &element.properties {
            body.skip(property)?;
        }
        body.end_row()?;
    }

    Ok(())
}

/// How a property is used.
enum Role {
    Axis(usize),
    Corners,
    Field(usize),
    PassedOver,
}

/// Returns the roles of an element's properties and its fields, still empty: the scalar properties without a
/// predefined meaning.
fn roles(
    element: &Element,
    meaning: impl Fn(&Property) -> Option<Role>,
) -> (Vec<Role>, Vec<Field>) {
    let mut fields = Vec::new();
    let mut role = |property: &Property| match meaning(property) {
        Some(role) => role,
        None if property.list.is_some() => Role::PassedOver,
        None => {
            let count = element.count as usize;
            fields.push(match property.kind.is_whole() {
                true => Field::whole(&property.name, Vec::with_capacity(count)),
                false => Field::scalar(&property.name, Vec::with_capacity(count)),
            });
            Role::Field(fields.len() - 1)
        }
    };

    (element.properties.iter().map(&mut role).collect(), fields)
}

fn append(field: &mut Field, number: Number) {
    match (&mut field.values, number) {
        (Values::Whole(values), Number::Whole(x)) => values.push(x),
        (Values::Real(values), x) => values.push(x.real()),
        (Values::Whole(_), Number::Real(_)) => unreachable!("whole properties give whole numbers"),
    }
}

#[derive(Default)]
struct Vertices {
    points: Vec<Point<3>>,
    fields: Vec<Field>,
}

impl Vertices {
    fn read(element: &Element, body: &mut Body) -> Result<Self, ParseError> {
        let axis = |property: &Property| {
            let axis = ["x", "y", "z"]
                .iter()
                .position(|name| *name == property.name)?;
            property.list.is_none().then_some(Role::Axis(axis))
        };
        let (roles, mut fields) = roles(element, axis);
        let has = |axis| {
            roles
                .iter()
                .any(|role| matches!(role, Role::Axis(i) if *i == axis))
        };

        // A 2D mesh may lack z.
        if element.count > 0 && !(has(0) && has(1)) {
            return Err(ParseError::whole("the vertices have no properties x and y"));
        }

        let mut points = Vec::with_capacity(element.count as usize);
        for i in 0..element.count {
            let mut point = Point::origin();
            body.begin_row()?;
            for (property, role) in element.properties.iter().zip(&roles) {
                match role {
                    Role::Axis(axis) => point[*axis] = coordinate(body, property, i)?,
                    Role::Field(field) => append(&mut fields[*field], body.number(property.kind)?),
                    Role::Corners | Role::PassedOver => body.skip(property)?,
                }
            }

            body.end_row()?;
            points.push(point);
        }

        Ok(Self { points, fields })
    }
}

fn coordinate(body: &mut Body, property: &Property, vertex: u64) -> Result<f64, ParseError> {
    let x = body.number(property.kind)?.real();
    if x.is_finite() {
        return Ok(x);
    }

    Err(body.fault(format!(
        "{} of vertex {vertex} is not finite",
        property.name
    )))
}

#[derive(Default)]
struct Faces {
    polygons: Polygons,
    fields: Vec<Field>,
}

impl Faces {
    fn read(element: &Element, vertex_count: u64, body: &mut Body) -> Result<Self, ParseError> {
        if element.count > 0 && !element.properties.iter().any(Property::is_corners) {
            return Err(ParseError::whole(
                "the faces have no list property vertex_indices",
            ));
        }

        let (roles, mut fields) = roles(element, |property| {
            property.is_corners().then_some(Role::Corners)
        });
        let mut polygons = Polygons::default();
        let mut corners = Vec::new();

        for i in 0..element.count {
            body.begin_row()?;
            for (property, role) in element.properties.iter().zip(&roles) {
                match role {
                    Role::Corners => body.indices(property, vertex_count, &mut corners),
                    Role::Field(field) => body
                        .number(property.kind)
                        .map(|x| append(&mut fields[*field], x)),
                    Role::Axis(_) | Role::PassedOver => body.skip(property),
                }
                .map_err(|fault| named(fault, i))?;
            }

            body.end_row()?;
            polygons.push(&corners);
        }

        Ok(Self { polygons, fields })
    }
}

fn named(fault: ParseError, face: u64) -> ParseError {
    ParseError {
        reason: format!("face {face}: {}", fault.reason),
        ..fault
    }
}

#[cfg(test)]
mod tests;
