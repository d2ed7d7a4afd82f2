//! `impinge distance`: distance or penetration depth of two bodies.

use crate::Answer;
use crate::common::Common;
use crate::faces::triangles_of;
use crate::mesh_file::Weld;
use crate::terminal::{self, say, shown};
use anyhow::{Context, bail};
use clap::Args;
use impinge::narrow::Closest;
use impinge::narrow::features3::{FeatureCache3, closest};
use impinge::narrow::meshes::{self, PairHint};
use impinge::shape::{Feature, Mesh, Polyhedron};
use impinge::space::Pose;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Compute the distance or penetration depth of two bodies, with the closest points
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge distance a.stl b.stl
  impinge distance a.stl b.stl --pose-b 2,0,0              move b by 2 along x
  impinge distance a.obj b.obj --pose-a 0,0,1,0,0,0.7,0.7  and turn a by 90°
  impinge distance scan.ply probe.ply --hull               use convex hulls

Lengths are in the units of the files. If the bodies overlap, the result is the translation of B that separates them, \
along the normal, which points from A to B. For convex bodies it is the shortest one. For others it is the shortest \
one found; if a shorter one is possible, a line 'bounds' gives its lower bound. A surface that is not closed \
has no inside and no overlap.")]
pub(crate) struct Distance {
    /// First body (any mesh file with a surface; any points with --hull)
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Second body
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Position and rotation of A (quaternion, normalised automatically)
    #[arg(long, value_name = "x,y,z[,qx,qy,qz,qw]", value_parser = pose, allow_hyphen_values = true)]
    pose_a: Option<Pose<3>>,
    /// Position and rotation of B
    #[arg(long, value_name = "x,y,z[,qx,qy,qz,qw]", value_parser = pose, allow_hyphen_values = true)]
    pose_b: Option<Pose<3>>,
    /// Use the convex hull of each file's points
    #[arg(long)]
    hull: bool,
    #[command(flatten)]
    weld: Weld,
}

fn pose(text: &str) -> anyhow::Result<Pose<3>> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| {
            part.trim()
                .parse()
                .ok()
                .with_context(|| format!("'{part}' is not a number"))
        })
        .collect::<Result<_, _>>()?;
    match numbers[..] {
        [x, y, z] => Ok(Pose::from_quaternion([0.0, 0.0, 0.0, 1.0], [x, y, z])?),
        [x, y, z, qx, qy, qz, qw] => Ok(Pose::from_quaternion([qx, qy, qz, qw], [x, y, z])?),
        _ => bail!(
            "expected 3 numbers (a position) or 7 (with a quaternion), found {}",
            numbers.len()
        ),
    }
}

pub(crate) fn run(distance: &Distance, common: &Common) -> anyhow::Result<Answer> {
    let poses = [distance.pose_a, distance.pose_b].map(|pose| pose.unwrap_or_else(Pose::identity));
    let found = if distance.hull {
        of_hulls(distance, &poses)?
    } else {
        of_surfaces(distance, &poses, common)?
    };
    let facts = Facts::of(&found);

    if common.json {
        terminal::json(&facts)?;
        return Ok(Answer::Yes);
    }

    let (what, length) = if facts.distance < 0.0 {
        ("overlap", -facts.distance)
    } else {
        ("distance", facts.distance)
    };
    say!(common, "{what} {length}")?;

    if let Some([least, most]) = facts.doubt() {
        say!(
            common,
            "  bounds  {least} to {most}: a shorter {what} may exist"
        )?;
    }

    say!(common, "  on A    {:?} ({})", facts.on_a, facts.feature_a)?;
    say!(common, "  on B    {:?} ({})", facts.on_b, facts.feature_b)?;
    say!(common, "  normal  {:?} from A to B", facts.normal)?;
    Ok(Answer::Yes)
}

fn of_hulls(distance: &Distance, [pose_a, pose_b]: &[Pose<3>; 2]) -> anyhow::Result<Closest<3>> {
    let hull = |path: &Path| -> anyhow::Result<Polyhedron> {
        let points = impinge_io::read_points(path)?;
        let points = points.coordinates().map_err(|fault| fault.in_file(path))?;
        Polyhedron::hull(&points).with_context(|| path.display().to_string())
    };
    Ok(closest(
        &hull(&distance.a)?,
        pose_a,
        &hull(&distance.b)?,
        pose_b,
        &mut FeatureCache3::default(),
    ))
}

/// Uses closest features if both bodies are convex, otherwise trees of their triangles.
fn of_surfaces(
    distance: &Distance,
    [pose_a, pose_b]: &[Pose<3>; 2],
    common: &Common,
) -> anyhow::Result<Closest<3>> {
    let mut a = distance.weld.read(&distance.a, common)?.mesh;
    let mut b = distance.weld.read(&distance.b, common)?.mesh;
    if let (Ok(a), Ok(b)) = (convex(&a), convex(&b)) {
        return Ok(closest(
            &a,
            pose_a,
            &b,
            pose_b,
            &mut FeatureCache3::default(),
        ));
    }

    let hint = "--hull takes the convex hull";
    let (a, b) = (
        triangles_of(&distance.a, &mut a).context(hint)?,
        triangles_of(&distance.b, &mut b).context(hint)?,
    );

    Ok(meshes::closest(
        &a,
        pose_a,
        &b,
        pose_b,
        &mut PairHint::default(),
    ))
}

fn convex(mesh: &Mesh) -> Result<Polyhedron, impinge::shape::Problem> {
    let surfaces = mesh
        .blocks
        .iter()
        .filter(|block| block.kind.dimension() == 2);
    let faces: Vec<&[u32]> = surfaces
        .flat_map(|block| {
            block
                .elements()
                .map(|nodes| &nodes[..block.kind.corner_count()])
        })
        .collect();

    Polyhedron::from_faces(&mesh.points, &faces)
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    distance: f64,
    on_a: [f64; 3],
    on_b: [f64; 3],
    normal: [f64; 3],
    feature_a: String,
    feature_b: String,
    iterations: u32,
    method: &'static str,
    bounds: [f64; 2],
}

impl Facts {
    fn of(found: &Closest<3>) -> Self {
        let contact = &found.contact;
        Self {
            distance: shown(contact.gap),
            on_a: contact.on_a.map(shown).into(),
            on_b: contact.on_b.map(shown).into(),
            normal: contact.normal.map(shown).into(),
            feature_a: feature(contact.feature_a),
            feature_b: feature(contact.feature_b),
            iterations: found.tests,
            method: found.method.name(),
            bounds: found.bounds.map(shown),
        }
    }
}

/// Relative width of the distance bounds up to which the result counts as certain.
const CERTAIN: f64 = 1e-6;

impl Facts {
    /// Returns bounds on the distance or penetration depth if they differ by more than rounding.
    fn doubt(&self) -> Option<[f64; 2]> {
        let [low, up] = self.bounds;
        let is_open = up - low > CERTAIN * self.distance.abs();
        is_open.then(|| {
            if self.distance < 0.0 {
                [-up, -low]
            } else {
                [low, up]
            }
        })
    }
}

fn feature(feature: Feature) -> String {
    match feature {
        Feature::Vertex(v) => format!("vertex {v}"),
        Feature::Edge([v, w]) => format!("edge {v}-{w}"),
        Feature::Face(f) => format!("face {f}"),
    }
}
