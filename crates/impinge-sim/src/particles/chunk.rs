//! Contacts of one block of particles, four at a time.
//!
//! The list is processed block by block: first find the entries that touch, then evaluate the law
//! for those in the widest vector registers of the machine. Entries that touched at the last step
//! skip the test: the law finds those that have separated. Each contact has the bytes that it would
//! have alone, and from either side: a law that sees the particles the other way round gives exactly
//! the opposite force.
//!
//! On 6,000 settled spheres, which fit in the caches, tests took a fifth of the time before known
//! contacts skipped them. Of the rest the law takes half, transposing records into columns a
//! quarter, accumulation a fifth. Eight contacts at a time gained nothing. On 100,000 spheres the
//! loop also waits for memory. Each block therefore first prefetches, in memory order, the
//! particles somewhat ahead, which cut the time by up to a quarter.

use super::arrays::{Arrays, Load, Motion, Row};
use super::job::{Job, Shared};
use super::overlap::{OverlapPartner, ParticleOverlap};
use super::periodic::Box3;
use crate::law::{
    ContactInput, DMT, HERTZ, JKR, LINEAR, Mixed, Push, Real, Rolling, Table, Triple, push,
    returned_at_end,
};
use fearless_simd::{Simd, SimdBase, SimdFrom, SimdMask, dispatch, f64x4};
use impinge::bound::Ball;
use impinge::space::Vector;
use std::hint::black_box;
use std::ops::Range;

/// Contacts evaluated together.
const LANES: usize = 4;

/// Entries searched for contacts before these are evaluated: one bit each.
const BLOCK: usize = u64::BITS as usize;

/// Mask of all lanes.
const ALL: u32 = (1 << LANES) - 1;

/// Prefetch distance in particles: more than a layer of a tower, less than fits in a core's own
/// cache.
const AHEAD: usize = 1024;

/// Flag of a waiting entry whose contact began in this step.
const BEGUN: u32 = 1 << 31;

/// Indices of touching entries that wait to be evaluated.
struct Waiting {
    entries: [u32; BLOCK + LANES],
    count: usize,
}

/// Constants shared by all contacts.
struct Constants<S: Simd> {
    /// Half period and period of each axis; infinity and zero on axes that are not periodic.
    half: Triple<f64x4<S>>,
    length: Triple<f64x4<S>>,
    /// Rates of strain of the periodic box, if it deforms.
    rate: Option<Triple<f64x4<S>>>,
    mixed: Mixed<f64x4<S>>,
}

/// One particle of a contact.
struct Side<N> {
    radius: N,
    velocity: Triple<N>,
    spin: Triple<N>,
    inverse_mass: N,
    damped: N,
}

/// Adds the forces of all contacts in the rows of a block.
pub(super) fn run(shared: &Shared, job: &mut Job) {
    dispatch!(shared.level, simd => run_with(simd, shared, job));
}

#[inline(always)]
fn run_with<S: Simd>(simd: S, shared: &Shared, job: &mut Job) {
    let constants = Constants::new(simd, shared);
    let mut waiting = Waiting {
        entries: [0; BLOCK + LANES],
        count: 0,
    };
    let mut seen = 0;

    for start in (0..job.entries.len()).step_by(BLOCK) {
        let end = job.entries.len().min(start + BLOCK);
        seen = prefetch(shared, job, end, seen);
        let (touching, begun) = touching(simd, shared, job, &constants, start..end);
        waiting.add(start, touching, begun);
        let whole = waiting.count - waiting.count % LANES;
        for four in waiting.entries[..whole].as_chunks::<LANES>().0 {
            meet(simd, shared, job, &constants, four, ALL);
        }
        waiting.entries.copy_within(whole..waiting.count, 0);
        waiting.count -= whole;
    }

    if let Some(last) = waiting.count.checked_sub(1) {
        let four = std::array::from_fn(|lane| waiting.entries[lane.min(last)]);
        let counts = (1 << waiting.count) - 1;
        meet(simd, shared, job, &constants, &four, counts);
    }
}

impl Waiting {
    /// Queues the entries of a block whose bits are set; those in `begun` are flagged.
    #[inline(always)]
    fn add(&mut self, start: usize, mut bits: u64, begun: u64) {
        while bits != 0 {
            let bit = bits.trailing_zeros();
            let flag = if begun >> bit & 1 != 0 { BEGUN } else { 0 };
            self.entries[self.count] = (start as u32 + bit) | flag;
            self.count += 1;
            bits &= bits - 1;
        }
    }
}

