//! Regions of space, for placement, inlets, outlets and supports.

use impinge::space::{Aabb, Point, Random, Vector};
use impinge_sim::Region;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A region of space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RegionSpec {
    /// A box between two corners.
    Box(BoxRegion),
    /// A cylinder around a segment.
    Cylinder(CylinderRegion),
    /// A ball around a point.
    Sphere(BallRegion),
}

/// A box between two corners, with as many numbers as the scene has dimensions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxRegion {
    /// Lower corner, m.
    pub min: Vec<f64>,
    /// Upper corner, m.
    pub max: Vec<f64>,
}

/// A cylinder with flat ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderRegion {
    /// Centre of one end, m.
    pub from: [f64; 3],
    /// Centre of the other end, m.
    pub to: [f64; 3],
    /// Radius, m.
    pub radius: f64,
}

/// A ball.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BallRegion {
    /// Centre, m.
    pub centre: [f64; 3],
    /// Radius, m.
    pub radius: f64,
}

impl RegionSpec {
    /// Returns the bounding box in the first `D` dimensions.
    pub fn bounds<const D: usize>(&self) -> Aabb<D> {
        let corners = |min: &[f64], max: &[f64]| {
            Aabb::new(
                std::array::from_fn::<f64, D, _>(|i| min[i]),
                std::array::from_fn::<f64, D, _>(|i| max[i]),
            )
        };
        match self {
            Self::Box(cuboid) => corners(&cuboid.min, &cuboid.max),
            Self::Sphere(ball) => corners(
                &ball.centre.map(|c| c - ball.radius),
                &ball.centre.map(|c| c + ball.radius),
            ),
            Self::Cylinder(cylinder) => {
                let [from, to] = [cylinder.from, cylinder.to].map(Vector::<3>::from);
                let axis = (to - from).normalize();
                // A disc with that normal reaches r√(1 − a²) along an axis of the world.
                let reach = axis.map(|a| cylinder.radius * (1.0 - a * a).max(0.0).sqrt());
                let (min, max) = (from.inf(&to) - reach, from.sup(&to) + reach);
                corners(min.as_slice(), max.as_slice())
            }
        }
    }

    /// Whether it contains a ball; with radius 0, a point.
    pub fn holds<const D: usize>(&self, centre: &Point<D>, radius: f64) -> bool {
        match self {
            Self::Box(cuboid) => (0..D).all(|i| {
                centre[i] - radius >= cuboid.min[i] && centre[i] + radius <= cuboid.max[i]
            }),
            Self::Sphere(ball) => {
                let offset: f64 = (0..D).map(|i| (centre[i] - ball.centre[i]).powi(2)).sum();
                radius <= ball.radius && offset <= (ball.radius - radius).powi(2)
            }
            Self::Cylinder(cylinder) => {
                let [from, to] = [cylinder.from, cylinder.to].map(Vector::<3>::from);
                let length = (to - from).norm();
                let axis = (to - from) / length;
                let offset =
                    Vector::<3>::from(std::array::from_fn(|i| if i < D { centre[i] } else { 0.0 }))
                        - from;
                let along = offset.dot(&axis);
                let across = (offset - axis * along).norm();
                along >= radius && along <= length - radius && across + radius <= cylinder.radius
            }
        }
    }

    /// Draws a random centre for a ball of this radius; `None` if the ball does not fit or the trial failed.
    pub fn draw<const D: usize>(&self, radius: f64, random: &mut Random) -> Option<Point<D>> {
        let bounds = self.bounds::<D>().grown(-radius);
        // The numbers are drawn even if the ball does not fit, so that later draws do not depend on it.
        let place = Point::from(std::array::from_fn(|i| {
            random.within(bounds.min[i], bounds.max[i])
        }));
        (!bounds.is_empty() && self.holds(&place, radius)).then_some(place)
    }
}

impl From<&RegionSpec> for Region {
    /// Coordinates that a box of the plane lacks are 0.
    fn from(region: &RegionSpec) -> Self {
        let three =
            |numbers: &[f64]| std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0.0));
        match region {
            RegionSpec::Box(cuboid) => Self::Box {
                min: three(&cuboid.min),
                max: three(&cuboid.max),
            },
            RegionSpec::Sphere(ball) => Self::Ball {
                centre: ball.centre,
                radius: ball.radius,
            },
            RegionSpec::Cylinder(cylinder) => Self::Cylinder {
                from: cylinder.from,
                to: cylinder.to,
                radius: cylinder.radius,
            },
        }
    }
}
