//! `dump custom`: a sequence of frames, each with its box and a table of atoms with named columns.

use super::{ParticleData, VECTORS, announce, count, next_line, number};
use crate::surface::note;
use crate::text::{Lines, shown, words};
use crate::{Field, ParseError, Values};
use impinge::space::Point;
use std::io::Write;

/// Maximum number of columns, so that the names of a hostile header cannot outgrow it.
const MOST_COLUMNS: usize = 256;

/// Meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Id,
    Kind,
    Axis(usize),
    /// A coordinate as a fraction of the box.
    Share(usize),
    Radius,
    Diameter,
    Field(usize),
    PassedOver,
}

/// Parses all frames of a dump.
pub fn parse_dump(bytes: &[u8]) -> Result<Vec<ParticleData>, ParseError> {
    let mut lines = Lines::new(bytes);
    let mut frames = Vec::new();
    let mut frame = ParticleData::default();
    let mut atoms = None;

    while let Some(line) = lines.next_filled() {
        let item = line
            .strip_prefix(b"ITEM: ")
            .ok_or_else(|| lines.fault(format!("expected 'ITEM:', found {}", shown(line))))?;
        if item.starts_with(b"TIMESTEP") {
            let line = next_line(&mut lines, "the time step")?;
            frame.step = count(&lines, Some(line), "time step")?;
        } else if item.starts_with(b"NUMBER OF ATOMS") {
            let line = next_line(&mut lines, "the number of atoms")?;
            atoms = Some(count(&lines, Some(line), "number of atoms")?);
        } else if item.starts_with(b"BOX BOUNDS") {
            read_box(&mut lines, &item[10..], &mut frame)?;
        } else if let Some(columns) = item.strip_prefix(b"ATOMS") {
            let atoms = atoms
                .take()
                .ok_or_else(|| lines.fault("the number of atoms is missing"))?;
            read_atoms(&mut lines, columns, atoms, &mut frame)?;
            frames.push(std::mem::take(&mut frame));
        } else {
            next_line(&mut lines, "the item's value")?;
            note(&mut frame.ignored, "other items", 1);
        }
    }

    if atoms.is_some() || frames.is_empty() {
        return Err(lines.fault("the file ends before 'ITEM: ATOMS'"));
    }

    Ok(frames)
}

fn read_box(lines: &mut Lines, kinds: &[u8], frame: &mut ParticleData) -> Result<(), ParseError> {
    let is_tilted = words(kinds).any(|word| word == b"xy");
    if is_tilted {
        return Err(lines.fault("tilted boxes are not supported"));
    }

    for (axis, kind) in words(kinds).take(3).enumerate() {
        frame.periodic[axis] = kind == b"pp";
    }

    for axis in 0..3 {
        let line = next_line(lines, "an extent of the box")?;
        let mut words = words(line);
        frame.low[axis] = number(lines, words.next(), "lower end of the box")?;
        frame.up[axis] = number(lines, words.next(), "upper end of the box")?;
    }

    Ok(())
}

/// Returns the roles of the columns, and creates empty fields for columns without a predefined meaning.
fn roles(columns: &[u8], fields: &mut Vec<Field>) -> Vec<Role> {
    let axis = |word: &[u8]| Some(usize::from(*word.first()?).wrapping_sub(usize::from(b'x')));
    let mut role = |word: &[u8]| match word {
        b"id" => Role::Id,
        b"type" => Role::Kind,
        b"x" | b"y" | b"z" | b"xu" | b"yu" | b"zu" => Role::Axis(axis(word).unwrap_or(0)),
        b"xs" | b"ys" | b"zs" | b"xsu" | b"ysu" | b"zsu" => Role::Share(axis(word).unwrap_or(0)),
        b"radius" => Role::Radius,
        b"diameter" => Role::Diameter,
        b"element" | b"typelabel" => Role::PassedOver,
        _ => {
            fields.push(Field::scalar(&String::from_utf8_lossy(word), Vec::new()));
            Role::Field(fields.len() - 1)
        }
    };

    words(columns).map(&mut role).collect()
}