impl<S: Simd> Constants<S> {
    #[inline(always)]
    fn new(simd: S, shared: &Shared) -> Self {
        let lengths = shared.period.lengths().lengths;
        let triple = |of: &dyn Fn(Option<f64>) -> f64| {
            let [x, y, z] = lengths.map(of);
            Triple {
                x: f64x4::splat(simd, x),
                y: f64x4::splat(simd, y),
                z: f64x4::splat(simd, z),
            }
        };
        let [x, y, z] = shared.period.rate;
        let rate = Triple {
            x: f64x4::splat(simd, x),
            y: f64x4::splat(simd, y),
            z: f64x4::splat(simd, z),
        };
        let one = shared.species.first().copied().unwrap_or_default();

        Self {
            half: triple(&|length| length.map_or(f64::INFINITY, |length| 0.5 * length)),
            length: triple(&|length| length.unwrap_or(0.0)),
            rate: shared.period.deforms().then_some(rate),
            mixed: Mixed::side_by_side(simd, [shared.table.mixed(one, one); LANES]),
        }
    }

    /// Returns the offsets to the nearest periodic images.
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

/// Prefetches particles that will soon be needed, in memory order; those before `seen` are done.
/// Returns the new `seen`.
#[inline(always)]
fn prefetch(shared: &Shared, job: &Job, end: usize, seen: usize) -> usize {
    let until = (job.entries[end - 1].place as usize - job.first + AHEAD)
        .min(job.loads.len())
        .max(seen);
    let ahead = job.first + seen..job.first + until;

    for (motion, load) in shared.motions[ahead.clone()]
        .iter()
        .zip(&job.loads[seen..until])
    {
        black_box((motion.inverse_mass, load.force[3]));
    }

    // Two per cache line.
    for ball in shared.balls[ahead].iter().step_by(2) {
        black_box(ball.radius);
    }

    until
}

/// Returns the entries of a block that touched at the last step or touch now, and those that began.
#[inline(always)]
fn touching<S: Simd>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    constants: &Constants<S>,
    block: Range<usize>,
) -> (u64, u64) {
    let flags = job.entries[block.clone()].iter().enumerate();
    let before = flags.fold(0, |bits, (n, entry)| bits | u64::from(entry.touches()) << n);
    let mut apart = Waiting {
        entries: [0; BLOCK + LANES],
        count: 0,
    };
    apart.add(block.start, !before & u64::MAX >> (BLOCK - block.len()), 0);
    let mut begun = 0;

    for n in (0..apart.count).step_by(LANES) {
        // The padding refers to entry 0 of the chunk; its result is masked out.
        let at = four(&apart.entries[n..n + LANES]);
        let (ones, twos) = places(job, &at);
        let ((at1, r1), (at2, r2)) = (balls(simd, shared, &ones), balls(simd, shared, &twos));
        let way = constants.nearest(shared, at2 - at1);
        let mut bits = touch(&way, r1 + r2) & ALL >> LANES.saturating_sub(apart.count - n);

        while bits != 0 {
            let entry = at[bits.trailing_zeros() as usize];
            job.entries[entry].turn();
            begun |= 1 << (entry - block.start);
            bits &= bits - 1;
        }
    }

    (before | begun, begun)
}

/// Tests which of four entries touch, one bit each.
#[inline(always)]
fn touch<S: Simd>(way: &Triple<f64x4<S>>, reach: f64x4<S>) -> u32 {
    (reach * reach).above(way.dot(way)).to_bitmask() as u32
}

/// Clears contacts that ended; returns the energy that their springs give back.
#[cold]
#[inline(never)]
fn part(shared: &Shared, job: &mut Job, four: &[usize; LANES], parted: u32) -> Row {
    let returned = match shared.table.kind() {
        JKR => returned_at_end::<JKR>,
        DMT => returned_at_end::<DMT>,
        HERTZ => returned_at_end::<HERTZ>,
        _ => returned_at_end::<LINEAR>,
    };

    let mut energies = [0.0; LANES];

    for lane in (0..LANES).filter(|lane| parted >> lane & 1 != 0) {
        let n = four[lane];
        job.entries[n].turn();
        let (one, two) = (
            job.entries[n].place as usize,
            job.entries[n].other() as usize,
        );
        let mixed = shared.table.mixed(shared.species[one], shared.species[two]);
        let meeting = meeting_at(
            shared.balls,
            shared.motions,
            shared.ids,
            shared.period,
            one,
            two,
        );
        energies[lane] = returned(mixed, &meeting, &job.springs[n].into(), shared.dt);
        job.springs[n] = Vector::zeros();

        if let Some(rolled) = job.rolled.get_mut(n) {
            *rolled = Vector::zeros();
        }
    }

    energies
}

