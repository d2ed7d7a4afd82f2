//! Writes MSH 4.1, binary, little-endian.
//!
//! Element sets become physical groups. Gmsh attaches groups to entities, so the elements of each dimension are
//! partitioned into entities by the groups they belong to. Other sets are written as marker fields. Gmsh's fields
//! have 1, 3 or 9 components: shorter ones are padded with zeros.

use super::{DIMENSIONS, GEOMETRICAL, PHYSICAL, unnamed};
use crate::scalar::BEYOND_53_BITS;
use crate::{Dataset, Field, Ignored, ParseError, SetOf, Values, marks};
use impinge::shape::ElementKind;
use impinge::space::Point;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Maximum number of components of a field in Gmsh.
const MOST_COMPONENTS: usize = 9;

/// Returns what Gmsh cannot represent: fields with no or more than 9 components, numbers of components other
/// than 1, 3 and 9 (padded), and integers that an `f64` cannot represent exactly.
pub fn check(dataset: &Dataset) -> Result<Vec<Ignored>, ParseError> {
    let of_cells = dataset.cell_fields.iter();
    let fields: Vec<&Field> = dataset
        .point_fields
        .iter()
        .chain(of_cells.filter(|field| !is_carried(dataset, field)))
        .collect();
    let count = |is_such: &dyn Fn(&Field) -> bool| fields.iter().filter(|f| is_such(f)).count();
    let is_padded = |field: &Field| width(field).is_some_and(|width| width != field.components);
    let written = fields.iter().filter(|field| width(field).is_some());

    let mut left_out = Vec::new();
    let mut note = |what: &str, count: usize| crate::surface::note(&mut left_out, what, count);
    note("fields of no components", count(&|f| f.components == 0));
    note(
        "fields of more than 9 components",
        count(&|f| f.components > MOST_COMPONENTS),
    );
    note(
        "numbers of components (fields padded with zeros to 3 or 9)",
        count(&is_padded),
    );

    note(
        BEYOND_53_BITS,
        written.map(|field| field.count_beyond_53_bits()).sum(),
    );
    Ok(left_out)
}

/// Whether a field is stored in the elements themselves: the physical group or entity, as integers.
fn is_carried(dataset: &Dataset, field: &Field) -> bool {
    [PHYSICAL, GEOMETRICAL].contains(&field.name.as_str())
        && field_of(dataset, &field.name).is_some()
}

/// Returns the number of components of a field in the file.
fn width(field: &Field) -> Option<usize> {
    match field.components {
        0 => None,
        1 => Some(1),
        2..=3 => Some(3),
        4..=MOST_COMPONENTS => Some(MOST_COMPONENTS),
        _ => None,
    }
}

/// Writes a dataset that passed [`Dataset::check`].
pub fn write(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let plan = Plan::of(dataset);
    out.write_all(b"$MeshFormat\n4.1 1 8\n")?;
    int(1, out)?;
    out.write_all(b"\n$EndMeshFormat\n")?;
    write_names(&plan, out)?;
    write_entities(dataset, &plan, out)?;
    write_nodes(dataset, &plan, out)?;
    write_elements(dataset, &plan, out)?;

    write_fields(dataset, out)
}

fn int(number: i64, out: &mut dyn Write) -> std::io::Result<()> {
    out.write_all(&(number as i32).to_le_bytes())
}

fn size(number: usize, out: &mut dyn Write) -> std::io::Result<()> {
    out.write_all(&(number as u64).to_le_bytes())
}

fn real(number: f64, out: &mut dyn Write) -> std::io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

/// Assignment of elements to entities and of entities to groups.
struct Plan {
    /// Group names by dimension and tag.
    names: BTreeMap<(usize, i64), String>,
    /// Groups of each entity, by dimension and tag.
    entities: BTreeMap<(usize, i64), Vec<i64>>,
    /// Entity tag of each element.
    owners: Vec<i64>,
}

impl Plan {
    fn of(dataset: &Dataset) -> Self {
        let dimensions: Vec<usize> = dataset
            .mesh
            .blocks
            .iter()
            .flat_map(|block| std::iter::repeat_n(block.kind.dimension(), block.len()))
            .collect();
        let mut plan = Self {
            names: BTreeMap::new(),
            entities: BTreeMap::new(),
            owners: Vec::new(),
        };
        let groups = plan.group(dataset, &dimensions);
        plan.part(dataset, &dimensions, &groups);

        if plan.entities.is_empty() {
            // Every node must belong to an entity.
            plan.entities.insert((0, 1), Vec::new());
        }

        plan
    }