fn read_atoms(
    lines: &mut Lines,
    columns: &[u8],
    atoms: u64,
    frame: &mut ParticleData,
) -> Result<(), ParseError> {
    if words(columns).nth(MOST_COLUMNS).is_some() {
        return Err(lines.fault(format!("more than {MOST_COLUMNS} columns are named")));
    }

    let roles = roles(columns, &mut frame.fields);
    let placed = |axis| {
        roles
            .iter()
            .any(|&role| role == Role::Axis(axis) || role == Role::Share(axis))
    };

    if !(0..3).all(placed) {
        return Err(lines.fault("the atoms need columns x, y and z"));
    }

    if !roles
        .iter()
        .any(|role| matches!(role, Role::Radius | Role::Diameter))
    {
        return Err(lines.fault("the atoms need a column radius or diameter"));
    }
    announce(lines, atoms, roles.len())?;

    for _ in 0..atoms {
        let line = next_line(lines, "an atom")?;
        read_atom(lines, line, &roles, frame)?;
    }

    note(
        &mut frame.ignored,
        "columns of words",
        roles.iter().filter(|&&r| r == Role::PassedOver).count(),
    );
    frame.join_vectors();

    Ok(())
}

fn read_atom(
    lines: &Lines,
    line: &[u8],
    roles: &[Role],
    frame: &mut ParticleData,
) -> Result<(), ParseError> {
    let mut words = words(line);
    let (mut id, mut kind) = (frame.ids.len() as u64 + 1, 1);
    let (mut centre, mut radius) = (Point::<3>::origin(), 0.0);

    for &role in roles {
        let word = words.next();
        match role {
            Role::Id => id = count(lines, word, "id")?,
            Role::Kind => kind = count(lines, word, "type")?,
            Role::Axis(axis) => centre[axis] = number(lines, word, "coordinate")?,
            Role::Share(axis) => {
                let share = number(lines, word, "coordinate")?;
                centre[axis] = frame.low[axis] + share * (frame.up[axis] - frame.low[axis]);
            }
            Role::Radius => radius = number(lines, word, "radius")?,
            Role::Diameter => radius = number(lines, word, "diameter")? / 2.0,
            Role::Field(field) => {
                let Field { name, values, .. } = &mut frame.fields[field];
                let Values::Real(values) = values else {
                    unreachable!("columns are read as reals")
                };
                values.push(number(lines, word, name)?);
            }
            Role::PassedOver => {}
        }
    }

    if words.next().is_some() {
        return Err(lines.fault("the atom has more words than columns are named"));
    }

    if radius < 0.0 || !centre.iter().all(|x| x.is_finite()) {
        return Err(lines.fault("the atom has a negative radius or is out of range"));
    }

    frame.ids.push(id);
    frame.kinds.push(kind);
    frame.centres.push(centre);
    frame.radii.push(radius);
    Ok(())
}

/// Writes one frame of a dump; call it once per frame.
pub fn write_frame(frame: &ParticleData, out: &mut dyn Write) -> std::io::Result<()> {
    let ends = frame
        .periodic
        .map(|periodic| if periodic { "pp" } else { "ff" })
        .join(" ");
    writeln!(
        out,
        "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}",
        frame.step,
        frame.centres.len()
    )?;
    writeln!(out, "ITEM: BOX BOUNDS {ends}")?;

    for axis in 0..3 {
        writeln!(out, "{:?} {:?}", frame.low[axis], frame.up[axis])?;
    }

    let names: Vec<String> = frame.fields.iter().flat_map(column_names).collect();
    let names: String = names.iter().map(|name| format!(" {name}")).collect();
    writeln!(out, "ITEM: ATOMS id type x y z radius{names}")?;

    for (i, centre) in frame.centres.iter().enumerate() {
        let (id, kind, radius) = (frame.ids[i], frame.kinds[i], frame.radii[i]);
        write!(
            out,
            "{id} {kind} {:?} {:?} {:?} {radius:?}",
            centre.x, centre.y, centre.z
        )?;
        frame
            .fields
            .iter()
            .try_for_each(|field| write_values(field, i, out))?;

        writeln!(out)?;
    }

    Ok(())
}

/// Returns the column names of a field's components, without blanks, which separate columns.
fn column_names(field: &Field) -> Vec<String> {
    if let Some((_, parts)) = VECTORS
        .iter()
        .find(|(name, _)| *name == field.name && field.components == 3)
    {
        return parts.map(str::to_owned).to_vec();
    }
    let name: String = field
        .name
        .chars()
        .map(|c| if c.is_ascii_graphic() { c } else { '_' })
        .collect();

    match field.components {
        1 => vec![name],
        components => (1..=components).map(|i| format!("{name}[{i}]")).collect(),
    }
}

fn write_values(field: &Field, item: usize, out: &mut dyn Write) -> std::io::Result<()> {
    let range = item * field.components..(item + 1) * field.components;
    match &field.values {
        Values::Real(values) => values[range].iter().try_for_each(|x| write!(out, " {x:?}")),
        Values::Whole(values) => values[range].iter().try_for_each(|x| write!(out, " {x}")),
    }
}
