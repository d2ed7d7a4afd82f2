//! Physics against closed forms and measured laws: each study has its table, its figure and its pass marks.

pub(crate) mod beverloo;
pub(crate) mod chute;
mod grains;
pub(crate) mod haff;
pub(crate) mod impact;
pub(crate) mod janssen;
pub(crate) mod jkr;
pub(crate) mod packing;
pub(crate) mod settle;
pub(crate) mod solids;
pub(crate) mod tower;
