//! The contacts of one chunk of particles, four at a time.
//!
//! Block by block of the list: first which entries touch, without a branch; then the law of those that do, side by side in
//! vector registers of the widest kind that the machine has. Fours are filled across blocks, so that who else is listed
//! changes neither what is computed together nor any sum.
//!
//! What the loop waits for is memory, not arithmetic. In a trial of it on 100,000 settled spheres, beside other work, it took
//! about as long with the plainest vectors as with the widest, and more than twice as long for each sphere as on 6,000.
//! Every particle is met first as somebody's neighbour, in an order that no processor foresees. So each block first reads,
//! in the order of memory, what the particles somewhat ahead hold; the best steps of the trial came down from 170 ns and
//! more to 120. Samples then showed two fifths of the loop in waiting for the places, motions and loads of neighbours,
//! which must be those that lie farther ahead; reading these block by block took the median step from 215 and 233 ns to 199
//! and 200 in two pairs of runs.

use super::arrays::{Arrays, Load, Motion, Row};
use super::forces::{Job, Shared};
use super::list::Entry;
use super::periodic::Box3;
use crate::law::{Meeting, Mixed, Push, Real, Rolling, Triple, push};
use fearless_simd::{Simd, SimdBase, SimdFrom, SimdMask, dispatch, f64x4};
use impinge::bound::Ball;
use impinge::space::Vector;
use std::hint::black_box;
use std::ops::Range;

/// Contacts that are computed together.
const LANES: usize = 4;

/// Entries that are tested before the contacts among them are computed.
const BLOCK: usize = 256;

/// Particles that are read ahead of those that are computed; a few hundred kilobytes, what a core's own cache holds.
const AHEAD: usize = 1024;

/// Numbers of entries that touch and wait to be computed.
struct Waiting {
    entries: [u32; BLOCK + LANES],
    count: usize,
}

/// The same for all contacts.
struct Constants<S: Simd> {
    /// Half of the period and the period of each axis; without end and nothing on axes that do not repeat.
    half: Triple<f64x4<S>>,
    length: Triple<f64x4<S>>,
    mixed: Mixed<f64x4<S>>,
}

/// One particle of a contact.
struct Side<N> {
    radius: N,
    velocity: Triple<N>,
    spin: Triple<N>,
    inverse_mass: N,
}

/// Adds the forces of all contacts under the places of a chunk.
pub(super) fn run(shared: &Shared, job: &mut Job) {
    dispatch!(shared.level, simd => run_with(simd, shared, job));
}

#[inline(always)]
fn run_with<S: Simd>(simd: S, shared: &Shared, job: &mut Job) {
    job.chunk.clear(shared.balls.len().div_ceil(shared.size));
    let constants = Constants::new(simd, shared);
    let mut waiting = Waiting { entries: [0; BLOCK + LANES], count: 0 };
    let (mut lost, mut seen) = (f64x4::splat(simd, 0.0), 0);
    for start in (0..job.entries.len()).step_by(BLOCK) {
        let end = job.entries.len().min(start + BLOCK);
        seen = read_ahead(shared, job, end, seen);
        read_far(shared, job, start..end);
        find(simd, shared, job, &constants, start..end, &mut waiting);
        let whole = waiting.count - waiting.count % LANES;
        for four in waiting.entries[..whole].as_chunks::<LANES>().0 {
            lost += meet(simd, shared, job, &constants, four, LANES);
        }
        waiting.entries.copy_within(whole..waiting.count, 0);
        waiting.count -= whole;
    }
    if let Some(last) = waiting.count.checked_sub(1) {
        let four = std::array::from_fn(|lane| waiting.entries[lane.min(last)]);
        let mut some: Row = meet(simd, shared, job, &constants, &four, waiting.count).into();
        some[waiting.count..].fill(0.0);
        lost += f64x4::simd_from(simd, some);
    }
    let lost: Row = lost.into();
    job.chunk.lost += (lost[0] + lost[1]) + (lost[2] + lost[3]);
}

impl<S: Simd> Constants<S> {
    #[inline(always)]
    fn new(simd: S, shared: &Shared) -> Self {
        let lengths = shared.period.lengths().lengths;
        let triple = |of: &dyn Fn(Option<f64>) -> f64| {
            let [x, y, z] = lengths.map(of);
            Triple { x: f64x4::splat(simd, x), y: f64x4::splat(simd, y), z: f64x4::splat(simd, z) }
        };
        let one = shared.species.first().copied().unwrap_or_default();
        Self {
            half: triple(&|length| length.map_or(f64::INFINITY, |length| 0.5 * length)),
            length: triple(&|length| length.unwrap_or(0.0)),
            mixed: Mixed::side_by_side(simd, [shared.table.mixed(one, one); LANES]),
        }
    }

