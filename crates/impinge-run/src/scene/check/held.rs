//! Checks of what holds and pushes a rigid body: a rail, a hinge, a constant force.

use super::super::BodySpec;
use super::{Checked, fail, optional, vector};

pub(super) fn held(at: &str, body: &BodySpec, dimension: usize) -> Checked {
    optional(&format!("{at}.force"), &body.force, dimension)?;
    optional(&format!("{at}.along"), &body.along, dimension)?;
    let given = [
        ("along", !body.along.is_empty()),
        ("hinge", body.hinge.is_some()),
        ("force", !body.force.is_empty()),
    ];
    let is_driven = body.fixed || body.motion.is_some();
    if let Some((name, _)) = given.iter().find(|(_, given)| is_driven && *given) {
        return fail(
            &format!("{at}.{name}"),
            "has no effect on a body that is fixed or has a motion",
        );
    }

    rail(at, body)?;
    hinge(at, body, dimension)
}

fn rail(at: &str, body: &BodySpec) -> Checked {
    if body.along.is_empty() {
        return Ok(());
    }
    if body.along.iter().all(|x| *x == 0.0) {
        return fail(&format!("{at}.along"), "must not be zero");
    }
    match body.spin.iter().all(|x| *x == 0.0) {
        true => Ok(()),
        false => fail(
            &format!("{at}.spin"),
            "a body that moves along an axis does not rotate",
        ),
    }
}

fn hinge(at: &str, body: &BodySpec, dimension: usize) -> Checked {
    let Some(hinge) = &body.hinge else {
        return Ok(());
    };
    if !body.along.is_empty() {
        return fail(
            &format!("{at}.hinge"),
            "a body moves along an axis or turns about a hinge, not both",
        );
    }

    vector(&format!("{at}.hinge.point"), &hinge.point, dimension)?;
    let axis = format!("{at}.hinge.axis");
    match dimension {
        2 if !hinge.axis.is_empty() => return fail(&axis, "is for space; in the plane it is z"),
        2 => {}
        _ => vector(&axis, &hinge.axis, dimension)?,
    }
    if dimension == 3 && hinge.axis.iter().all(|x| *x == 0.0) {
        return fail(&axis, "must not be zero");
    }
    match body.velocity.iter().all(|x| *x == 0.0) {
        true => Ok(()),
        false => fail(
            &format!("{at}.velocity"),
            "follows from the spin about the hinge",
        ),
    }
}
