//! Division of a set of particles among ranks, and the way back to one set.

use super::Particles;
use super::exchange::{Balance, Exchange, Traffic};
use super::list::SavedContact;
use super::order::by_seat;
use super::record::{Packet, read_particles, write_particle};
use super::state::ContactState;
use crate::obstacle::Touch;
use crate::ranks::{Bisection, Communicator};
use impinge::space::Point;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Skin, in mean diameters, of the ghosts between distribution and the first step: they hold the
/// springs of pairs that touch, no more.
const FIRST_MARGIN: f64 = 0.01;

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
    pub(super) fn by_id(&self, touch: &Touch) -> Touch {
        Touch {
            particle: self.arrays.ids[touch.particle as usize],
            ..*touch
        }
    }

    /// Adds contacts with obstacles, which refer to ids.
    pub(super) fn add_touches(&mut self, touches: &[(u32, Touch)], places: &FxHashMap<u32, u32>) {
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

    pub(super) fn place_by_id(&self) -> FxHashMap<u32, u32> {
        self.arrays.ids.iter().copied().zip(0..).collect()
    }

    /// Keeps these places alone, in this order; empties the list.
    pub(super) fn keep_places(&mut self, order: &[u32]) {
        self.list.hold(&[], false);
        self.arrange(order);
    }

    /// Returns the contacts of own particles, by places, without repetitions.
    pub(super) fn kept_of(&self, contacts: &[ContactState]) -> Vec<SavedContact> {
        let places = self.place_by_id();
        let kept = contacts.iter().filter_map(|contact| {
            let [Some(&a), Some(&b)] = contact.ids.map(|id| places.get(&id)) else {
                return None;
            };
            let is_own = [a, b].iter().any(|&place| self.arrays.own[place as usize]);
            is_own.then(|| contact.between(a, b))
        });
        let mut kept: Vec<SavedContact> = kept.collect();
        kept.sort_unstable_by_key(|kept| kept.pair);
        kept.dedup_by_key(|kept| kept.pair);

        kept
    }
}