    /// Ways to the nearest images.
    #[inline(always)]
    fn nearest(&self, shared: &Shared, way: Triple<f64x4<S>>) -> Triple<f64x4<S>> {
        if !shared.period.repeats {
            return way;
        }
        let axis = |way: f64x4<S>, half: f64x4<S>, length: f64x4<S>| {
            let back = Real::choose(way.above(half), way - length, way);
            Real::choose((-half).above(way), way + length, back)
        };
        Triple {
            x: axis(way.x, self.half.x, self.length.x),
            y: axis(way.y, self.half.y, self.length.y),
            z: axis(way.z, self.half.z, self.length.z),
        }
    }
}

/// Reads what particles hold that will soon be met, in the order of memory; those before `seen` are done. Returns the new
/// `seen`.
#[inline(always)]
fn read_ahead(shared: &Shared, job: &Job, end: usize, seen: usize) -> usize {
    let until = (job.entries[end - 1].place as usize - job.first + AHEAD).min(job.loads.len()).max(seen);
    let ahead = job.first + seen..job.first + until;
    for (motion, load) in shared.motions[ahead.clone()].iter().zip(&job.loads[seen..until]) {
        black_box((motion.inverse_mass, load.force[3]));
    }
    // Two to a line.
    for ball in shared.balls[ahead].iter().step_by(2) {
        black_box(ball.radius);
    }
    until
}

/// Reads what the neighbours hold that lie farther ahead, all of a block's in one go, so that their ways overlap.
#[inline(always)]
fn read_far(shared: &Shared, job: &Job, block: Range<usize>) {
    let (mut far, mut count) = ([0; BLOCK], 0);
    for entry in &job.entries[block] {
        far[count] = entry.other();
        count += usize::from(entry.other() - entry.place > AHEAD as u32);
    }
    for &place in &far[..count] {
        let place = place as usize;
        // Loads of other chunks are not ours to read; the last of our own is as good as none.
        let load = &job.loads[(place - job.first).min(job.loads.len() - 1)];
        black_box((shared.balls[place].radius, shared.motions[place].inverse_mass, load.force[3]));
    }
}

/// Tests a block of entries; those that touch wait.
#[inline(always)]
fn find<S: Simd>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    constants: &Constants<S>,
    block: Range<usize>,
    waiting: &mut Waiting,
) {
    for n in block.clone().step_by(LANES) {
        let live = LANES.min(block.end - n);
        let four = match job.entries[n..].first_chunk::<LANES>() {
            Some(four) => *four,
            None => std::array::from_fn(|lane| job.entries[n + lane.min(live - 1)]),
        };
        let (ones, twos) = places(&four);
        let ((at1, r1), (at2, r2)) = (balls(simd, shared, &ones), balls(simd, shared, &twos));
        let way = constants.nearest(shared, at2 - at1);
        let reach = r1 + r2;
        let touch = (reach * reach).above(way.dot(&way)).to_bitmask() as u32 & ((1 << live) - 1);
        let mut before = 0;
        for lane in 0..LANES {
            waiting.entries[waiting.count] = (n + lane) as u32;
            waiting.count += (touch >> lane & 1) as usize;
            before |= four[lane].touches() << lane;
        }
        if before & ((1 << live) - 1) != touch {
            turn(shared, job, n, before ^ touch, live);
        }
    }
}

/// Contacts that began are marked. One that ended is forgotten, and what its spring still held is lost; Mindlin's spring holds
/// nothing at depth zero.
#[cold]
#[inline(never)]
fn turn(shared: &Shared, job: &mut Job, n: usize, turned: u32, live: usize) {
    for n in (0..live).filter(|lane| turned >> lane & 1 != 0).map(|lane| n + lane) {
        let entry = &mut job.entries[n];
        entry.turn();
        if entry.touches() == 0 {
            let (one, two) = (entry.place as usize, entry.other() as usize);
            if !shared.table.is_hertz() {
                let mixed = shared.table.mixed(shared.species[one], shared.species[two]);
                job.chunk.lost += mixed.left_in(&job.springs[n]);
            }
            job.springs[n] = Vector::zeros();
            if let Some(rolled) = job.rolled.get_mut(n) {
                *rolled = Vector::zeros();
            }
        }
    }
}

/// The forces of four entries that touch, of which the first `live` count; the energy that each lost.
#[inline(always)]
fn meet<S: Simd>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    constants: &Constants<S>,
    four: &[u32; LANES],
    live: usize,
) -> f64x4<S> {
    let rolls = shared.table.law.rolling != Rolling::None;
    match (shared.table.is_hertz(), rolls) {
        (false, false) => meet_as::<S, false, false>(simd, shared, job, constants, four, live),
        (false, true) => meet_as::<S, false, true>(simd, shared, job, constants, four, live),
        (true, false) => meet_as::<S, true, false>(simd, shared, job, constants, four, live),
        (true, true) => meet_as::<S, true, true>(simd, shared, job, constants, four, live),
    }
}

