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
mod tests {
    use super::*;
    use impinge::shape::ElementKind::{Quad4, Tri3};

    const SQUARE: &str = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

    fn fault(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn every_head_gives_the_same_square() {
        let square = parse(SQUARE.as_bytes()).expect("a good file");
        assert_eq!(square.mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
        for head in [
            "OFF 4 2 0",
            "4 2",
            "OFF4 2 0",
            "# hello\n\nOFF # three\r\n# four\r\n 4 2 5 # counts",
        ] {
            let text = SQUARE.replace("OFF\n4 2 0", head);
            assert_eq!(
                parse(text.as_bytes()).expect("a good file"),
                square,
                "{head}"
            );
        }
    }

    #[test]
    fn colours_and_normals_are_counted_and_polygons_cut() {
        let text = "CNOFF\n5 3 0\n0 0 0 0 0 1 255 0 0\n1 0 0\n1 1 0\n0 1 0\n-.5 .5 0\n4 0 1 2 3 0.5 0.5 0.5\n\
            5 0 1 2 3 4\n2 0 1\nmore\n";
        let dataset = parse(text.as_bytes()).expect("a good file");
        assert_eq!(
            (dataset.mesh.count(Tri3), dataset.mesh.count(Quad4)),
            (3, 1)
        );
        let counts: Vec<usize> = dataset
            .ignored
            .iter()
            .map(|ignored| ignored.count)
            .collect();

        assert_eq!(counts, [1, 1, 1, 1, 1], "{:?}", dataset.ignored);
    }

    #[test]
    fn broken_files_are_refused_with_their_line() {
        assert_eq!(
            fault(&SQUARE.replace("1 1 0", "1 nan 0")),
            "line 5: vertex 2: 'nan' is not finite"
        );
        assert_eq!(
            fault(&SQUARE.replace("3 0 2 3", "3 0 2 4")),
            "line 8: face 1: vertex '4' does not exist; there are 4"
        );

        assert_eq!(
            fault(&SQUARE.replace("3 0 2 3", "3 0 2 -1")),
            "line 8: face 1: vertex '-1' does not exist; there are 4"
        );
        assert_eq!(
            fault(&SQUARE.replace("3 0 2 3", "4 0 2 3")),
            "line 8: face 1: it has fewer than 4 corners"
        );

        assert_eq!(
            fault("4OFF\n1 0 0\n0 0 0 1\n"),
            "line 1: '4OFF' has points that are not of three dimensions"
        );
        assert_eq!(
            fault("OFF BINARY\n"),
            "line 1: the binary kind of OFF is not supported"
        );
        let lying =
            "line 2: 4000000000 vertices and 2 faces are declared, but only 40 bytes follow";
        assert_eq!(fault(&SQUARE.replace("4 2 0", "4000000000 2 0")), lying);

        for end in 0..SQUARE.len() - 2 {
            assert!(
                parse(&SQUARE.as_bytes()[..end]).is_err(),
                "the first {end} bytes are read as a whole file"
            );
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = SQUARE
            .replace("3 0 1 2\n", "4 0 1 2 3\n")
            .replace("1 1 0", "0.1 -0.30000000000000004 1e-300");
        let dataset = parse(text.as_bytes()).expect("a good file");
        let mut bytes = Vec::new();
        write(&dataset, &mut bytes).expect("writes");

        assert_eq!(parse(&bytes).expect("reads"), dataset);
    }
}
