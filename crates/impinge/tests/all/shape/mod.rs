#[cfg(feature = "serde")]
mod serial;
mod split;
