//! OFF: counts, points and polygons in text. Normals, colours and texture coordinates are ignored.

use crate::surface::{MOST_POINTS, Polygons, faces, left_out, note};
use crate::text::{Lines, point, shown, whole, words};
use crate::{Dataset, Ignored, ParseError};
use impinge::space::Point;
use std::io::Write;

/// Length in bytes of the shortest vertex line: `0 0 0` and its line end.
const SHORTEST_VERTEX: u64 = 6;
/// Length in bytes of the shortest face line: `0` and its line end.
const SHORTEST_FACE: u64 = 2;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let mut lines = Lines::new(bytes);
    let (vertices, face_count) = counts(&mut lines)?;
    let (points, with_more) = read_points(&mut lines, vertices)?;
    let mut polygons = Polygons::default();
    let mut coloured = 0;
    let mut corners = Vec::new();

    for face in 0..face_count {
        coloured += usize::from(read_face(&mut lines, face, points.len(), &mut corners)?);
        polygons.push(&corners);
    }

    let mut dataset = polygons.into_dataset(points)?;
    note(
        &mut dataset.ignored,
        "normals, colours or texture coordinates of vertices",
        with_more,
    );
    note(&mut dataset.ignored, "colours of faces", coloured);
    let trailing = std::iter::from_fn(|| next_data(&mut lines)).count();
    note(&mut dataset.ignored, "lines after the last face", trailing);

    Ok(dataset)
}

/// Whether the word is a keyword that starts an OFF file: `OFF`, `COFF`, `STCNOFF`, …
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    word.strip_suffix(b"OFF")
        .is_some_and(|prefix| prefix.iter().all(|b| b"STCN4n".contains(b)))
}

/// Returns the next non-empty line, without its comment.
fn next_data<'a>(lines: &mut Lines<'a>) -> Option<&'a [u8]> {
    loop {
        let line = lines.next_filled()?;
        let end = line.iter().position(|&b| b == b'#').unwrap_or(line.len());
        let data = line[..end].trim_ascii_end();
        if !data.is_empty() {
            return Some(data);
        }
    }
}

/// Reads the keyword, if present, and the numbers of vertices and faces.
fn counts(lines: &mut Lines) -> Result<(u64, u64), ParseError> {
    let mut line =
        next_data(lines).ok_or_else(|| lines.fault("the file contains only comments"))?;
    let first = words(line).next().unwrap_or_default();

    if is_keyword(first) {
        if first.contains(&b'4') || first.contains(&b'n') {
            return Err(lines.fault(format!(
                "{} has points that are not of three dimensions",
                shown(first)
            )));
        }
        line = line[first.len()..].trim_ascii_start();
    } else {
        // Some writers omit the keyword, some the space after it.
        line = line.strip_prefix(b"OFF").unwrap_or(line);
    }

    if line.is_empty() {
        line = next_data(lines)
            .ok_or_else(|| lines.fault("the file ends where the counts should be"))?;
    }

    if line.starts_with(b"BINARY") {
        return Err(lines.fault("the binary kind of OFF is not supported"));
    }

    let mut numbers = words(line).map(|word| whole::<u64>(word).ok_or(word));
    let mut next = |what: &str| match numbers.next() {
        Some(Ok(count)) => Ok(count),
        Some(Err(word)) => Err(lines.fault(format!("{} is not a number of {what}", shown(word)))),
        None => Err(lines.fault(format!("the number of {what} is missing"))),
    };
    let (vertices, faces) = (next("vertices")?, next("faces")?);
    let held = lines.rest().len() as u64 + 1;
    let needed = vertices
        .saturating_mul(SHORTEST_VERTEX)
        .saturating_add(faces.saturating_mul(SHORTEST_FACE));

    if needed > held || vertices > MOST_POINTS {
        return Err(lines.fault(format!(
            "{vertices} vertices and {faces} faces are declared, but only {} bytes follow",
            held - 1
        )));
    }

    Ok((vertices, faces))
}

/// Reads the points, and counts those with more than coordinates.
fn read_points(lines: &mut Lines, count: u64) -> Result<(Vec<Point<3>>, usize), ParseError> {
    let mut points = Vec::with_capacity(count as usize);
    let mut with_more = 0;
    for i in 0..count {
        let line = next_data(lines)
            .ok_or_else(|| lines.fault(format!("the file ends before vertex {i}")))?;
        let mut words = words(line);
        let point =
            point(&mut words).map_err(|reason| lines.fault(format!("vertex {i}: {reason}")))?;
        points.push(point);
        with_more += usize::from(words.next().is_some());
    }

    Ok((points, with_more))
}

/// Reads the corners of a face; returns whether more (a colour) follows them.
fn read_face(
    lines: &mut Lines,
    face: u64,
    points: usize,
    corners: &mut Vec<u32>,
) -> Result<bool, ParseError> {
    let line =
        next_data(lines).ok_or_else(|| lines.fault(format!("the file ends before face {face}")))?;
    let fault = |reason: String| lines.fault(format!("face {face}: {reason}"));
    let mut words = words(line);
    let first = words.next().unwrap_or_default();
    let count: u64 = whole(first)
        .ok_or_else(|| fault(format!("{} is not a number of corners", shown(first))))?;
    corners.clear();

    for _ in 0..count {
        let word = words
            .next()
            .ok_or_else(|| fault(format!("it has fewer than {count} corners")))?;
        match whole::<u32>(word) {
            Some(node) if (node as usize) < points => corners.push(node),
            _ => {
                return Err(fault(format!(
                    "vertex {} does not exist; there are {points}",
                    shown(word)
                )));
            }
        }
    }

    Ok(words.next().is_some())
}

/// Returns what OFF cannot represent, or an error if it cannot represent the mesh at all.
pub fn check(dataset: &Dataset) -> Result<Vec<Ignored>, ParseError> {
    left_out(dataset, "OFF")
}

/// Writes all points, and the surface elements as polygons of their corners.
pub fn write(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let mesh = &dataset.mesh;
    writeln!(out, "OFF\n{} {} 0", mesh.points.len(), faces(mesh).count())?;
    for point in &mesh.points {
        writeln!(out, "{:?} {:?} {:?}", point.x, point.y, point.z)?;
    }

    for face in faces(mesh) {
        write!(out, "{}", face.len())?;
        face.iter().try_for_each(|node| write!(out, " {node}"))?;
        writeln!(out)?;
    }

    Ok(())
}

#[cfg(test)]
mod tests;
