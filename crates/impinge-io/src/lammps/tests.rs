use super::*;

fn spheres() -> ParticleData {
    let centres = [[0.1, 0.2, 0.3], [-1.0, 1e-300, 5.0], [2.0, 0.0, 1.0]]
        .map(Point::from)
        .to_vec();
    let mut particles = ParticleData::of_spheres(centres, vec![0.5, 1.25, 0.1]);
    particles.ids = vec![7, 2, 5];
    particles.kinds = vec![1, 3, 1];
    particles.fields = vec![
        Field::scalar("density", vec![2500.0, 1000.0, 1.5]),
        Field::vector("velocity", &[[0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [0.0; 3]]),
        Field::vector("spin", &[[0.0; 3], [-1.0, -2.0, -3.0], [4.0, 5.0, 6.0]]),
    ];

    particles
}

fn dump(frames: &[ParticleData]) -> String {
    let mut bytes = Vec::new();
    frames
        .iter()
        .for_each(|frame| write_frame(frame, &mut bytes).expect("writes"));
    String::from_utf8(bytes).expect("text")
}

fn data(particles: &ParticleData) -> String {
    let mut bytes = Vec::new();
    write_data(particles, &mut bytes).expect("writes");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn a_data_file_is_read_as_written() {
    assert_eq!(
        parse(data(&spheres()).as_bytes()).expect("reads"),
        [spheres()]
    );
}

#[test]
fn a_dump_is_read_as_written() {
    let mut later = spheres();
    later.step = 100;
    later.periodic = [true, false, true];
    later
        .fields
        .push(Field::vector("force", &[[1.0, 0.0, -0.5]; 3]));
    let frames = [spheres(), later];

    assert_eq!(parse(dump(&frames).as_bytes()).expect("reads"), frames);
}

#[test]
fn the_head_of_a_dump_is_what_ovito_expects() {
    let head: Vec<String> = dump(&[spheres()])
        .lines()
        .take(10)
        .map(str::to_owned)
        .collect();
    let expected = [
        "ITEM: TIMESTEP",
        "0",
        "ITEM: NUMBER OF ATOMS",
        "3",
        "ITEM: BOX BOUNDS ff ff ff",
        "-2.25 2.1",
        "-1.25 1.25",
        "-0.2 6.25",
        "ITEM: ATOMS id type x y z radius density vx vy vz omegax omegay omegaz",
        "7 1 0.1 0.2 0.3 0.5 2500.0 0.1 0.2 0.3 0.0 0.0 0.0",
    ];

    assert_eq!(head, expected);
}

#[test]
fn a_foreign_dump_is_read() {
    let text = "ITEM: UNITS\nlj\nITEM: TIMESTEP\n5\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n0 10\n\
        -5 5\n0 2\nITEM: ATOMS element xs ys zs diameter c_coordination \nFe 0.5 0.25 1 3 12 \n";
    let frames = parse(text.as_bytes()).expect("reads");
    assert_eq!(frames[0].centres, [Point::from([5.0, -2.5, 2.0])]);
    assert_eq!(
        (frames[0].radii[0], frames[0].ids[0], frames[0].periodic),
        (1.5, 1, [true, true, false])
    );

    assert_eq!(
        frames[0].fields,
        [Field::scalar("c_coordination", vec![12.0])]
    );
    assert_eq!(
        frames[0]
            .ignored
            .iter()
            .map(|ignored| ignored.count)
            .collect::<Vec<_>>(),
        [1, 1]
    );
}

#[test]
fn a_foreign_data_file_is_read() {
    let text = "title\n# comment\n2 atoms\n1 atom types\n0 bonds\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n\
        Masses\n\n1 1.0\n\nAtoms  # sphere\n\n1 1 1.0 2.0 0 0 0 0 0 1\n2 1 0.5 2.0 .5 .5 .5 # last\n";
    let particles = parse_data(text.as_bytes()).expect("reads");
    assert_eq!(particles.radii, [0.5, 0.25]);
    assert_eq!(
        particles
            .ignored
            .iter()
            .map(|i| i.what.as_str())
            .collect::<Vec<_>>(),
        ["other sections", "image flags of atoms"]
    );
}

#[test]
fn broken_files_are_refused_with_their_line() {
    let (data, dump) = (data(&spheres()), dump(&[spheres()]));
    for (text, reason) in [
        (
            data.replace("3 atoms", "4000000000 atoms"),
            "line 10: 4000000000 atoms are declared",
        ),
        (data.replace("3 atoms", "2 atoms"), "line 14: '5 1 0.2"),
        (
            data.replace("Atoms # sphere", "Atoms"),
            "line 10: the section does not declare",
        ),
        (
            data.replace("Atoms # sphere", "Atoms # full"),
            "line 10: atom style 'full'",
        ),
        (
            data.replace("2500.0", "nan"),
            "line 12: density: 'nan' is not finite",
        ),
        (
            data.replace("2 1.0 2.0", "9 1.0 2.0"),
            "line 19: there is no atom 9",
        ),
        (
            dump.replace("ATOMS\n3", "ATOMS\n4000000000"),
            "line 9: 4000000000 atoms are declared",
        ),
        (
            dump.replace("7 1 0.1", "7 1 inf"),
            "line 10: coordinate: 'inf' is not finite",
        ),
        (
            dump.replace("0.3 0.5 ", "0.3 -0.5 "),
            "line 10: the atom has a negative radius",
        ),
        (
            dump.replace(" radius", " mass"),
            "line 9: the atoms need a column radius",
        ),
        (
            dump.replace("BOX BOUNDS", "BOX BOUNDS xy xz yz"),
            "line 5: tilted boxes",
        ),
        (
            dump.replace("-2.25 2.1", "-2.25"),
            "line 6: upper end of the box is missing",
        ),
    ] {
        let fault = parse(text.as_bytes())
            .map(|_| text)
            .unwrap_err()
            .to_string();
        assert!(fault.starts_with(reason), "{fault}\nfor {reason}");
    }
}

#[test]
fn particles_whose_lists_disagree_are_not_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut particles = spheres();
    particles.radii.pop();
    let error = write_particles(&folder.path().join("a.dump"), &[particles])
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("there are 2 radii for 3 centres"),
        "{error}"
    );

    for name in ["a.dump", "a.data"] {
        let path = folder.path().join(name);
        write_particles(&path, &[spheres()]).expect("writes");
        assert_eq!(read_particles(&path).expect("reads"), [spheres()]);
    }
}
