//! A face as a polynomial in its natural coordinates, relative to the projected point.
//!
//! r(ξ) = x(ξ) − y is stored twice: as monomials, which are the cheapest to differentiate, and as
//! Bézier control points, which bound it. Everything is relative to y, so that small faces far from
//! the origin keep their precision.

use crate::space::{Point, Vector};

/// r and its first and second derivatives: ∂ξ, ∂η and ∂ξξ, ∂ξη, ∂ηη.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet<const D: usize> {
    pub(super) r: Vector<D>,
    pub(super) first: [Vector<D>; 2],
    pub(super) second: [Vector<D>; 3],
}

/// Evaluates r(ξ) and its derivatives.
pub(super) trait Chart<const D: usize> {
    fn jet(&self, local: [f64; 2]) -> Jet<D>;
}

/// A square face by its monomials: `0[i][j]` is the coefficient of ξⁱηʲ, with `N` = 2 for quad4 and
/// 3 for quad8 and quad9.
#[derive(Clone, Copy, Debug)]
pub(super) struct Square<const D: usize, const N: usize>(pub(super) [[Vector<D>; N]; N]);

/// The values of a square face on a grid, `grid[i][j]` at the i-th abscissa ξ and the j-th η; all
/// relative to `y`.
pub(super) type Grid<const D: usize, const N: usize> = [[Vector<D>; N]; N];

/// The corners of a quad4.
pub(super) fn grid4<const D: usize>(nodes: &[Point<D>], y: &Point<D>) -> Grid<D, 2> {
    let n = |i: usize| nodes[i] - y;
    [[n(0), n(3)], [n(1), n(2)]]
}

