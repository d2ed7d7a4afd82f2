//! Steps of a detector that repeat the work of earlier ones ask for no memory, whatever the shapes.
//!
//! An allocator counts the requests of a thread while it is watched. It is the only unsafe code of the
//! workspace: the trait of allocators is unsafe.
#![allow(unsafe_code)]

use impinge::detect::{Compound, Detector3, Options, Place, Scene3, Shape3};
use impinge::narrow::SurfaceBody;
use impinge::shape::{ElementKind, HalfSpace, Polyhedron, Round, Solid, Sphere, generate};
use impinge::space::Pose;
use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
    /// The places in our code that asked, with their numbers of requests.
    static PLACES: RefCell<BTreeMap<String, usize>> = const { RefCell::new(BTreeMap::new()) };
}

/// Number of requests whose places are looked up, which is slow.
const NAMED: usize = 400;

fn note() {
    if !IS_WATCHED.try_with(Cell::get).unwrap_or(false) {
        return;
    }
    IS_WATCHED.set(false);
    REQUESTS.set(REQUESTS.get() + 1);
    if REQUESTS.get() <= NAMED {
        let place = place(&Backtrace::force_capture().to_string());
        PLACES.with_borrow_mut(|places| *places.entry(place).or_default() += 1);
    }
    IS_WATCHED.set(true);
}

/// Returns the innermost lines of our own code in a backtrace.
fn place(trace: &str) -> String {
    let lines = trace.lines().map(str::trim);
    let ours = lines.filter(|line| {
        let is_own = line.contains("crates/impinge") || line.starts_with("at ./src");
        is_own && line.starts_with("at ") && !line.contains("tests/memory")
    });
    ours.take(4).collect::<Vec<_>>().join(" < ")
}

// Safety: all requests go to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Checks that a step asks for no memory once others have run. One thread: the counters are its own.
fn assert_no_requests(warm: usize, steps: usize, mut step: impl FnMut() + Send) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread").install(|| {
        (0..warm).for_each(|_| step());
        IS_WATCHED.set(true);
        (0..steps).for_each(|_| step());
        IS_WATCHED.set(false);
        let places = PLACES.take();
        let requests = REQUESTS.get();
        assert!(requests == 0, "{requests} requests: {places:#?}");
    });
}

fn shapes() -> Vec<Shape3> {
    let ball = Sphere::new([0.0; 3], 0.5).expect("a ball");
    let drum = Round::cylinder([0.0; 3], [0.0, 0.0, 1.0], 0.4).expect("a drum");
    let torus = generate::torus(0.5, 0.2, [12, 8]).expect("a torus");
    let parts = vec![
        (ball.into(), Pose::identity()),
        (drum.into(), Pose::identity()),
    ];
    let brick = generate::brick([2; 3], [1.0; 3], ElementKind::Tet4).expect("a brick");
    vec![
        ball.into(),
        drum.into(),
        Polyhedron::cuboid([1.0; 3]).expect("a box").into(),
        Compound::new(parts).expect("a compound").into(),
        Shape3::Surface(Arc::new(SurfaceBody::new(&torus).expect("a surface"))),
        Shape3::Solid(Arc::new(Solid::from_mesh(&brick).expect("a solid"))),
        Shape3::HalfSpace(HalfSpace::new([0.0, 0.0, -0.3], [0.0, 0.0, 1.0]).expect("a floor")),
    ]
}

#[test]
fn warm_steps_of_a_detector_ask_for_no_memory() {
    let mut scene = Scene3::default();
    let shapes = shapes();
    let mut ids = Vec::new();
    for (n, shape) in shapes.iter().chain(&shapes).enumerate() {
        let at = [
            0.6 * (n % 4) as f64,
            0.6 * (n / 4) as f64,
            0.1 * (n % 3) as f64,
        ];
        ids.push((
            scene
                .add(shape.clone(), Place::Moved(Pose::at(at)))
                .expect("finite"),
            at,
        ));
    }
    let mut detector = Detector3::new(Options::default()).expect("valid");
    let mut step = 0;
    assert_no_requests(40, 20, || {
        step += 1;
        for &(id, at) in &ids {
            let moved = 1e-3 * f64::from(step % 4);
            let pose = Pose::at([at[0] + moved, at[1], at[2]]);
            scene.set_pose(id, pose).expect("there");
        }
        detector.step(&scene, 0.0).expect("good");
    });
    assert!(detector.contacts().len() > 10);
}
