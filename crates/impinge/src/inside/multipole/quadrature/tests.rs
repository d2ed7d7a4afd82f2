use super::*;

#[test]
fn rules_integrate_monomials_exactly_up_to_their_degree() {
    let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
    for degree in 0..=20 {
        let rule = triangle_rule(degree);
        for i in 0..=degree {
            for j in 0..=degree - i {
                let sum: f64 = rule
                    .iter()
                    .map(|q| q.weight * q.u.powi(i as i32) * q.v.powi(j as i32))
                    .sum();
                // ∫ uⁱ vʲ over the unit triangle, divided by its area ½.
                let expected = 2.0 * factorial(i) * factorial(j) / factorial(i + j + 2);
                assert!(
                    (sum - expected).abs() < 1e-14,
                    "degree {degree}: u^{i} v^{j} {sum} {expected}"
                );
            }
        }
    }
}
