use super::*;

#[test]
fn a_bad_number_is_named_with_its_material() {
    let bad = Material {
        restitution: f64::NAN,
        ..Material::default()
    };
    let fault = bad.check(3).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "material 3: the restitution is NaN; it must be 0 to 1"
    );

    assert!(
        Material {
            poisson: 0.6,
            ..Material::default()
        }
        .check(0)
        .is_err()
    );

    assert!(
        Material {
            young: f64::INFINITY,
            ..Material::default()
        }
        .check(0)
        .is_err()
    );

    assert_eq!(Material::default().check(0), Ok(()));
}

#[test]
fn a_pairing_of_a_material_that_does_not_exist_is_refused() {
    let pairing = Pairing {
        materials: [0, 2],
        restitution: 0.5,
        friction: 0.5,
        rolling_friction: 0.0,
        cohesion: 0.0,
    };
    assert_eq!(
        pairing.check(1, 2),
        Err(InvalidLaw::NoMaterial {
            pairing: 1,
            material: 2,
            count: 2
        })
    );

    assert_eq!(pairing.check(1, 3), Ok(()));
}
