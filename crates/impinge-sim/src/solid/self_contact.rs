//! Whether a solid may have come into contact with itself since the last search.

use super::ElasticSolid;

impl ElasticSolid {
    /// Returns whether self-contact must be searched after a step.
    pub(super) fn may_touch_itself(&mut self, dt: f64) -> bool {
        let mean = self.momentum() / self.mass();
        let Some(clearance) = &mut self.clearance else {
            return false;
        };
        let fastest = self
            .velocities
            .iter()
            .map(|v| (v - mean).norm_squared())
            .fold(0.0, f64::max)
            .sqrt();
        clearance.left = (clearance.left - 2.0 * fastest * dt).max(0.0);

        clearance.left == 0.0
    }

    /// Restores the margin; call it after a search that found nothing.
    pub(super) fn measure_clearance(&mut self) {
        if let Some(clearance) = &mut self.clearance {
            clearance.measure(&self.points);
        }
    }
}