#[inline(always)]
fn meet_as<S: Simd, const HERTZ: bool, const ROLL: bool>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    constants: &Constants<S>,
    four: &[u32; LANES],
    live: usize,
) -> f64x4<S> {
    let [a, b, c, d] = *four;
    let at = [a as usize, b as usize, c as usize, d as usize];
    let entries = [job.entries[at[0]], job.entries[at[1]], job.entries[at[2]], job.entries[at[3]]];
    let (ones, twos) = places(&entries);
    let ((at1, r1), (at2, r2)) = (balls(simd, shared, &ones), balls(simd, shared, &twos));
    let way = constants.nearest(shared, at2 - at1);
    let (one, two) = (side(simd, shared, &ones, r1), side(simd, shared, &twos, r2));
    let meeting = meeting::<_, HERTZ, ROLL>(way, &one, &two);
    let unlike;
    let mixed = if shared.alike {
        &constants.mixed
    } else {
        let mixed = |n: usize| shared.table.mixed(shared.species[ones[n]], shared.species[twos[n]]);
        unlike = Mixed::side_by_side(simd, [mixed(0), mixed(1), mixed(2), mixed(3)]);
        &unlike
    };
    let mut springs = vectors(simd, at, job.springs);
    let push = if ROLL && !job.rolled.is_empty() {
        let mut rolled = vectors(simd, at, job.rolled);
        let push = push::<_, HERTZ, ROLL>(mixed, &meeting, &mut springs, Some(&mut rolled), shared.dt);
        keep(simd, at, &rolled, job.rolled, live);
        push
    } else {
        push::<_, HERTZ, ROLL>(mixed, &meeting, &mut springs, None, shared.dt)
    };
    keep(simd, at, &springs, job.springs, live);
    act::<S, ROLL>(simd, shared, job, &ones, &twos, &meeting.normal, &push, live);
    job.chunk.touching += live;
    push.lost
}

/// Adds what pushes do to the particles, one contact after the other.
#[inline(always)]
fn act<S: Simd, const ROLL: bool>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    ones: &[usize; LANES],
    twos: &[usize; LANES],
    normal: &Triple<f64x4<S>>,
    push: &Push<f64x4<S>>,
    live: usize,
) {
    let row = |row: &Row| f64x4::simd_from(simd, *row);
    let (forces, levers) = (rows(simd, &push.force), rows(simd, &normal.cross(&push.force)));
    let torques = rows(simd, &push.torque);
    for lane in 0..live {
        let (one, two) = (ones[lane], twos[lane]);
        let mut on_one = levers[lane] * shared.balls[one].radius;
        let mut on_two = levers[lane] * shared.balls[two].radius;
        if ROLL {
            on_one += torques[lane];
            on_two -= torques[lane];
        }
        let own = &mut job.loads[one - job.first];
        own.force = (row(&own.force) + forces[lane]).into();
        own.torque = (row(&own.torque) + on_one).into();
        match job.loads.get_mut(two - job.first) {
            Some(other) => {
                other.force = (row(&other.force) - forces[lane]).into();
                other.torque = (row(&other.torque) + on_two).into();
            }
            None => {
                let load = Load { force: (-forces[lane]).into(), torque: on_two.into() };
                job.chunk.pass(two, shared.size, &load);
            }
        }
    }
}

/// Rows become columns.
#[inline(always)]
fn transpose<S: Simd>(rows: [f64x4<S>; LANES]) -> [f64x4<S>; LANES] {
    let (even_low, even_high) = rows[0].interleave(rows[2]);
    let (odd_low, odd_high) = rows[1].interleave(rows[3]);
    let (x, y) = even_low.interleave(odd_low);
    let (z, w) = even_high.interleave(odd_high);
    [x, y, z, w]
}

/// The vectors of the four, with a zero behind.
#[inline(always)]
fn rows<S: Simd>(simd: S, vectors: &Triple<f64x4<S>>) -> [f64x4<S>; LANES] {
    transpose([vectors.x, vectors.y, vectors.z, f64x4::splat(simd, 0.0)])
}

// The lanes are written out here and below: `map` on arrays is not inlined, and what it calls lacks the vector instructions.
#[inline(always)]
fn vectors<S: Simd>(simd: S, at: [usize; LANES], of: &[Vector<3>]) -> Triple<f64x4<S>> {
    let [a, b, c, d] = [&of[at[0]], &of[at[1]], &of[at[2]], &of[at[3]]];
    let [x, y, z, _] = transpose([
        f64x4::simd_from(simd, [a.x, a.y, a.z, 0.0]),
        f64x4::simd_from(simd, [b.x, b.y, b.z, 0.0]),
        f64x4::simd_from(simd, [c.x, c.y, c.z, 0.0]),
        f64x4::simd_from(simd, [d.x, d.y, d.z, 0.0]),
    ]);
    Triple { x, y, z }
}

