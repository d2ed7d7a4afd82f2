use super::*;
use impinge::shape::ElementKind;

fn read_text(name: &str, text: &str) -> Result<Spheres, Error> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("writes");
    read_spheres(&path)
}

fn expected() -> Spheres {
    Spheres {
        centres: vec![Point::from([1.0, 2.0, 3.0]), Point::from([4.0, 5.0, 6.0])],
        radii: vec![0.5, 0.25],
        velocities: vec![[0.1, 0.2, 0.3], [0.0; 3]],
        spins: vec![[7.0, 8.0, 9.0], [0.0; 3]],
        ..Spheres::default()
    }
}

#[test]
fn the_same_spheres_come_from_every_format() {
    let csv = "type,Omega X,wy,spin_z,x,y,z,d,vx,velocity:1,v_z\n1,7,8,9,1,2,3,1,0.1,0.2,0.3\n2,0,0,0,4,5,6,0.5,0,0,0\n";
    let xyz = "2\na comment\nSi 1 2 3 0.5 0.1 0.2 0.3 7 8 9\nO 4 5 6 0.25 0 0 0 0 0 0\n";
    let data = "title\n\n2 atoms\n2 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms # sphere\n\n\
                    2 2 0.5 1 4 5 6\n1 1 1 1 1 2 3\n\nVelocities\n\n1 0.1 0.2 0.3 7 8 9\n2 0 0 0 0 0 0\n";
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n\
                    ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz\n\
                    2 2 4 5 6 0.25 0 0 0 0 0 0\n1 1 1 2 3 0.5 0.1 0.2 0.3 7 8 9\n";

    for (name, text, kinds) in [
        ("a.csv", csv, vec![1, 2]),
        ("a.xyz", xyz, vec![]),
        ("a.data", data, vec![1, 2]),
        ("a.dump", dump, vec![1, 2]),
    ] {
        let spheres = read_text(name, text).expect(name);
        let wanted = Spheres {
            first_kind: i64::from(!kinds.is_empty()),
            kinds,
            ignored: spheres.ignored.clone(),
            ..expected()
        };
        assert_eq!(spheres, wanted, "{name}");
    }
}

#[test]
fn a_frame_of_a_run_is_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("frame.vtp");
    let wanted = Spheres {
        kinds: vec![1, 0],
        ..expected()
    };
    let mut dataset = Dataset::default();
    dataset.mesh.points.clone_from(&wanted.centres);
    (0..2).for_each(|n| dataset.mesh.push(ElementKind::Vertex, &[n]));
    dataset.point_fields = vec![
        Field::scalar("radius", wanted.radii.clone()),
        Field::vector("velocity", &wanted.velocities),
        Field::vector("spin", &wanted.spins),
        Field::whole("material", wanted.kinds.clone()),
    ];
    crate::write(&path, &dataset).expect("writes");

    assert_eq!(read_spheres(&path).expect("reads"), wanted);
}

#[test]
fn what_is_not_understood_is_refused() {
    for (text, said) in [
        ("x,y,z,r\n0,0,0,-1\n", "sphere 0 has the radius -1"),
        ("x,y,z,r,vx\n0,0,0,1,1\n", "lacks one of its components"),
        ("x,y,z,type\n0,0,0,1.5\n", "1.5 is not a whole number"),
        ("0 0 0 1 2\n", "rows of 5 unnamed numbers"),
    ] {
        let fault = read_text("a.csv", text).expect_err(text).to_string();
        assert!(fault.contains(said), "{fault}");
    }
}
