//! Particles of a distributed run: who owns which, and what ranks send each other.
//!
//! A rank moves its own particles and stores copies of those neighbours that others own, its ghosts.
//! Both are in one set of arrays, ordered by seats, so that the forces on its own particles are
//! summed as in one process (`order.rs`). A pair of two ranks is computed on both: the law gives the
//! same bytes, and both store its spring. Nothing is sent back.
//!
//! In each step, the ghosts receive position, velocity, spin and damping, 80 bytes. When the
//! neighbour list is rebuilt, on all ranks at once, particles move to the rank that owns their
//! position, with their springs. Then ghosts are selected again (`ranks/reach.rs`) and those in no
//! pair dropped. Obstacles, inlets and outlets are the same on all ranks; only own particles touch
//! them.
//!
//! Ghosts travel while the pairs without them are computed. Space is divided again when ranks have
//! waited for the slowest longer than a division takes.
//!
//! What the state of one process depends on is reduced over all ranks: the largest motion, the mean
//! diameter, the lowest corner at a sort, and exact sums of energies and reactions.

use super::Particles;
use super::arrays::Arrays;
use super::list::Kept;
use super::order::by_seat;
use super::record::{
    MOTION, Packet, Reader, read_motion, read_particles, write_motion, write_particle,
};
use super::state::ContactState;
use super::walls::{self, NodeForce, Response};
use crate::obstacle::Touch;
use crate::order_free::{VectorSum, WORDS};
use crate::ranks::{Bisection, Communicator, Message, Reach, bytes_of, reaches, select, words_of};
use crate::{StepError, Superaccumulator};
use impinge::broad::Pair;
use impinge::space::{Aabb, Point, Vector};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Skin, in mean diameters, of the ghosts between distribution and the first step: they hold the
/// springs of pairs that touch, no more.
const FIRST_MARGIN: f64 = 0.01;

/// The connection of a set of particles with its other parts.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) ranks: Arc<dyn Communicator>,
    division: Bisection,
    /// Number of particles on all ranks.
    pub(super) total: usize,
    /// Places of own particles that other ranks have as ghosts.
    sends: Vec<Link>,
    /// Places of the ghosts.
    receives: Vec<Link>,
    /// Whether the ghosts have not moved yet in this step.
    pub(super) is_stale: bool,
    /// Deepest overlap whose particles are known to all.
    deepest: f64,
    pub(super) balance: Balance,
    pub(super) traffic: Traffic,
}

/// Why space is divided again: the ranks wait for the slowest, and that costs more than the division.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    /// Seconds that this rank computed since the last rebuild of the list.
    pub(super) busy: f64,
    /// Seconds that ranks waited on average, since the last division.
    waited: f64,
    /// Seconds that the last division took here, with the migration.
    took: f64,
    /// Whether the user wants a division.
    asked: bool,
}

/// Imbalance, the slowest rank's time divided by the mean, below which space is not divided again:
/// the neighbour lists of equal parts differ by as much.
const EVEN: f64 = 1.05;

/// Cost of a particle without neighbours, in units of an entry of the list: kicks, drift and its share
/// of the list's own rebuild.
const PER_PARTICLE: u32 = 4;

/// Particles shared with another rank, in the order in which they are sent.
#[derive(Clone, Debug)]
struct Link {
    places: Vec<u32>,
    message: Message,
}

/// What a rank has sent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Steps without a rebuild of the neighbour list.
    pub steps: u64,
    /// Messages in these steps, and their bytes.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
    /// Bytes sent when lists were rebuilt: particles that moved to another rank, and new ghosts.
    pub rebuild_bytes: u64,
    /// Particles that moved to another rank.
    pub migrated: u64,
    /// Ghosts at the last rebuild.
    pub ghosts: usize,
    /// How often space was divided again.
    pub divisions: u64,
}

impl Exchange {
    /// Adds sums to those of all ranks.
    fn add_up(&self, sums: &mut [Superaccumulator]) {
        let mut words: Vec<i64> = sums.iter().flat_map(Superaccumulator::to_words).collect();
        self.ranks.sum(&mut words);
        for (sum, words) in sums.iter_mut().zip(words.as_chunks::<WORDS>().0) {
            *sum = Superaccumulator::from_words(words);
        }
    }

