use super::*;
use crate::space::Random;

const GRID: CellGrid = CellGrid {
    low: [0.0; 3],
    width: 1.0,
    count: [8; 3],
    slack: 1e-14,
};

fn cells(grid: &CellGrid, corners: &[[f64; 3]; 3]) -> Vec<[usize; 3]> {
    let mut cells = Vec::new();
    grid.for_each(corners, |cell| cells.push(cell));
    cells
}

#[test]
fn every_cell_that_holds_a_point_of_the_triangle_is_visited_once_and_in_order() {
    let mut random = Random::new(21);
    for round in 0..3000 {
        let reach = [0.3, 2.0, 8.0][round % 3];
        let at: [f64; 3] = std::array::from_fn(|_| random.within(0.0, 8.0 - reach));
        let mut corners: [[f64; 3]; 3] =
            std::array::from_fn(|_| std::array::from_fn(|x| at[x] + random.within(0.0, reach)));

        if round % 5 == 0 {
            corners[2] = std::array::from_fn(|x| {
                0.5 * (corners[0][x] + corners[1][x]) + 1e-9 * random.within(-1.0, 1.0)
            });
        }

        if round % 7 == 0 {
            corners = corners.map(|[x, y, z]| [x, y.round(), z.round()]);
        }

        let visited = cells(&GRID, &corners);
        assert!(visited.windows(2).all(|w| w[0] < w[1]));
        for _ in 0..100 {
            let (s, t) = (random.unit(), random.unit());
            let (s, t) = if s + t > 1.0 {
                (1.0 - s, 1.0 - t)
            } else {
                (s, t)
            };
            let [a, b, c] = corners;
            let cell: [usize; 3] = std::array::from_fn(|x| {
                let place = a[x] + s * (b[x] - a[x]) + t * (c[x] - a[x]);
                (place as usize).min(7)
            });

            assert!(visited.contains(&cell), "{corners:?} {cell:?}");
        }
    }
}

#[test]
fn a_triangle_in_the_plane_between_cells_is_in_both_layers() {
    let visited = cells(&GRID, &[[0.5, 0.5, 3.0], [1.5, 0.5, 3.0], [0.5, 1.5, 3.0]]);
    for k in [2, 3] {
        for cell in [[0, 0, k], [1, 0, k], [0, 1, k]] {
            assert!(visited.contains(&cell));
        }
    }
}

#[test]
fn a_slanted_triangle_misses_most_cells_of_its_box() {
    let visited = cells(&GRID, &[[0.1, 0.1, 7.9], [7.9, 0.1, 0.1], [0.1, 7.9, 0.1]]);
    assert!(visited.len() < 512 / 3, "{}", visited.len());
}

#[test]
fn nested_grids_find_the_cells_of_a_corner() {
    let grid = CellGrid {
        low: [5.0, 6.0, 7.0],
        width: 0.125,
        count: [8; 3],
        slack: 1e-14,
    };
    let tiny = [[5.3, 6.3, 7.3], [5.31, 6.3, 7.3], [5.3, 6.31, 7.3]];

    assert_eq!(cells(&grid, &tiny), [[2, 2, 2]]);
}
