#[cfg(feature = "serde")]
mod serial;