    /// Adds up forces and torques of obstacles over all ranks.
    fn add_up_responses(&self, sums: &mut [&mut [VectorSum; 2]]) {
        let axes = sums
            .iter()
            .flat_map(|two| two.iter())
            .flat_map(|sum| &sum.axes);
        let mut all: Vec<Superaccumulator> = axes.cloned().collect();
        self.add_up(&mut all);
        let axes = sums
            .iter_mut()
            .flat_map(|two| two.iter_mut())
            .flat_map(|sum| &mut sum.axes);
        axes.zip(all).for_each(|(axis, sum)| *axis = sum);
    }
}

/// Reductions, which in a single process are trivial.
impl Particles {
    /// Replaces each number by the largest on any rank.
    pub(super) fn largest_of_all(&self, numbers: &mut [f64]) {
        if let Some(exchange) = &self.exchange {
            exchange.ranks.max(numbers);
        }
    }

    /// Returns the sum of numbers over all ranks, in any order.
    pub(super) fn sum_over_all(&self, numbers: impl Iterator<Item = f64>) -> f64 {
        let mut sum = Superaccumulator::default();
        numbers.for_each(|number| sum.add(number));
        if let Some(exchange) = &self.exchange {
            exchange.add_up(std::slice::from_mut(&mut sum));
        }
        sum.value()
    }

    /// Returns the number of particles on all ranks.
    pub(super) fn total(&self) -> usize {
        self.exchange
            .as_ref()
            .map_or(self.arrays.len(), |exchange| exchange.total)
    }

    /// Changes the number of particles on all ranks by the change on this one; returns the change on
    /// all.
    pub(super) fn change_total(&mut self, change: i64) -> i64 {
        let Some(exchange) = &mut self.exchange else {
            return change;
        };
        let mut changes = [change];
        exchange.ranks.sum(&mut changes);
        exchange.total = exchange.total.saturating_add_signed(changes[0] as isize);

        changes[0]
    }

    /// Returns whether this rank owns a point.
    pub(super) fn owns(&self, point: &Point<3>) -> bool {
        self.exchange
            .as_ref()
            .is_none_or(|exchange| exchange.division.owner(point) == exchange.ranks.rank())
    }

    /// Returns whether the set is divided among ranks.
    pub fn is_distributed(&self) -> bool {
        self.exchange.is_some()
    }

    /// Returns the number of ranks; 1 in a single process.
    pub fn rank_count(&self) -> usize {
        self.exchange
            .as_ref()
            .map_or(1, |exchange| exchange.ranks.size())
    }

    /// Returns what this rank has sent so far; nothing in a single process.
    pub fn traffic(&self) -> Traffic {
        self.exchange
            .as_ref()
            .map_or_else(Traffic::default, |exchange| exchange.traffic)
    }

    /// Gathers words of all ranks.
    pub(super) fn gather_all(&self, words: Vec<u64>) -> Vec<Vec<u64>> {
        match &self.exchange {
            Some(exchange) => exchange.ranks.all_gather(words),
            None => vec![words],
        }
    }

    /// Adds the forces on obstacles, of the contacts on this rank, to those of the others, if the
    /// motion depends on them; those on others wait until they are read.
    pub(super) fn share_responses(&mut self, responses: &mut [Response]) {
        let Some(exchange) = &self.exchange else {
            return;
        };
        let both = self.obstacles.iter().zip(&mut *responses);
        let mut sums: Vec<&mut [VectorSum; 2]> = both
            .filter(|(obstacle, _)| obstacle.moves())
            .map(|(_, response)| &mut response.sums)
            .collect();
        if !sums.is_empty() {
            exchange.add_up_responses(&mut sums);
        }

        for (obstacle, response) in self.obstacles.iter_mut().zip(responses) {
            obstacle.partial = (!obstacle.moves()).then(|| Box::new(response.sums.clone()));
            if obstacle.deforms() {
                let words = node_words(&response.on_nodes);
                let all = exchange.ranks.all_gather(words);
                response.on_nodes = all.iter().flat_map(|words| node_forces(words)).collect();
                // The contacts of a particle are on one rank, in their order.
                response.on_nodes.sort_by_key(|node| node.from);
            }
        }
    }

