//! Checks of a scene that its types cannot express.

mod held;

use super::fault::Fault;
use super::{
    BodySpec, FlowSpec, GridSpec, InletSpec, LawSpec, LognormalSpec, MaterialSpec, MotionSpec,
    PairSpec, ParticlesSpec, Periodic, Radius, RegionSpec, Run, SceneSpec, ShapeSpec, SolidBody,
    SolidShape, SpreadSpec, StepSpec, Turn, Wall,
};
use held::held;
use impinge::space::LARGEST_COORDINATE;
use impinge_sim::{Path, Region};

type Checked = Result<(), Fault>;

/// Maximum number of spheres or bodies of one entry, limited by 32-bit indices and memory.
const MOST: usize = 100_000_000;

pub(super) fn scene(scene: &SceneSpec) -> Checked {
    if !matches!(scene.dimension, 2 | 3) {
        return fail("dimension", "must be 2 or 3");
    }

    if !scene.gravity.is_empty() {
        vector("gravity", &scene.gravity, scene.dimension)?;
    }

    not_negative("damping", scene.damping)?;
    run(&scene.run)?;
    law(&scene.contact.law)?;
    scene
        .contact
        .stiffness
        .map_or(Ok(()), |stiffness| positive("contact.stiffness", stiffness))?;
    scene
        .contact
        .penalty
        .map_or(Ok(()), |penalty| positive("contact.penalty", penalty))?;
    each("material", &scene.material, |at, item| {
        cohesion(at, item.cohesion, &scene.contact.law)?;
        material(at, item, &scene.material)
    })?;
    each("pair", &scene.pair, |at, item| pair(at, item, scene))?;
    each("wall", &scene.wall, |at, item| wall(at, item, scene))?;
    each("particles", &scene.particles, |at, item| {
        particles(at, item, scene)
    })?;
    each("inlet", &scene.inlet, |at, item| inlet(at, item, scene))?;
    each("outlet", &scene.outlet, |at, item| {
        region(&format!("{at}.region"), &item.region, 3)
    })?;
    each("body", &scene.body, |at, item| body(at, item, scene))?;
    each("solid", &scene.solid, |at, item| solid(at, item, scene))?;
    scene
        .periodic
        .as_ref()
        .map_or(Ok(()), |cell| periodic(cell, &scene.gravity))?;
    each("average", &scene.average, |at, item| {
        measured_region(&format!("{at}.region"), &item.region)
    })?;
    scene.grid.as_ref().map_or(Ok(()), grid)?;
    flows(&scene.flow)?;

    not_in_the_plane(scene)
}

fn each<T>(name: &str, items: &[T], check: impl Fn(&str, &T) -> Checked) -> Checked {
    items
        .iter()
        .enumerate()
        .try_for_each(|(i, item)| check(&format!("{name}[{i}]"), item))
}

/// Only rigid polygons and half-planes are supported in 2D.
fn not_in_the_plane(scene: &SceneSpec) -> Checked {
    let present = [
        ("damping", scene.damping > 0.0),
        ("particles", !scene.particles.is_empty()),
        ("inlet", !scene.inlet.is_empty()),
        ("outlet", !scene.outlet.is_empty()),
        ("solid", !scene.solid.is_empty()),
        ("periodic", scene.periodic.is_some()),
        ("average", !scene.average.is_empty()),
        ("grid", scene.grid.is_some()),
        ("flow", !scene.flow.is_empty()),
    ];

    match present
        .iter()
        .find(|(_, there)| *there && scene.dimension == 2)
    {
        None => Ok(()),
        Some((name, _)) => fail(
            name,
            "not supported in 2D scenes, which have only bodies and walls",
        ),
    }
}

fn run(run: &Run) -> Checked {
    positive("run.duration", run.duration)?;
    if let StepSpec::Seconds(step) = run.step {
        positive("run.step", step)?;
    }

    for (name, interval) in [
        ("output", run.output),
        ("history", run.history),
        ("contacts", run.contacts),
        ("loads", run.loads),
        ("forces", run.forces),
    ] {
        interval.map_or(Ok(()), |interval| {
            positive(&format!("run.{name}"), interval)
        })?;
    }

    positive("run.checkpoint_seconds", run.checkpoint_seconds)?;
    match run.checkpoint_steps {
        Some(0) => fail("run.checkpoint_steps", "must be at least 1"),
        _ => Ok(()),
    }
}

