//! Points that coincide become one.

use crate::space::Point;
use rustc_hash::FxHashMap;

/// Numbers points by their coordinates: equal coordinates (with −0 = 0) get the same number, in the order of first
/// appearance. Returns the distinct points and each input point's number. NaN coordinates stay apart from all others
/// with other bits.
///
/// ```
/// use impinge::{shape::weld, space::Point};
/// let points = [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-0.0, 1.0, 0.0]].map(Point::from);
/// let (distinct, number) = weld(&points);
/// assert_eq!((distinct.len(), number), (2, vec![0, 1, 0]));
/// ```
pub fn weld(points: &[Point<3>]) -> (Vec<Point<3>>, Vec<u32>) {
    assert!(points.len() < u32::MAX as usize, "points are numbered with 32 bits");
    let mut number_of: FxHashMap<[u64; 3], u32> = FxHashMap::default();
    let mut distinct = Vec::new();
    let number = points
        .iter()
        .map(|point| {
            // Adding 0 turns −0 into 0.
            let key = [point.x, point.y, point.z].map(|x| (x + 0.0).to_bits());
            *number_of.entry(key).or_insert_with(|| {
                distinct.push(*point);
                (distinct.len() - 1) as u32
            })
        })
        .collect();
    (distinct, number)
}