    /// Completes the reactions that were left to the ranks, of the obstacles that move now, or of
    /// all.
    pub(super) fn complete_reactions(&mut self, all: bool) {
        let Some(exchange) = &self.exchange else {
            return;
        };
        let is_due = |obstacle: &&mut crate::Obstacle| {
            obstacle.partial.is_some() && (all || obstacle.moves())
        };
        let mut due: Vec<_> = self.obstacles.iter_mut().filter(is_due).collect();
        let mut sums: Vec<Box<[VectorSum; 2]>> = due
            .iter_mut()
            .filter_map(|obstacle| obstacle.partial.take())
            .collect();
        if sums.is_empty() {
            return;
        }

        let mut borrowed: Vec<&mut [VectorSum; 2]> =
            sums.iter_mut().map(|sum| &mut **sum).collect();
        exchange.add_up_responses(&mut borrowed);
        for (obstacle, sums) in due.into_iter().zip(&sums) {
            let [force, torque] = sums.each_ref().map(VectorSum::value);
            (obstacle.reaction.force, obstacle.reaction.torque) = (force, torque);
        }
    }

    /// Makes the overlaps of a step those of all ranks; returns the error of any rank.
    pub(super) fn share_outcome(
        &mut self,
        failed: Option<(u32, StepError)>,
    ) -> Result<(), StepError> {
        let Some(exchange) = &mut self.exchange else {
            return failed.map_or(Ok(()), |(_, error)| Err(error));
        };
        let overlaps = &mut self.overlaps;
        let mut outcome = [
            f64::from(failed.is_some()),
            overlaps.largest_share(),
            f64::from(overlaps.has_deep()),
        ];
        exchange.ranks.max(&mut outcome);
        let [has_failed, share, has_deep] = outcome;

        if has_failed > 0.0 {
            return Err(lowest_error(&*exchange.ranks, failed));
        }

        if share > exchange.deepest || has_deep > 0.0 {
            exchange.deepest = exchange.deepest.max(share);
            let all = exchange.ranks.all_gather(overlaps.to_words());
            overlaps.clear();
            all.iter().for_each(|words| overlaps.add_words(words));
            overlaps.dedup();
        }
        overlaps.set_share(share);
        Ok(())
    }
}

/// Distribution among ranks, and the way back.
impl Particles {
    /// Divides the particles among ranks, which all have the same ones before; each keeps its part
    /// and its ghosts. Afterwards steps and changes are collective: every rank makes them alike.
    pub fn distribute(&mut self, ranks: Arc<dyn Communicator>) {
        let (rank, size) = (ranks.rank(), ranks.size());
        if size == 1 || self.exchange.is_some() {
            return;
        }

        let contacts = self.contact_states();
        let largest = self.radii().fold(f64::MIN_POSITIVE, f64::max);
        let held = self.table.largest_tear_gap(largest);
        let count = self.arrays.len();
        let share = count * rank / size..count * (rank + 1) / size;
        let order: Vec<u32> = share.map(|place| place as u32).collect();
        self.keep_places(&order);
        let points: Vec<Point<3>> = self.positions().collect();
        let division = Bisection::balanced(&*ranks, &points, &vec![1; points.len()]);
        self.exchange = Some(Exchange {
            ranks,
            division,
            total: count,
            sends: Vec::new(),
            receives: Vec::new(),
            is_stale: false,
            deepest: 0.0,
            balance: Balance::default(),
            traffic: Traffic::default(),
        });

        let contacts = self.migrate(contacts);
        let links = self.fetch_ghosts(FIRST_MARGIN * self.diameter + held);
        self.link(links);
        let kept = self.kept_of(&contacts);
        self.list.hold(&kept, self.table.keeps_rolling());
    }

    /// Gathers the particles of all ranks: on rank 0 the complete set, as one process would have it;
    /// `None` on the others. Every rank must call it.
    pub fn gather(&mut self) -> Option<Self> {
        self.complete_reactions(true);
        let ranks = Arc::clone(&self.exchange.as_ref()?.ranks);
        let mut packet = Packet::default();
        let own = |id: u32, places: &FxHashMap<u32, u32>| {
            places
                .get(&id)
                .is_some_and(|&place| self.arrays.own[place as usize])
        };
        let places = self.place_by_id();

        for place in (0..self.len()).filter(|&place| self.arrays.own[place]) {
            write_particle(&self.arrays, place, &mut packet.particles);
        }
        packet.contacts = self.contact_states();
        packet
            .contacts
            .retain(|contact| own(contact.ids[0], &places));
        for (number, obstacle) in (0..).zip(&self.obstacles) {
            let touches = obstacle.touches.iter();
            packet
                .touches
                .extend(touches.map(|touch| (number, self.by_id(touch))));
        }

        let all = ranks.gather(packet.to_words());
        (ranks.rank() == 0).then(|| {
            let packets = all.iter().map(|words| Packet::from_words(words));
            self.assemble(packets.collect())
        })
    }