/// Computes the forces of those of four entries that are active and touch.
#[inline(always)]
fn meet<S: Simd>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    constants: &Constants<S>,
    four: &[u32; LANES],
    counts: u32,
) {
    let rolls = shared.table.law.rolling != Rolling::None;
    match (shared.table.kind(), rolls) {
        (HERTZ, false) => {
            compute_contacts::<S, HERTZ, false>(simd, shared, job, constants, four, counts)
        }
        (HERTZ, true) => {
            compute_contacts::<S, HERTZ, true>(simd, shared, job, constants, four, counts)
        }
        (DMT, false) => {
            compute_contacts::<S, DMT, false>(simd, shared, job, constants, four, counts)
        }
        (DMT, true) => compute_contacts::<S, DMT, true>(simd, shared, job, constants, four, counts),
        (JKR, false) => {
            compute_contacts::<S, JKR, false>(simd, shared, job, constants, four, counts)
        }
        (JKR, true) => compute_contacts::<S, JKR, true>(simd, shared, job, constants, four, counts),
        (_, false) => {
            compute_contacts::<S, LINEAR, false>(simd, shared, job, constants, four, counts)
        }
        (_, true) => {
            compute_contacts::<S, LINEAR, true>(simd, shared, job, constants, four, counts)
        }
    }
}

#[inline(always)]
fn compute_contacts<S: Simd, const LAW: u8, const ROLL: bool>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    constants: &Constants<S>,
    four: &[u32; LANES],
    counts: u32,
) {
    let at = self::four(four);
    let (ones, twos) = places(job, &at);
    let ((at1, r1), (at2, r2)) = (balls(simd, shared, &ones), balls(simd, shared, &twos));
    let way = constants.nearest(shared, at2 - at1);
    let unlike;
    let mixed = if shared.alike {
        &constants.mixed
    } else {
        let mixed = |n: usize| {
            shared
                .table
                .mixed(shared.species[ones[n]], shared.species[twos[n]])
        };
        unlike = Mixed::side_by_side(simd, [mixed(0), mixed(1), mixed(2), mixed(3)]);
        &unlike
    };

    // Cohesion holds contacts together beyond the point where they began.
    let reach = match LAW {
        JKR => r1 + r2 + mixed.tear_gap(JKR, (r1 + r2) / (r1 * r2)),
        _ => r1 + r2,
    };
    let live = touch(&way, reach) & counts;

    let parted = counts & !live;
    let ended = if parted != 0 {
        part(shared, job, &at, parted)
    } else {
        [0.0; LANES]
    };

    let (one, two) = (side(simd, shared, &ones, r1), side(simd, shared, &twos, r2));
    let direction = direction(simd, shared, &way, &ones, &twos);
    let mut flow = None;
    if let Some(rate) = &constants.rate {
        flow = Some(scaled(&way, rate));
    }
    let mut meeting = meeting::<_, LAW, ROLL>(way, direction, &one, &two, flow);
    if LAW == JKR {
        meeting.begun = begun(simd, four);
    }
    let thinner = Real::choose(r1.above(r2), r2, r1);
    let limit = thinner * f64x4::splat(simd, job.chunk.overlaps.limit);
    let deep = meeting.depth.above(limit).to_bitmask() as u32 & live;

    if deep != 0 {
        record_depths(shared, job, &ones, &twos, meeting.depth.into(), deep);
    }

    let mut springs = vectors(simd, at, job.springs);

    let push = if ROLL && !job.rolled.is_empty() {
        let mut rolled = vectors(simd, at, job.rolled);
        let push =
            push::<_, LAW, ROLL>(mixed, &meeting, &mut springs, Some(&mut rolled), shared.dt);
        keep(simd, at, &rolled, job.rolled, live);
        push
    } else {
        push::<_, LAW, ROLL>(mixed, &meeting, &mut springs, None, shared.dt)
    };
    keep(simd, at, &springs, job.springs, live);
    if constants.rate.is_some() {
        let terms = scaled(&push.force, &way);
        add_lanes(&mut job.chunk.virial, &terms, live);
    }
    act::<S, ROLL>(
        simd, shared, job, &ones, &twos, &meeting, &push, live, parted, &ended,
    );
    job.chunk.touching += live.count_ones() as usize;
}