fn law(law: &LawSpec) -> Checked {
    match law {
        LawSpec::Hertz | LawSpec::Dmt | LawSpec::Jkr => Ok(()),
        LawSpec::Linear { stiffness } => positive("contact.law.linear.stiffness", *stiffness),
        LawSpec::Restoring { stiffness } => positive("contact.law.restoring.stiffness", *stiffness),
    }
}

fn material(at: &str, material: &MaterialSpec, all: &[MaterialSpec]) -> Checked {
    positive(&format!("{at}.density"), material.density)?;
    positive(&format!("{at}.young"), material.young)?;
    poisson(&format!("{at}.poisson"), material.poisson)?;

    if !(0.0..=1.0).contains(&material.restitution) {
        return fail(&format!("{at}.restitution"), "must be 0 to 1");
    }

    not_negative(&format!("{at}.friction"), material.friction)?;
    not_negative(&format!("{at}.rolling"), material.rolling)?;
    let same = all
        .iter()
        .filter(|other| other.name == material.name)
        .count();

    if same > 1 {
        return fail(
            &format!("{at}.name"),
            &format!("\"{}\" is the name of {same} materials", material.name),
        );
    }

    Ok(())
}

/// Cohesion must not be negative, and must be zero under laws without cohesion.
fn cohesion(at: &str, cohesion: f64, law: &LawSpec) -> Checked {
    not_negative(&format!("{at}.cohesion"), cohesion)?;
    match law {
        LawSpec::Dmt | LawSpec::Jkr => Ok(()),
        _ if cohesion == 0.0 => Ok(()),
        _ => fail(
            &format!("{at}.cohesion"),
            "needs the law \"jkr\" or \"dmt\" in [contact]",
        ),
    }
}

fn pair(at: &str, pair: &PairSpec, scene: &SceneSpec) -> Checked {
    for (i, name) in pair.materials.iter().enumerate() {
        known(&format!("{at}.materials[{i}]"), name, scene)?;
    }

    let [a, b] = &pair.materials;
    let is_same = |other: &&PairSpec| {
        let [c, d] = &other.materials;
        (a, b) == (c, d) || (a, b) == (d, c)
    };
    let same = scene.pair.iter().filter(is_same).count();
    if same > 1 {
        return fail(
            &format!("{at}.materials"),
            &format!("\"{a}\" and \"{b}\" have {same} entries"),
        );
    }

    if let Some(e) = pair.restitution.filter(|e| !(0.0..=1.0).contains(e)) {
        return fail(
            &format!("{at}.restitution"),
            &format!("must be 0 to 1, not {e}"),
        );
    }

    cohesion(at, pair.cohesion.unwrap_or(0.0), &scene.contact.law)?;
    let coefficients = [("friction", pair.friction), ("rolling", pair.rolling)];
    coefficients.into_iter().try_for_each(|(name, value)| {
        value.map_or(Ok(()), |value| not_negative(&format!("{at}.{name}"), value))
    })
}

/// The name of a material that exists, if one is given.
fn named(at: &str, name: Option<&String>, scene: &SceneSpec) -> Checked {
    match name {
        Some(name) => known(&format!("{at}.material"), name, scene),
        None => Ok(()),
    }
}

fn known(at: &str, name: &str, scene: &SceneSpec) -> Checked {
    if scene.material.iter().any(|material| material.name == name) {
        return Ok(());
    }

    let known: Vec<&str> = scene
        .material
        .iter()
        .map(|material| material.name.as_str())
        .collect();
    let known = if known.is_empty() {
        "the scene has none".to_owned()
    } else {
        format!("there are {}", known.join(", "))
    };

    fail(at, &format!("no [[material]] is named \"{name}\"; {known}"))
}