    /// Assigns each set a tag in each of its dimensions, and each element its list of tags, stored as an index into
    /// the distinct lists.
    fn group(&mut self, dataset: &Dataset, dimensions: &[usize]) -> Groups {
        let mut groups = Groups::new(dimensions.len());
        let known = field_of(dataset, PHYSICAL);
        let mut used = BTreeSet::new();

        for set in dataset.sets.iter().filter(|set| set.of == SetOf::Elements) {
            for dimension in 0..DIMENSIONS.len() {
                let of_dimension = |&&member: &&u64| dimensions[member as usize] == dimension;
                let members: Vec<usize> = set
                    .members
                    .iter()
                    .filter(of_dimension)
                    .map(|&member| member as usize)
                    .collect();
                let Some(&first) = members.first() else {
                    continue;
                };
                let wish = known.map_or(0, |values| values[first]);
                let same = members
                    .iter()
                    .all(|&member| known.is_none_or(|values| values[member] == wish));
                let tag = free(&used, dimension, if same { wish } else { 0 });
                used.insert((dimension, tag));

                if set.name != unnamed(dimension, tag) {
                    self.names
                        .insert((dimension, tag), set.name.replace(['"', '\n', '\r'], "'"));
                }

                members
                    .into_iter()
                    .for_each(|member| groups.add(member, tag));
            }
        }

        // Groups known only by number.
        for (element, &tag) in known.unwrap_or_default().iter().enumerate() {
            if tag > 0 && tag <= i64::from(i32::MAX) && groups.of[element] == 0 {
                groups.add(element, tag);
            }
        }

        groups
    }

    /// Partitions the elements into entities.
    fn part(&mut self, dataset: &Dataset, dimensions: &[usize], groups: &Groups) {
        let known = field_of(dataset, GEOMETRICAL);
        let mut tags: BTreeMap<(usize, i64, u32), i64> = BTreeMap::new();
        let mut used = BTreeSet::new();

        for (element, &dimension) in dimensions.iter().enumerate() {
            let wish = known.map_or(0, |values| values[element]);
            let tag = *tags
                .entry((dimension, wish, groups.of[element]))
                .or_insert_with(|| {
                    let tag = free(&used, dimension, wish);
                    used.insert((dimension, tag));
                    tag
                });
            self.owners.push(tag);

            self.entities
                .entry((dimension, tag))
                .or_insert_with(|| groups.lists[groups.of[element] as usize].clone());
        }
    }
}

/// Distinct lists of group tags of the elements.
struct Groups {
    lists: Vec<Vec<i64>>,
    /// Maps a list and one more tag to the extended list.
    longer: BTreeMap<(u32, i64), u32>,
    /// List index of each element; list 0 is empty.
    of: Vec<u32>,
}

impl Groups {
    fn new(elements: usize) -> Self {
        Self {
            lists: vec![Vec::new()],
            longer: BTreeMap::new(),
            of: vec![0; elements],
        }
    }

    fn add(&mut self, element: usize, tag: i64) {
        let old = self.of[element];
        self.of[element] = *self.longer.entry((old, tag)).or_insert_with(|| {
            let mut list = self.lists[old as usize].clone();
            list.push(tag);
            self.lists.push(list);
            (self.lists.len() - 1) as u32
        });
    }
}

/// Returns the requested tag if it is valid and free, otherwise the largest tag plus one.
fn free(used: &BTreeSet<(usize, i64)>, dimension: usize, wish: i64) -> i64 {
    if wish > 0 && wish < i64::from(i32::MAX) && !used.contains(&(dimension, wish)) {
        return wish;
    }

    let largest = used
        .range(..(dimension + 1, 0))
        .next_back()
        .filter(|(of, _)| *of == dimension);
    largest.map_or(1, |&(_, tag)| tag + 1)
}

fn field_of<'a>(dataset: &'a Dataset, name: &str) -> Option<&'a [i64]> {
    dataset
        .cell_fields
        .iter()
        .find_map(|field| match &field.values {
            Values::Whole(values) if field.name == name && field.components == 1 => {
                Some(values.as_slice())
            }
            _ => None,
        })
}

fn write_names(plan: &Plan, out: &mut dyn Write) -> std::io::Result<()> {
    if plan.names.is_empty() {
        return Ok(());
    }

    writeln!(out, "$PhysicalNames\n{}", plan.names.len())?;
    for ((dimension, tag), name) in &plan.names {
        writeln!(out, "{dimension} {tag} \"{name}\"")?;
    }

    writeln!(out, "$EndPhysicalNames")
}

