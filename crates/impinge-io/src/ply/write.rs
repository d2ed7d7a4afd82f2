//! Writes PLY, binary, little-endian.

use crate::scalar::BEYOND_53_BITS;
use crate::surface::{elements_left_out, faces, note};
use crate::{Dataset, Field, Ignored, ParseError, Values};
use impinge::shape::Block;
use std::collections::HashSet;
use std::io::Write;

/// Returns what PLY cannot represent, or an error if it cannot represent the mesh at all.
pub fn check(dataset: &Dataset) -> Result<Vec<Ignored>, ParseError> {
    let mut left_out = elements_left_out(&dataset.mesh, "PLY")?;
    note(&mut left_out, "sets", dataset.sets.len());
    let fields = dataset.point_fields.iter().chain(&dataset.cell_fields);
    note(
        &mut left_out,
        BEYOND_53_BITS,
        fields.map(Field::count_beyond_53_bits).sum(),
    );

    Ok(left_out)
}

/// Writes all points, the surface elements as polygons of their corners, and the fields of both.
pub fn write(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let mesh = &dataset.mesh;
    writeln!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}",
        mesh.points.len()
    )?;
    writeln!(
        out,
        "property double x\nproperty double y\nproperty double z"
    )?;
    declare(&dataset.point_fields, &["x", "y", "z"], out)?;
    writeln!(out, "element face {}", faces(mesh).count())?;
    writeln!(out, "property list uchar uint vertex_indices")?;

    declare(
        &dataset.cell_fields,
        &["vertex_indices", "vertex_index"],
        out,
    )?;
    writeln!(out, "end_header")?;
    let point_fields = with_types(&dataset.point_fields);

    for (i, point) in mesh.points.iter().enumerate() {
        point
            .iter()
            .try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
        point_fields
            .iter()
            .try_for_each(|&(field, as_int)| values(field, as_int, i, out))?;
    }

    write_faces(dataset, out)
}

fn write_faces(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let fields = with_types(&dataset.cell_fields);
    let mut element = 0;
    for block in &dataset.mesh.blocks {
        let corners = block.kind.corner_count();
        for nodes in block.elements().filter(|_| is_face(block)) {
            out.write_all(&[corners as u8])?;
            nodes[..corners]
                .iter()
                .try_for_each(|node| out.write_all(&node.to_le_bytes()))?;
            fields
                .iter()
                .try_for_each(|&(field, as_int)| values(field, as_int, element, out))?;
            element += 1;
        }

        element += if is_face(block) { 0 } else { block.len() };
    }

    Ok(())
}

fn is_face(block: &Block) -> bool {
    block.kind.dimension() == 2
}

/// Declares one property per component, with a unique name that PLY allows.
fn declare(fields: &[Field], taken: &[&str], out: &mut dyn Write) -> std::io::Result<()> {
    let mut taken: HashSet<String> = taken.iter().map(|&name| name.to_owned()).collect();
    for field in fields {
        let kind = if as_int(field) { "int" } else { "double" };
        for i in 0..field.components {
            let suffix = if field.components == 1 {
                String::new()
            } else {
                format!("_{i}")
            };
            let mut name: String = field
                .name
                .chars()
                .map(|c| if c.is_ascii_graphic() { c } else { '_' })
                .collect();
            name += &suffix;

            while name.is_empty() || taken.contains(&name) {
                name.push('_');
            }

            writeln!(out, "property {kind} {name}")?;
            taken.insert(name);
        }
    }

    Ok(())
}

/// Whether a field is written as integers: PLY's have at most 32 bits, so larger ones are written as reals.
fn as_int(field: &Field) -> bool {
    matches!(&field.values, Values::Whole(values) if values.iter().all(|&x| i32::try_from(x).is_ok()))
}

fn with_types(fields: &[Field]) -> Vec<(&Field, bool)> {
    fields.iter().map(|field| (field, as_int(field))).collect()
}

fn values(field: &Field, as_int: bool, item: usize, out: &mut dyn Write) -> std::io::Result<()> {
    let range = item * field.components..(item + 1) * field.components;
    match &field.values {
        Values::Real(values) => values[range]
            .iter()
            .try_for_each(|x| out.write_all(&x.to_le_bytes())),
        Values::Whole(values) => values[range].iter().try_for_each(|&x| match as_int {
            true => out.write_all(&(x as i32).to_le_bytes()),
            false => out.write_all(&(x as f64).to_le_bytes()),
        }),
    }
}