fn wall(at: &str, wall: &Wall, scene: &SceneSpec) -> Checked {
    named(at, wall.material.as_ref(), scene)?;
    motion(at, wall.motion.as_ref(), wall.rotation, scene.dimension)?;
    vector(&format!("{at}.position"), &wall.position, 3)?;
    wall.scale
        .map_or(Ok(()), |scale| positive(&format!("{at}.scale"), scale))?;
    wall.thickness.map_or(Ok(()), |thickness| {
        positive(&format!("{at}.thickness"), thickness)
    })?;

    match (&wall.point, &wall.normal, &wall.shape) {
        (Some(point), Some(normal), None) => {
            vector(&format!("{at}.point"), point, scene.dimension)?;
            vector(&format!("{at}.normal"), normal, scene.dimension)?;
            match normal.iter().all(|x| *x == 0.0) {
                true => fail(&format!("{at}.normal"), "must not be zero"),
                false => Ok(()),
            }
        }
        (None, None, Some(_)) if scene.dimension == 2 => fail(
            &format!("{at}.shape"),
            "walls in the plane are half-planes: give point and normal, or a fixed [[body]]",
        ),
        (None, None, Some(shape)) => self::shape(&format!("{at}.shape"), shape, 3),
        _ => fail(at, "a wall has either point and normal, or a shape"),
    }
}

fn motion(
    at: &str,
    motion: Option<&MotionSpec>,
    rotation: Option<Turn>,
    dimension: usize,
) -> Checked {
    if let Some(Turn::Quaternion(quaternion)) = rotation {
        finite(&format!("{at}.rotation"), &quaternion)?;
        if quaternion.iter().all(|x| *x == 0.0) {
            return fail(&format!("{at}.rotation"), "must not be zero");
        }
    }

    if let Some(Turn::Angle(angle)) = rotation {
        finite(&format!("{at}.rotation"), &[angle])?;
    }

    let Some(motion) = motion else { return Ok(()) };
    let shifts = [
        motion.velocity,
        motion.acceleration,
        motion.surface_velocity,
        motion.amplitude,
        motion.centre.unwrap_or_default(),
    ];
    let turns = [motion.spin, motion.angular_acceleration];
    finite(&format!("{at}.motion"), shifts.as_flattened())?;
    finite(&format!("{at}.motion"), turns.as_flattened())?;
    if !Path::from(motion).turns_about_one_axis() {
        return fail(
            &format!("{at}.motion.angular_acceleration"),
            "must be parallel to the spin",
        );
    }

    let leaves = shifts.iter().any(|shift| shift[2] != 0.0)
        || turns.iter().any(|turn| turn[..2] != [0.0; 2]);

    if dimension == 2 && leaves {
        return fail(
            &format!("{at}.motion"),
            "leaves the plane: velocity must be [x, y, 0] and spin [0, 0, w]",
        );
    }

    not_negative(&format!("{at}.motion.frequency"), motion.frequency)?;
    not_negative(&format!("{at}.motion.from"), motion.from)?;
    match motion.until {
        Some(until) if until.is_nan() || until < motion.from => {
            fail(&format!("{at}.motion.until"), "must not be before 'from'")
        }
        _ => Ok(()),
    }
}

fn particles(at: &str, particles: &ParticlesSpec, scene: &SceneSpec) -> Checked {
    finite(&format!("{at}.velocity"), &particles.velocity)?;
    finite(&format!("{at}.spin"), &particles.spin)?;
    not_negative(&format!("{at}.spread"), particles.spread)?;
    if let Some(size) = &particles.radius {
        radius(&format!("{at}.radius"), size)?;
    }
    named(at, particles.material.as_ref(), scene)?;

    let moves = particles.velocity != [0.0; 3] || particles.spin != [0.0; 3];
    if particles.fixed && (moves || particles.spread > 0.0) {
        return fail(
            &format!("{at}.fixed"),
            "fixed spheres must have no velocity, spread or spin",
        );
    }

    match particles.file {
        Some(_) => spheres_of_a_file(at, particles, scene),
        None => spheres_in_a_region(at, particles),
    }
}

fn spheres_in_a_region(at: &str, particles: &ParticlesSpec) -> Checked {
    let (Some(_), Some(space)) = (&particles.radius, &particles.region) else {
        return fail(at, "needs a file, or count, radius and region");
    };

    let of_files = [
        ("scale", particles.scale.is_some()),
        ("position", particles.position != [0.0; 3]),
        ("materials", !particles.materials.is_empty()),
    ];
    if let Some((name, _)) = of_files.iter().find(|(_, given)| *given) {
        return fail(&format!("{at}.{name}"), "is only for spheres from a file");
    }

    match (particles.count, particles.solid_fraction) {
        (Some(number), None) => count(&format!("{at}.count"), number)?,
        (None, Some(share)) if share > 0.0 && share <= 0.64 => {}
        (None, Some(_)) => {
            return fail(
                &format!("{at}.solid_fraction"),
                "must be above 0 and at most 0.64, random close packing",
            );
        }
        (Some(_), Some(_)) => {
            return fail(
                &format!("{at}.solid_fraction"),
                "either this or count, not both",
            );
        }
        (None, None) => return fail(at, "needs count or solid_fraction"),
    }
    region(&format!("{at}.region"), space, 3)
}

