//! Validation of the simulator against closed forms.

pub(crate) mod solids;