/// Multiplies the components of two vectors.
#[inline(always)]
fn scaled<N: Real>(one: &Triple<N>, other: &Triple<N>) -> Triple<N> {
    Triple {
        x: one.x * other.x,
        y: one.y * other.y,
        z: one.z * other.z,
    }
}

/// Adds the lanes whose bits are set.
#[inline(always)]
fn add_lanes<S: Simd>(sums: &mut [f64; 3], terms: &Triple<f64x4<S>>, lanes: u32) {
    let rows: [Row; 3] = [terms.x.into(), terms.y.into(), terms.z.into()];
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
        sums[0] += rows[0][lane];
        sums[1] += rows[1][lane];
        sums[2] += rows[2][lane];
    }
}

/// Records the depths of lanes whose bits are set.
#[cold]
#[inline(never)]
fn record_depths(
    shared: &Shared,
    job: &mut Job,
    ones: &[usize; LANES],
    twos: &[usize; LANES],
    depths: Row,
    lanes: u32,
) {
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
        let both = [ones[lane], twos[lane]];
        let [a, b] = both.map(|place| shared.ids[place]);
        let [r, s] = both.map(|place| shared.balls[place].radius);
        job.chunk.overlaps.add(ParticleOverlap {
            share: depths[lane] / (2.0 * r.min(s)),
            particle: a.min(b),
            partner: OverlapPartner::Particle(a.max(b)),
        });
    }
}

/// Returns the sign of the x axis as the normal of coinciding centres: from the lower id to the
/// higher.
#[inline(always)]
fn direction<S: Simd>(
    simd: S,
    shared: &Shared,
    way: &Triple<f64x4<S>>,
    ones: &[usize; LANES],
    twos: &[usize; LANES],
) -> f64x4<S> {
    let apart = way.dot(way).above(f64x4::splat(simd, 0.0)).to_bitmask() as u32;
    if apart & ALL == ALL {
        f64x4::splat(simd, 1.0)
    } else {
        f64x4::simd_from(simd, signs(shared.ids, ones, twos))
    }
}

#[cold]
#[inline(never)]
fn signs(ids: &[u32], ones: &[usize; LANES], twos: &[usize; LANES]) -> Row {
    std::array::from_fn(|lane| sign(ids, ones[lane], twos[lane]))
}

fn sign(ids: &[u32], one: usize, two: usize) -> f64 {
    if ids[one] <= ids[two] { 1.0 } else { -1.0 }
}

/// Books the energy that the springs of a contact return when it ends, half on either side.
#[cold]
#[inline(never)]
fn book(shared: &Shared, job: &mut Job, one: usize, two: usize, energy: f64) {
    job.loads[one - job.first].force[3] += 0.5 * energy;
    match job.loads.get_mut(two - job.first) {
        Some(other) => other.force[3] += 0.5 * energy,
        None => {
            let load = Load {
                force: [0.0, 0.0, 0.0, 0.5 * energy],
                torque: [0.0; 4],
            };
            job.chunk.pass(two, shared.starts, &load);
        }
    }
}

/// Adds the forces to the particles, one contact after the other; `parted` have ended and returned
/// their energy.
#[inline(always)]
fn act<S: Simd, const ROLL: bool>(
    simd: S,
    shared: &Shared,
    job: &mut Job,
    ones: &[usize; LANES],
    twos: &[usize; LANES],
    meeting: &ContactInput<f64x4<S>>,
    push: &Push<f64x4<S>>,
    live: u32,
    parted: u32,
    ended: &Row,
) {
    let row = |row: &Row| f64x4::simd_from(simd, *row);
    // Each side books half of the energy that springs return; the force on the second is opposite.
    let opposite = row(&[-1.0, -1.0, -1.0, 1.0]);
    let (forces, levers) = (
        rows_with(&push.force, push.returned * 0.5),
        rows_with(&meeting.normal.cross(&push.force), push.damped),
    );
    let torques = rows(simd, &push.torque);
    let depths: Row = meeting.depth.into();

    for lane in (0..LANES).filter(|lane| (live | parted) >> lane & 1 != 0) {
        let (one, two) = (ones[lane], twos[lane]);
        if parted >> lane & 1 != 0 {
            book(shared, job, one, two, ended[lane]);
            continue;
        }

        let mut on_one = levers[lane] * arm(shared.balls[one].radius, depths[lane]);
        let mut on_two = levers[lane] * arm(shared.balls[two].radius, depths[lane]);

        if ROLL {
            on_one += torques[lane];
            on_two -= torques[lane];
        }

        let own = &mut job.loads[one - job.first];
        own.force = (row(&own.force) + forces[lane]).into();
        own.torque = (row(&own.torque) + on_one).into();

        match job.loads.get_mut(two - job.first) {
            Some(other) => {
                other.force = (row(&other.force) + forces[lane] * opposite).into();
                other.torque = (row(&other.torque) + on_two).into();
            }
            None => {
                let load = Load {
                    force: (forces[lane] * opposite).into(),
                    torque: on_two.into(),
                };
                job.chunk.pass(two, shared.starts, &load);
            }
        }
    }
}

