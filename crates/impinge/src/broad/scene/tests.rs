use super::*;
use crate::bound::Ball;

#[test]
fn families_and_groups_do_not_collide() {
    assert!(Filter::ALL.allows(&Filter::ALL));
    assert!(!Filter::family(3).allows(&Filter::family(3)));
    assert!(Filter::family(3).allows(&Filter::family(4)) && Filter::family(3).allows(&Filter::ALL));
    let ghost = Filter {
        collides_with: !2,
        groups: 1,
        family: 0,
    };

    let wall = Filter {
        groups: 2,
        ..Filter::ALL
    };
    assert!(!ghost.allows(&wall) && !wall.allows(&ghost) && ghost.allows(&ghost));

    assert!(!Filter::OFF.is_on() && !Filter::OFF.allows(&Filter::ALL));
}

#[test]
fn errors_name_the_item() {
    let balls = [Ball::new([0.0, 0.0], 1.0), Ball::new([0.0, f64::NAN], 1.0)];
    let scene = BroadScene::of(&balls);
    assert_eq!(
        scene.check().unwrap_err().to_string(),
        "body 1 has a coordinate that is NaN, infinite or beyond 1e60"
    );
    assert!(
        BroadScene {
            filters: &[Filter::ALL, Filter::OFF],
            ..scene
        }
        .check()
        .is_ok()
    );

    let error = BroadScene {
        filters: &[Filter::ALL],
        ..scene
    }
    .check()
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "1 filters for 2 bodies; give none, or one per body"
    );

    let error = BroadScene {
        period: Period::cell([1.0, -1.0]),
        ..scene
    }
    .check()
    .unwrap_err();

    assert_eq!(error, InvalidScene::Period { axis: 1 });
}
