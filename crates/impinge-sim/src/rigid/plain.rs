//! Serialises vectors as plain arrays: nalgebra's own encoding needs a feature and adds nothing.

use impinge::space::Vector;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<S: Serializer>(vector: &Vector<3>, to: S) -> Result<S::Ok, S::Error> {
    <[f64; 3]>::from(*vector).serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vector<3>, D::Error> {
    <[f64; 3]>::deserialize(from).map(Vector::from)
}
