use super::*;

const SHORT: &str = "gravity = [0, 0, -9.81]\n\n[run]\nduration = 2\n";

fn error(text: &str) -> String {
    SceneSpec::parse(text)
        .expect_err("not a good scene")
        .to_string()
}

fn in_particles(line: &str) -> String {
    let head = "count = 10\nradius = 0.01\nregion = { box = { min = [0, 0, 0], max = [1, 1, 1] } }";
    format!("{SHORT}\n[[particles]]\n{head}\n{line}\n")
}

#[test]
fn a_short_scene_gets_sensible_defaults() {
    let scene = SceneSpec::parse(SHORT).expect("a good scene");
    assert_eq!(
        (scene.dimension, scene.weight::<3>()),
        (3, [0.0, 0.0, -9.81])
    );
    assert_eq!(
        (scene.run.frame_interval(), scene.run.step),
        (0.02, StepSpec::Word(StepWord::Auto))
    );

    assert_eq!(scene.contact.law, LawSpec::Hertz);
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_likely_spelling() {
    let text = SHORT.replace("gravity", "graviti");
    assert_eq!(
        error(&text),
        "line 1: unknown key \"graviti\"; did you mean \"gravity\"?"
    );
    assert_eq!(
        error(&in_particles("velocty = [0, 0, 1]")),
        "line 10: unknown key \"velocty\"; did you mean \"velocity\"?"
    );

    assert_eq!(
        error(&in_particles("gravity = [0, 0, 1]")),
        "line 10: unknown key \"gravity\" here; it belongs at the top, before the first [section]"
    );
    assert!(
        error(&in_particles("qqqqq = 1"))
            .starts_with("line 10: unknown key \"qqqqq\"; known: count, solid_fraction, radius")
    );
}

#[test]
fn an_unknown_kind_is_named_with_its_key_and_the_likely_spelling() {
    let text = in_particles("").replace("box", "bocks");
    assert_eq!(
        error(&text),
        "line 9: unknown kind \"bocks\" for particles[0].region; known: box, cylinder, sphere"
    );
    let text = in_particles("placement = \"latice\"");
    assert_eq!(
        error(&text),
        "line 10: unknown kind \"latice\" for particles[0].placement; did you mean \"lattice\"?"
    );
    let text = in_particles("").replace("0.01", "{ unifrom = [1, 2] }");

    assert_eq!(
        error(&text),
        "line 8: unknown kind \"unifrom\" for particles[0].radius; did you mean \"uniform\"?"
    );
    assert!(
        error(&SHORT.replace("duration = 2", "duration = 2\nstep = \"fast\""))
            .starts_with("line 5: unknown kind \"fast\"")
    );
}

#[test]
fn a_missing_key_is_named() {
    assert_eq!(
        error("gravity = [0, 0, 1]\n"),
        "line 1: the key \"run\" is missing"
    );
    assert!(
        error(&in_particles("").replace("count = 10\n", ""))
            .contains("particles[0]: needs count or solid_fraction")
    );
}

#[test]
fn a_wrong_type_is_named_with_its_key() {
    let text = in_particles("velocity = \"up\"");
    assert!(
        error(&text).starts_with("line 10: particles[0].velocity: invalid type: string \"up\""),
        "{}",
        error(&text)
    );
    let text = in_particles("").replace("0.01", "true");
    assert!(
        error(&text).starts_with("line 8: particles[0].radius: invalid type: boolean"),
        "{}",
        error(&text)
    );
    let text = in_particles("").replace("0.01", "{ uniform = [0,01, 0,02] }");

    assert!(error(&text).starts_with("line 8: a number starts with a zero; use a decimal point"));
    let text = SHORT.replace("duration = 2", "duration = \"2 s\"");
    assert!(
        error(&text).ends_with("run.duration: invalid type: string \"2 s\", expected a number"),
        "{}",
        error(&text)
    );

    assert!(
        error("gravity = [0, 0\n").starts_with("line "),
        "{}",
        error("gravity = [0, 0\n")
    );
}

#[test]
fn the_wrong_number_of_brackets_is_named() {
    let text = format!("{SHORT}\n[wall]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n");
    assert_eq!(
        error(&text),
        "line 6: wall: there can be several, so its header needs double brackets: [[wall]]"
    );

    assert_eq!(
        error(&SHORT.replace("[run]", "[[run]]")),
        "line 3: run[0]: there can be only one, so its header needs single brackets: [run]"
    );
}

#[test]
fn nonsense_is_named_with_line_and_key() {
    for (line, expected) in [
        (
            "spread = -1",
            "line 10: particles[0].spread: must be 0 or greater, not -1",
        ),
        (
            "velocity = [0, 0, nan]",
            "line 10: particles[0].velocity: has a number that is infinite or NaN",
        ),
        (
            "material = \"glas\"",
            "line 10: particles[0].material: no [[material]] is named \"glas\"; the scene has none",
        ),
        (
            "[[wall]]\npoint = [0, 0, 0]",
            "line 10: wall[0]: a wall has either point and normal, or a shape",
        ),
        (
            "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 0]",
            "line 12: wall[0].normal: must not be zero",
        ),
        (
            "[[body]]\nshape = { sphere = 1 }",
            "line 10: body[0]: a body needs a position, or a region",
        ),
        (
            "[[body]]\nshape = { sphere = 1 }\nposition = [0, 0]",
            "line 12: body[0].position: has 2 numbers where 3 are needed",
        ),
    ] {
        assert_eq!(error(&in_particles(line)), expected);
    }

    let text = in_particles("").replace("0.01", "{ uniform = [0.2, 0.1] }");
    assert_eq!(
        error(&text),
        "line 8: particles[0].radius.uniform: must have the smaller radius first"
    );
    let flat = format!(
        "dimension = 2\n{}",
        in_particles("").replace("gravity = [0, 0, -9.81]", "")
    );

    assert!(
        error(&flat).contains("not supported in 2D scenes"),
        "{}",
        error(&flat)
    );
}

#[test]
fn regions_draw_places_that_they_hold() {
    let cylinder = CylinderRegion {
        from: [0.0, 0.0, 0.0],
        to: [0.3, 0.4, 0.5],
        radius: 0.2,
    };
    let regions = [
        RegionSpec::Cylinder(cylinder),
        RegionSpec::Sphere(BallRegion {
            centre: [1.0, 2.0, 3.0],
            radius: 0.5,
        }),
        RegionSpec::Box(BoxRegion {
            min: vec![0.0; 3],
            max: vec![1.0, 2.0, 3.0],
        }),
    ];
    let mut random = impinge::space::Random::new(1);

    for region in regions {
        let drawn: Vec<_> = (0..1000)
            .filter_map(|_| region.draw::<3>(0.05, &mut random))
            .collect();
        assert!(drawn.len() > 100);
        assert!(
            drawn.iter().all(|place| region.holds(place, 0.05)
                && region.bounds::<3>().grown(-0.049).contains(place))
        );
    }
}

#[test]
fn radii_stay_in_their_range() {
    let mut random = impinge::space::Random::new(2);
    for radius in [
        Radius::Fixed(0.1),
        Radius::Spread(SpreadSpec::Uniform([0.1, 0.3])),
        Radius::Spread(SpreadSpec::List(vec![0.1, 0.5, 0.2])),
        Radius::Spread(SpreadSpec::Lognormal(LognormalSpec {
            median: 0.2,
            sigma: 0.5,
            min: 0.1,
            max: 0.4,
        })),
    ] {
        let [low, up] = radius.range();
        let drawn: Vec<f64> = (0..1000).map(|_| radius.draw(&mut random)).collect();
        assert!(drawn.iter().all(|r| (low..=up).contains(r)), "{radius:?}");
        assert!(
            low == up || drawn.iter().any(|r| *r > 0.5 * (low + up)),
            "{radius:?}"
        );
    }
}

#[test]
fn a_scene_survives_its_own_serialisation() {
    let scene = SceneSpec::parse(&in_particles("")).expect("a good scene");
    let again =
        SceneSpec::parse(&toml::to_string(&scene).expect("serialises")).expect("a good scene");
    assert_eq!(again, scene);
}

#[test]
fn the_shipped_schema_is_current() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenes/scene.schema.json"
    );
    let shipped = std::fs::read_to_string(path).unwrap_or_default();

    assert!(
        shipped == schema(),
        "'impinge run --schema > scenes/scene.schema.json' renews it"
    );
}

