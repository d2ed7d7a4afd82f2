//! What a pair of surfaces remembers from the last step.

/// Warm start of a pair of surfaces: the faces that were closest in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "warm start")]
pub struct PairHint {
    /// A face of each.
    pub faces: Option<[u32; 2]>,
}
