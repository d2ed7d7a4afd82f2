//! Detects a file's format from its first bytes, if they are unambiguous.

use crate::Format;
use crate::text::{Lines, real, words};
use crate::{ParseError, off, stl};

/// Number of bytes searched for the marks of a format.
const REACH: usize = 4096;

/// Signature of a ZIP archive.
const ZIP: &[u8] = b"PK\x03\x04";

/// Returns an error if the file is empty or its contents clearly belong to a format other than `expected`.
pub(crate) fn refuse_others(expected: Format, bytes: &[u8]) -> Result<(), ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::whole("the file is empty"));
    }

    let says = expected.extension().to_ascii_uppercase();
    if let Some(foreign) = foreign(bytes).filter(|_| !is_archive(expected, bytes)) {
        return Err(ParseError::whole(format!(
            "the extension says {says} but the file is {foreign}"
        )));
    }

    match sniff(bytes) {
        Some(found) if found != expected => {
            let looks = found.extension().to_ascii_uppercase();
            Err(ParseError::whole(format!(
                "the extension says {says} but the file looks like {looks}; rename it"
            )))
        }
        _ => Ok(()),
    }
}

/// Whether the file is the kind of archive that the format uses.
fn is_archive(expected: Format, bytes: &[u8]) -> bool {
    expected == Format::ThreeMf && bytes.starts_with(ZIP)
}

/// Returns the format of the contents if it is unambiguous.
pub(crate) fn sniff(bytes: &[u8]) -> Option<Format> {
    // Check binary STL first: its 80 free bytes may imitate any other format.
    if stl::has_binary_size(bytes) {
        return Some(Format::Stl);
    }

    if bytes.starts_with(b"glTF") {
        return Some(Format::Glb);
    }

    let head = &bytes[..bytes.len().min(REACH)];
    let mut lines = Lines::new(head);
    let first = lines.next_filled()?;

    match first {
        _ if first == b"ply" => Some(Format::Ply),
        _ if first.starts_with(b"# vtk DataFile") => Some(Format::Vtk),
        _ if first.starts_with(b"$MeshFormat") || first.starts_with(b"$Comments") => {
            Some(Format::Msh)
        }
        _ if first.starts_with(b"<") => xml(head),
        _ if first.starts_with(b"solid") && contains(head, b"facet") => Some(Format::Stl),
        _ if first.starts_with(b"*") => Some(Format::Inp),
        _ => off_or_obj(head),
    }
}

fn xml(head: &[u8]) -> Option<Format> {
    match contains(head, b"<VTKFile") {
        true if contains(head, b"UnstructuredGrid") => Some(Format::Vtu),
        true if contains(head, b"PolyData") => Some(Format::Vtp),
        _ => None,
    }
}

/// Distinguishes OFF and OBJ, which may both begin with any number of comments.
fn off_or_obj(head: &[u8]) -> Option<Format> {
    let mut lines = Lines::new(head);
    while let Some(line) = lines.next_filled() {
        if line.starts_with(b"#") {
            continue;
        }
        let mut words = words(line);
        let first = words.next()?;
        if off::is_keyword(first) {
            return Some(Format::Off);
        }
        let numbers = words.take(3).filter(|word| real(word).is_some()).count();
        return (first == b"v" && numbers == 3).then_some(Format::Obj);
    }

    None
}

/// Recognises files of other kinds by their first bytes.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 5] = [
        (b"\x1f\x8b", "compressed with gzip; unpack it first"),
        (b"BZh", "compressed with bzip2; unpack it first"),
        (ZIP, "a ZIP archive; unpack it first"),
        (b"\x89HDF\r\n", "HDF5, which is not supported"),
        (
            b"version https://git-lfs",
            "a Git LFS pointer; fetch the file it points to",
        ),
    ];
    let (_, what) = MARKS
        .into_iter()
        .find(|(mark, _)| bytes.starts_with(mark))?;

    (!stl::has_binary_size(bytes)).then_some(what)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
