use super::*;

fn linear(stiffness: Stiffness) -> Law {
    let normal = Normal::Linear {
        stiffness,
        tangential: 2.0 / 7.0,
        tangential_damping: 0.5,
    };
    Law {
        normal,
        rolling: Rolling::Constant,
    }
}

#[test]
fn the_typical_stiffness_stores_the_energy_of_hertz_at_the_same_depth() {
    let (m, speed, radius) = (Material::default(), 0.7, 2e-3);
    let k = typical_stiffness(&m, &m, speed, radius);
    let mass = 0.5 * m.density * 4.0 / 3.0 * PI * radius.powi(3);
    let depth = (mass * speed * speed / k).sqrt();
    let hertz = 8.0 / 15.0 * effective_young(&m, &m) * (0.5 * radius).sqrt() * depth.powf(2.5);
    assert!((hertz / (0.5 * mass * speed * speed) - 1.0).abs() < 1e-12);
}

#[test]
fn two_materials_share_the_mean_unless_a_pairing_says_otherwise() {
    let materials = [
        Material {
            friction: 0.2,
            ..Material::default()
        },
        Material {
            friction: 0.8,
            rolling_friction: 0.3,
            ..Material::default()
        },
    ];
    let law = linear(Stiffness::Given(1e3));
    let plain = Table::new(law, &materials, &[]).expect("good materials");
    assert!((plain.mixed(0, 1).friction - 0.4).abs() < 1e-15 && plain.mixed(1, 1).friction == 0.8);

    let pairing = Pairing {
        materials: [1, 0],
        restitution: 0.5,
        friction: 0.7,
        rolling_friction: 0.1,
        cohesion: 0.0,
    };
    let paired = Table::new(law, &materials, &[pairing]).expect("good materials");
    assert_eq!(paired.mixed(0, 1), paired.mixed(1, 0));

    assert_eq!(
        (paired.mixed(0, 1).friction, paired.mixed(0, 1).rolling),
        (0.7, 0.1)
    );
}

#[test]
fn a_law_without_stiffness_is_refused() {
    let fault = Table::new(linear(Stiffness::Given(0.0)), &[Material::default()], &[]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "the law's stiffness is 0; it must be positive and finite"
    );
    let nan = linear(Stiffness::Typical {
        speed: f64::NAN,
        radius: 1.0,
    });
    assert!(Table::new(nan, &[Material::default()], &[]).is_err());

    assert_eq!(
        Table::new(Law::default(), &[], &[]).unwrap_err(),
        InvalidLaw::NoMaterials
    );
}
