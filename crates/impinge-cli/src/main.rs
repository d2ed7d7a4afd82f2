//! The command `impinge`.
fn main() {}
