//! OBJ: points and polygons, line by line. Normals, texture coordinates, materials, groups, lines and curves are
//! ignored and counted.

use crate::surface::{MOST_POINTS, Polygons, faces, left_out, note};
use crate::text::{Lines, point, shown, whole, words};
use crate::{Dataset, Ignored, ParseError};
use impinge::space::Point;
use std::io::Write;

/// Known statements that are ignored, with their name in the report.
const PASSED_OVER: [(&str, &[&[u8]]); 6] = [
    ("texture coordinates", &[b"vt"]),
    ("vertex normals", &[b"vn"]),
    ("line elements", &[b"l"]),
    ("point elements", &[b"p"]),
    ("group and smoothing statements", &[b"g", b"o", b"s", b"mg"]),
    (
        "material statements",
        &[b"mtllib", b"usemtl", b"maplib", b"usemap"],
    ),
];

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    let mut lines = Lines::new(bytes);
    let mut reader = Reader::default();

    // The beginning of a statement that continues on the next line.
    let mut begun = Vec::new();
    while let Some(line) = lines.next_line() {
        let end = line.iter().position(|&b| b == b'#');
        let data = &line[..end.unwrap_or(line.len())];
        if let (Some(part), None) = (data.strip_suffix(b"\\"), end) {
            begun.extend_from_slice(part);
            begun.push(b' ');
        } else if begun.is_empty() {
            reader.statement(data, &lines)?;
        } else {
            begun.extend_from_slice(data);
            reader.statement(&begun, &lines)?;
            begun.clear();
        }
    }

    reader.statement(&begun, &lines)?;
    reader.finish()
}

/// State of the parser.
#[derive(Debug, Default)]
struct Reader {
    points: Vec<Point<3>>,
    polygons: Polygons,
    /// Corners of the current face.
    corners: Vec<u32>,
    /// The highest vertex used by a face, and its line: vertices may follow the faces that use them.
    highest: Option<(u32, usize)>,
    passed_over: [usize; PASSED_OVER.len()],
    not_understood: usize,
    with_more: usize,
}

impl Reader {
    fn statement(&mut self, statement: &[u8], lines: &Lines) -> Result<(), ParseError> {
        let mut words = words(statement);
        match words.next() {
            None => Ok(()),
            Some(b"v") => self.vertex(words).map_err(|reason| lines.fault(reason)),
            Some(b"f") => self
                .face(words, lines.number())
                .map_err(|reason| lines.fault(reason)),
            Some(keyword) => self
                .pass_over(keyword)
                .map_err(|reason| lines.fault(reason)),
        }
    }

    fn vertex<'a>(&mut self, mut words: impl Iterator<Item = &'a [u8]>) -> Result<(), String> {
        self.points.push(point(&mut words)?);
        self.with_more += usize::from(words.next().is_some());
        match self.points.len() as u64 <= MOST_POINTS {
            true => Ok(()),
            false => Err("too many vertices for 32 bits".to_owned()),
        }
    }

    fn face<'a>(
        &mut self,
        words: impl Iterator<Item = &'a [u8]>,
        line: usize,
    ) -> Result<(), String> {
        self.corners.clear();
        for word in words {
            // Only the v of v/vt/vn is used.
            let index = word.split(|&b| b == b'/').next().unwrap_or_default();
            let node = self.node(index).ok_or_else(|| {
                format!(
                    "{} is not a vertex; there are {} so far",
                    shown(word),
                    self.points.len()
                )
            })?;

            if self.highest.is_none_or(|(highest, _)| node > highest) {
                self.highest = Some((node, line));
            }

            self.corners.push(node);
        }

        self.polygons.push(&self.corners);
        Ok(())
    }

    /// Resolves a vertex number: counted from 1, or back from the latest vertex if negative.
    fn node(&self, word: &[u8]) -> Option<u32> {
        let index: i64 = whole(word)?;
        let from_0 = if index < 0 {
            index + self.points.len() as i64
        } else {
            index - 1
        };

        u32::try_from(from_0).ok()
    }

    fn pass_over(&mut self, keyword: &[u8]) -> Result<(), String> {
        match PASSED_OVER
            .iter()
            .position(|(_, keywords)| keywords.contains(&keyword))
        {
            Some(i) => self.passed_over[i] += 1,
            None if keyword
                .iter()
                .all(|&b| b.is_ascii_alphanumeric() || b == b'_') =>
            {
                self.not_understood += 1
            }

            None => return Err(format!("{} is not a statement of OBJ", shown(keyword))),
        }

        Ok(())
    }

    fn finish(self) -> Result<Dataset, ParseError> {
        let count = self.points.len();
        if let Some((highest, line)) = self
            .highest
            .filter(|&(highest, _)| highest as usize >= count)
        {
            let vertex = u64::from(highest) + 1;
            return Err(ParseError::line(
                line,
                format!("the face has vertex {vertex}, but there are {count}"),
            ));
        }

        if count == 0 && self.not_understood > 0 {
            return Err(ParseError::whole(
                "no vertex, and statements that OBJ does not have",
            ));
        }

        let mut dataset = self.polygons.into_dataset(self.points)?;
        note(
            &mut dataset.ignored,
            "weights or colours of vertices",
            self.with_more,
        );

        for ((what, _), count) in PASSED_OVER.iter().zip(self.passed_over) {
            note(&mut dataset.ignored, what, count);
        }

        note(
            &mut dataset.ignored,
            "other statements",
            self.not_understood,
        );

        Ok(dataset)
    }
}

/// Returns what OBJ cannot represent, or an error if it cannot represent the mesh at all.
pub fn check(dataset: &Dataset) -> Result<Vec<Ignored>, ParseError> {
    left_out(dataset, "OBJ")
}

/// Writes all points, and the surface elements as polygons of their corners.
pub fn write(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let mesh = &dataset.mesh;
    for point in &mesh.points {
        writeln!(out, "v {:?} {:?} {:?}", point.x, point.y, point.z)?;
    }

    for face in faces(mesh) {
        write!(out, "f")?;
        face.iter()
            .try_for_each(|&node| write!(out, " {}", u64::from(node) + 1))?;
        writeln!(out)?;
    }

    Ok(())
}

#[cfg(test)]
mod tests;
