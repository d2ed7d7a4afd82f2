//! The error type for invalid arguments of generators.

use std::fmt::Display;
use thiserror::Error;

/// An invalid argument of a generator.
///
/// ```
/// use impinge::shape::generate;
/// let error = generate::sphere(99).unwrap_err();
/// assert_eq!(error.to_string(), "level is 99; it must be at most 8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{argument} is {value}; it must be {must}")]
#[non_exhaustive]
pub struct InvalidArgument {
    /// Name of the argument.
    pub argument: &'static str,
    /// Its value.
    pub value: String,
    /// The requirement that it violates.
    pub must: String,
}

impl InvalidArgument {
    pub(super) fn new(
        argument: &'static str,
        value: impl Display,
        must: impl Into<String>,
    ) -> Self {
        Self {
            argument,
            value: value.to_string(),
            must: must.into(),
        }
    }
}

/// Maximum number of nodes or bodies of one generated set. A typing error should produce an error,
/// not exhaust the memory.
pub(super) const MOST_ITEMS: usize = 100_000_000;

/// Checks `low <= value <= high`.
pub(super) fn check_count(
    argument: &'static str,
    value: usize,
    low: usize,
    high: usize,
) -> Result<(), InvalidArgument> {
    if value < low {
        return Err(InvalidArgument::new(
            argument,
            value,
            format!("at least {low}"),
        ));
    }

    if value > high {
        return Err(InvalidArgument::new(
            argument,
            value,
            format!("at most {high}"),
        ));
    }

    Ok(())
}

/// Allowed lengths of a generated body: far from where products of three lengths overflow or
/// underflow.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// Checks a length.
pub(super) fn check_length(argument: &'static str, value: f64) -> Result<(), InvalidArgument> {
    if LENGTHS.contains(&value) {
        return Ok(());
    }
    Err(InvalidArgument::new(
        argument,
        value,
        "between 1e-30 and 1e30",
    ))
}
