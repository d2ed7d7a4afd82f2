use super::*;
use crate::Places;
use impinge::bound::Ball;
use impinge::space::{Aabb, Point};

fn spheres() -> Points {
    Points {
        names: ["x", "y", "z", "r"].map(str::to_owned).to_vec(),
        columns: 4,
        values: vec![0.1, -2.0, 1e-300, 1.0, 0.30000000000000004, 5.0, 1e300, 2.0],
        ignored: Vec::new(),
    }
}

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, named) in [
        ("a.csv", true),
        ("a.tsv", true),
        ("a.xyz", false),
        ("a.NPY", false),
    ] {
        let path = folder.path().join(name);
        write_points(&path, &spheres()).expect("writes");
        let read = read_points(&path).expect("reads");
        assert_eq!(read.values, spheres().values, "{name}");
        assert_eq!(
            read.names,
            if named { spheres().names } else { Vec::new() },
            "{name}"
        );
    }
}

#[test]
fn the_nodes_of_a_mesh_are_points() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.obj");
    std::fs::write(&path, "v 0 0 0\nv 1 2 3\nvn 0 0 1\n").expect("writes");
    let points = read_points(&path).expect("reads");
    assert_eq!((points.len(), points.columns), (2, 3));
    assert_eq!(points.ignored[0].what, "vertex normals");

    assert_eq!(
        points.coordinates().expect("points of space")[1],
        Point::from([1.0, 2.0, 3.0])
    );
}

#[test]
fn spheres_go_through_lammps_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let spheres = Points {
        values: vec![0.1, -2.0, 3.0, 1.0, 0.3, 5.0, 7.0, 2.0],
        ..spheres()
    };

    for name in ["bed.data", "bed.dump"] {
        let path = folder.path().join(name);
        write_points(&path, &spheres).expect("writes");
        assert_eq!(
            read_points(&path).expect("reads").values,
            spheres.values,
            "{name}"
        );
    }

    let flat = Points {
        columns: 2,
        ..spheres
    };
    assert!(write_points(&folder.path().join("flat.data"), &flat).is_err());
}

fn table(text: &str) -> Points {
    table::parse(text.as_bytes()).expect("a good table")
}

#[test]
fn names_decide_what_columns_are() {
    let text = "id,vx,Z,y,x,diameter\n7,8,3,2,1,0.5\n";
    let expected = Bodies::Spheres(vec![Ball::new([1.0, 2.0, 3.0], 0.25)]);
    assert_eq!(table(text).bodies(), Ok(expected));
    assert_eq!(table(text).coordinates(), Ok(vec![[1.0, 2.0, 3.0].into()]));
    let flat = Bodies::Discs(vec![Ball::new([1.0, 2.0], 0.25)]);
    assert_eq!(table("r,x,y\n0.25,1,2\n").bodies(), Ok(flat.clone()));
    assert_eq!(table("# id x y r\n5 1 2 0.25\n").bodies(), Ok(flat));
    let boxes = Bodies::Rectangles(vec![Aabb::new([1.0, 2.0], [3.0, 4.0])]);

    assert_eq!(table("xhi,xlo,yhi,ylo\n3,1,4,2\n").bodies(), Ok(boxes));
}

#[test]
fn what_the_names_do_not_say_is_refused_with_what_would_do() {
    for text in [
        "id,vx,vy,vz\n1,2,3,4\n",
        "a,b,c\n1,2,3\n",
        "x,r\n1,2\n",
        "xs,ys,zs,r\n0,0,0,1\n",
    ] {
        let points = table(text);
        for said in [
            points.coordinates().unwrap_err(),
            points.bodies().unwrap_err(),
        ] {
            assert!(
                said.to_string().contains("supported names: x, y, z"),
                "{said}"
            );
        }
    }

    let said = table("x,y,z,vx\n1,2,3,4\n")
        .bodies()
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("'vx'") && said.contains("r or radius"),
        "{said}"
    );
    let said = table("x,y,z,r,d\n1,2,3,1,2\n1,2,3,1,1\n")
        .bodies()
        .unwrap_err();

    assert_eq!(
        said.to_string(),
        "row 1: the diameter is not twice the radius"
    );
}

#[test]
fn without_names_the_number_of_columns_decides() {
    let space = vec![Point::from([1.0, 2.0, 3.0])];
    assert_eq!(table("1,2,3\n").coordinates(), Ok(space.clone()));
    assert_eq!(table("1,2,3,4,5\n").coordinates(), Ok(space));
    let disc = Bodies::Discs(vec![Ball::new([1.0, 2.0], 3.0)]);
    assert_eq!(table("1,2,3\n").bodies(), Ok(disc.clone()));
    assert_eq!(table("c0,c1,c2\n1,2,3\n").bodies(), Ok(disc));
    assert!(matches!(
        table("1,2,3,4\n").bodies(),
        Ok(Bodies::Spheres(_))
    ));

    assert!(matches!(
        table("1,2,3,4,5,6\n").bodies(),
        Ok(Bodies::Boxes(_))
    ));
    assert!(table("1,2,3,4,5\n").bodies().is_err());
}

#[test]
fn two_columns_are_points_of_the_plane() {
    for text in ["1,2\n", "x,y\n1,2\n", "y,r,x\n2,9,1\n"] {
        let points = table(text);
        assert_eq!(
            points.places(),
            Ok(Places::Plane(vec![[1.0, 2.0].into()])),
            "{text}"
        );

        assert!(
            points
                .coordinates()
                .unwrap_err()
                .to_string()
                .contains("third column z")
        );
    }
}

#[test]
fn files_without_names_get_the_columns_in_order_and_say_what_they_lose() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let points = table("r,id,x,z,y\n0.5,7,1,3,2\n");
    for name in ["a.xyz", "a.npy", "a.data", "a.dump"] {
        let path = folder.path().join(name);
        let lost = write_points(&path, &points).expect("writes");
        assert_eq!(
            (lost[0].what.as_str(), lost[0].count),
            ("columns ('id')", 1),
            "{name}"
        );
        let read = read_points(&path).expect("reads");
        assert_eq!(read.values, [1.0, 2.0, 3.0, 0.5], "{name}");
    }

    let path = folder.path().join("b.npy");
    let rectangles = table("xmin,ymin,xmax,ymax\n0,0,1,1\n");
    assert!(write_points(&path, &rectangles).is_err() && !path.exists());
    assert!(write_points(&path, &table("a,b\n0,0\n")).is_err() && !path.exists());
}

#[test]
fn an_unknown_extension_gets_the_list_of_supported_ones() {
    let error = read_points(Path::new("a.bin")).unwrap_err().to_string();
    assert!(error.contains("supported: csv"), "{error}");
}
