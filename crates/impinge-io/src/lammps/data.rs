//! The `data` file: counts and box, then sections. Only Atoms (style sphere) and Velocities are read.

use super::{ParticleData, announce, count, next_line, number};
use crate::surface::note;
use crate::text::{Lines, shown, words};
use crate::{Field, ParseError, Values};
use impinge::space::Point;
use std::io::Write;

/// Words per atom: id, type, diameter, density, x, y, z; three image flags may follow.
const ATOM_WORDS: usize = 7;

/// Default density: LAMMPS requires one.
const USUAL_DENSITY: f64 = 1.0;

/// Parses a data file of spheres.
pub fn parse_data(bytes: &[u8]) -> Result<ParticleData, ParseError> {
    let mut lines = Lines::new(bytes);
    // The first line is always a title.
    lines
        .next_line()
        .ok_or_else(|| ParseError::whole("the file is empty"))?;
    let mut particles = ParticleData::default();
    let mut atoms = None;
    let mut section = None;
    let mut in_head = true;

    while let Some(line) = section.take().or_else(|| next_data(&mut lines)) {
        let (data, comment) = parted(line);
        in_head &= !data.first().is_some_and(u8::is_ascii_uppercase);
        match data {
            b"Atoms" => {
                let atoms = atoms.ok_or_else(|| lines.fault("the number of atoms is missing"))?;
                check_style(&lines, comment)?;
                read_atoms(&mut lines, atoms, &mut particles)?;
            }
            b"Velocities" => read_velocities(&mut lines, &mut particles)?,
            _ if in_head => read_head(&lines, data, &mut particles, &mut atoms)?,
            _ if data.first().is_some_and(u8::is_ascii_uppercase) => {
                note(&mut particles.ignored, "other sections", 1);
                section = skip_section(&mut lines);
            }
            _ => return Err(lines.fault(format!("{} is not expected here", shown(data)))),
        }
    }

    match atoms {
        Some(atoms) if atoms == particles.centres.len() as u64 => Ok(particles),
        Some(atoms) => Err(lines.fault(format!(
            "{atoms} atoms are declared, but no section contains them"
        ))),
        None => Err(lines.fault("the number of atoms is missing")),
    }
}

/// Returns the next line that is not blank or only a comment.
fn next_data<'a>(lines: &mut Lines<'a>) -> Option<&'a [u8]> {
    loop {
        let line = lines.next_filled()?;
        if !line.starts_with(b"#") {
            return Some(line);
        }
    }
}

/// Splits a line at its comment mark.
fn parted(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|&b| b == b'#') {
        Some(mark) => (line[..mark].trim_ascii(), line[mark + 1..].trim_ascii()),
        None => (line.trim_ascii(), b""),
    }
}

fn check_style(lines: &Lines, comment: &[u8]) -> Result<(), ParseError> {
    match comment {
        b"sphere" => Ok(()),
        b"" => {
            Err(lines.fault("the section does not declare its atom style; write 'Atoms # sphere'"))
        }
        other => Err(lines.fault(format!(
            "atom style {} is not supported; use 'sphere'",
            shown(other)
        ))),
    }
}

fn read_head(
    lines: &Lines,
    data: &[u8],
    particles: &mut ParticleData,
    atoms: &mut Option<u64>,
) -> Result<(), ParseError> {
    let words: Vec<&[u8]> = words(data).take(5).collect();
    match words[..] {
        [number, b"atoms"] => *atoms = Some(count(lines, Some(number), "number of atoms")?),
        [low, up, b"xlo", b"xhi"] => (particles.low[0], particles.up[0]) = ends(lines, low, up)?,
        [low, up, b"ylo", b"yhi"] => (particles.low[1], particles.up[1]) = ends(lines, low, up)?,
        [low, up, b"zlo", b"zhi"] => (particles.low[2], particles.up[2]) = ends(lines, low, up)?,
        [_, _, _, b"xy", b"xz"] => return Err(lines.fault("tilted boxes are not supported")),
        [number, _, ..] => drop(count::<u64>(lines, Some(number), "number")?),
        _ => return Err(lines.fault(format!("{} is not expected here", shown(data)))),
    }

    Ok(())
}

fn ends(lines: &Lines, low: &[u8], up: &[u8]) -> Result<(f64, f64), ParseError> {
    let what = "extent of the box";
    Ok((
        number(lines, Some(low), what)?,
        number(lines, Some(up), what)?,
    ))
}

/// Skips rows up to the next section, and returns its line.
fn skip_section<'a>(lines: &mut Lines<'a>) -> Option<&'a [u8]> {
    loop {
        let line = next_data(lines)?;
        if line[0].is_ascii_uppercase() {
            return Some(line);
        }
    }
}

