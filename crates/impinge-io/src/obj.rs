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
mod tests {
    use super::*;
    use impinge::shape::ElementKind::{Quad4, Tri3};

    fn counted(dataset: &Dataset) -> Vec<(&str, usize)> {
        dataset
            .ignored
            .iter()
            .map(|ignored| (ignored.what.as_str(), ignored.count))
            .collect()
    }

    #[test]
    fn faces_of_every_notation_are_read() {
        let text = "# comment \\\r\nmtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0 1 0.5 0.25\nvt 0 0\nvn 0 0 1\n\
            f 1/1/1 2/1/1 3/1/1\nf 1//1 3//1 4//1\nf -4 -3 -2 -1\nf 1 2 \\\n 3\nl 1 2\nv 0.5 2 0\nf 1 2 3 5 4\nv 2 0.5 0\nf 6 3 1 2";
        let dataset = parse(text.as_bytes()).expect("a good file");
        assert_eq!(dataset.mesh.points.len(), 6);
        assert_eq!(
            (dataset.mesh.count(Tri3), dataset.mesh.count(Quad4)),
            (6, 2)
        );

        assert_eq!(
            dataset.mesh.blocks[0].nodes[6..],
            [0, 1, 2, 0, 1, 2, 0, 2, 4, 0, 4, 3]
        );
        let expected = [
            ("polygons of more than 4 corners (cut into triangles)", 1),
            ("weights or colours of vertices", 1),
            ("texture coordinates", 1),
            ("vertex normals", 1),
            ("line elements", 1),
            ("material statements", 1),
        ];

        assert_eq!(counted(&dataset), expected);
    }

    #[test]
    fn a_face_may_stand_before_its_vertices() {
        let dataset = parse(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").expect("a good file");
        assert_eq!(dataset.mesh.triangles(), [[0, 1, 2]]);
    }

    #[test]
    fn indices_that_name_no_vertex_are_refused_with_their_line() {
        let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        for face in [
            "f 0 1 2",
            "f 1 2 4",
            "f 1 2 -4",
            "f 1 2 4294967297",
            "f 1 2 18446744073709551617",
            "f 1 2 x",
        ] {
            let fault = parse(format!("{vertices}{face}\nv 0 0 1e400x\n").as_bytes()).unwrap_err();
            assert!(
                matches!(fault.place, crate::Location::Line(4 | 5)),
                "{face}: {fault}"
            );
        }

        let fault = parse(format!("{vertices}f 1 2 4\n").as_bytes()).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "line 4: the face has vertex 4, but there are 3"
        );
    }

    #[test]
    fn coordinates_must_be_finite_numbers_with_a_point() {
        for (vertex, reason) in [
            ("v 0 nan 0", "line 2: 'nan' is not finite"),
            ("v 0 1e400 0", "line 2: '1e400' is not finite"),
            (
                "v 0 1,5 0",
                "line 2: '1,5' is not a number; use a decimal point",
            ),
            ("v 0 0", "line 2: a point needs 3 coordinates"),
        ] {
            assert_eq!(
                parse(format!("v 0 0 0\n{vertex}\n").as_bytes())
                    .unwrap_err()
                    .to_string(),
                reason
            );
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text =
            "v 0.1 -0.30000000000000004 1e-300\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 2 3 4\n";
        let dataset = parse(text.as_bytes()).expect("a good file");
        let mut bytes = Vec::new();
        write(&dataset, &mut bytes).expect("writes");
        assert_eq!(parse(&bytes).expect("reads"), dataset);
    }

    #[test]
    fn one_endless_line_is_read_or_refused() {
        let mut text = b"v 0 0 0\nf".to_vec();
        text.extend(b" 1".repeat(1_000_000));
        let fault = parse(&text).unwrap_err();
        assert!(
            fault
                .reason
                .starts_with("face 0 (1000000 corners) crosses itself, is folded or has no area")
        );

        assert!(
            parse(&b"x".repeat(10_000_000))
                .unwrap_err()
                .reason
                .starts_with("no vertex")
        );
    }
}
