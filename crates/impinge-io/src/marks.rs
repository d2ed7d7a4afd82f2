//! Converts sets to marker fields and back.

use crate::budget::Budget;
use crate::{Dataset, Field, ParseError, Set, SetOf, Values};
use impinge::shape::Block;

/// Name prefix for a set of points or elements.
const SET: &str = "set:";
/// Name prefix for a set of sides.
const SIDES: &str = "sides:";

/// A marker field: one byte per point or element.
pub(crate) struct Marks {
    pub(crate) name: String,
    pub(crate) of_points: bool,
    pub(crate) bytes: Vec<u8>,
}

/// Returns the marker field of a set.
pub(crate) fn of_set(set: &Set, dataset: &Dataset) -> Marks {
    let of_points = set.of == SetOf::Points;
    let items = match of_points {
        true => dataset.mesh.points.len(),
        false => dataset.mesh.blocks.iter().map(Block::len).sum(),
    };
    let mut bytes = vec![0; items];
    let prefix = match set.of {
        SetOf::Points | SetOf::Elements => {
            set.members
                .iter()
                .for_each(|&member| bytes[member as usize] = 1);
            SET
        }
        SetOf::Sides => {
            set.members
                .iter()
                .for_each(|&member| bytes[(member / 8) as usize] |= 1 << (member % 8));
            SIDES
        }
    };

    Marks {
        name: format!("{prefix}{}", set.name),
        of_points,
        bytes,
    }
}

/// Replaces marker fields by the sets they represent.
pub(crate) fn to_sets(dataset: &mut Dataset, budget: &mut Budget) -> Result<(), ParseError> {
    let mut sets = std::mem::take(&mut dataset.sets);
    take(&mut dataset.point_fields, SetOf::Points, &mut sets, budget)?;
    take(&mut dataset.cell_fields, SetOf::Elements, &mut sets, budget)?;
    dataset.sets = sets;
    Ok(())
}

fn take(
    fields: &mut Vec<Field>,
    of: SetOf,
    sets: &mut Vec<Set>,
    budget: &mut Budget,
) -> Result<(), ParseError> {
    let mut kept = Vec::new();
    for field in std::mem::take(fields) {
        match set_of(&field, of, budget)? {
            Some(set) => sets.push(set),
            None => kept.push(field),
        }
    }

    *fields = kept;
    Ok(())
}

/// Returns the set that a field represents, if it is a marker field.
fn set_of(field: &Field, of: SetOf, budget: &mut Budget) -> Result<Option<Set>, ParseError> {
    let (name, of, largest) = match (field.name.strip_prefix(SET), field.name.strip_prefix(SIDES)) {
        (Some(name), _) => (name, of, 1),
        (None, Some(name)) if of == SetOf::Elements => (name, SetOf::Sides, 0xff),
        _ => return Ok(None),
    };
    let Some(values) =
        bytes_of(field).filter(|values| values.iter().all(|&value| value <= largest))
    else {
        return Ok(None);
    };

    budget.take(
        values.iter().map(|value| value.count_ones() as usize).sum(),
        size_of::<u64>(),
    )?;
    let members: Vec<u64> = match of {
        SetOf::Sides => (0..values.len() as u64 * 8)
            .filter(|member| values[(member / 8) as usize] >> (member % 8) & 1 == 1)
            .collect(),
        _ => (0..values.len() as u64)
            .filter(|&member| values[member as usize] == 1)
            .collect(),
    };

    Ok(Some(Set {
        name: name.to_owned(),
        of,
        members,
    }))
}

/// Returns the values of a field of small integers; some formats write those as reals.
fn bytes_of(field: &Field) -> Option<Vec<u8>> {
    let exact = |&value: &f64| Some(value as u8).filter(|&byte| f64::from(byte) == value);
    match &field.values {
        _ if field.components != 1 => None,
        Values::Whole(values) => values
            .iter()
            .map(|&value| u8::try_from(value).ok())
            .collect(),
        Values::Real(values) => values.iter().map(exact).collect(),
    }
}