fn read_atoms(
    lines: &mut Lines,
    atoms: u64,
    particles: &mut ParticleData,
) -> Result<(), ParseError> {
    if !particles.centres.is_empty() {
        return Err(lines.fault("a second section 'Atoms'"));
    }

    announce(lines, atoms, ATOM_WORDS)?;
    let mut densities = Vec::with_capacity(atoms as usize);
    let mut images = 0;

    for _ in 0..atoms {
        let line = next_line(lines, "an atom")?;
        let mut words = words(parted(line).0);
        particles.ids.push(count(lines, words.next(), "id")?);
        particles.kinds.push(count(lines, words.next(), "type")?);
        let diameter = number(lines, words.next(), "diameter")?;

        if diameter < 0.0 {
            return Err(lines.fault("the atom has a negative diameter"));
        }

        particles.radii.push(diameter / 2.0);
        densities.push(number(lines, words.next(), "density")?);
        let mut coordinate = || number(lines, words.next(), "coordinate");
        particles
            .centres
            .push(Point::from([coordinate()?, coordinate()?, coordinate()?]));

        images += usize::from(words.any(|word| word != b"0"));
    }

    particles.fields.push(Field::scalar("density", densities));
    note(&mut particles.ignored, "image flags of atoms", images);
    Ok(())
}

/// Reads velocities and angular velocities, with ids in any order.
fn read_velocities(lines: &mut Lines, particles: &mut ParticleData) -> Result<(), ParseError> {
    let mut order: Vec<usize> = (0..particles.ids.len()).collect();
    order.sort_by_key(|&i| particles.ids[i]);
    if let Some(twice) = order
        .windows(2)
        .find(|two| particles.ids[two[0]] == particles.ids[two[1]])
    {
        return Err(lines.fault(format!("two atoms have the id {}", particles.ids[twice[0]])));
    }
    let mut velocities = vec![[0.0; 3]; order.len()];
    let mut spins = velocities.clone();

    for _ in 0..order.len() {
        let line = next_line(lines, "a velocity")?;
        let mut words = words(parted(line).0);
        let id: u64 = count(lines, words.next(), "id")?;
        let place = order.binary_search_by_key(&id, |&i| particles.ids[i]);
        let i = order[place.map_err(|_| lines.fault(format!("there is no atom {id}")))?];
        for x in velocities[i].iter_mut().chain(&mut spins[i]) {
            *x = number(lines, words.next(), "velocity")?;
        }
    }

    particles
        .fields
        .retain(|field| field.name != "velocity" && field.name != "spin");
    particles
        .fields
        .push(Field::vector("velocity", &velocities));
    particles.fields.push(Field::vector("spin", &spins));

    Ok(())
}

/// Writes a data file: atoms of style sphere, and velocities if present. The format has no place for other fields.
pub fn write_data(particles: &ParticleData, out: &mut dyn Write) -> std::io::Result<()> {
    let kinds = particles.kinds.iter().copied().max().unwrap_or(1);
    writeln!(out, "LAMMPS data file of spheres, from impinge\n")?;
    writeln!(
        out,
        "{} atoms\n{kinds} atom types\n",
        particles.centres.len()
    )?;

    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        writeln!(
            out,
            "{:?} {:?} {name}lo {name}hi",
            particles.low[axis], particles.up[axis]
        )?;
    }

    writeln!(out, "\nAtoms # sphere\n")?;
    let densities = reals(particles, "density", 1);
    for (i, centre) in particles.centres.iter().enumerate() {
        let (id, kind, diameter) = (
            particles.ids[i],
            particles.kinds[i],
            particles.radii[i] * 2.0,
        );
        let density = densities.map_or(USUAL_DENSITY, |densities| densities[i]);

        writeln!(
            out,
            "{id} {kind} {diameter:?} {density:?} {:?} {:?} {:?}",
            centre.x, centre.y, centre.z
        )?;
    }

    let (velocities, spins) = (reals(particles, "velocity", 3), reals(particles, "spin", 3));
    if velocities.is_some() || spins.is_some() {
        writeln!(out, "\nVelocities # sphere\n")?;
        for (i, id) in particles.ids.iter().enumerate() {
            let of = |field: Option<&[f64]>| {
                field.map_or([0.0; 3], |values| [0, 1, 2].map(|k| values[3 * i + k]))
            };
            let ([vx, vy, vz], [wx, wy, wz]) = (of(velocities), of(spins));
            writeln!(out, "{id} {vx:?} {vy:?} {vz:?} {wx:?} {wy:?} {wz:?}")?;
        }
    }

    Ok(())
}

fn reals<'a>(particles: &'a ParticleData, name: &str, components: usize) -> Option<&'a [f64]> {
    match particles.field(name)? {
        Field {
            components: held,
            values: Values::Real(values),
            ..
        } if *held == components => Some(values),
        _ => None,
    }
}