fn spheres_of_a_file(at: &str, particles: &ParticlesSpec, scene: &SceneSpec) -> Checked {
    let of_regions = [
        ("count", particles.count.is_some()),
        ("solid_fraction", particles.solid_fraction.is_some()),
        ("region", particles.region.is_some()),
        ("placement", particles.placement != Default::default()),
    ];
    if let Some((name, _)) = of_regions.iter().find(|(_, given)| *given) {
        return fail(&format!("{at}.{name}"), "is not for spheres from a file");
    }

    finite(&format!("{at}.position"), &particles.position)?;
    let scale = particles.scale.unwrap_or(1.0);
    positive(&format!("{at}.scale"), scale)?;

    if particles.material.is_some() && !particles.materials.is_empty() {
        return fail(
            &format!("{at}.materials"),
            "give either one material for all, or one for each type of the file",
        );
    }

    each(
        &format!("{at}.materials"),
        &particles.materials,
        |at, name| known(at, name, scene),
    )
}

fn inlet(at: &str, inlet: &InletSpec, scene: &SceneSpec) -> Checked {
    match (inlet.rate, inlet.mass_rate) {
        (Some(rate), None) => positive(&format!("{at}.rate"), rate)?,
        (None, Some(rate)) => positive(&format!("{at}.mass_rate"), rate)?,
        (Some(_), Some(_)) => {
            return fail(&format!("{at}.mass_rate"), "either this or rate, not both");
        }
        (None, None) => return fail(at, "needs rate or mass_rate"),
    }

    radius(&format!("{at}.radius"), &inlet.radius)?;
    region(&format!("{at}.region"), &inlet.region, 3)?;
    finite(&format!("{at}.velocity"), &inlet.velocity)?;
    not_negative(&format!("{at}.spread"), inlet.spread)?;
    not_negative(&format!("{at}.from"), inlet.from)?;

    named(at, inlet.material.as_ref(), scene)
}

fn body(at: &str, body: &BodySpec, scene: &SceneSpec) -> Checked {
    let dimension = scene.dimension;
    count(&format!("{at}.count"), body.count)?;
    named(at, body.material.as_ref(), scene)?;
    motion(at, body.motion.as_ref(), body.rotation, dimension)?;
    let belt = |motion: &MotionSpec| motion.surface_velocity != [0.0; 3];
    if body.motion.as_ref().is_some_and(belt) {
        return fail(
            &format!("{at}.motion.surface_velocity"),
            "is for walls: make the body a [[wall]] with this shape",
        );
    }
    shape(&format!("{at}.shape"), &body.shape, dimension)?;
    optional(&format!("{at}.velocity"), &body.velocity, dimension)?;
    optional(
        &format!("{at}.spin"),
        &body.spin,
        if dimension == 2 { 1 } else { 3 },
    )?;

    held(at, body, dimension)?;

    match (&body.rotation, dimension) {
        (Some(Turn::Quaternion(_)), 2) => {
            return fail(&format!("{at}.rotation"), "must be an angle in the plane");
        }
        (Some(Turn::Angle(_)), 3) => {
            return fail(
                &format!("{at}.rotation"),
                "must be a quaternion [x, y, z, w] in space",
            );
        }
        _ => {}
    }

    match (&body.region, body.position.is_empty()) {
        (Some(region), true) => self::region(&format!("{at}.region"), region, dimension),
        (None, false) if body.count == 1 => {
            vector(&format!("{at}.position"), &body.position, dimension)
        }
        (None, false) => fail(&format!("{at}.count"), "several bodies need a region"),
        (Some(_), false) => fail(
            &format!("{at}.position"),
            "a body has either a position or a region",
        ),
        (None, true) => fail(at, "a body needs a position, or a region"),
    }
}