fn write_entities(dataset: &Dataset, plan: &Plan, out: &mut dyn Write) -> std::io::Result<()> {
    let bounds = dataset.mesh.bounds();
    let (low, up) = match dataset.mesh.points.is_empty() {
        true => (Point::origin(), Point::origin()),
        false => (bounds.min, bounds.max),
    };
    writeln!(out, "$Entities")?;

    for dimension in 0..DIMENSIONS.len() {
        size(
            plan.entities
                .keys()
                .filter(|key| key.0 == dimension)
                .count(),
            out,
        )?;
    }

    for ((dimension, tag), groups) in &plan.entities {
        int(*tag, out)?;
        low.iter().try_for_each(|&x| real(x, out))?;
        if *dimension > 0 {
            up.iter().try_for_each(|&x| real(x, out))?;
        }
        size(groups.len(), out)?;
        groups.iter().try_for_each(|&group| int(group, out))?;
        if *dimension > 0 {
            size(0, out)?;
        }
    }

    writeln!(out, "\n$EndEntities")
}

fn write_nodes(dataset: &Dataset, plan: &Plan, out: &mut dyn Write) -> std::io::Result<()> {
    let points = &dataset.mesh.points;
    writeln!(out, "$Nodes")?;
    [
        1,
        points.len(),
        usize::from(!points.is_empty()),
        points.len(),
    ]
    .iter()
    .try_for_each(|&n| size(n, out))?;

    // All nodes belong to the last entity, which has the highest dimension.
    let ((dimension, tag), _) = plan.entities.last_key_value().expect("there is an entity");
    int(*dimension as i64, out)?;
    int(*tag, out)?;
    int(0, out)?;
    size(points.len(), out)?;
    (1..=points.len()).try_for_each(|number| size(number, out))?;
    points
        .iter()
        .flat_map(|point| [point.x, point.y, point.z])
        .try_for_each(|x| real(x, out))?;

    writeln!(out, "\n$EndNodes")
}

fn write_elements(dataset: &Dataset, plan: &Plan, out: &mut dyn Write) -> std::io::Result<()> {
    let runs = runs(dataset, plan);
    let count = plan.owners.len();
    writeln!(out, "$Elements")?;
    [runs.len(), count, usize::from(count > 0), count]
        .iter()
        .try_for_each(|&n| size(n, out))?;
    let mut number = 0;

    for (kind, owner, nodes) in runs {
        int(kind.dimension() as i64, out)?;
        int(owner, out)?;
        int(kind.gmsh_id().into(), out)?;
        size(nodes.len() / kind.node_count(), out)?;
        let order = kind.gmsh_to_vtk();
        let mut gmsh = vec![0; order.len()];

        for vtk in nodes.chunks_exact(order.len()) {
            number += 1;
            size(number, out)?;
            order
                .iter()
                .zip(vtk)
                .for_each(|(&to, &node)| gmsh[to] = node as usize + 1);
            gmsh.iter().try_for_each(|&node| size(node, out))?;
        }
    }

    writeln!(out, "\n$EndElements")
}

/// Returns the runs of consecutive elements with the same kind and entity.
fn runs<'a>(dataset: &'a Dataset, plan: &Plan) -> Vec<(ElementKind, i64, &'a [u32])> {
    let mut runs = Vec::new();
    let mut owners = plan.owners.as_slice();
    for block in &dataset.mesh.blocks {
        let (own, rest) = owners.split_at(block.len());
        owners = rest;
        let mut nodes = block.nodes.as_slice();
        for run in own.chunk_by(|a, b| a == b) {
            let (of_run, rest) = nodes.split_at(run.len() * block.kind.node_count());
            runs.push((block.kind, run[0], of_run));
            nodes = rest;
        }
    }

    runs
}

fn write_fields(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    for field in &dataset.point_fields {
        write_field("NodeData", field, out)?;
    }

    let of_cells = dataset.cell_fields.iter();
    for field in of_cells.filter(|field| !is_carried(dataset, field)) {
        write_field("ElementData", field, out)?;
    }

    for set in dataset.sets.iter().filter(|set| set.of != SetOf::Elements) {
        let marks = marks::of_set(set, dataset);
        let field = Field::scalar(
            &marks.name,
            marks.bytes.into_iter().map(f64::from).collect(),
        );

        write_field(
            if marks.of_points {
                "NodeData"
            } else {
                "ElementData"
            },
            &field,
            out,
        )?;
    }

    Ok(())
}

fn write_field(section: &str, field: &Field, out: &mut dyn Write) -> std::io::Result<()> {
    let Some(width) = width(field) else {
        return Ok(());
    };
    let name = field.name.replace(['"', '\n', '\r'], "'");
    let count = field.values.len() / field.components;
    writeln!(
        out,
        "${section}\n1\n\"{name}\"\n1\n0.0\n3\n0\n{width}\n{count}"
    )?;

    for item in 0..count {
        int(item as i64 + 1, out)?;
        for component in 0..width {
            let at = item * field.components + component;
            let value = match &field.values {
                _ if component >= field.components => 0.0,
                Values::Real(values) => values[at],
                Values::Whole(values) => values[at] as f64,
            };
            real(value, out)?;
        }
    }

    writeln!(out, "\n$End{section}")
}