    /// Puts the parts of all ranks together.
    fn assemble(&self, packets: Vec<Packet>) -> Self {
        let mut whole = self.clone();
        whole.exchange = None;
        whole.keep_places(&[]);
        let mut contacts = Vec::new();
        let mut touches = Vec::new();
        for packet in packets {
            read_particles(&packet.particles, true, &mut whole.arrays);
            contacts.extend(packet.contacts);
            touches.extend(packet.touches);
        }

        let order = by_seat(&whole.arrays.seats, &whole.arrays.ids);
        whole.arrays.arrange(&order);
        let places = whole.place_by_id();
        whole.touching = contacts.len() + touches.len();
        whole.add_touches(&touches, &places);
        let kept = whole.kept_of(&contacts);
        whole.list.hold(&kept, whole.table.keeps_rolling());
        whole.watch_obstacles();

        whole
    }

    /// Returns a contact with an obstacle, by the particle's id.
    fn by_id(&self, touch: &Touch) -> Touch {
        Touch {
            particle: self.arrays.ids[touch.particle as usize],
            ..*touch
        }
    }

    /// Adds contacts with obstacles, which refer to ids.
    fn add_touches(&mut self, touches: &[(u32, Touch)], places: &FxHashMap<u32, u32>) {
        for (obstacle, touch) in touches {
            let particle = places[&touch.particle];
            let touch = Touch { particle, ..*touch };
            self.obstacles[*obstacle as usize].touches.push(touch);
        }
        for obstacle in &mut self.obstacles {
            let order = |touch: &Touch| (touch.particle, touch.spot);
            obstacle.touches.sort_unstable_by_key(order);
        }
    }

    fn place_by_id(&self) -> FxHashMap<u32, u32> {
        self.arrays.ids.iter().copied().zip(0..).collect()
    }

    /// Keeps these places alone, in this order; empties the list.
    fn keep_places(&mut self, order: &[u32]) {
        self.list.hold(&[], false);
        self.arrange(order);
    }

    /// Returns the contacts of own particles, by places, without repetitions.
    fn kept_of(&self, contacts: &[ContactState]) -> Vec<Kept> {
        let places = self.place_by_id();
        let kept = contacts.iter().filter_map(|contact| {
            let [Some(&a), Some(&b)] = contact.ids.map(|id| places.get(&id)) else {
                return None;
            };
            let is_own = [a, b].iter().any(|&place| self.arrays.own[place as usize]);
            is_own.then(|| contact.between(a, b))
        });
        let mut kept: Vec<Kept> = kept.collect();
        kept.sort_unstable_by_key(|kept| kept.pair);
        kept.dedup_by_key(|kept| kept.pair);

        kept
    }
}

/// Ids of particles sent to ranks, and of those received from ranks, by rank.
struct Links {
    sent: Vec<(usize, Vec<u32>)>,
    received: Vec<(usize, Vec<u32>)>,
}

/// Migration, ghosts and the list.
impl Particles {
    /// Moves particles to their owners, fetches the ghosts, and rebuilds the list.
    pub(super) fn rebuild_on_all(&mut self) -> Result<(), StepError> {
        let start = Instant::now();
        let divided = self.balance();
        let contacts = self.contact_states();
        let contacts = self.migrate(contacts);
        let links = self.fetch_ghosts(self.list.reach());

        let pairs = self.list.find_pairs(&self.arrays, &self.cell);
        let error = pairs.as_ref().err().map(|fault| self.place_error(fault));
        let mut failed = [f64::from(error.is_some())];
        self.largest_of_all(&mut failed);
        if failed[0] > 0.0 {
            let ranks = &self.exchange.as_ref().expect("distributed").ranks;
            return Err(lowest_error(&**ranks, error.map(|error| (0, error))));
        }

        let pairs = self.drop_unused_ghosts(pairs.unwrap_or_default());
        self.link(links);
        let kept = self.kept_of(&contacts);
        let rolling = self.table.keeps_rolling();
        self.list.build(&pairs, &kept, &self.arrays.balls, rolling);
        let exchange = self.exchange.as_mut().expect("distributed");
        exchange.is_stale = false;
        if divided {
            exchange.balance.took = start.elapsed().as_secs_f64();
        }
        Ok(())
    }

