//! A validated mesh of finite elements (3D solid elements, or 2D planar ones) and its boundary.
//!
//! Elements of any order are supported: tetrahedra, hexahedra, wedges and pyramids in 3D, triangles
//! and quadrilaterals in 2D. Sides that belong to only one element form the boundary, as faces of
//! the element's own order. Two elements are neighbours if the corners of their sides coincide, so
//! an element with curved sides may have a straight neighbour. Linear in the number of elements.

use super::check;
use super::faces::{is_degenerate, points_of};
use super::layout::{MOST_SIDES, Turn, layout};
use super::sides::{Matching, match_sides, run_opposite, side_key};
use super::{
    ElementKind, FaceKind, Faces, Item, MOST_FACE_NODES, Mesh, NO_NEIGHBOUR, PerNode, Problem,
    ProblemKind,
};
use crate::parallel::prelude::*;
use crate::space::Point;

/// Elements of dimension `D` in `D`-dimensional space.
///
/// All points are finite. Each element refers to existing nodes, none twice, and is not inverted at
/// any corner. No side belongs to more than two elements, and two elements that share one lie on
/// opposite sides of it.
///
/// The test at the corners is exact for elements of order 1. Except for linear triangles and
/// tetrahedra it is necessary but not sufficient: an element may still be inverted somewhere in its
/// interior.
#[derive(Clone, Debug)]
pub struct Cells<const D: usize> {
    points: Vec<Point<D>>,
    kinds: Vec<ElementKind>,
    starts: Vec<u32>,
    nodes: Vec<u32>,
    /// Side `MOST_SIDES` · cell + k lies across this one.
    mates: Vec<u32>,
    turned_wedges: usize,
}

/// The boundary of [`Cells`]: faces oriented counter-clockwise seen from outside (lines with the
/// body on the left), by ascending cell and side.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Boundary<const D: usize> {
    /// The faces, over all points of the cells, so that the points can be moved together.
    pub faces: Faces<D>,
    /// The cell of each face.
    pub cells: Vec<u32>,
    /// The side of its cell that each face is, in the order of [`ElementKind::faces`].
    pub sides: Vec<u8>,
}

impl<const D: usize> Cells<D> {
    /// Creates the cells from the elements of dimension `D` of a mesh, in its order; other elements
    /// are ignored. The error names the first offending item and their number.
    ///
    /// Wedges are accepted in both node orders found in files, and stored in that of Gmsh: if the
    /// mirror image of a wedge is valid, its two triangles are swapped. [`Cells::turned_wedges`]
    /// returns the number of swapped wedges.
    ///
    /// ```
    /// use impinge::{shape::{Cells, ElementKind, FaceKind, Mesh}, space::Point};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [1., 1., 1.], [0., 1., 1.]];
    /// let mut mesh = Mesh { points: corners.map(Point::from).to_vec(), blocks: vec![] };
    /// mesh.push(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]);
    /// let boundary = Cells::<3>::from_mesh(&mesh)?.boundary();
    /// assert_eq!((boundary.faces.len(), boundary.faces.kind(0)), (6, FaceKind::Quad4));
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, Problem> {
        let (cells, problems) = Self::examine(mesh)?;
        problems.first().map_or(Ok(cells), |problem| Err(*problem))
    }

    /// Builds the elements, valid or not, with one entry for each kind of problem. Problems that
    /// prevent further checks, such as nodes that do not exist, are returned as the error.
    pub(crate) fn examine(mesh: &Mesh) -> Result<(Self, Vec<Problem>), Problem> {
        let mut cells = Self::gather(mesh)?;
        cells.check_nodes()?;
        let mut problems = cells.wrong_turns();
        let matching = match_sides(
            cells.points.len(),
            MOST_SIDES * cells.len(),
            cells.side_keys(),
        );
        problems.extend(cells.wrong_meetings(&matching));
        cells.mates = matching.mates;
        let flat = cells
            .boundary_sides()
            .filter(|&(cell, side)| cells.is_flat(cell, side));

        problems.extend(Problem::of(
            ProblemKind::ZeroArea,
            flat.map(|(cell, side)| Item::Side { cell, side }),
        ));
        Ok((cells, problems))
    }

