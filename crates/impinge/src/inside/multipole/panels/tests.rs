use super::super::super::samples;
use super::*;
use crate::shape::Surface;

fn panels_of(surface: &Surface, depth: Depth) -> Panels {
    Panels::new(
        surface.points(),
        surface.triangles(),
        surface.bounds(),
        &depth,
        Accuracy {
            degree: 4,
            separation: 1.1,
        },
    )
}

fn assert_valid(panels: &Panels) {
    for (level, clusters) in panels.levels.iter().enumerate() {
        for cluster in clusters {
            assert!(cluster.first <= cluster.own_end && cluster.own_end <= cluster.end);
            let mut next = cluster.own_end;
            for son in cluster.sons[0]..cluster.sons[1] {
                let son = &panels.levels[level + 1][son as usize];
                assert_eq!(
                    son.first, next,
                    "the children partition the panels that do not stay"
                );
                assert_eq!(son.at.map(|k| k / 2), cluster.at);
                assert!(son.first < son.end, "no box is empty");
                next = son.end;
            }

            assert_eq!(next, cluster.end);
            let most = (0.5 * 3f64.sqrt() + FIT) * panels.cube.edge_at(level) * (1.0 + 1e-9);
            assert!(
                level == 0 || cluster.radius <= most,
                "a cluster stays near its box"
            );
        }
    }
}

#[test]
fn every_cluster_is_divided_among_its_sons_and_stays_near_its_box() {
    for surface in [
        samples::sphere(4),
        samples::mixed_scales(),
        samples::needle(),
        samples::cube([0.0; 3], 1.0),
    ] {
        for depth in [
            Depth::Triangles,
            Depth::Given(0),
            Depth::Given(3),
            Depth::Given(9),
        ] {
            let panels = panels_of(&surface, depth);
            assert_valid(&panels);
            assert!(depth != Depth::Given(3) || panels.levels.len() <= 4);
            let mut seen: Vec<_> = panels
                .corners
                .iter()
                .map(|t| t.map(|p| [p.x, p.y, p.z].map(f64::to_bits)))
                .collect();
            let mut all: Vec<_> = (0..surface.triangles().len())
                .map(|t| {
                    surface
                        .corners(t)
                        .map(|p| [p.x, p.y, p.z].map(f64::to_bits))
                })
                .collect();
            seen.sort_unstable();
            all.sort_unstable();
            assert_eq!(seen, all);
        }
    }
}

#[test]
fn a_mesh_of_mixed_sizes_has_no_crowded_box() {
    let panels = panels_of(&samples::mixed_scales(), Depth::Triangles);
    let most = panels
        .levels
        .iter()
        .flatten()
        .filter(|c| !c.has_sons())
        .map(|c| c.end - c.first)
        .max();

    assert!(most < Some(100), "{most:?}");
}
