//! Follows all objects through time: events, and where motions change.

use super::actor::Actor;
use anyhow::ensure;
use impinge::detect::forecast::{Forecast, ForecastEvent, ForecastEventKind, ForecastId};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of distances between faces: some tens of seconds. Objects that pass through each
/// other in dense scenes have ever more of them.
const MOST_DISTANCES: usize = 2_000_000;

/// Returns the first contact of each solid with itself.
pub(super) fn folds(
    actors: &[Actor],
    forecast: &mut Forecast,
    until: f64,
) -> anyhow::Result<Vec<ForecastEvent>> {
    let mut events = Vec::new();
    for (number, _) in (0..).zip(actors).filter(|(_, actor)| actor.is_folding()) {
        events.extend(forecast.self_contact(ForecastId(number), until)?);
    }
    Ok(events)
}

/// Appends the events of a time, in order; returns the number of steps of equal length that needed
/// no work.
pub(super) fn follow(
    actors: &[Actor],
    forecast: &mut Forecast,
    [from, until]: [f64; 2],
    steps: u32,
    events: &mut Vec<ForecastEvent>,
) -> anyhow::Result<u32> {
    let itineraries = (0..).zip(actors);
    let itineraries = itineraries.filter_map(|(k, a)| Some((k, a.itinerary.as_ref()?)));
    let mut changes: Vec<_> = itineraries.map(|(k, i)| (k, i, i.next(from))).collect();
    let (mut predictions, mut idle) = (Predictions::default(), 0);
    predictions.changing = changes.iter().map(|(k, ..)| ForecastId(*k)).collect();
    let mut found = Vec::new();

    for step in 1..=steps {
        let time = until * f64::from(step) / f64::from(steps);
        let mut is_idle = true;
        loop {
            let next = changes.iter().map(|c| c.2).fold(f64::INFINITY, f64::min);
            if next > time {
                break;
            }
            is_idle = false;
            forecast.advance(next, &mut found)?;
            predictions.take(&mut found, events);
            for (number, itinerary, due) in changes.iter_mut().filter(|c| c.2 <= next) {
                forecast.set_motion(ForecastId(*number), itinerary.motion(next)?)?;
                predictions.void(ForecastId(*number), next, events);
                *due = itinerary.next(next);
            }
        }

        is_idle &= forecast.advance(time, &mut found)?.worked == 0;
        let distances = forecast.counters().primitives.count;
        ensure!(
            distances <= MOST_DISTANCES,
            "too many contacts: {distances} distances between faces until {time:.6} s, at most {MOST_DISTANCES} are \
             computed; choose an earlier --until, or fewer objects"
        );
        predictions.take(&mut found, events);
        idle += u32::from(is_idle);
    }

    predictions.end(events);
    events.retain(|event| event.time <= until);
    events.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.bodies.cmp(&b.bodies)));
    Ok(idle)
}

/// Predicted times of pairs whose motions change: a time that was not reached when they did is void.
#[derive(Default)]
struct Predictions {
    changing: BTreeSet<ForecastId>,
    open: BTreeMap<[ForecastId; 2], ForecastEvent>,
    /// Pairs with a time that was reached, until they separate.
    reached: BTreeSet<[ForecastId; 2]>,
}

impl Predictions {
    /// Takes predicted times of changing pairs; all other events are final.
    fn take(&mut self, found: &mut Vec<ForecastEvent>, events: &mut Vec<ForecastEvent>) {
        for event in found.drain(..) {
            let changes = event.bodies.iter().any(|id| self.changing.contains(id));
            if changes && event.kind == ForecastEventKind::Predicted {
                self.open.insert(event.bodies, event);
                continue;
            }
            if event.kind == ForecastEventKind::Separation {
                self.reached.remove(&event.bodies);
            }
            events.push(event);
        }
    }

    /// Decides about the predicted times of a body when its motion changes.
    fn void(&mut self, body: ForecastId, time: f64, events: &mut Vec<ForecastEvent>) {
        let mut its: Vec<[ForecastId; 2]> = self.open.keys().copied().collect();
        its.retain(|pair| pair.contains(&body));
        for pair in its {
            let event = self.open.remove(&pair);
            let event = event.filter(|event| event.time <= time);
            if let Some(event) = event.filter(|_| self.reached.insert(pair)) {
                events.push(event);
            }
        }
    }

    fn end(self, events: &mut Vec<ForecastEvent>) {
        let open = self.open.into_values();
        events.extend(open.filter(|event| !self.reached.contains(&event.bodies)));
    }
}
