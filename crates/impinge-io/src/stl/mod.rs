//! STL: triangles without connectivity, binary (32 bits) or text. Corners within 1e-12 of the size are merged.
//!
//! A binary file may begin with the word "solid" that marks text; it is recognised by its size, which follows
//! from the triangle count at byte 80. Normals are not read: they follow from the corners.

use crate::bytes::{Bytes, Endian};
use crate::surface::{MOST_POINTS, faces, left_out, merged, note};
use crate::text::{Lines, point, shown, words};
use crate::{Dataset, Ignored, ParseError, Set, SetOf};
use impinge::shape::Mesh;
use impinge::space::Point;
use std::io::Write;

/// Length of the free header of a binary file in bytes.
const HEADER: usize = 80;
/// Length of the header and the triangle count.
const START: usize = HEADER + 4;
/// Length of a triangle record: normal, three corners, two attribute bytes.
const RECORD: usize = 50;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    if !has_binary_size(bytes) && begins_as_text(bytes) {
        parse_text(bytes)
    } else {
        parse_binary(bytes)
    }
}

/// Whether the size is exactly that of a binary STL with the declared number of triangles.
pub(crate) fn has_binary_size(bytes: &[u8]) -> bool {
    let count = bytes
        .get(HEADER..START)
        .map(|raw| u32::from_le_bytes(raw.try_into().expect("four bytes")));
    count.is_some_and(|count| bytes.len() as u64 == START as u64 + RECORD as u64 * u64::from(count))
}

/// Whether the file begins like text and does not contain the zeros that pad a binary header.
fn begins_as_text(bytes: &[u8]) -> bool {
    let head = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let solid = head
        .get(..5)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));

    solid && !head[..head.len().min(START)].contains(&0)
}

fn parse_binary(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let mut reader = Bytes::new(bytes, Endian::Little);
    let header = reader.take(HEADER).map_err(|_| {
        ParseError::whole(
            "neither text that begins with \"solid\" nor the 84 bytes that a binary STL has at least",
        )
    })?;
    let count = reader.u32()?;
    let records = reader.items(count.into(), RECORD)?;

    if reader.rest().len() >= RECORD {
        let more = reader.rest().len();
        return Err(reader.fault(format!(
            "{count} triangles are declared, but {more} more bytes follow them"
        )));
    }

    if u64::from(count) * 3 > MOST_POINTS {
        return Err(reader.fault(format!(
            "{count} triangles have too many corners for 32 bits"
        )));
    }

    let mut dataset = merged(&corners(records)?, None, Vec::new());
    let coloured = records
        .chunks_exact(RECORD)
        .filter(|record| record[48..] != [0, 0])
        .count();
    note(
        &mut dataset.ignored,
        "attribute bytes (colours) of triangles",
        coloured,
    );

    note(
        &mut dataset.ignored,
        "colour in the header",
        usize::from(header.windows(6).any(|w| w == b"COLOR=")),
    );
    note(
        &mut dataset.ignored,
        "bytes after the last triangle",
        reader.rest().len(),
    );

    Ok(dataset)
}

fn corners(records: &[u8]) -> Result<Vec<Point<3>>, ParseError> {
    let mut points = Vec::with_capacity(records.len() / RECORD * 3);
    for record in records.chunks_exact(RECORD) {
        let number =
            |i: usize| f32::from_le_bytes(record[i..i + 4].try_into().expect("four bytes"));
        points.extend(
            [12, 24, 36].map(|i| Point::from([i, i + 4, i + 8].map(|i| f64::from(number(i))))),
        );
    }

    // Checked separately, so that the loop above has no early exit and optimises well.
    match points
        .iter()
        .position(|point| !point.iter().all(|x| x.is_finite()))
    {
        None => Ok(points),
        Some(i) => Err(ParseError::byte(
            START + i / 3 * RECORD + 12 + i % 3 * 12,
            format!(
                "corner {} of triangle {} has a coordinate that is not finite",
                i % 3,
                i / 3
            ),
        )),
    }
}

fn parse_text(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let mut lines = Lines::new(bytes);
    let mut corners = Vec::new();
    let mut solids: Vec<(String, usize)> = Vec::new();
    let mut in_solid = false;

    while let Some(line) = lines.next_filled() {
        let mut words = words(line);
        match lower_case(words.next()).as_slice() {
            b"solid" if !in_solid => {
                let name = String::from_utf8_lossy(line[5..].trim_ascii()).into_owned();
                solids.push((name, corners.len() / 3));
                in_solid = true;
            }
            b"facet" if in_solid => facet(&mut lines, &mut corners)?,
            b"endsolid" if in_solid => in_solid = false,
            b"color" => {}
            _ => return Err(lines.fault(format!("{} is not expected here", shown(line)))),
        }
    }

    if in_solid {
        return Err(lines.fault("the file ends within a solid: 'endsolid' is missing"));
    }

    if corners.len() as u64 > MOST_POINTS {
        return Err(lines.fault("too many corners for 32 bits"));
    }

    let sets = sets(solids, corners.len() / 3);
    Ok(merged(&corners, None, sets))
}

/// Reads the three corners of a facet, after its first line.
fn facet(lines: &mut Lines, corners: &mut Vec<Point<3>>) -> Result<(), ParseError> {
    expect(lines, b"outer")?;
    for _ in 0..3 {
        let line = expect(lines, b"vertex")?;
        corners.push(point(&mut words(line).skip(1)).map_err(|reason| lines.fault(reason))?);
    }

    expect(lines, b"endloop")?;
    expect(lines, b"endfacet").map(|_| ())
}

