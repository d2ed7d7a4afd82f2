use super::*;
use crate::scene::SceneSpec;

fn run(lines: &str) -> Run {
    SceneSpec::parse(&format!("[run]\n{lines}\n"))
        .expect("a good scene")
        .run
}

#[test]
fn automatic_steps_fit_between_frames() {
    let plan = Plan::new(&run("duration = 1\noutput = 0.1"), 0.015);
    assert_eq!((plan.steps, plan.frame, plan.history), (80, 8, 2));
    assert!(plan.dt <= 0.0135 && plan.warning().is_none());
    let free = Plan::new(&run("duration = 1\noutput = 0.1"), f64::INFINITY);
    assert_eq!((free.steps, free.frame), (10, 1));
}

#[test]
fn a_given_step_is_kept_and_warned_of_where_it_is_too_long() {
    let plan = Plan::new(&run("duration = 1\nstep = 0.02"), 0.015);
    assert_eq!((plan.dt, plan.steps), (0.02, 50));
    assert!(
        plan.warning()
            .expect("too long")
            .contains("longer than the stable one of 1.500e-2 s")
    );
}
