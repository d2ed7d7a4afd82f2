use super::*;

#[test]
fn types_are_found_whatever_letters_they_carry() {
    let kind = |name: &str| find(name).map(|row| row.kind);
    #[rustfmt::skip]
        let known = [
            ("C3D4", Tet4), ("c3d10m", Tet10), ("C3D8R", Hex8), ("C3D8IH", Hex8), ("C3D20R", Hex20),
            ("C3D27", Hex27), ("C3D6", Wedge6), ("C3D15", Wedge15), ("DC3D20", Hex20), ("AC3D8", Hex8),
            ("S3R", Tri3), ("S4R5", Quad4), ("S8R", Quad8), ("STRI65", Tri6), ("STRI3", Tri3), ("CPS4R", Quad4),
            ("CPE6", Tri6), ("B31", Line2), ("B32", Line3), ("T3D2", Line2), ("R3D4", Quad4), ("SC8R", Hex8),
        ];

    for (name, right) in known {
        assert_eq!(kind(name), Some(right), "{name}");
    }

    for name in [
        "", "C3D", "C3D15V", "C3D82", "MASS", "SPRINGA", "CONN3D2", "S", "D", "DC3D",
    ] {
        assert_eq!(kind(name), None, "{name}");
    }
}

#[test]
fn every_face_of_a_solid_is_a_side_of_its_own() {
    for (name, faces) in [
        ("C3D4", 4),
        ("C3D10", 4),
        ("C3D8", 6),
        ("C3D27", 6),
        ("C3D15", 5),
        ("C3D5", 5),
    ] {
        let row = find(name).expect("known");
        let mut sides: Vec<u64> = (1..=faces)
            .map(|i| side(row, &format!("S{i}")).expect("a side"))
            .collect();
        sides.sort_unstable();
        assert_eq!(sides, (0..faces).collect::<Vec<_>>(), "{name}");
        assert_eq!(side(row, &format!("S{}", faces + 1)), None);
        assert_eq!((side(row, "S0"), side(row, "SPOS")), (None, None));
    }

    assert_eq!(
        side(find("C3D4").unwrap(), "S1"),
        Some(3),
        "the face opposite the fourth node"
    );
    assert_eq!(side(find("S4").unwrap(), "SNEG"), Some(7));
    assert_eq!(side(find("S4").unwrap(), "E4"), Some(3));

    assert_eq!(side(find("CPS3").unwrap(), "S4"), None);
}