#[inline(always)]
fn keep<S: Simd>(simd: S, at: [usize; LANES], vectors: &Triple<f64x4<S>>, to: &mut [Vector<3>], live: usize) {
    let rows = rows(simd, vectors);
    for lane in 0..live {
        let [x, y, z, _]: Row = rows[lane].into();
        to[at[lane]] = [x, y, z].into();
    }
}

/// The places of both sides.
#[inline(always)]
fn places([a, b, c, d]: &[Entry; LANES]) -> ([usize; LANES], [usize; LANES]) {
    let ones = [a.place as usize, b.place as usize, c.place as usize, d.place as usize];
    (ones, [a.other() as usize, b.other() as usize, c.other() as usize, d.other() as usize])
}

/// Centres and radii.
#[inline(always)]
fn balls<S: Simd>(simd: S, shared: &Shared, at: &[usize; LANES]) -> (Triple<f64x4<S>>, f64x4<S>) {
    let [a, b, c, d] = [at[0], at[1], at[2], at[3]];
    let balls = shared.balls;
    let [x, y, z, radius] = transpose([
        ball(simd, &balls[a]),
        ball(simd, &balls[b]),
        ball(simd, &balls[c]),
        ball(simd, &balls[d]),
    ]);
    (Triple { x, y, z }, radius)
}

#[inline(always)]
fn ball<S: Simd>(simd: S, Ball { centre, radius }: &Ball<3>) -> f64x4<S> {
    f64x4::simd_from(simd, [centre.x, centre.y, centre.z, *radius])
}

#[inline(always)]
fn side<S: Simd>(simd: S, shared: &Shared, at: &[usize; LANES], radius: f64x4<S>) -> Side<f64x4<S>> {
    let [a, b, c, d] =
        [&shared.motions[at[0]], &shared.motions[at[1]], &shared.motions[at[2]], &shared.motions[at[3]]];
    let [x, y, z, inverse_mass] =
        transpose([flight(simd, a), flight(simd, b), flight(simd, c), flight(simd, d)]);
    let velocity = Triple { x, y, z };
    let [x, y, z, _] =
        transpose([rotation(simd, a), rotation(simd, b), rotation(simd, c), rotation(simd, d)]);
    Side { radius, velocity, spin: Triple { x, y, z }, inverse_mass }
}

#[inline(always)]
fn flight<S: Simd>(simd: S, Motion { velocity, inverse_mass, .. }: &Motion) -> f64x4<S> {
    f64x4::simd_from(simd, [velocity.x, velocity.y, velocity.z, *inverse_mass])
}

#[inline(always)]
fn rotation<S: Simd>(simd: S, Motion { spin, inverse_inertia, .. }: &Motion) -> f64x4<S> {
    f64x4::simd_from(simd, [spin.x, spin.y, spin.z, *inverse_inertia])
}

#[inline(always)]
fn meeting<N: Real, const HERTZ: bool, const ROLL: bool>(
    way: Triple<N>,
    one: &Side<N>,
    two: &Side<N>,
) -> Meeting<N> {
    let distance = way.dot(&way).root();
    let (zero, unit) = (distance.like(0.0), distance.like(1.0));
    // Coinciding centres have no normal; any will do.
    let any = Triple { x: unit, y: zero, z: zero };
    let normal = Triple::choose(distance.above(zero), way * (unit / distance), any);
    let reach = one.radius + two.radius;
    let turning = (one.spin * one.radius + two.spin * two.radius).cross(&normal);
    Meeting {
        normal,
        depth: reach - distance,
        velocity: one.velocity - two.velocity + turning,
        spin: if ROLL { one.spin - two.spin } else { Triple::all(zero) },
        inverse_mass: one.inverse_mass + two.inverse_mass,
        inverse_radius: if HERTZ || ROLL { reach / (one.radius * two.radius) } else { zero },
    }
}

/// One contact of two particles as it is now, for those who look at it without a step.
pub(super) fn meeting_of(arrays: &Arrays, period: &Box3, one: usize, two: usize) -> Option<Meeting> {
    let way = Triple::from(period.nearest(arrays.balls[two].centre - arrays.balls[one].centre));
    let [one, two] = [one, two].map(|place| Side {
        radius: arrays.balls[place].radius,
        velocity: arrays.motions[place].velocity.into(),
        spin: arrays.motions[place].spin.into(),
        inverse_mass: arrays.motions[place].inverse_mass,
    });
    let reach = one.radius + two.radius;
    (way.dot(&way) < reach * reach).then(|| meeting::<f64, true, true>(way, &one, &two))
}