    /// Divides space again at the next step, on all ranks; by itself this happens when the ranks have
    /// waited for each other longer than it takes. No result depends on it.
    pub fn rebalance(&mut self) {
        if let Some(exchange) = &mut self.exchange {
            exchange.balance.asked = true;
            self.list.forget();
        }
    }

    /// Divides space again if ranks have waited too long; returns whether it did.
    fn balance(&mut self) -> bool {
        let weights = self.weights();
        let exchange = self.exchange.as_mut().expect("distributed");
        let balance = &mut exchange.balance;
        let mut largest = [balance.busy, balance.took, f64::from(balance.asked)];
        exchange.ranks.max(&mut largest);
        let [slowest, took, asked] = largest;
        let own: i64 = weights.iter().map(|&weight| i64::from(weight)).sum();
        let mut sums = [(1e9 * balance.busy) as i64, own];
        exchange.ranks.sum(&mut sums);
        let mean = 1e-9 * sums[0] as f64 / exchange.ranks.size() as f64;
        balance.waited += slowest - mean;

        let is_uneven = slowest > EVEN * mean && balance.waited > took;
        let is_due = asked > 0.0 || is_uneven;
        if is_due {
            // What this rank measured decides how its particles count, within a factor of four.
            let speed = (balance.busy / mean)
                / (own as f64 * exchange.ranks.size() as f64 / sums[1] as f64);
            let factor = if speed.is_finite() {
                speed.clamp(0.5, 2.0)
            } else {
                1.0
            };
            let (points, weights): (Vec<Point<3>>, Vec<u32>) = (0..self.arrays.len())
                .filter(|&place| self.arrays.own[place])
                .map(|place| {
                    let weight = 16.0 * factor * f64::from(weights[place]);
                    (self.arrays.balls[place].centre, weight as u32)
                })
                .unzip();
            exchange.division = Bisection::balanced(&*exchange.ranks, &points, &weights);
            exchange.traffic.divisions += 1;
            (balance.waited, balance.asked) = (0.0, false);
        }
        balance.busy = 0.0;

        is_due
    }

    /// Returns the cost of each particle: its share of the pairs; nothing for ghosts.
    fn weights(&self) -> Vec<u32> {
        let mut weights: Vec<u32> = self
            .arrays
            .own
            .iter()
            .map(|&own| PER_PARTICLE * u32::from(own))
            .collect();
        for entry in &self.list.entries {
            for place in [entry.place as usize, entry.other() as usize] {
                weights[place] += u32::from(self.arrays.own[place]);
            }
        }

        weights
    }

    /// Sends particles with their contacts to the ranks that own their positions, and drops the
    /// ghosts. Returns the contacts, with those of particles that arrived.
    fn migrate(&mut self, mut contacts: Vec<ContactState>) -> Vec<ContactState> {
        let exchange = self.exchange.as_ref().expect("distributed");
        let (ranks, division) = (Arc::clone(&exchange.ranks), &exchange.division);
        let mut packets: BTreeMap<usize, Packet> = BTreeMap::new();
        let mut leaving: FxHashMap<u32, usize> = FxHashMap::default();
        let mut staying = Vec::new();

        for place in (0..self.len()).filter(|&place| self.arrays.own[place]) {
            let owner = division.owner(&self.arrays.balls[place].centre);
            if owner == ranks.rank() {
                staying.push(place as u32);
            } else {
                leaving.insert(self.arrays.ids[place], owner);
                let packet = packets.entry(owner).or_default();
                write_particle(&self.arrays, place, &mut packet.particles);
            }
        }

        if !leaving.is_empty() {
            for contact in &contacts {
                for owner in contact.ids.iter().filter_map(|id| leaving.get(id)) {
                    packets.entry(*owner).or_default().contacts.push(*contact);
                }
            }
            for (number, obstacle) in (0..).zip(&self.obstacles) {
                for touch in obstacle.touches.iter().map(|touch| self.by_id(touch)) {
                    if let Some(owner) = leaving.get(&touch.particle) {
                        packets
                            .entry(*owner)
                            .or_default()
                            .touches
                            .push((number, touch));
                    }
                }
            }
        }

        self.keep_places(&staying);
        let sends = packets.into_iter().map(|(rank, packet)| Message {
            rank,
            words: packet.to_words(),
        });
        let sends: Vec<Message> = sends.collect();
        self.count_rebuild(&sends, leaving.len());
        let mut touches = Vec::new();
        for message in ranks.all_to_all(sends) {
            let packet = Packet::from_words(&message.words);
            read_particles(&packet.particles, true, &mut self.arrays);
            contacts.extend(packet.contacts);
            touches.extend(packet.touches);
        }
        let places = self.place_by_id();
        self.add_touches(&touches, &places);

        contacts
    }

