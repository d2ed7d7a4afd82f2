//! Interprets the columns of a table by their names.
//!
//! Case, separators and units are ignored: `x`, `X [mm]`, `pos_x`, `Position.X`, `Points:0` and LAMMPS' `xu` all name
//! the first coordinate. Numbers are not converted, but all lengths of a table must have the same unit. Columns with
//! other names, such as `id` or `vx`, are not part of a point, sphere or box.

use crate::ParseError;
use crate::text::shown;

/// Lists the supported names for errors about missing columns.
const UNDERSTOOD: &str = "supported names: x, y, z (also xu, pos_x, Points:0); \
                          r or radius; d or diameter; xmin, ymin, zmin, xmax, ymax, zmax (also xlo, xhi)";

/// Units of length that may follow a name after a separator; any unit may follow in brackets.
const UNITS: [&str; 10] = ["m", "dm", "cm", "mm", "um", "µm", "μm", "nm", "km", "in"];

/// Words allowed before or after an axis name.
const PLACE: [&str; 10] = [
    "pos",
    "position",
    "positions",
    "point",
    "points",
    "coord",
    "coords",
    "coordinates",
    "centre",
    "center",
];
const LOW: [&str; 4] = ["min", "lo", "low", "lower"];
const UP: [&str; 4] = ["max", "hi", "high", "upper"];

/// Maximum number of names listed in a message.
const MOST_SHOWN: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Axis(usize),
    Low(usize),
    Up(usize),
    Radius,
    Diameter,
}

/// Column indices by meaning.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Meaning {
    axes: [Option<usize>; 3],
    low: [Option<usize>; 3],
    up: [Option<usize>; 3],
    radius: Option<usize>,
    diameter: Option<usize>,
    /// All column names.
    names: Vec<String>,
}

impl Meaning {
    /// Interprets the names. Fails if two columns have the same meaning, or if lengths have different units.
    pub(crate) fn of(names: &[String]) -> Result<Self, ParseError> {
        let mut meaning = Self {
            names: names.to_vec(),
            ..Self::default()
        };
        let mut first_unit: Option<(String, usize)> = None;

        for (column, name) in names.iter().enumerate() {
            let Some((role, unit)) = role_and_unit(name) else {
                continue;
            };

            if let Some(other) = meaning.slot(role).replace(column) {
                return Err(ParseError::whole(format!(
                    "columns {} and {} mean the same",
                    shown(names[other].as_bytes()),
                    shown(name.as_bytes())
                )));
            }

            match (&first_unit, unit) {
                (None, Some(unit)) => first_unit = Some((unit, column)),
                (Some((first, other)), Some(unit)) if *first != unit => {
                    return Err(ParseError::whole(format!(
                        "columns {} and {} have different units",
                        shown(names[*other].as_bytes()),
                        shown(name.as_bytes())
                    )));
                }
                _ => {}
            }
        }

        Ok(meaning)
    }

    fn slot(&mut self, role: Role) -> &mut Option<usize> {
        match role {
            Role::Axis(k) => &mut self.axes[k],
            Role::Low(k) => &mut self.low[k],
            Role::Up(k) => &mut self.up[k],
            Role::Radius => &mut self.radius,
            Role::Diameter => &mut self.diameter,
        }
    }

    /// Returns the columns of x and y, or of x, y and z.
    pub(crate) fn axes(&self) -> Option<Vec<usize>> {
        two_or_three(&self.axes)
    }

    /// Returns the columns of the lower corner followed by those of the upper corner.
    pub(crate) fn ends(&self) -> Option<Vec<usize>> {
        let (low, up) = (two_or_three(&self.low)?, two_or_three(&self.up)?);
        (low.len() == up.len()).then(|| [low, up].concat())
    }

    /// Returns the columns of the radius and of the diameter.
    pub(crate) fn sizes(&self) -> (Option<usize>, Option<usize>) {
        (self.radius, self.diameter)
    }

    /// Returns an error for missing columns.
    pub(crate) fn missing_columns(&self, needed: &str) -> ParseError {
        ParseError::whole(format!(
            "{needed} expected, but the columns are {}; {UNDERSTOOD}",
            listed(&self.names)
        ))
    }

    /// Returns the names of all columns except these.
    pub(crate) fn others(&self, columns: &[usize]) -> Vec<String> {
        let others = self.names.iter().enumerate();
        others
            .filter(|(n, _)| !columns.contains(n))
            .map(|(_, name)| name.clone())
            .collect()
    }
}

/// Formats the first few names for a message.
pub(crate) fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(MOST_SHOWN)
        .map(|name| shown(name.as_bytes()))
        .collect();
    let more = if names.len() > MOST_SHOWN {
        ", …"
    } else {
        ""
    };

    shown.join(", ") + more
}

/// Whether any of the names is a coordinate or the lower corner of a box.
pub(crate) fn name_places(names: &[String]) -> bool {
    let role = |name: &String| role_and_unit(name).map(|(role, _)| role);
    names
        .iter()
        .any(|name| matches!(role(name), Some(Role::Axis(_) | Role::Low(_))))
}

fn two_or_three(columns: &[Option<usize>; 3]) -> Option<Vec<usize>> {
    let [Some(x), Some(y), z] = *columns else {
        return None;
    };
    Some([x, y].into_iter().chain(z).collect())
}

/// Returns the meaning of a name, and its unit if it has one.
fn role_and_unit(name: &str) -> Option<(Role, Option<String>)> {
    let name = name.trim().to_lowercase();
    let bracketed = name
        .strip_suffix([']', ')'])
        .and_then(|name| name.split_once(['[', '(']));
    let suffixed = name
        .rsplit_once(['_', '/', ' ', '.'])
        .filter(|(_, unit)| UNITS.contains(unit));

    match bracketed.or(suffixed) {
        Some((name, unit)) => Some((role(name)?, Some(unit.trim().to_owned()))),
        None => Some((role(&name)?, None)),
    }
}

fn role(name: &str) -> Option<Role> {
    let word: String = name
        .chars()
        .filter(|c| !matches!(c, '_' | '.' | ':' | '-' | ' '))
        .collect();

    match word.as_str() {
        "r" | "rad" | "radius" => return Some(Role::Radius),
        "d" | "diam" | "diameter" => return Some(Role::Diameter),
        _ => {}
    }

    let axis = |c: char| "xyz".find(c);
    let mut rest = word.chars();
    if let Some(k) = rest.next().and_then(axis) {
        return match rest.as_str() {
            "" | "u" => Some(Role::Axis(k)),
            end if LOW.contains(&end) => Some(Role::Low(k)),
            end if UP.contains(&end) => Some(Role::Up(k)),
            _ => None,
        };
    }

    let mut rest = word.chars();
    let last = rest.next_back()?;
    let k = axis(last).or_else(|| "012".find(last))?;

    match rest.as_str() {
        before if PLACE.contains(&before) => Some(Role::Axis(k)),
        before if LOW.contains(&before) && axis(last).is_some() => Some(Role::Low(k)),
        before if UP.contains(&before) && axis(last).is_some() => Some(Role::Up(k)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