/// Transposes rows to columns.
#[inline(always)]
fn transpose<S: Simd>(rows: [f64x4<S>; LANES]) -> [f64x4<S>; LANES] {
    let (even_low, even_high) = rows[0].interleave(rows[2]);
    let (odd_low, odd_high) = rows[1].interleave(rows[3]);
    let (x, y) = even_low.interleave(odd_low);
    let (z, w) = even_high.interleave(odd_high);
    [x, y, z, w]
}

/// Transposes the four vectors, padded with a zero.
#[inline(always)]
fn rows<S: Simd>(simd: S, vectors: &Triple<f64x4<S>>) -> [f64x4<S>; LANES] {
    transpose([vectors.x, vectors.y, vectors.z, f64x4::splat(simd, 0.0)])
}

/// Transposes the four vectors, padded with these numbers.
#[inline(always)]
fn rows_with<S: Simd>(vectors: &Triple<f64x4<S>>, behind: f64x4<S>) -> [f64x4<S>; LANES] {
    transpose([vectors.x, vectors.y, vectors.z, behind])
}

// The lanes are written out here and below: `map` on arrays is not inlined, and the function it
// calls is compiled without the vector instructions.
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
fn keep<S: Simd>(
    simd: S,
    at: [usize; LANES],
    vectors: &Triple<f64x4<S>>,
    to: &mut [Vector<3>],
    live: u32,
) {
    let rows = rows(simd, vectors);
    for lane in (0..LANES).filter(|lane| live >> lane & 1 != 0) {
        let [x, y, z, _]: Row = rows[lane].into();
        to[at[lane]] = [x, y, z].into();
    }
}

#[inline(always)]
fn four(numbers: &[u32]) -> [usize; LANES] {
    [
        (numbers[0] & !BEGUN) as usize,
        (numbers[1] & !BEGUN) as usize,
        (numbers[2] & !BEGUN) as usize,
        (numbers[3] & !BEGUN) as usize,
    ]
}

/// Returns 1 for the waiting entries whose contact began in this step, 0 for the others.
#[inline(always)]
fn begun<S: Simd>(simd: S, four: &[u32; LANES]) -> f64x4<S> {
    let flag = |entry: u32| f64::from(entry / BEGUN);
    f64x4::simd_from(
        simd,
        [flag(four[0]), flag(four[1]), flag(four[2]), flag(four[3])],
    )
}

/// Returns the places of both sides.
#[inline(always)]
fn places(job: &Job, at: &[usize; LANES]) -> ([usize; LANES], [usize; LANES]) {
    let [a, b, c, d] = [
        job.entries[at[0]],
        job.entries[at[1]],
        job.entries[at[2]],
        job.entries[at[3]],
    ];
    let ones = [
        a.place as usize,
        b.place as usize,
        c.place as usize,
        d.place as usize,
    ];

    (
        ones,
        [
            a.other() as usize,
            b.other() as usize,
            c.other() as usize,
            d.other() as usize,
        ],
    )
}

/// Loads centres and radii.
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
fn side<S: Simd>(
    simd: S,
    shared: &Shared,
    at: &[usize; LANES],
    radius: f64x4<S>,
) -> Side<f64x4<S>> {
    let [a, b, c, d] = [
        &shared.motions[at[0]],
        &shared.motions[at[1]],
        &shared.motions[at[2]],
        &shared.motions[at[3]],
    ];
    let [x, y, z, inverse_mass] = transpose([
        flight(simd, a),
        flight(simd, b),
        flight(simd, c),
        flight(simd, d),
    ]);
    let velocity = Triple { x, y, z };

    let [x, y, z, damped] = transpose([
        rotation(simd, a),
        rotation(simd, b),
        rotation(simd, c),
        rotation(simd, d),
    ]);

    Side {
        radius,
        velocity,
        spin: Triple { x, y, z },
        inverse_mass,
        damped,
    }
}