    fn gather(mesh: &Mesh) -> Result<Self, Problem> {
        let blocks = || {
            mesh.blocks
                .iter()
                .filter(|block| block.kind.dimension() == D && !block.is_empty())
        };
        let node_count: usize = blocks().map(|block| block.nodes.len()).sum();
        let cell_count: usize = blocks().map(|block| block.len()).sum();

        if blocks().any(|block| block.nodes.len() % block.kind.node_count() != 0) {
            return Err(Problem::whole(ProblemKind::WrongCount));
        }

        if cell_count == 0 {
            return Err(Problem::whole(ProblemKind::Empty));
        }

        if [node_count, MOST_SIDES * cell_count, mesh.points.len()]
            .iter()
            .any(|&n| n >= u32::MAX as usize)
        {
            return Err(Problem::whole(ProblemKind::TooMany));
        }
        let kinds = || blocks().flat_map(|block| std::iter::repeat_n(block.kind, block.len()));
        let mut starts = vec![0];
        starts.extend(kinds().scan(0, |end, kind| {
            *end += kind.node_count() as u32;
            Some(*end)
        }));

        Ok(Self {
            points: points_of(mesh)?,
            kinds: kinds().collect(),
            starts,
            nodes: blocks()
                .flat_map(|block| block.nodes.iter().copied())
                .collect(),
            mates: Vec::new(),
            turned_wedges: 0,
        })
    }

    fn check_nodes(&self) -> Result<(), Problem> {
        let count = self.points.len();
        check::none(self.those(ProblemKind::IndexOutOfRange, |i| {
            self.nodes(i).iter().any(|&n| n as usize >= count)
        }))?;
        check::none(self.those(ProblemKind::RepeatedNode, |i| check::repeats(self.nodes(i))))
    }

    /// Cells that are flat or inverted, after swapping wedges in VTK's order.
    fn wrong_turns(&mut self) -> Vec<Problem> {
        let mut turns: Vec<Turn> = (0..self.len())
            .into_par_iter()
            .map(|cell| layout(self.kinds[cell]).turn(&self.points, self.nodes(cell)))
            .collect();

        for cell in 0..self.len() {
            if turns[cell] == Turn::Mirrored && is_wedge(self.kinds[cell]) {
                turn_wedge(
                    &mut self.nodes[self.starts[cell] as usize..self.starts[cell + 1] as usize],
                );
                self.turned_wedges += 1;
                turns[cell] = Turn::Right;
            }
        }

        let nothing = if D == 2 {
            ProblemKind::ZeroArea
        } else {
            ProblemKind::ZeroVolume
        };
        let flat = self.those(nothing, |cell| turns[cell] == Turn::Flat);
        let inverted = self.those(ProblemKind::Inverted, |cell| {
            !matches!(turns[cell], Turn::Right | Turn::Flat)
        });

        flat.into_iter().chain(inverted).collect()
    }

    /// Sides shared by more than two cells, and pairs of cells on the same side of a face.
    fn wrong_meetings(&self, matching: &Matching) -> impl Iterator<Item = Problem> {
        let item = |side: u32| Item::Side {
            cell: side as usize / MOST_SIDES,
            side: side as usize % MOST_SIDES,
        };
        let crowded = matching.crowded.iter().map(|&side| item(side));
        let same_way = (0..).zip(&matching.mates).filter(|&(side, &mate)| {
            mate != NO_NEIGHBOUR && side < mate && !self.run_opposite(side, mate)
        });

        [
            Problem::of(ProblemKind::NonManifoldFace, crowded),
            Problem::of(
                ProblemKind::InconsistentOrientation,
                same_way.map(|(side, _)| item(side)),
            ),
        ]
        .into_iter()
        .flatten()
    }

