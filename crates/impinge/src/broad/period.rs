//! Periodic boundary conditions.

/// The period of each axis; `None` for an axis that is not periodic.
///
/// Two bodies overlap in a periodic scene if any image of one overlaps the other. Images lie at
/// exact integer multiples of the f64 lengths, without rounding. The result therefore does not
/// depend on the cell in which a position is given, provided that the shifted position is exact.
/// Positions may lie anywhere; they need not be wrapped into one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "periodic boundary conditions")]
pub struct Period<const D: usize> {
    /// The period lengths, positive and finite.
    pub lengths: [Option<f64>; D],
}

impl<const D: usize> Period<D> {
    /// No axis is periodic.
    pub const NONE: Self = Self { lengths: [None; D] };

    /// Returns a period with these lengths on all axes.
    ///
    /// ```
    /// use impinge::broad::Period;
    /// assert!(Period::cell([10.0, 10.0]).repeats());
    /// let slab = Period { lengths: [Some(10.0), Some(10.0), None] };
    /// assert!(slab.repeats() && !Period::<3>::NONE.repeats());
    /// ```
    pub fn cell(lengths: [f64; D]) -> Self {
        Self {
            lengths: lengths.map(Some),
        }
    }

    /// Returns whether any axis is periodic.
    #[inline]
    pub fn repeats(&self) -> bool {
        self.lengths.iter().any(Option::is_some)
    }

    /// Returns the first axis whose length is not positive and finite.
    pub(super) fn fault(&self) -> Option<usize> {
        let bad = |length: &Option<f64>| length.is_some_and(|l| !(l > 0.0 && l.is_finite()));
        self.lengths.iter().position(bad)
    }

    /// Reduces a coordinate difference to that of the nearest image.
    #[inline]
    pub(super) fn nearest(&self, axis: usize, difference: f64) -> f64 {
        match self.lengths[axis] {
            Some(length) => difference - length * (difference / length).round(),
            None => difference,
        }
    }
}

impl<const D: usize> Default for Period<D> {
    fn default() -> Self {
        Self::NONE
    }
}

#[cfg(test)]
mod tests;