fn shape(at: &str, shape: &ShapeSpec, dimension: usize) -> Checked {
    let at = &format!("{at}.{}", shape.kind());
    match (shape, dimension) {
        (ShapeSpec::Box(edges), _) => {
            vector(at, edges, dimension)?;
            edges.iter().try_for_each(|edge| positive(at, *edge))
        }
        (ShapeSpec::Points(points), _) => points
            .iter()
            .try_for_each(|point| vector(at, point, dimension)),
        (ShapeSpec::Polygon(convex), 2) | (ShapeSpec::Polyhedron(convex), 3) => {
            radius(&format!("{at}.radius"), &convex.radius)
        }
        (ShapeSpec::Polygon(_), _) => fail(at, "polygons are supported only in 2D scenes"),
        (ShapeSpec::Sphere(radius), _) => positive(at, *radius),
        (_, 2) => fail(
            at,
            "bodies in the plane are polygon, box, points or sphere (a disc)",
        ),
        (ShapeSpec::Foam(foam), _) => positive(&format!("{at}.size"), foam.size),
        (ShapeSpec::Motorcycle(motorcycle), _) => {
            positive(&format!("{at}.length"), motorcycle.length)
        }
        (ShapeSpec::Lathe(lathe), _) => profile(at, &lathe.profile, lathe.sectors),
        (ShapeSpec::Hull(_) | ShapeSpec::Mesh(_) | ShapeSpec::Polyhedron(_), _) => Ok(()),
    }
}

fn profile(at: &str, profile: &[[f64; 2]], sectors: usize) -> Checked {
    const MOST_SECTORS: usize = 10_000;
    if !(3..=MOST_SECTORS).contains(&sectors) {
        return fail(&format!("{at}.sectors"), "must be between 3 and 10,000");
    }

    if profile.len() < 2 {
        return fail(&format!("{at}.profile"), "must have at least two corners");
    }

    let sound = |corner: &[f64; 2]| {
        corner[0] >= 0.0 && corner.iter().all(|x| x.abs() <= LARGEST_COORDINATE)
    };

    match profile.iter().position(|corner| !sound(corner)) {
        Some(i) => fail(
            &format!("{at}.profile[{i}]"),
            "must be [r, z] with r not negative",
        ),
        None => Ok(()),
    }
}

fn solid(at: &str, solid: &SolidBody, scene: &SceneSpec) -> Checked {
    named(at, solid.material.as_ref(), scene)?;
    positive(&format!("{at}.young"), solid.young)?;
    positive(&format!("{at}.density"), solid.density)?;
    poisson(&format!("{at}.poisson"), solid.poisson)?;
    solid.friction.map_or(Ok(()), |friction| {
        not_negative(&format!("{at}.friction"), friction)
    })?;
    not_negative(&format!("{at}.damping"), solid.damping)?;
    not_negative(&format!("{at}.stiffness_damping"), solid.stiffness_damping)?;
    motion(at, None, solid.rotation, 3)?;

    for (name, numbers) in [
        ("position", solid.position),
        ("velocity", solid.velocity),
        ("spin", solid.spin),
    ] {
        finite(&format!("{at}.{name}"), &numbers)?;
    }

    solid
        .scale
        .map_or(Ok(()), |scale| positive(&format!("{at}.scale"), scale))?;
    each(&format!("{at}.fixed"), &solid.fixed, |at, item| {
        region(at, item, 3)
    })?;
    each(&format!("{at}.push"), &solid.push, |at, item| {
        region(&format!("{at}.region"), &item.region, 3)
    })?;

    match &solid.shape {
        SolidShape::Vee(vee) => finite(&format!("{at}.shape.vee.angle"), &[vee.angle]),
        SolidShape::Ball(ball) => positive(&format!("{at}.shape.ball.radius"), ball.radius),
        // The generators refuse bad lengths.
        SolidShape::Brick(_) | SolidShape::Cap(_) | SolidShape::Mesh(_) => Ok(()),
    }
}

fn periodic(periodic: &Periodic, gravity: &[f64]) -> Checked {
    finite("periodic.min", &periodic.min)?;
    finite("periodic.max", &periodic.max)?;
    if !(0..3).all(|i| periodic.min[i] < periodic.max[i]) {
        return fail("periodic.max", "must be larger than min on every axis");
    }
    deformation(periodic, gravity)
}

