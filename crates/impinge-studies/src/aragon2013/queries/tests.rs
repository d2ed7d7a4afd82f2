use super::*;

#[test]
fn a_file_of_two_queries_is_read_and_answered() {
    let folder = std::env::temp_dir().join(format!("impinge-queries-{}", std::process::id()));
    let scene = folder.join("falling").join("vertex-face");
    std::fs::create_dir_all(&scene).unwrap();
    let face = ["0,1,0,1,0,1", "1,1,0,1,0,1", "0,1,1,1,0,1"];
    let query = |height: [&str; 2], answer: u8| -> String {
        let at = |z: &str| format!("1,4,1,4,{z}");
        let rows = height.map(|z| [at(z), face[0].into(), face[1].into(), face[2].into()]);
        rows.concat()
            .iter()
            .map(|row| format!("{row},{answer}\n"))
            .collect()
    };
    let text = query(["1,2", "-1,2"], 1) + &query(["1,2", "1,8"], 0);
    std::fs::write(scene.join("data.csv"), text).unwrap();
    let mut findings = Findings::default();
    let out = folder.join("out");
    std::fs::create_dir_all(&out).unwrap();
    run(&out, &folder, &mut findings).unwrap();
    let all = findings.into_all();
    assert!(!all.is_empty() && all.iter().all(crate::study::Finding::is_as_expected));

    std::fs::remove_dir_all(&folder).unwrap();
}