#[inline(always)]
fn flight<S: Simd>(
    simd: S,
    Motion {
        velocity,
        inverse_mass,
        ..
    }: &Motion,
) -> f64x4<S> {
    f64x4::simd_from(simd, [velocity.x, velocity.y, velocity.z, *inverse_mass])
}

#[inline(always)]
fn rotation<S: Simd>(simd: S, Motion { spin, damped, .. }: &Motion) -> f64x4<S> {
    f64x4::simd_from(simd, [spin.x, spin.y, spin.z, *damped])
}

/// Returns the arm from a centre to the contact point in the middle of the overlap. Both particles
/// use the same point, so that the torques of a force pair add up to that of the forces on their
/// centres.
#[inline(always)]
fn arm<N: Real>(radius: N, depth: N) -> N {
    radius - depth * 0.5
}

#[inline(always)]
fn meeting<N: Real, const LAW: u8, const ROLL: bool>(
    way: Triple<N>,
    direction: N,
    one: &Side<N>,
    two: &Side<N>,
    flow: Option<Triple<N>>,
) -> ContactInput<N> {
    let distance = way.dot(&way).root();
    let (zero, unit) = (distance.like(0.0), distance.like(1.0));

    // Coinciding centres have no normal; any unit vector works that both sides agree on.
    let any = Triple {
        x: direction,
        y: zero,
        z: zero,
    };
    let normal = Triple::choose(distance.above(zero), way * (unit / distance), any);
    let reach = one.radius + two.radius;
    let depth = reach - distance;
    let arms = (arm(one.radius, depth), arm(two.radius, depth));
    let turning = (one.spin * arms.0 + two.spin * arms.1).cross(&normal);
    let inverse_mass = one.inverse_mass + two.inverse_mass;
    let velocity = one.velocity - two.velocity;
    // The box carries the second relative to the first.
    let velocity = match flow {
        Some(flow) => velocity - flow,
        None => velocity,
    };
    let along = velocity.dot(&normal);

    ContactInput {
        normal,
        depth,
        velocity: velocity + turning,
        swing: Real::choose(
            distance.above(zero),
            (velocity.dot(&velocity) - along * along) / distance,
            zero,
        ),
        spin: if ROLL {
            one.spin - two.spin
        } else {
            Triple::all(zero)
        },
        inverse_mass,
        inverse_mass_here: inverse_mass,
        damped: one.damped.or_more(two.damped),
        begun: zero,
        inverse_radius: if LAW != LINEAR || ROLL {
            reach / (one.radius * two.radius)
        } else {
            zero
        },
    }
}

/// Returns the contact of two particles that touched at the last step, for queries outside a step;
/// `None` if they have parted since.
pub(super) fn meeting_of(
    arrays: &Arrays,
    table: &Table,
    period: &Box3,
    one: usize,
    two: usize,
) -> Option<ContactInput> {
    let meeting = meeting_at(
        &arrays.balls,
        &arrays.motions,
        &arrays.ids,
        period,
        one,
        two,
    );
    let (a, b) = (arrays.species[one], arrays.species[two]);
    let held = table.tear_gap(a, b, meeting.inverse_radius);
    (meeting.depth > -held).then_some(meeting)
}

/// Returns the law's input for two particles, as if they touched.
fn meeting_at(
    balls: &[Ball<3>],
    motions: &[Motion],
    ids: &[u32],
    period: &Box3,
    one: usize,
    two: usize,
) -> ContactInput {
    let direction = sign(ids, one, two);
    let way = Triple::from(period.nearest(balls[two].centre - balls[one].centre));
    let [one, two] = [one, two].map(|place| Side {
        radius: balls[place].radius,
        velocity: motions[place].velocity.into(),
        spin: motions[place].spin.into(),
        inverse_mass: motions[place].inverse_mass,
        damped: motions[place].damped,
    });

    let [x, y, z] = period.rate;
    let flow = period.deforms().then(|| scaled(&way, &Triple { x, y, z }));
    meeting::<f64, HERTZ, true>(way, direction, &one, &two, flow)
}