fn deformation(periodic: &Periodic, gravity: &[f64]) -> Checked {
    finite("periodic.rate", &periodic.rate)?;
    for (key, values) in [
        ("periodic.rate", &periodic.rate),
        ("periodic.pressure", &periodic.pressure),
    ] {
        for axis in (0..3).filter(|&axis| values[axis] != 0.0) {
            if !periodic.axes[axis] {
                return fail(key, "is not 0 on an axis that is not periodic");
            }
            if gravity.get(axis).is_some_and(|g| *g != 0.0) {
                return fail(key, "is not 0 on an axis along which gravity acts");
            }
        }
    }

    for (axis, pressure) in periodic.pressure.iter().enumerate() {
        not_negative("periodic.pressure", *pressure)?;
        if *pressure > 0.0 && periodic.rate[axis] != 0.0 {
            return fail("periodic.pressure", "either this or a rate on an axis");
        }
    }
    match (periodic.pressure == [0.0; 3], periodic.largest_rate) {
        (true, None) => Ok(()),
        (true, Some(_)) => fail("periodic.largest_rate", "is for pressures"),
        (false, _) if periodic.axes != [true; 3] => fail(
            "periodic.pressure",
            "needs a box that is periodic on all axes",
        ),
        (false, Some(rate)) => positive("periodic.largest_rate", rate),
        (false, None) => fail("periodic.pressure", "needs largest_rate"),
    }
}

/// Checks that a region has a volume.
fn measured_region(at: &str, space: &RegionSpec) -> Checked {
    region(at, space, 3)?;
    match Region::from(space).volume() > 0.0 {
        true => Ok(()),
        false => fail(at, "must have a volume"),
    }
}

fn grid(grid: &GridSpec) -> Checked {
    const MOST_CELLS: f64 = 1e7;
    finite("grid.min", &grid.min)?;
    finite("grid.max", &grid.max)?;
    if !(0..3).all(|i| grid.min[i] < grid.max[i]) {
        return fail("grid.max", "must be larger than min on every axis");
    }

    let cells: f64 = grid.cells.iter().map(|&count| count as f64).product();
    match (1.0..=MOST_CELLS).contains(&cells) {
        true => Ok(()),
        false => fail("grid.cells", "must have between 1 and 10 million cells"),
    }
}

fn flows(flows: &[FlowSpec]) -> Checked {
    /// Limited by the bits that store the sides of a sphere; one bit marks unknown.
    const MOST_PLANES: usize = 63;
    if flows.len() > MOST_PLANES {
        return fail("flow", "there may be at most 63");
    }

    each("flow", flows, |at, flow| {
        finite(&format!("{at}.point"), &flow.point)?;
        finite(&format!("{at}.normal"), &flow.normal)?;
        if flow.normal == [0.0; 3] {
            return fail(&format!("{at}.normal"), "must not be zero");
        }
        let limit = flow.region.as_ref();
        limit.map_or(Ok(()), |limit| region(&format!("{at}.region"), limit, 3))
    })
}

fn region(at: &str, region: &RegionSpec, dimension: usize) -> Checked {
    match region {
        RegionSpec::Box(cuboid) => {
            vector(&format!("{at}.box.min"), &cuboid.min, dimension)?;
            vector(&format!("{at}.box.max"), &cuboid.max, dimension)?;
            match cuboid
                .min
                .iter()
                .zip(&cuboid.max)
                .all(|(min, max)| min <= max)
            {
                true => Ok(()),
                false => fail(
                    &format!("{at}.box.max"),
                    "must not be less than min on any axis",
                ),
            }
        }
        _ if dimension == 2 => fail(at, "regions in the plane are boxes"),
        RegionSpec::Sphere(ball) => {
            finite(&format!("{at}.sphere.centre"), &ball.centre)?;
            positive(&format!("{at}.sphere.radius"), ball.radius)
        }
        RegionSpec::Cylinder(cylinder) => {
            finite(&format!("{at}.cylinder.from"), &cylinder.from)?;
            finite(&format!("{at}.cylinder.to"), &cylinder.to)?;
            positive(&format!("{at}.cylinder.radius"), cylinder.radius)?;
            match cylinder.from == cylinder.to {
                true => fail(&format!("{at}.cylinder.to"), "must differ from 'from'"),
                false => Ok(()),
            }
        }
    }
}

