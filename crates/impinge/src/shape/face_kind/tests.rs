use super::*;
use crate::space::Random;

fn random_local(kind: FaceKind, random: &mut Random) -> [f64; 2] {
    loop {
        let local = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
        if kind.domain().contains(local) {
            return local;
        }
    }
}

fn for_samples(mut check: impl FnMut(FaceKind, [f64; 2])) {
    let mut random = Random::new(2);
    for kind in FaceKind::ALL {
        (0..100).for_each(|_| check(kind, random_local(kind, &mut random)));
    }
}

/// 1, ξ, η, ξη, ξ², η², ξ²η, ξη², ξ²η² with their exact derivatives.
fn monomial(power: [i32; 2], [xi, eta]: [f64; 2]) -> (f64, [f64; 2], [f64; 3]) {
    let derivative = |x: f64, n: i32, times: i32| {
        let factor: i32 = (0..times).map(|k| n - k).product();
        if factor == 0 {
            0.0
        } else {
            f64::from(factor) * x.powi(n - times)
        }
    };
    let part = |a, b| derivative(xi, power[0], a) * derivative(eta, power[1], b);

    (
        part(0, 0),
        [part(1, 0), part(0, 1)],
        [part(2, 0), part(1, 1), part(0, 2)],
    )
}

/// The monomials that each kind represents exactly.
fn space(kind: FaceKind) -> Vec<[i32; 2]> {
    let all: Vec<[i32; 2]> = (0..3).flat_map(|a| (0..3).map(move |b| [a, b])).collect();
    let keep = |&[a, b]: &[i32; 2]| match kind {
        FaceKind::Line2 => a <= 1 && b == 0,
        FaceKind::Line3 => b == 0,
        FaceKind::Tri3 => a + b <= 1,
        FaceKind::Tri6 => a + b <= 2,
        FaceKind::Quad4 => a <= 1 && b <= 1,
        FaceKind::Quad8 => a + b <= 3,
        FaceKind::Quad9 => true,
    };

    all.into_iter().filter(keep).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-13
}

#[test]
fn shape_functions_are_one_at_their_node_and_zero_at_the_others() {
    for kind in FaceKind::ALL {
        for (i, &local) in kind.node_positions().iter().enumerate() {
            let mut expected = [0.0; MOST_FACE_NODES];
            expected[i] = 1.0;
            assert_eq!(kind.values(local), expected, "{}", kind.name());
        }
    }
}

#[test]
fn shape_functions_sum_to_one_and_their_derivatives_to_zero() {
    for_samples(|kind, local| {
        assert!(close(kind.values(local).iter().sum(), 1.0));
        assert!(
            kind.gradients(local)
                .iter()
                .all(|d| close(d.iter().sum(), 0.0))
        );
        assert!(
            kind.hessians(local)
                .iter()
                .all(|d| close(d.iter().sum(), 0.0))
        );
    });
}

#[test]
fn every_polynomial_of_the_space_is_reproduced_with_its_derivatives() {
    for kind in FaceKind::ALL {
        assert_eq!(
            space(kind).len(),
            kind.node_count(),
            "as many monomials as nodes"
        );
    }
    for_samples(|kind, local| {
        for power in space(kind) {
            let at_nodes: Vec<f64> = kind
                .node_positions()
                .iter()
                .map(|&x| monomial(power, x).0)
                .collect();
            let sum = |n: PerNode<f64>| at_nodes.iter().zip(n).map(|(v, n)| v * n).sum::<f64>();
            let (value, first, second) = monomial(power, local);
            assert!(
                close(sum(kind.values(local)), value),
                "{} {power:?}",
                kind.name()
            );

            assert!(
                (0..2).all(|x| close(sum(kind.gradients(local)[x]), first[x])),
                "{}",
                kind.name()
            );

            assert!(
                (0..3).all(|x| close(sum(kind.hessians(local)[x]), second[x])),
                "{}",
                kind.name()
            );
        }
    });
}

#[test]
fn derivatives_are_the_central_differences_of_what_they_derive() {
    // Central differences of polynomials of degree two in each variable are exact except for
    // rounding.
    const STEP: f64 = 1e-3;
    let difference = |a: PerNode<f64>, b: PerNode<f64>, i: usize| (a[i] - b[i]) / (2.0 * STEP);
    for_samples(|kind, [xi, eta]| {
        let ends = [
            [[xi + STEP, eta], [xi - STEP, eta]],
            [[xi, eta + STEP], [xi, eta - STEP]],
        ];
        let (first, second) = (kind.gradients([xi, eta]), kind.hessians([xi, eta]));
        for (x, [up, low]) in ends.into_iter().enumerate() {
            let slopes = [kind.gradients(up), kind.gradients(low)];
            for i in 0..kind.node_count() {
                let near = |a: f64, b: f64| (a - b).abs() < 1e-10;
                assert!(near(
                    first[x][i],
                    difference(kind.values(up), kind.values(low), i)
                ));

                // ∂²/∂ξ∂η from either side: the Hessian is symmetric.
                assert!(near(
                    second[x][i],
                    difference(slopes[0][0], slopes[1][0], i)
                ));
                assert!(near(
                    second[x + 1][i],
                    difference(slopes[0][1], slopes[1][1], i)
                ));
            }
        }
    });
}

#[test]
fn nodes_stand_where_the_tables_of_vtk_and_of_gmsh_say() {
    for kind in FaceKind::ALL {
        let (element, nodes) = (kind.element(), kind.node_positions());
        assert_eq!(FaceKind::of_element(element), Some(kind));
        assert_eq!(
            (kind.node_count(), kind.corner_count()),
            (element.node_count(), element.corner_count())
        );
        assert_eq!(
            (kind.order(), kind.dimension()),
            (element.order(), element.dimension())
        );

        assert_eq!(
            element.gmsh_to_vtk(),
            (0..nodes.len()).collect::<Vec<_>>(),
            "the orders are the same"
        );

        for (between, node) in element
            .vtk_mid_nodes()
            .iter()
            .zip(&nodes[kind.corner_count()..])
        {
            let mean = |x: usize| {
                between.iter().map(|&c| nodes[c as usize][x]).sum::<f64>() / between.len() as f64
            };
            assert_eq!([mean(0), mean(1)], *node, "{}", kind.name());
        }
    }
}

#[test]
fn domains_hold_their_nodes_and_their_centre() {
    for kind in FaceKind::ALL {
        assert!(
            kind.node_positions()
                .iter()
                .all(|&x| kind.domain().contains(x))
        );
        assert!(kind.domain().contains(kind.domain().centre()));
        assert!(!kind.domain().contains([1.5, 0.0]) && !kind.domain().contains([f64::NAN, 0.0]));
    }
}