    fn those(&self, kind: ProblemKind, bad: impl Fn(usize) -> bool) -> Option<Problem> {
        Problem::of(kind, (0..self.len()).filter(|&i| bad(i)).map(Item::Cell))
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether there is no cell; never true.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// All points, including those not used by any cell.
    pub fn points(&self) -> &[Point<D>] {
        &self.points
    }

    /// The kind of a cell.
    pub fn kind(&self, cell: usize) -> ElementKind {
        self.kinds[cell]
    }

    /// The nodes of a cell, in VTK's order (wedges: see [`Cells::from_mesh`]).
    pub fn nodes(&self, cell: usize) -> &[u32] {
        &self.nodes[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Number of wedges that came in VTK's order and were swapped.
    pub fn turned_wedges(&self) -> usize {
        self.turned_wedges
    }

    /// Returns the cell across a side and its matching side; `None` on the boundary and for sides
    /// that do not exist.
    pub fn neighbour(&self, cell: usize, side: usize) -> Option<(usize, usize)> {
        let exists = cell < self.len() && side < layout(self.kinds[cell]).sides.len();
        let mate = *self
            .mates
            .get(MOST_SIDES * cell + side)
            .filter(|&&mate| exists && mate != NO_NEIGHBOUR)?;
        Some((mate as usize / MOST_SIDES, mate as usize % MOST_SIDES))
    }

    /// Extracts the boundary.
    pub fn boundary(&self) -> Boundary<D> {
        let (mut kinds, mut nodes) = (Vec::new(), Vec::new());
        let (mut cells, mut sides) = (Vec::new(), Vec::new());
        for (cell, side) in self.boundary_sides() {
            let (kind, numbers) = self.side_nodes(cell, side);
            kinds.push(kind);
            nodes.extend_from_slice(&numbers[..kind.node_count()]);
            cells.push(cell as u32);
            sides.push(side as u8);
        }

        Boundary {
            faces: Faces::trusted(self.points.clone(), kinds, nodes),
            cells,
            sides,
        }
    }

    /// Panics if the structure is inconsistent.
    pub fn assert_valid(&self) {
        for cell in 0..self.len() {
            for side in 0..layout(self.kinds[cell]).sides.len() {
                let Some((other, back)) = self.neighbour(cell, side) else {
                    continue;
                };
                assert_eq!(
                    self.neighbour(other, back),
                    Some((cell, side)),
                    "neighbours are mutual"
                );
                let [a, b] =
                    [(cell, side), (other, back)].map(|(c, s)| (MOST_SIDES * c + s) as u32);

                assert!(self.run_opposite(a, b), "cell {cell}, side {side}");
            }
        }
    }

    fn boundary_sides(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len())
            .flat_map(|cell| {
                (0..layout(self.kinds[cell]).sides.len()).map(move |side| (cell, side))
            })
            .filter(|&(cell, side)| self.mates[MOST_SIDES * cell + side] == NO_NEIGHBOUR)
    }

    fn side_keys(&self) -> impl Iterator<Item = (u32, [u32; 4])> + Clone {
        (0..self.len()).flat_map(move |cell| {
            let nodes = self.nodes(cell);
            (MOST_SIDES * cell..)
                .zip(&layout(self.kinds[cell]).sides)
                .map(move |(number, side)| {
                    let mut corners = [u32::MAX; 4];
                    for (place, &node) in corners
                        .iter_mut()
                        .zip(&side.nodes[..side.kind.corner_count()])
                    {
                        *place = nodes[node as usize];
                    }
                    (number as u32, side_key(&corners))
                })
        })
    }

    /// The kind of a side and its nodes.
    fn side_nodes(&self, cell: usize, side: usize) -> (FaceKind, PerNode<u32>) {
        let (nodes, side) = (self.nodes(cell), &layout(self.kinds[cell]).sides[side]);
        let mut numbers = [0; MOST_FACE_NODES];
        for (place, &node) in numbers.iter_mut().zip(&side.nodes) {
            *place = nodes[node as usize];
        }
        (side.kind, numbers)
    }

    /// Returns whether two sides with the same corners have opposite orientations.
    fn run_opposite(&self, a: u32, b: u32) -> bool {
        let [(kind, a), (_, b)] =
            [a, b].map(|i| self.side_nodes(i as usize / MOST_SIDES, i as usize % MOST_SIDES));
        let corners = ..kind.corner_count();
        run_opposite(&a[corners], &b[corners])
    }

    fn is_flat(&self, cell: usize, side: usize) -> bool {
        let (kind, nodes) = self.side_nodes(cell, side);
        is_degenerate(&nodes.map(|node| self.points[node as usize])[..kind.node_count()])
    }
}

fn is_wedge(kind: ElementKind) -> bool {
    matches!(
        kind,
        ElementKind::Wedge6 | ElementKind::Wedge15 | ElementKind::Wedge18
    )
}

/// Swaps the triangles (0, 1, 2) and (3, 4, 5) together with the mid nodes of their sides. The
/// other mid nodes remain between the same corners.
fn turn_wedge(nodes: &mut [u32]) {
    let (bottom, top) = nodes[..6].split_at_mut(3);
    bottom.swap_with_slice(top);
    if nodes.len() > 6 {
        let (bottom, top) = nodes[6..12].split_at_mut(3);
        bottom.swap_with_slice(top);
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{brick, shuffled};
    use super::*;
    use crate::shape::generate;
    use crate::space::{Random, Vector};
    use ElementKind::*;
    use proptest::prelude::*;

    const SOLID: [ElementKind; 10] = [
        Tet4, Tet10, Hex8, Hex20, Hex27, Wedge6, Wedge15, Wedge18, Pyramid5, Pyramid13,
    ];
    const PLANE: [ElementKind; 5] = [Tri3, Tri6, Quad4, Quad8, Quad9];

    /// Area vectors of a boundary with straight sides, by face kind.
    fn areas<const D: usize>(boundary: &Boundary<D>) -> Vec<(FaceKind, Vector<D>, Point<D>)> {
        (0..boundary.faces.len())
            .map(|i| {
                let (face, domain) = (boundary.faces.face(i), boundary.faces.kind(i).domain());
                let local = domain.centre();
                (
                    face.kind(),
                    face.area_normal(local) * domain.measure(),
                    face.position(local),
                )
            })
            .collect()
    }

    fn check_cube<const D: usize>(kind: ElementKind, n: usize, random: &mut Random) {
        let cells = Cells::<D>::from_mesh(&shuffled(&brick(kind, n), random)).expect("a good mesh");
        cells.assert_valid();
        let boundary = cells.boundary();
        let areas = areas(&boundary);
        let total: f64 = areas.iter().map(|(_, area, _)| area.norm()).sum();
        assert!(
            (total - 2.0 * D as f64).abs() < 1e-12,
            "{} has area {total}",
            kind.name()
        );

        for (i, (face, area, centre)) in areas.iter().enumerate() {
            // Outward from the centre of the cube, whose boundary is half a unit away along the
            // normal.
            let height = (centre - Point::from(Vector::repeat(0.5))).dot(&area.normalize());
            assert!((height - 0.5).abs() < 1e-12, "{} {height}", kind.name());
            let (cell, side) = (boundary.cells[i] as usize, boundary.sides[i] as usize);
            assert_eq!(
                kind.faces()[side].0,
                face.element(),
                "faces are of the order of the cells"
            );
            assert_eq!(cells.neighbour(cell, side), None);

            assert!(
                boundary
                    .faces
                    .nodes(i)
                    .iter()
                    .all(|node| cells.nodes(cell).contains(node))
            );
        }
    }

    #[test]
    fn the_boundary_of_a_unit_cube_has_area_six_and_faces_outward() {
        let mut random = Random::new(1);
        for kind in SOLID {
            (1..=3).for_each(|n| check_cube::<3>(kind, n, &mut random));
        }
    }

    #[test]
    fn the_boundary_of_a_unit_square_has_length_four_and_faces_outward() {
        let mut random = Random::new(2);
        for kind in PLANE {
            (1..=4).for_each(|n| check_cube::<2>(kind, n, &mut random));
        }
    }

    #[test]
    fn every_side_is_on_the_boundary_or_between_two_cells() {
        for (kind, on_boundary, n) in [
            (Hex20, 6, 3),
            (Tet10, 12, 2),
            (Wedge15, 8, 3),
            (Pyramid13, 6, 2),
        ] {
            let cells = Cells::<3>::from_mesh(&brick(kind, n)).expect("good");
            let sides = cells.len() * kind.faces().len();
            let matched = (0..cells.len())
                .flat_map(|cell| (0..6).map(move |side| (cell, side)))
                .filter(|&(cell, side)| cells.neighbour(cell, side).is_some())
                .count();
            assert_eq!(sides - matched, on_boundary * n * n, "{}", kind.name());
            assert_eq!(cells.boundary().faces.len(), on_boundary * n * n);
        }
    }

    #[test]
    fn elements_of_mixed_kinds_meet_and_flat_ones_are_left_aside() {
        // One cube as a hexahedron, its neighbour as six pyramids.
        let mut mesh = brick(Hex8, 1);
        mesh.points.extend(
            [
                [2.0, 0.0, 0.0],
                [2.0, 1.0, 0.0],
                [2.0, 0.0, 1.0],
                [2.0, 1.0, 1.0],
                [1.5, 0.5, 0.5],
            ]
            .map(Point::from),
        );

        let at = |x: f64, y: f64, z: f64| {
            mesh.points
                .iter()
                .position(|p| *p == Point::from([x, y, z]))
                .expect("a corner") as u32
        };
        let corners = [
            at(1., 0., 0.),
            at(2., 0., 0.),
            at(2., 1., 0.),
            at(1., 1., 0.),
            at(1., 0., 1.),
            at(2., 0., 1.),
            at(2., 1., 1.),
            at(1., 1., 1.),
        ];

        for (_, face) in Hex8.faces() {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| corners[face[i] as usize]);
            mesh.push(Pyramid5, &[d, c, b, a, 12]);
        }

        mesh.push(Tri3, &[0, 1, 2]);
        let cells = Cells::<3>::from_mesh(&mesh).expect("good");
        assert_eq!((cells.len(), cells.boundary().faces.len()), (7, 10));
        assert_eq!(
            cells.kind(cells.neighbour(0, 1).expect("the cubes meet").0),
            Pyramid5
        );
    }

    #[test]
    fn generated_bricks_have_the_boundary_of_a_box() {
        for kind in [Tet4, Tet10, Hex8, Hex20, Hex27] {
            let mesh = generate::brick([3, 2, 1], [3.0, 1.0, 0.5], kind).expect("good arguments");
            let boundary = Cells::<3>::from_mesh(&mesh).expect("good").boundary();
            let area: f64 = areas(&boundary)
                .iter()
                .map(|(_, area, _)| area.norm())
                .sum();
            assert!((area - 10.0).abs() < 1e-12, "{} {area}", kind.name());
        }
    }

    #[test]
    fn wedges_of_either_order_give_the_same_boundary() {
        for kind in [Wedge6, Wedge15, Wedge18] {
            let mesh = brick(kind, 2);
            let mut mirrored = mesh.clone();
            for nodes in mirrored.blocks[0]
                .nodes
                .chunks_exact_mut(kind.node_count())
                .step_by(2)
            {
                turn_wedge(nodes);
            }
            let (straight, turned) = (
                Cells::<3>::from_mesh(&mesh).expect("good"),
                Cells::<3>::from_mesh(&mirrored).expect("good"),
            );
            assert_eq!((straight.turned_wedges(), turned.turned_wedges()), (0, 8));

            assert_eq!(straight.boundary().faces, turned.boundary().faces);
        }
    }

    fn fault<const D: usize>(mesh: &Mesh) -> (ProblemKind, Item, usize) {
        let problem = Cells::<D>::from_mesh(mesh).unwrap_err();
        (problem.kind, problem.first, problem.count)
    }

    #[test]
    fn each_fault_has_its_error() {
        use ProblemKind::*;
        let good = brick(Hex8, 2);
        let damaged = |damage: fn(&mut Mesh)| {
            let mut mesh = good.clone();
            damage(&mut mesh);
            fault::<3>(&mesh)
        };
        assert_eq!(fault::<2>(&good), (Empty, Item::Whole, 1));

        assert_eq!(
            damaged(|m| {
                m.blocks[0].nodes.pop();
            }),
            (WrongCount, Item::Whole, 1)
        );
        assert_eq!(
            damaged(|m| m.points[3].z = f64::NAN),
            (NotFinite, Item::Point(3), 1)
        );

        assert_eq!(
            damaged(|m| m.blocks[0].nodes[9] = u32::MAX),
            (IndexOutOfRange, Item::Cell(1), 1)
        );
        assert_eq!(
            damaged(|m| m.blocks[0].nodes[16] = m.blocks[0].nodes[17]),
            (RepeatedNode, Item::Cell(2), 1)
        );

        assert_eq!(
            damaged(|m| m.points.iter_mut().for_each(|p| p.z = 1.0)),
            (ZeroVolume, Item::Cell(0), 8)
        );
        assert_eq!(
            damaged(|m| m.points.iter_mut().for_each(|p| p.x = -p.x)),
            (Inverted, Item::Cell(0), 8)
        );

        let twice = |m: &mut Mesh| {
            let first = m.blocks[0].nodes[..8].to_vec();
            m.blocks[0].nodes.extend(first);
        };
        assert_eq!(
            damaged(twice),
            (NonManifoldFace, Item::Side { cell: 0, side: 1 }, 3)
        );
        let mut alone = brick(Hex8, 1);
        twice(&mut alone);

        assert_eq!(
            fault::<3>(&alone),
            (InconsistentOrientation, Item::Side { cell: 0, side: 0 }, 6)
        );
        let mut square = brick(Quad8, 2);
        square.points[5].z = 0.5;
        assert_eq!(fault::<2>(&square), (OffPlane, Item::Point(5), 1));
        let mut collapsed = brick(Hex8, 1);
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| collapsed.blocks[0].nodes[i] as usize);
        let (low, up) = (collapsed.points[a], collapsed.points[b]);
        (collapsed.points[d], collapsed.points[c]) = (low, up);

        assert_eq!(
            fault::<3>(&collapsed),
            (ZeroArea, Item::Side { cell: 0, side: 4 }, 1)
        );
    }

    #[test]
    fn a_bulge_that_turns_a_corner_inside_out_is_inverted() {
        for kind in [Tet10, Hex20, Hex27, Pyramid13, Wedge15] {
            let mut mesh = brick(kind, 1);
            let nodes: Vec<usize> = mesh.blocks[0].nodes.iter().map(|&n| n as usize).collect();
            let (a, b) = (mesh.points[nodes[0]], mesh.points[nodes[1]]);
            let mid = nodes[kind.mid_node(&[0, 1]).expect("quadratic") as usize];

            // At a quarter of the edge the tangent vanishes; nearer to the corner it points
            // backward.
            mesh.points[mid] = a + (b - a) * 0.2;
            let (problem, first, _) = fault::<3>(&mesh);
            assert_eq!(
                (problem, first),
                (ProblemKind::Inverted, Item::Cell(0)),
                "{}",
                kind.name()
            );
            mesh.points[mid] = a + (b - a) * 0.3;

            assert!(Cells::<3>::from_mesh(&mesh).is_ok());
        }
    }

    proptest! {
        #[test]
        fn random_damage_is_always_reported(seed in 0u64..400, which in 0usize..10, damage in 0usize..6) {
            let mut random = Random::new(seed);
            let kind = SOLID[which];
            let mut mesh = shuffled(&brick(kind, 2), &mut random);
            let count = kind.node_count();
            let cell = random.below(mesh.blocks[0].len());
            let (own, block) = (cell * count..(cell + 1) * count, &mut mesh.blocks[0]);
            let corner = cell * count + random.below(kind.corner_count());

            match damage {
                0 => mesh.points[block.nodes[corner] as usize][random.below(3)] = f64::INFINITY,
                1 => block.nodes[corner] = (mesh.points.len() + random.below(1000)) as u32,
                2 => block.nodes[corner] = block.nodes[own.start + (corner + 1 - own.start) % count],
                3 => { let nodes = block.nodes[own].to_vec(); block.nodes.extend(nodes); }
                4 => block.nodes.swap(own.start, own.start + 1),
                _ => mesh.points.iter_mut().for_each(|p| p[random.below(3)] = 0.25),
            }

            let problem = Cells::<3>::from_mesh(&mesh).unwrap_err();
            prop_assert!(problem.count >= 1);
        }

        #[test]
        fn no_list_of_numbers_panics(seed in 0u64..1000) {
            let mut random = Random::new(seed);
            let points: Vec<Point<3>> = (0..12).map(|i| Point::from([f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4)])).collect();
            let mut mesh = Mesh { points, blocks: vec![] };

            for _ in 0..random.below(4) {
                let kind = ElementKind::ALL[random.below(18)];
                let nodes: Vec<u32> = (0..kind.node_count()).map(|_| random.below(14) as u32).collect();
                mesh.push(kind, &nodes);
            }

            let _ = Cells::<3>::from_mesh(&mesh).map(|cells| cells.assert_valid());
            mesh.points.iter_mut().for_each(|p| p.z = 0.0);
            let _ = Cells::<2>::from_mesh(&mesh).map(|cells| cells.assert_valid());
        }
    }
}
