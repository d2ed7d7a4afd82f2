//! Warm-start data of a pair of surfaces.

/// The faces of a pair of surfaces that were closest in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "warm start")]
pub struct PairHint {
    /// A face of each.
    pub faces: Option<[u32; 2]>,
}