    fn count_rebuild(&mut self, sends: &[Message], migrated: usize) {
        let words: usize = sends.iter().map(|message| message.words.len()).sum();
        let traffic = &mut self.exchange.as_mut().expect("distributed").traffic;
        traffic.rebuild_bytes += 8 * words as u64;
        traffic.migrated += migrated as u64;
    }

    /// Fetches copies of all particles that may come within a skin of own ones, and orders all by
    /// seats.
    fn fetch_ghosts(&mut self, margin: f64) -> Links {
        let ranks = Arc::clone(&self.exchange.as_ref().expect("distributed").ranks);
        let mine = reaches(self.arrays.balls.iter().copied());
        let all = ranks.all_gather(reach_words(&mine));
        let period = self.cell.lengths();
        let (mut sends, mut sent) = (Vec::new(), Vec::new());

        for (rank, words) in all
            .iter()
            .enumerate()
            .filter(|(rank, _)| *rank != ranks.rank())
        {
            let theirs = reaches_of(words);
            let places = select(&self.arrays.balls, &mine, &theirs, margin, &period);
            if !places.is_empty() {
                let mut words = Vec::new();
                let place = |&place: &u32| place as usize;
                places
                    .iter()
                    .map(place)
                    .for_each(|place| write_particle(&self.arrays, place, &mut words));
                sends.push(Message { rank, words });
                let ids = places.iter().map(place).map(|place| self.arrays.ids[place]);
                sent.push((rank, ids.collect()));
            }
        }

        self.count_rebuild(&sends, 0);
        let mut received = Vec::new();
        for message in ranks.all_to_all(sends) {
            let first = self.len();
            read_particles(&message.words, false, &mut self.arrays);
            received.push((message.rank, self.arrays.ids[first..].to_vec()));
        }

        self.arrange(&by_seat(&self.arrays.seats, &self.arrays.ids));
        Links { sent, received }
    }

    /// Drops pairs of ghosts, and ghosts without a pair.
    fn drop_unused_ghosts(&mut self, mut pairs: Vec<Pair>) -> Vec<Pair> {
        let own = &self.arrays.own;
        let mut used = own.clone();
        pairs.retain(|pair| {
            let [a, b] = [pair.a, pair.b].map(|place| place as usize);
            let counts = own[a] || own[b];
            if counts {
                (used[a], used[b]) = (true, true);
            }
            counts
        });
        let order: Vec<u32> = (0..)
            .zip(&used)
            .filter(|(_, used)| **used)
            .map(|(place, _)| place)
            .collect();

        if order.len() < self.len() {
            let places = self.arrays.arrange(&order);
            let obstacles = &mut self.obstacles;
            obstacles
                .iter_mut()
                .for_each(|obstacle| walls::renumber(obstacle, &places));
            // The order stays, so that pairs stay sorted.
            for pair in &mut pairs {
                (pair.a, pair.b) = (places[pair.a as usize], places[pair.b as usize]);
            }
        }

        pairs
    }

    /// Agrees with the other ranks on the particles that are sent at every step: those of the links
    /// that are still here.
    fn link(&mut self, links: Links) {
        let places = self.place_by_id();
        let exchange = self.exchange.as_mut().expect("distributed");
        let (mut receives, mut replies) = (Vec::new(), Vec::new());
        for (rank, ids) in links.received {
            let kept = (0..)
                .zip(&ids)
                .filter_map(|(n, id)| Some((n, *places.get(id)?)));
            let (words, places): (Vec<u64>, Vec<u32>) = kept.unzip();
            if !places.is_empty() {
                replies.push(Message { rank, words });
                receives.push(Link::new(rank, places));
            }
        }

        exchange.traffic.ghosts = receives.iter().map(|link| link.places.len()).sum();
        let wanted = exchange.ranks.all_to_all(replies);
        let sends = wanted.iter().map(|reply| {
            let sent = links.sent.iter().find(|(rank, _)| *rank == reply.rank);
            let (_, ids) = sent.expect("they reply to what was sent");
            let places = reply.words.iter().map(|&n| places[&ids[n as usize]]);
            Link::new(reply.rank, places.collect())
        });
        (exchange.sends, exchange.receives) = (sends.collect(), receives);
    }
}

