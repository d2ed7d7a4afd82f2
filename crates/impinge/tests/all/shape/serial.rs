use impinge::shape::generate;
use impinge::shape::{HalfSpace, Polygon, Sphere, Surface};
use impinge::space::Pose;
use serde::{Serialize, de::DeserializeOwned};

fn copied<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("writes");
    serde_json::from_str(&text).expect("reads")
}

#[test]
fn shapes_survive_writing_and_reading() {
    let sphere = Sphere::new([1.0, 2.0, 3.0], 0.1).expect("valid");
    assert_eq!(copied(&sphere), sphere);

    let polygon = Polygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]).expect("convex");
    assert_eq!(copied(&polygon), polygon);

    let body = generate::polyhedron(64, 1).expect("valid");
    assert_eq!(copied(&body).points(), body.points());
    assert_eq!(copied(&body).volume(), body.volume());

    let surface = generate::sphere(3).expect("valid");
    assert_eq!(copied(&surface).points(), surface.points());
    assert_eq!(copied(&surface).triangles(), surface.triangles());

    let half = HalfSpace::new([0.0, 1.0], [0.0, 1.0]).expect("a direction");
    assert_eq!(copied(&half), half);

    let pose = Pose::<3>::at([1.0, 2.0, 3.0]);
    assert_eq!(copied(&pose), pose);
}

#[test]
fn invalid_data_is_rejected_with_the_problem_of_the_constructor() {
    let said = |text: &str| {
        serde_json::from_str::<Sphere<2>>(text)
            .unwrap_err()
            .to_string()
    };
    let expected = Sphere::new([0.0, 0.0], -1.0).unwrap_err().to_string();
    assert!(said(r#"{"centre":[0.0,0.0],"radius":-1.0}"#).starts_with(&expected));

    let open = r#"{"points":[[0.0,0.0,0.0],[1.0,0.0,0.0],[0.0,1.0,0.0]],"triangles":[[0,1,2]]}"#;
    assert!(serde_json::from_str::<Surface>(open).is_err());

    let mirrored = r#"{"rotation":[1.0,0.0,0.0,-1.0],"position":[0.0,0.0]}"#;
    assert!(serde_json::from_str::<Pose<2>>(mirrored).is_err());
}
