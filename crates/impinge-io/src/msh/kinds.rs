//! Gmsh element types that the library does not support, so that they can be counted and skipped.

/// Returns the name and number of nodes of a type. Gmsh's prisms are called wedges here, as elsewhere.
pub(super) fn foreign(id: u32) -> Option<(&'static str, usize)> {
    let at = FOREIGN.binary_search_by_key(&id, |&(id, _, _)| id).ok()?;
    Some((FOREIGN[at].1, FOREIGN[at].2))
}

/// Type, shape, number of nodes. Types with a variable number of nodes (polygons, polyhedra, …) are not listed.
#[rustfmt::skip]
const FOREIGN: [(u32, &str, usize); 106] = [
    (14, "pyramid", 14), (20, "tri", 9), (21, "tri", 10), (22, "tri", 12), (23, "tri", 15), (24, "tri", 15),
    (25, "tri", 21), (26, "line", 4), (27, "line", 5), (28, "line", 6), (29, "tet", 20), (30, "tet", 35),
    (31, "tet", 56), (32, "tet", 22), (33, "tet", 28), (36, "quad", 16), (37, "quad", 25), (38, "quad", 36),
    (39, "quad", 12), (40, "quad", 16), (41, "quad", 20), (42, "tri", 28), (43, "tri", 36), (44, "tri", 45),
    (45, "tri", 55), (46, "tri", 66), (47, "quad", 49), (48, "quad", 64), (49, "quad", 81),
    (50, "quad", 100), (51, "quad", 121), (52, "tri", 18), (53, "tri", 21), (54, "tri", 24),
    (55, "tri", 27), (56, "tri", 30), (57, "quad", 24), (58, "quad", 28), (59, "quad", 32),
    (60, "quad", 36), (61, "quad", 40), (62, "line", 7), (63, "line", 8), (64, "line", 9), (65, "line", 10),
    (66, "line", 11), (71, "tet", 84), (72, "tet", 120), (73, "tet", 165), (74, "tet", 220),
    (75, "tet", 286), (79, "tet", 34), (80, "tet", 40), (81, "tet", 46), (82, "tet", 52), (83, "tet", 58),
    (84, "line", 1), (85, "tri", 1), (86, "quad", 1), (87, "tet", 1), (88, "hex", 1), (89, "wedge", 1),
    (90, "wedge", 40), (91, "wedge", 75), (92, "hex", 64), (93, "hex", 125), (94, "hex", 216),
    (95, "hex", 343), (96, "hex", 512), (97, "hex", 729), (98, "hex", 1000), (99, "hex", 32),
    (100, "hex", 44), (101, "hex", 56), (102, "hex", 68), (103, "hex", 80), (104, "hex", 92),
    (105, "hex", 104), (106, "wedge", 126), (107, "wedge", 196), (108, "wedge", 288), (109, "wedge", 405),
    (110, "wedge", 550), (111, "wedge", 24), (112, "wedge", 33), (113, "wedge", 42), (114, "wedge", 51),
    (115, "wedge", 60), (116, "wedge", 69), (117, "wedge", 78), (118, "pyramid", 30), (119, "pyramid", 55),
    (120, "pyramid", 91), (121, "pyramid", 140), (122, "pyramid", 204), (123, "pyramid", 285),
    (124, "pyramid", 385), (125, "pyramid", 21), (126, "pyramid", 29), (127, "pyramid", 37),
    (128, "pyramid", 45), (129, "pyramid", 53), (130, "pyramid", 61), (131, "pyramid", 69),
    (132, "pyramid", 1), (137, "tet", 16),
];

#[cfg(test)]
mod tests;