fn radius(at: &str, radius: &Radius) -> Checked {
    match radius {
        Radius::Fixed(radius) => positive(at, *radius),
        Radius::Spread(SpreadSpec::Uniform([low, up])) => {
            positive(&format!("{at}.uniform"), *low)?;
            positive(&format!("{at}.uniform"), *up)?;
            if low <= up {
                Ok(())
            } else {
                fail(
                    &format!("{at}.uniform"),
                    "must have the smaller radius first",
                )
            }
        }
        Radius::Spread(SpreadSpec::List(list)) if list.is_empty() => {
            fail(&format!("{at}.list"), "must not be empty")
        }
        Radius::Spread(SpreadSpec::List(list)) => list
            .iter()
            .try_for_each(|r| positive(&format!("{at}.list"), *r)),
        Radius::Spread(SpreadSpec::MassFractions(points)) => {
            let at = &format!("{at}.mass-fractions");
            fractions(at, points)?;
            match points.iter().any(|[_, share]| *share > 0.0) {
                true => Ok(()),
                false => fail(at, "must have a fraction above 0"),
            }
        }
        Radius::Spread(SpreadSpec::Sieve(points)) => {
            let at = &format!("{at}.sieve");
            fractions(at, points)?;
            let ascend = |ends: &[[f64; 2]]| ends[0][0] < ends[1][0] && ends[0][1] <= ends[1][1];
            let passes = points.len() > 1 && points[0][1] < points[points.len() - 1][1];
            match passes && points.windows(2).all(ascend) {
                true => Ok(()),
                false => fail(
                    at,
                    "must have two or more pairs [aperture, passing], both ascending",
                ),
            }
        }
        Radius::Spread(SpreadSpec::Lognormal(law)) => lognormal(&format!("{at}.lognormal"), law),
    }
}

fn fractions(at: &str, points: &[[f64; 2]]) -> Checked {
    points
        .iter()
        .enumerate()
        .try_for_each(|(i, [size, share])| {
            positive(&format!("{at}[{i}]"), *size)?;
            not_negative(&format!("{at}[{i}]"), *share)
        })
}

fn lognormal(at: &str, law: &LognormalSpec) -> Checked {
    positive(&format!("{at}.min"), law.min)?;
    positive(&format!("{at}.max"), law.max)?;
    not_negative(&format!("{at}.sigma"), law.sigma)?;

    match (law.min..=law.max).contains(&law.median) {
        true => Ok(()),
        false => fail(&format!("{at}.median"), "must lie between min and max"),
    }
}

fn poisson(at: &str, ratio: f64) -> Checked {
    // 0.5 is incompressible: the bulk modulus would be infinite.
    if ratio > -1.0 && ratio < 0.5 {
        Ok(())
    } else {
        fail(at, "must be above -1 and below 0.5")
    }
}

fn count(at: &str, count: usize) -> Checked {
    if (1..=MOST).contains(&count) {
        Ok(())
    } else {
        fail(at, "must be between 1 and 100 million")
    }
}

fn positive(at: &str, value: f64) -> Checked {
    match value > 0.0 && value <= LARGEST_COORDINATE {
        true => Ok(()),
        false => fail(at, &format!("must be greater than 0, not {value}")),
    }
}

fn not_negative(at: &str, value: f64) -> Checked {
    match (0.0..=LARGEST_COORDINATE).contains(&value) {
        true => Ok(()),
        false => fail(at, &format!("must be 0 or greater, not {value}")),
    }
}

fn finite(at: &str, values: &[f64]) -> Checked {
    match values.iter().all(|value| value.abs() <= LARGEST_COORDINATE) {
        true => Ok(()),
        false => fail(at, "has a number that is infinite or NaN"),
    }
}

/// Accepts an absent key, or exactly the required count of numbers.
fn optional(at: &str, values: &[f64], needed: usize) -> Checked {
    if values.is_empty() {
        Ok(())
    } else {
        vector(at, values, needed)
    }
}

fn vector(at: &str, values: &[f64], needed: usize) -> Checked {
    if values.len() != needed {
        return fail(
            at,
            &format!("has {} numbers where {needed} are needed", values.len()),
        );
    }
    finite(at, values)
}

fn fail(at: &str, reason: &str) -> Checked {
    Err(Fault::new(at, reason))
}
