//! Writing .vtu and .vtp: the tree first, then all arrays as raw bytes, compressed with zlib block by block.

use crate::marks;
use crate::{Dataset, Field, Values};
use flate2::{Compress, Compression, FlushCompress, Status};
use quick_xml::escape::escape;
use std::io::Write;

/// Bytes of a block before compression: large enough for zlib's window, small enough to stay in cache.
const BLOCK: usize = 1 << 17;

/// Numbers for floating data shrink little and cost time; zlib's quickest level is within a few per cent of its best
/// on them.
const LEVEL: Compression = Compression::fast();

/// An array, compressed.
pub(crate) struct Array {
    name: String,
    vtk_type: &'static str,
    components: usize,
    packed: Vec<u8>,
}

impl Array {
    fn new(name: &str, vtk_type: &'static str, components: usize, bytes: &[u8]) -> Self {
        Self { name: name.to_owned(), vtk_type, components, packed: pack(bytes) }
    }

    /// Reals.
    pub(crate) fn real(name: &str, components: usize, values: impl Iterator<Item = f64>) -> Self {
        let bytes: Vec<u8> = values.flat_map(f64::to_le_bytes).collect();
        Self::new(name, "Float64", components, &bytes)
    }

    /// Whole numbers, in 4 bytes each where all fit.
    pub(crate) fn whole(name: &str, components: usize, values: impl Iterator<Item = i64>) -> Self {
        let values: Vec<i64> = values.collect();
        let narrow: Option<Vec<i32>> = values.iter().map(|&value| i32::try_from(value).ok()).collect();
        match narrow {
            Some(narrow) => {
                let bytes: Vec<u8> = narrow.into_iter().flat_map(i32::to_le_bytes).collect();
                Self::new(name, "Int32", components, &bytes)
            }
            None => {
                let bytes: Vec<u8> = values.into_iter().flat_map(i64::to_le_bytes).collect();
                Self::new(name, "Int64", components, &bytes)
            }
        }
    }

    /// The nodes of all cells.
    pub(crate) fn nodes(nodes: impl Iterator<Item = u32>) -> Self {
        Self::whole("connectivity", 1, nodes.map(i64::from))
    }

    /// Small numbers.
    pub(crate) fn bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self::new(name, "UInt8", 1, &bytes)
    }

    /// A field, with its items in the given order.
    fn field(field: &Field, order: Option<&[usize]>) -> Self {
        let (name, components) = (&field.name, field.components);
        match &field.values {
            Values::Real(values) => {
                Self::real(name, components, ordered(values, components, order).into_iter())
            }
            Values::Whole(values) => {
                Self::whole(name, components, ordered(values, components, order).into_iter())
            }
        }
    }
}

fn ordered<T: Copy>(values: &[T], components: usize, order: Option<&[usize]>) -> Vec<T> {
    match order {
        None => values.to_vec(),
        Some(order) => {
            order.iter().flat_map(|&i| values[i * components..][..components].iter().copied()).collect()
        }
    }
}

/// A grid of one piece on its way into a file.
pub(crate) struct Grid {
    grid_type: &'static str,
    /// Attributes of the piece.
    pub(crate) counts: Vec<(&'static str, usize)>,
    /// Groups of arrays.
    pub(crate) groups: Vec<(&'static str, Vec<Array>)>,
}

impl Grid {
    /// A grid with the dataset's points.
    pub(crate) fn new(grid_type: &'static str, dataset: &Dataset) -> Self {
        let points = &dataset.mesh.points;
        let flat = points.iter().flat_map(|point| [point.x, point.y, point.z]);
        Self {
            grid_type,
            counts: vec![("NumberOfPoints", points.len())],
            groups: vec![("Points", vec![Array::real("Points", 3, flat)])],
        }
    }

    /// Adds fields and sets; those of elements in the given order.
    pub(crate) fn add_fields(&mut self, dataset: &Dataset, order: Option<&[usize]>) {
        let mut of_points: Vec<Array> =
            dataset.point_fields.iter().map(|field| Array::field(field, None)).collect();
        let mut of_cells: Vec<Array> =
            dataset.cell_fields.iter().map(|field| Array::field(field, order)).collect();
        for set in &dataset.sets {
            let marks = marks::of_set(set, dataset);
            match marks.of_points {
                true => of_points.push(Array::bytes(&marks.name, marks.bytes)),
                false => of_cells.push(Array::bytes(&marks.name, ordered(&marks.bytes, 1, order))),
            }
        }
        self.groups.push(("PointData", of_points));
        self.groups.push(("CellData", of_cells));
    }

    /// Writes the file.
    pub(crate) fn write(self, out: &mut dyn Write) -> std::io::Result<()> {
        let grid_type = self.grid_type;
        writeln!(out, "<?xml version=\"1.0\"?>")?;
        writeln!(
            out,
            "<VTKFile type=\"{grid_type}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" \
             compressor=\"vtkZLibDataCompressor\">"
        )?;
        write!(out, "  <{grid_type}>\n    <Piece")?;
        for (name, count) in &self.counts {
            write!(out, " {name}=\"{count}\"")?;
        }
        writeln!(out, ">")?;
        let mut offset = 0;
        for (name, arrays) in &self.groups {
            writeln!(out, "      <{name}>")?;
            for array in arrays {
                array.write_tag(offset, out)?;
                offset += array.packed.len();
            }
            writeln!(out, "      </{name}>")?;
        }
        write!(out, "    </Piece>\n  </{grid_type}>\n  <AppendedData encoding=\"raw\">\n_")?;
        for array in self.groups.iter().flat_map(|(_, arrays)| arrays) {
            out.write_all(&array.packed)?;
        }
        writeln!(out, "\n  </AppendedData>\n</VTKFile>")
    }
}

impl Array {
    fn write_tag(&self, offset: usize, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(
            out,
            "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" \
             offset=\"{offset}\"/>",
            self.vtk_type,
            escape(self.name.as_str()),
            self.components
        )
    }
}

/// The table of blocks (number, size, size of the last, compressed sizes) and the blocks.
fn pack(bytes: &[u8]) -> Vec<u8> {
    let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(deflate).collect();
    let partial = bytes.len() % BLOCK;
    let head = [blocks.len(), BLOCK, partial].into_iter().chain(blocks.iter().map(Vec::len));
    let mut packed: Vec<u8> = head.flat_map(|number| (number as u64).to_le_bytes()).collect();
    blocks.iter().for_each(|block| packed.extend_from_slice(block));
    packed
}

fn deflate(block: &[u8]) -> Vec<u8> {
    let mut zlib = Compress::new(LEVEL, true);
    let mut packed = Vec::with_capacity(block.len() + block.len() / 1000 + 64);
    loop {
        let from = &block[zlib.total_in() as usize..];
        let status = zlib.compress_vec(from, &mut packed, FlushCompress::Finish);
        if status.expect("compression into memory has no error to report") == Status::StreamEnd {
            return packed;
        }
        packed.reserve(4096);
    }
}
