//! The distribution of contact forces.

use super::columns;
use impinge_sim::{BodyKind, ContactRecord};

/// Forces are those along the normal, in multiples of their mean. The last interval has no upper end.
pub(super) const HEADER: &str = "time,mean_force,contacts,from,to,count";

/// Intervals, and their width in mean forces.
const INTERVALS: usize = 40;
const WIDTH: f64 = 0.25;

/// Returns the distribution of the forces between particles, an interval per row.
pub(super) fn rows(contacts: &[ContactRecord], time: f64) -> String {
    let between = |contact: &&ContactRecord| {
        contact
            .bodies
            .iter()
            .all(|body| body.kind == BodyKind::Particle)
    };
    let forces: Vec<f64> = contacts
        .iter()
        .filter(between)
        .map(|contact| contact.force.dot(&contact.normal).max(0.0))
        .collect();
    let mean = forces.iter().sum::<f64>() / forces.len().max(1) as f64;
    let mut counts = [0_usize; INTERVALS];
    for force in &forces {
        let interval = if mean > 0.0 {
            (force / mean / WIDTH) as usize
        } else {
            0
        };
        counts[interval.min(INTERVALS - 1)] += 1;
    }

    let row = |(n, count): (usize, &usize)| {
        let from = columns(&[n as f64 * WIDTH]);
        let to = match n + 1 {
            INTERVALS => ",inf".to_owned(),
            end => columns(&[end as f64 * WIDTH]),
        };
        format!(
            "{time:?}{},{}{from}{to},{count}\n",
            columns(&[mean]),
            forces.len()
        )
    };
    counts.iter().enumerate().map(row).collect()
}
