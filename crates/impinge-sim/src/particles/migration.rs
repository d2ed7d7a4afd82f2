//! Rebuild of the neighbour list of a distributed run, on all ranks at once.
//!
//! Particles move to the rank that owns their position, with their springs. Then ghosts are selected
//! again (`ranks/reach.rs`), and those in no pair dropped. Space is divided again when ranks have
//! waited for the slowest longer than a division takes.

use super::Particles;
use super::exchange::{Link, lowest_error};
use super::order::by_seat;
use super::record::{Packet, Reader, read_particles, write_particle};
use super::state::ContactState;
use super::walls;
use crate::StepError;
use crate::ranks::{Bisection, Message, Reach, reaches, select};
use impinge::broad::Pair;
use impinge::space::{Aabb, Point};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Nanoseconds in a second: times are summed over ranks as integers.
const NANOSECONDS: f64 = 1e9;
/// Resolution of the weights of particles, which the bisection takes as integers.
const WEIGHT_UNITS: f64 = 16.0;

/// Imbalance, the slowest rank's time divided by the mean, below which space is not divided again:
/// the neighbour lists of equal parts differ by as much.
const EVEN: f64 = 1.05;

/// Cost of a particle without neighbours, in units of an entry of the list: kicks, drift and its share
/// of the list's own rebuild.
const PER_PARTICLE: u32 = 4;

/// Ids of particles sent to ranks, and of those received from ranks, by rank.
pub(super) struct Links {
    sent: Vec<(usize, Vec<u32>)>,
    received: Vec<(usize, Vec<u32>)>,
}

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

    /// Divides space again at the next step, on all ranks; this also happens automatically once the
    /// ranks have waited for each other longer than a division takes. No result depends on it.
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
        let mut sums = [(NANOSECONDS * balance.busy) as i64, own];
        exchange.ranks.sum(&mut sums);
        let mean = 1e-9 * sums[0] as f64 / exchange.ranks.size() as f64;
        balance.waited += slowest - mean;

        let is_uneven = slowest > EVEN * mean && balance.waited > took;
        let is_due = asked > 0.0 || is_uneven;
        if is_due {
            // The measured speed of this rank weights its particles, within a factor of four.
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
                    let weight = WEIGHT_UNITS * factor * f64::from(weights[place]);
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
    pub(super) fn migrate(&mut self, mut contacts: Vec<ContactState>) -> Vec<ContactState> {
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
    pub(super) fn fetch_ghosts(&mut self, margin: f64) -> Links {
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
    pub(super) fn link(&mut self, links: Links) {
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
            let (_, ids) = sent.expect("a reply refers to particles that were sent");
            let places = reply.words.iter().map(|&n| places[&ids[n as usize]]);
            Link::new(reply.rank, places.collect())
        });
        (exchange.sends, exchange.receives) = (sends.collect(), receives);
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
