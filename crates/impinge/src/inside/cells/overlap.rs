//! Conservative triangle–grid overlap: finds all cells of a grid that a triangle meets, and few
//! others.
//!
//! Uses the separating axes of a box and a triangle: the box's three, the triangle's normal, and
//! the nine cross products of edges, as signs of the triangle's edges in the three coordinate
//! planes. Everything is in cell coordinates and f64, with error bounds added in favour of overlap.
//! A triangle may be listed in a cell that it misses, but is never missing from a cell that it
//! meets.

/// A grid of cubic cells, in units of outermost cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellGrid {
    pub(super) low: [f64; 3],
    pub(super) width: f64,
    pub(super) count: [usize; 3],
    /// Error bound of the coordinates.
    pub(super) slack: f64,
}

impl CellGrid {
    /// Calls `visit` for every cell that the triangle meets, in ascending order.
    #[inline]
    pub(super) fn for_each(&self, corners: &[[f64; 3]; 3], mut visit: impl FnMut([usize; 3])) {
        let (first, last) = self.range(corners);
        // One cell, or two that share a wall: the triangle has corners in both.
        let steps = last[0] + last[1] + last[2] - first[0] - first[1] - first[2];
        if steps <= 1 {
            visit(first);
            if steps == 1 {
                visit(last);
            }
            return;
        }

        let planes = Planes::of(corners, self);
        for i in first[0]..=last[0] {
            for j in first[1]..=last[1] {
                for k in first[2]..=last[2] {
                    if planes.meet(self.corner([i, j, k])) {
                        visit([i, j, k]);
                    }
                }
            }
        }
    }

    /// Returns the first and the last cell on each axis that the triangle's bounding box meets,
    /// within the grid.
    #[inline]
    fn range(&self, [a, b, c]: &[[f64; 3]; 3]) -> ([usize; 3], [usize; 3]) {
        let inverse = 1.0 / self.width;
        let cell = |axis: usize, x: f64| {
            let place = ((x - self.low[axis]) * inverse) as i32;
            (place.max(0) as usize).min(self.count[axis] - 1)
        };
        let first = each(|x| cell(x, a[x].min(b[x]).min(c[x]) - self.slack));
        let last = each(|x| cell(x, a[x].max(b[x]).max(c[x]) + self.slack));

        (first, last)
    }

    /// Returns the lower corner of a cell.
    #[inline]
    pub(super) fn corner(&self, cell: [usize; 3]) -> [f64; 3] {
        each(|axis| self.low[axis] + cell[axis] as f64 * self.width)
    }
}

/// Half-spaces whose intersection bounds the triangle, moved outward by a cell so that only a
/// cell's lower corner is tested.
struct Planes {
    normal: [f64; 3],
    /// The corner's dot product with the normal lies between these two.
    least: f64,
    most: f64,
    /// x, y, s: the corner passes if x·u + y·v + s ≥ 0, for each coordinate plane and each edge.
    sides: [[[f64; 3]; 3]; 3],
}

impl Planes {
    fn of(corners: &[[f64; 3]; 3], grid: &CellGrid) -> Self {
        let [a, b, c] = corners;
        let minus = |p: &[f64; 3], q: &[f64; 3]| each(|x| p[x] - q[x]);
        let edges = [minus(b, a), minus(c, b), minus(a, c)];
        let normal = cross(&edges[0], &edges[1]);
        let size = edges
            .as_flattened()
            .iter()
            .fold(0.0, |most: f64, x| most.max(x.abs()));

        // A coordinate is in error by at most `slack`/4, an edge by `slack`/2, a component of the
        // normal by 2·`size`·`slack`. This bounds the error of its product with a vector within the
        // triangle's bounding box and a cell.
        let unsure = 32.0 * grid.slack * size * (size + grid.width);
        let wide = grid.width + 2.0 * grid.slack;
        let half = 0.5 * wide * (normal[0].abs() + normal[1].abs() + normal[2].abs());

        // From the centre of the grown cell back to the corner of the cell.
        let middle = 0.5 * wide - grid.slack;
        let at_plane = dot(&normal, a) - middle * (normal[0] + normal[1] + normal[2]);
        let sides = each(|axis| side_lines(axis, corners, &edges, normal[axis], grid, size));
        Self {
            normal,
            least: at_plane - half - unsure,
            most: at_plane + half + unsure,
            sides,
        }
    }

    #[inline]
    fn meet(&self, corner: [f64; 3]) -> bool {
        let height = dot(&self.normal, &corner);
        let mut meets = (height >= self.least) & (height <= self.most);
        for axis in 0..3 {
            let (u, v) = (corner[(axis + 1) % 3], corner[(axis + 2) % 3]);
            for [x, y, s] in &self.sides[axis] {
                meets &= x * u + y * v + s >= 0.0;
            }
        }

        meets
    }
}

/// Returns the three edges as half-planes in the coordinate plane normal to an axis.
fn side_lines(
    axis: usize,
    corners: &[[f64; 3]; 3],
    edges: &[[f64; 3]; 3],
    turn: f64,
    grid: &CellGrid,
    size: f64,
) -> [[f64; 3]; 3] {
    // Seen edge-on, or so nearly that the orientation is uncertain: these lines exclude nothing.
    if turn.abs() <= 8.0 * grid.slack * size {
        return [[0.0; 3]; 3];
    }

    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let unsure = 8.0 * grid.slack * (size + grid.width);
    let far = |x: f64| {
        if x > 0.0 {
            x * (grid.width + grid.slack)
        } else {
            -x * grid.slack
        }
    };

    each(|k| {
        // The normal of the edge that points into the triangle.
        let (x, y) = if turn > 0.0 {
            (-edges[k][v], edges[k][u])
        } else {
            (edges[k][v], -edges[k][u])
        };
        let on_edge = x * corners[k][u] + y * corners[k][v];
        [x, y, far(x) + far(y) + unsure - on_edge]
    })
}

/// Returns the values for the three axes, or three corners. Replaces `array::map`, whose closures
/// are not always inlined: they cost a quarter of the set-up.
#[inline(always)]
pub(super) fn each<T>(value: impl Fn(usize) -> T) -> [T; 3] {
    [value(0), value(1), value(2)]
}

fn cross(u: &[f64; 3], v: &[f64; 3]) -> [f64; 3] {
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

#[inline]
fn dot(u: &[f64; 3], v: &[f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

#[cfg(test)]
mod tests;
