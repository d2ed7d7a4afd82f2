//! The paper's sort for nearly sorted lists, tryMergeSort [Stratbuecker2003, section 4.1].
//!
//! A sorted list is left unchanged. Otherwise the entries at even and at odd positions form two
//! lists, which are sorted recursively and merged. The depth R_sort of the recursion depends on how
//! far entries are out of place; the cost is O(N · R_sort).

/// Statistics of a sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeSort {
    /// Comparisons of two keys.
    pub comparisons: u64,
    /// Depth R_sort of the recursion; 1 for a list that was already sorted.
    pub depth: u32,
}

/// Sorts by ascending key.
pub(super) fn try_merge_sort<T: Copy>(
    list: &mut Vec<T>,
    key: impl Fn(&T) -> f64 + Copy,
) -> MergeSort {
    let mut done = MergeSort {
        comparisons: 0,
        depth: 1,
    };

    if is_sorted(list, key, &mut done.comparisons) {
        return done;
    }

    let mut even: Vec<T> = list.iter().copied().step_by(2).collect();
    let mut odd: Vec<T> = list.iter().copied().skip(1).step_by(2).collect();
    for half in [&mut even, &mut odd] {
        let part = try_merge_sort(half, key);
        done.comparisons += part.comparisons;
        done.depth = done.depth.max(1 + part.depth);
    }

    merge(&even, &odd, key, list, &mut done.comparisons);
    done
}

fn is_sorted<T>(list: &[T], key: impl Fn(&T) -> f64, comparisons: &mut u64) -> bool {
    list.windows(2).all(|two| {
        *comparisons += 1;
        key(&two[0]) <= key(&two[1])
    })
}

fn merge<T: Copy>(
    one: &[T],
    other: &[T],
    key: impl Fn(&T) -> f64,
    out: &mut Vec<T>,
    comparisons: &mut u64,
) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < one.len() && j < other.len() {
        *comparisons += 1;
        if key(&one[i]) <= key(&other[j]) {
            out.push(one[i]);
            i += 1;
        } else {
            out.push(other[j]);
            j += 1;
        }
    }

    out.extend_from_slice(&one[i..]);
    out.extend_from_slice(&other[j..]);
}

#[cfg(test)]
mod tests;