#[test]
fn a_pair_of_materials_is_checked_by_key() {
    let materials = "[[material]]\nname = \"steel\"\n[[material]]\nname = \"glass\"\n";
    let with = |lines: &str| error(&format!("{SHORT}{materials}[[pair]]\n{lines}\n"));
    assert_eq!(
        with("materials = [\"steel\", \"gold\"]"),
        "line 10: pair[0].materials[1]: no [[material]] is named \"gold\"; there are steel, glass"
    );
    assert_eq!(
        with("materials = [\"steel\", \"glass\"]\nrestitution = 2"),
        "line 11: pair[0].restitution: must be 0 to 1, not 2"
    );
    assert_eq!(
        with("materials = [\"steel\", \"glass\"]\nfriction = -1"),
        "line 11: pair[0].friction: must be 0 or greater, not -1"
    );
    let twice = "materials = [\"steel\", \"glass\"]\n[[pair]]\nmaterials = [\"glass\", \"steel\"]";
    assert!(with(twice).ends_with("pair[0].materials: \"steel\" and \"glass\" have 2 entries"));
}

#[test]
fn motions_and_hinges_that_make_no_sense_are_named_by_key() {
    let wall = |motion: &str| {
        error(&format!(
            "{SHORT}[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmotion = {{ {motion} }}\n"
        ))
    };
    assert_eq!(
        wall("spin = [0, 0, 1], angular_acceleration = [1, 0, 0]"),
        "line 8: wall[0].motion.angular_acceleration: must be parallel to the spin"
    );
    assert_eq!(
        wall("surface_velocity = [inf, 0, 0]"),
        "line 8: wall[0].motion: has a number that is infinite or NaN"
    );

    let body = |lines: &str| {
        error(&format!(
            "{SHORT}[[body]]\nshape = {{ box = [1, 1, 1] }}\nposition = [0, 0, 0]\n{lines}\n"
        ))
    };
    assert_eq!(
        body("motion = { surface_velocity = [1, 0, 0] }"),
        "line 8: body[0].motion.surface_velocity: is for walls: make the body a [[wall]] with this shape"
    );
    assert_eq!(
        body("hinge = { point = [0, 0, 1], axis = [0, 0, 0] }"),
        "line 8: body[0].hinge.axis: must not be zero"
    );
    assert_eq!(
        body("fixed = true\nhinge = { point = [0, 0, 1], axis = [0, 1, 0] }"),
        "line 9: body[0].hinge: has no effect on a body that is fixed or has a motion"
    );
    assert_eq!(
        body("along = [0, 0, 1]\nhinge = { point = [0, 0, 1], axis = [0, 1, 0] }"),
        "line 9: body[0].hinge: a body moves along an axis or turns about a hinge, not both"
    );
    assert_eq!(
        body("velocity = [1, 0, 0]\nhinge = { point = [0, 0, 1], axis = [0, 1, 0] }"),
        "line 8: body[0].velocity: follows from the spin about the hinge"
    );
}