/// The nodes of a quad9; the centre of a quad8 is −¼ Σ corners + ½ Σ sides.
pub(super) fn grid9<const D: usize>(nodes: &[Point<D>], y: &Point<D>) -> Grid<D, 3> {
    let n = |i: usize| nodes[i] - y;
    let corners = [n(0), n(1), n(2), n(3)];
    let sides = [n(4), n(5), n(6), n(7)];
    let centre = if nodes.len() > 8 {
        n(8)
    } else {
        (sides[0] + sides[1] + sides[2] + sides[3]) * 0.5
            - (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25
    };

    [
        [corners[0], sides[3], corners[3]],
        [sides[0], centre, sides[2]],
        [corners[1], sides[1], corners[2]],
    ]
}

impl<const D: usize, const N: usize> Square<D, N> {
    /// Creates the monomials from the values on the grid.
    #[inline]
    pub(super) fn of(grid: &Grid<D, N>) -> Self {
        Self(in_both_directions(grid, monomials))
    }

    /// Returns the Bézier control points of a grid of values.
    #[inline]
    pub(super) fn controls(grid: &Grid<D, N>) -> Grid<D, N> {
        if N == 2 {
            *grid
        } else {
            in_both_directions(grid, controls)
        }
    }
}

/// Converts the polynomials along η, then those along ξ, to another form.
#[inline(always)]
fn in_both_directions<const D: usize, const N: usize>(
    grid: &Grid<D, N>,
    form: impl Fn(&[Vector<D>; N]) -> [Vector<D>; N],
) -> Grid<D, N> {
    let mut formed = *grid;
    for row in &mut formed {
        *row = form(row);
    }

    for j in 0..N {
        let mut column = [Vector::zeros(); N];
        for i in 0..N {
            column[i] = formed[i][j];
        }
        let column = form(&column);
        for i in 0..N {
            formed[i][j] = column[i];
        }
    }

    formed
}

/// Returns the monomials of the polynomial with these values at −1, (0), 1.
#[inline(always)]
fn monomials<const D: usize, const N: usize>(values: &[Vector<D>; N]) -> [Vector<D>; N] {
    let (low, up) = (values[0], values[N - 1]);
    let mut c = *values;
    c[1] = (up - low) * 0.5;

    if N == 2 {
        c[0] = (up + low) * 0.5;
    } else {
        c[0] = values[1];
        c[N - 1] = (up + low) * 0.5 - values[1];
    }

    c
}

/// Returns the control points of the parabola with these values at −1, 0, 1.
#[inline(always)]
fn controls<const D: usize, const N: usize>(values: &[Vector<D>; N]) -> [Vector<D>; N] {
    let mut c = *values;
    c[1] = values[1] * 2.0 - (values[0] + values[N - 1]) * 0.5;
    c
}

/// Returns value, first and second derivative of a polynomial of degree `N` − 1.
#[inline(always)]
fn derived<const D: usize, const N: usize>(c: &[Vector<D>; N], x: f64) -> [Vector<D>; 3] {
    if N == 2 {
        [c[0] + c[1] * x, c[1], Vector::zeros()]
    } else {
        [
            c[0] + (c[1] + c[N - 1] * x) * x,
            c[1] + c[N - 1] * (2.0 * x),
            c[N - 1] * 2.0,
        ]
    }
}

impl<const D: usize, const N: usize> Chart<D> for Square<D, N> {
    #[inline(always)]
    fn jet(&self, [xi, eta]: [f64; 2]) -> Jet<D> {
        // Along η first: for each power of ξ the value and the two derivatives. Loops, since `map`
        // is not always inlined.
        let mut rows = [[Vector::zeros(); N]; 3];
        for i in 0..N {
            let [value, first, second] = derived(&self.0[i], eta);
            (rows[0][i], rows[1][i], rows[2][i]) = (value, first, second);
        }

        let [r, x, xx] = derived(&rows[0], xi);
        let [y, xy, _] = derived(&rows[1], xi);
        let yy = if N == 2 {
            Vector::zeros()
        } else {
            derived(&rows[2], xi)[0]
        };

        Jet {
            r,
            first: [x, y],
            second: [xx, xy, yy],
        }
    }
}

/// A tri6 by its monomials 1, ξ, η, ξ², ξη, η².
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle<const D: usize>([Vector<D>; 6]);

impl<const D: usize> Triangle<D> {
    /// Creates the monomials from the nodes, relative to the point.
    #[inline]
    pub(super) fn of(n: &[Vector<D>; 6]) -> Self {
        Self([
            n[0],
            n[3] * 4.0 - n[0] * 3.0 - n[1],
            n[5] * 4.0 - n[0] * 3.0 - n[2],
            (n[0] + n[1] - n[3] * 2.0) * 2.0,
            (n[0] - n[3] + n[4] - n[5]) * 4.0,
            (n[0] + n[2] - n[5] * 2.0) * 2.0,
        ])
    }

    /// Returns the Bézier control points: corners, then sides.
    #[inline]
    pub(super) fn controls(n: &[Vector<D>; 6]) -> [Vector<D>; 6] {
        let side = |m: usize, a: usize, b: usize| n[m] * 2.0 - (n[a] + n[b]) * 0.5;
        [
            n[0],
            n[1],
            n[2],
            side(3, 0, 1),
            side(4, 1, 2),
            side(5, 2, 0),
        ]
    }
}

impl<const D: usize> Chart<D> for Triangle<D> {
    #[inline(always)]
    fn jet(&self, [xi, eta]: [f64; 2]) -> Jet<D> {
        let c = &self.0;
        Jet {
            r: c[0] + (c[1] + c[3] * xi + c[4] * eta) * xi + (c[2] + c[5] * eta) * eta,
            first: [
                c[1] + c[3] * (2.0 * xi) + c[4] * eta,
                c[2] + c[5] * (2.0 * eta) + c[4] * xi,
            ],
            second: [c[3] * 2.0, c[4], c[5] * 2.0],
        }
    }
}

/// A line3 by its monomials 1, ξ, ξ²; η is ignored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<const D: usize>([Vector<D>; 3]);

impl<const D: usize> Line<D> {
    /// Creates the monomials from the values at −1, 1 and 0 (the order of the nodes).
    pub(super) fn of(n: &[Vector<D>; 3]) -> Self {
        Self(monomials(&[n[0], n[2], n[1]]))
    }

    /// Returns the Bézier control points, from end to end.
    pub(super) fn controls(n: &[Vector<D>; 3]) -> [Vector<D>; 3] {
        controls(&[n[0], n[2], n[1]])
    }
}

impl<const D: usize> Chart<D> for Line<D> {
    fn jet(&self, [xi, _]: [f64; 2]) -> Jet<D> {
        let [r, x, xx] = derived(&self.0, xi);
        let none = Vector::zeros();
        Jet {
            r,
            first: [x, none],
            second: [xx, none, none],
        }
    }
}

#[cfg(test)]
mod tests;