fn expect<'a>(lines: &mut Lines<'a>, keyword: &[u8]) -> Result<&'a [u8], ParseError> {
    let name = String::from_utf8_lossy(keyword);
    let line = lines
        .next_filled()
        .ok_or_else(|| lines.fault(format!("the file ends where '{name}' is expected")))?;

    match words(line).next() {
        Some(word) if word.eq_ignore_ascii_case(keyword) => Ok(line),
        _ => Err(lines.fault(format!("expected '{name}', found {}", shown(line)))),
    }
}

/// Returns the first nine letters in lower case: the longest keyword has eight, and a hostile word may have
/// a hundred megabytes.
fn lower_case(word: Option<&[u8]>) -> Vec<u8> {
    word.map(|word| word[..word.len().min(9)].to_ascii_lowercase())
        .unwrap_or_default()
}

/// Returns the solids of a file as sets, if there are several.
fn sets(solids: Vec<(String, usize)>, triangles: usize) -> Vec<Set> {
    if solids.len() < 2 {
        return Vec::new();
    }

    let ends: Vec<usize> = solids
        .iter()
        .skip(1)
        .map(|&(_, start)| start)
        .chain([triangles])
        .collect();
    let sets = solids
        .into_iter()
        .zip(ends)
        .filter(|((_, start), end)| start < end);

    let set = |((name, start), end)| Set {
        name,
        of: SetOf::Elements,
        members: (start as u64..end as u64).collect(),
    };

    sets.map(set).collect()
}

/// Returns what STL cannot represent, or an error if it cannot represent the mesh at all.
pub fn check(dataset: &Dataset) -> Result<Vec<Ignored>, ParseError> {
    let mesh = &dataset.mesh;
    let mut left_out = left_out(dataset, "STL")?;
    note(
        &mut left_out,
        "points not used by any triangle",
        points_of_no_triangle(mesh),
    );

    if let Some(problem) = mesh.uncut_quads() {
        return Err(ParseError::whole(problem.to_string()));
    }

    let triangles = mesh.triangles();
    if triangles.len() > u32::MAX as usize {
        return Err(ParseError::whole(
            "too many triangles for the 32-bit count of STL",
        ));
    }

    if let Some(i) = mesh
        .points
        .iter()
        .position(|point| !rounded(point).iter().all(|x| x.is_finite()))
    {
        return Err(ParseError::whole(format!(
            "point {i} is out of range for the 32-bit reals of a binary STL"
        )));
    }
    let is_rounded = |point: &&Point<3>| Point::from(rounded(point).map(f64::from)) != **point;
    note(
        &mut left_out,
        "last digits of points (coordinates are rounded to 32 bits)",
        mesh.points.iter().filter(is_rounded).count(),
    );
    let distinct = |t: [Point<3>; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];

    let collapses = |t: &&[u32; 3]| {
        let exact = t.map(|node| mesh.points[node as usize]);
        distinct(exact) && !distinct(exact.map(|point| Point::from(rounded(&point).map(f64::from))))
    };
    note(
        &mut left_out,
        "triangles that collapse when rounded to 32 bits",
        triangles.iter().filter(collapses).count(),
    );

    Ok(left_out)
}

fn points_of_no_triangle(mesh: &Mesh) -> usize {
    let mut used = vec![false; mesh.points.len()];
    faces(mesh)
        .flatten()
        .for_each(|&node| used[node as usize] = true);
    used.iter().filter(|&&used| !used).count()
}

fn rounded(point: &Point<3>) -> [f32; 3] {
    [point.x as f32, point.y as f32, point.z as f32]
}

/// Writes the surface elements as binary STL: quadrilaterals are split into triangles and coordinates rounded to
/// 32 bits. The dataset must have passed [`check`].
pub fn write(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let triangles = dataset.mesh.triangles();
    let mut header = [b' '; HEADER];
    header[..24].copy_from_slice(b"binary STL, from impinge");
    out.write_all(&header)?;
    out.write_all(&(triangles.len() as u32).to_le_bytes())?;

    for triangle in &triangles {
        let corners = triangle.map(|node| dataset.mesh.points[node as usize]);
        let [a, b, c] = corners.map(|point| rounded(&point));
        let mut record = [0; RECORD];
        let numbers = [normal(corners).map(|x| x as f32), a, b, c];
        for (place, number) in record.chunks_exact_mut(4).zip(numbers.as_flattened()) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        out.write_all(&record)?;
    }

    Ok(())
}

/// Writes the surface elements as text, with coordinates in full precision.
pub fn write_text(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "solid impinge")?;
    for triangle in dataset.mesh.triangles() {
        let corners = triangle.map(|node| dataset.mesh.points[node as usize]);
        let [x, y, z] = normal(corners);
        writeln!(out, "facet normal {x:?} {y:?} {z:?}\n outer loop")?;
        for corner in corners {
            writeln!(out, "  vertex {:?} {:?} {:?}", corner.x, corner.y, corner.z)?;
        }
        writeln!(out, " endloop\nendfacet")?;
    }

    writeln!(out, "endsolid impinge")
}

/// Returns the unit normal, or zero for a degenerate triangle.
fn normal([a, b, c]: [Point<3>; 3]) -> [f64; 3] {
    // Halve first, so that edges between distant points do not overflow; then scale, so that their products do not.
    let half = |p: Point<3>| p.coords * 0.5;
    let (ab, ac) = (half(b) - half(a), half(c) - half(a));
    let unit = |v: impinge::space::Vector<3>| v / v.amax();
    let normal = unit(ab).cross(&unit(ac));
    let length = normal.norm();

    if length > 0.0 {
        (normal / length).into()
    } else {
        [0.0; 3]
    }
}

#[cfg(test)]
mod tests;
