//! Statistics of a tree, as reported in [Aragon2013, section 3.2].

use super::bvh::Bvh;
use super::volume::Volume;

/// Depths of the leaves; the root has depth 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeafDepths {
    /// Depth of the highest leaf.
    pub least: usize,
    /// Mean depth of all leaves.
    pub mean: f64,
    /// Depth of the deepest leaf: the height of the tree.
    pub largest: usize,
}

impl<const D: usize, B: Volume<D>> Bvh<D, B> {
    /// Returns the depths of the leaves; zeros if there are no items.
    pub fn depths(&self) -> LeafDepths {
        let depths = self.node_depths();
        let of_leaves = || {
            depths
                .iter()
                .zip(&self.nodes)
                .filter(|(_, node)| node.is_leaf())
                .map(|(&d, _)| d)
        };
        let count = of_leaves().count().max(1);

        LeafDepths {
            least: of_leaves().min().unwrap_or(0),
            mean: of_leaves().sum::<usize>() as f64 / count as f64,
            largest: of_leaves().max().unwrap_or(0),
        }
    }

    /// Returns the bounds of the nodes at a depth and of the leaves above it; together they enclose
    /// everything.
    pub fn level(&self, depth: usize) -> Vec<B> {
        let depths = self.node_depths();
        let shown = |&number: &usize| {
            depths[number] == depth || depths[number] < depth && self.nodes[number].is_leaf()
        };
        (0..self.nodes.len())
            .filter(shown)
            .map(|number| self.nodes[number].bounds)
            .collect()
    }

    /// Sum of the volumes of all nodes, which the bottom-up construction minimises.
    pub fn volume(&self) -> f64 {
        self.nodes.iter().map(|node| node.bounds.volume()).sum()
    }

    fn node_depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for number in 1..self.nodes.len() {
            depths[number] = depths[self.parents[number] as usize] + 1;
        }
        depths
    }
}

#[cfg(test)]
mod tests;
