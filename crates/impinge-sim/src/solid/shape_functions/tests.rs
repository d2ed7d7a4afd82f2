use super::*;
use ElementKind::*;

#[test]
fn each_function_is_one_at_its_node_and_zero_at_the_others() {
    for kind in SUPPORTED {
        for (i, node) in nodes(kind).iter().enumerate() {
            for (j, (value, _)) in functions(kind, node).iter().enumerate() {
                assert_eq!(
                    *value,
                    f64::from(u8::from(i == j)),
                    "{} {i} {j}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn nodes_lie_where_generated_cells_have_them() {
    for kind in SUPPORTED {
        let mesh = impinge::shape::generate::brick([1; 3], [2.0; 3], kind).expect("valid");
        let cell = mesh.blocks[0].elements().next().expect("a cell");
        let corners: Vec<Vector<3>> = cell
            .iter()
            .map(|&n| mesh.points[n as usize].coords)
            .collect();
        let linear = if is_tetrahedron(kind) { Tet4 } else { Hex8 };

        for (node, place) in nodes(kind).iter().zip(&corners) {
            let parts = functions(linear, node).into_iter().zip(&corners);
            let found: Vector<3> = parts.map(|((value, _), x)| x * value).sum();
            assert!((found - place).norm() < 1e-15, "{}", kind.name());
        }
    }
}

#[test]
fn gradients_are_those_of_the_values() {
    let (xi, h) = (Vector::<3>::new(0.21, 0.34, 0.13), 1e-6);
    for kind in SUPPORTED {
        for axis in 0..3 {
            let shifted = |by: f64| functions(kind, &(xi + Vector::ith(axis, by)));
            let (ahead, behind) = (shifted(h), shifted(-h));
            for (i, (_, slope)) in functions(kind, &xi).iter().enumerate() {
                let difference = (ahead[i].0 - behind[i].0) / (2.0 * h);
                assert!(
                    (difference - slope[axis]).abs() < 1e-9,
                    "{} {i}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn rules_integrate_polynomials_of_their_degree() {
    // ∫ xᵃ yᵇ zᶜ over the tetrahedron is a! b! c! / (a + b + c + 3)!.
    let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
    let sum = |rule: &[Place], [a, b, c]: [i32; 3]| {
        let value = |x: &Vector<3>| x.x.powi(a) * x.y.powi(b) * x.z.powi(c);
        rule.iter().map(|(x, w)| w * value(x)).sum::<f64>()
    };
    for (rule, degree) in [(quadrature(Tet10), 2), (fine_quadrature(Tet10), 5)] {
        for powers in (0..216).map(|i| [i % 6, i / 6 % 6, i / 36]) {
            let total: i32 = powers.iter().sum();
            if total <= degree {
                let exact = powers.map(factorial).iter().product::<f64>() / factorial(total + 3);
                assert!((sum(&rule, powers) - exact).abs() < 1e-15, "{powers:?}");
            }
        }
    }

    // ∫ x² y² z² over the cube is (2/3)³.
    for rule in [quadrature(Hex8), quadrature(Hex27), fine_quadrature(Hex8)] {
        assert!((sum(&rule, [2, 2, 2]) - 8.0 / 27.0).abs() < 1e-14);
    }
}