impl Exchange {
    /// Updates the ghosts after a drift. `meanwhile` computes what needs none of them.
    pub(super) fn update_ghosts(
        &mut self,
        arrays: &mut Arrays,
        mut meanwhile: impl FnMut(&mut Arrays),
    ) {
        for link in &mut self.sends {
            link.message.words.clear();
            for &place in &link.places {
                write_motion(arrays, place as usize, &mut link.message.words);
            }
        }

        let take = |links: &mut [Link]| -> Vec<Message> {
            let messages = links
                .iter_mut()
                .map(|link| std::mem::take(&mut link.message));
            messages.collect()
        };
        let (sends, mut receives) = (take(&mut self.sends), take(&mut self.receives));
        self.ranks
            .exchange(&sends, &mut receives, &mut || meanwhile(arrays));
        self.traffic.steps += 1;
        self.traffic.messages += sends.len() as u64;
        let words: usize = sends.iter().map(|message| message.words.len()).sum();
        self.traffic.bytes += 8 * words as u64;

        for (link, message) in self.sends.iter_mut().zip(sends) {
            link.message = message;
        }
        for (link, message) in self.receives.iter_mut().zip(receives) {
            for (&place, words) in link.places.iter().zip(message.words.chunks(MOTION)) {
                read_motion(words, arrays, place as usize);
            }
            link.message = message;
        }
        self.is_stale = false;
    }
}

impl Link {
    fn new(rank: usize, places: Vec<u32>) -> Self {
        let words = vec![0; MOTION * places.len()];
        Self {
            places,
            message: Message { rank, words },
        }
    }
}

/// Returns the error of the particle with the lowest id on any rank.
fn lowest_error(ranks: &dyn Communicator, failed: Option<(u32, StepError)>) -> StepError {
    let words = failed.map_or_else(Vec::new, |(id, error)| {
        let mut words = vec![id.into()];
        let StepError { body, cause, hint } = error;
        for text in [body, cause, hint] {
            words.extend(words_of(text.as_bytes()));
        }
        words
    });
    let all = ranks.all_gather(words);
    let first = all
        .iter()
        .filter(|words| !words.is_empty())
        .min_by_key(|words| words[0]);
    let mut rest = &first.expect("one has failed")[1..];
    let mut text = || {
        let count = 1 + rest.first().map_or(0, |bytes| bytes.div_ceil(8) as usize);
        let (own, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        String::from_utf8_lossy(&bytes_of(own)).into_owned()
    };

    StepError {
        body: text(),
        cause: text(),
        hint: text(),
    }
}

fn reach_words(reaches: &[Reach]) -> Vec<u64> {
    let numbers = reaches.iter().flat_map(|Reach { bounds, radius }| {
        let corners = bounds.min.iter().chain(bounds.max.iter());
        corners.copied().chain([*radius])
    });
    numbers.map(f64::to_bits).collect()
}

fn reaches_of(words: &[u64]) -> Vec<Reach> {
    let mut words = Reader(words);
    let mut reaches = Vec::new();
    while !words.0.is_empty() {
        let [min, max] = [(); 2].map(|()| words.numbers::<3>());
        reaches.push(Reach {
            bounds: Aabb::new(min, max),
            radius: words.number(),
        });
    }

    reaches
}

fn node_words(forces: &[NodeForce]) -> Vec<u64> {
    let mut words = Vec::new();
    for node in forces {
        words.extend(node.from.0.to_words());
        words.extend([node.from.1, node.face].map(u64::from));
        let force: [f64; 3] = node.force.into();
        words.extend(node.weights.iter().chain(&force).map(|x| x.to_bits()));
    }

    words
}

fn node_forces(words: &[u64]) -> Vec<NodeForce> {
    let mut words = Reader(words);
    let mut forces = Vec::new();
    while !words.0.is_empty() {
        let seat = [(); 2].map(|()| words.next());
        forces.push(NodeForce {
            from: (super::order::Seat::from_words(seat), words.id()),
            face: words.id(),
            weights: words.numbers(),
            force: Vector::from(words.numbers::<3>()),
        });
    }

    forces
}
