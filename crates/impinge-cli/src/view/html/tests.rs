use super::*;
use crate::view::exhibit::Exhibit;
use impinge::shape::Mesh;
use impinge_io::{Dataset, Field};

/// Spheres that move, with constant radii: `frames` frames of `count`.
fn moving(frames: u32, count: u32) -> Content {
    let frame = |number: u32| {
        let place = |i: u32| {
            let x = f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 1e6;
            Point::from([x + f64::from(number), f64::from(i), 0.5])
        };
        let mut dataset = Dataset::from(Mesh {
            points: (0..count).map(place).collect(),
            blocks: Vec::new(),
        });
        let radii = vec![0.25; count as usize];
        dataset.point_fields.push(Field::scalar("radius", radii));
        (f64::from(number), dataset)
    };
    let frames = (0..frames).map(frame).collect();
    Content::Exhibit(Exhibit::new("a </script> title").with_frames(
        "particles",
        "spheres",
        Role::Matter,
        frames,
    ))
}

#[test]
fn shared_arrays_are_stored_once_and_no_text_ends_a_script() {
    let page = page(&moving(5, 10)).expect("a page");
    // Five arrays of positions and one of radii.
    assert_eq!(page.text.matches("id=\"array-").count(), 6);
    assert!(page.notes.is_empty());
    let data = page.text.split("id=\"embedded\">").nth(1).expect("data");
    let json = data.split("</script>").next().expect("an end");
    let embedded: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(embedded["manifest"]["title"], "a </script> title");
    assert_eq!(embedded["parts"].as_object().expect("parts").len(), 5);
}

#[test]
fn frames_are_left_out_evenly_and_with_a_note_where_the_file_would_be_too_large() {
    let content = moving(40, 2000);
    let whole = page_of_size(&content, MOST_BYTES)
        .expect("a page")
        .text
        .len()
        - PAGE.len();
    let limit = whole / 3;
    let page = page_of_size(&content, limit).expect("a page");
    assert!(page.text.len() - PAGE.len() < limit + limit / 4);
    assert!(page.text.len() - PAGE.len() > limit / 3);
    assert!(page.notes[0].contains("of 40 frames"), "{:?}", page.notes);
    assert!(page.text.matches("id=\"array-").count() > 5);
    assert!(page_of_size(&content, 100).is_err());
}

#[test]
fn the_page_has_one_place_for_data_and_the_licence_of_three() {
    assert_eq!(PAGE.matches(PLACE).count(), 1);
    assert!(PAGE.contains("Three.js Authors"));
}
