use super::*;

fn sample() -> Checkpoint {
    Checkpoint {
        version: version(),
        scene: 17,
        computed: 7,
        step: 3,
        dt: 0.125,
        marks: Marks::default(),
        passed: Vec::new(),
        state: State::default(),
    }
}

#[test]
fn a_checkpoint_comes_back_and_damage_is_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(
        Checkpoint::read(folder.path())
            .expect("nothing there")
            .is_none()
    );
    sample().write(folder.path()).expect("writes");
    let back = Checkpoint::read(folder.path())
        .expect("reads")
        .expect("is there");
    assert_eq!((back.step, back.dt, back.scene), (3, 0.125, 17));
    let path = folder.path().join(FILE);
    let good = std::fs::read(&path).expect("bytes");

    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        assert!(Checkpoint::decode(&bad).is_err(), "byte {place}");
        assert!(
            Checkpoint::decode(&good[..place]).is_err(),
            "cut to {place}"
        );
    }
}

#[test]
fn a_part_moved_to_its_neighbour_changes_the_hash() {
    assert_ne!(hash([&b"ab"[..], b"c"]), hash([&b"a"[..], b"bc"]));
    assert_ne!(hash([&b"12345678"[..]]), hash([&b"12345679"[..]]));
}
