//! Runs every example; each asserts what it shows.

macro_rules! example {
    ($name:ident, $file:literal) => {
        #[path = $file]
        mod $name;

        #[test]
        fn $name() {
            $name::main().expect("the example runs");
        }
    };
}

example!(inside, "../inside.rs");
example!(signed_distance, "../signed_distance.rs");
example!(own_dem, "../own_dem.rs");
example!(finite_elements, "../finite_elements.rs");
example!(tissue, "../tissue.rs");
example!(mesh_ccd, "../mesh_ccd.rs");
example!(repair, "../repair.rs");
example!(periodic, "../periodic.rs");
example!(moving_scene, "../moving_scene.rs");
example!(own_forces, "../own_forces.rs");
example!(bulk, "../bulk.rs");
example!(rays, "../rays.rs");
example!(virtual_ranks, "../virtual_ranks.rs");
example!(scale_model, "../scale_model.rs");
