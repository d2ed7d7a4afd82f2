use super::*;

#[test]
fn the_launcher_tells_the_number_of_processes() {
    assert_eq!(processes(|_| None), 1);
    assert_eq!(
        processes(|name| (name == "PMI_SIZE").then(|| "4".into())),
        4
    );
    assert_eq!(processes(|_| Some("many".into())), 1);
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_build_without_mpi_says_how_to_build_it() {
    let error = start(3).err().expect("not built");
    assert!(error.to_string().contains("--features mpi"), "{error}");
}
