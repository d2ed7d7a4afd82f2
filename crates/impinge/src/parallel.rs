//! Threads: rayon with the feature `rayon`, otherwise the same calls on one thread.
//!
//! Code is written once, against rayon's names. Without the feature, the traits below give slices and
//! ranges the same methods as plain iterators; methods that standard iterators already have (`map`,
//! `zip`, `enumerate`, `collect`, …) are used as they are. Results do not depend on this choice,
//! because they do not depend on the number of threads.

#[cfg(feature = "rayon")]
pub(crate) use rayon::{current_num_threads, current_thread_index, join, prelude};

#[cfg(not(feature = "rayon"))]
pub(crate) use sequential::{current_num_threads, current_thread_index, join, prelude};

#[cfg(not(feature = "rayon"))]
mod sequential {
    use std::cmp::Ordering;

    /// Runs the first function, then the second.
    pub(crate) fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
        (a(), b())
    }

    pub(crate) fn current_num_threads() -> usize {
        1
    }

    pub(crate) fn current_thread_index() -> Option<usize> {
        None
    }

    pub(crate) mod prelude {
        pub(crate) use super::{Extended, IntoIter, Iter, Slice, SliceMut};
    }

    /// The methods of rayon's iterators that standard iterators lack.
    pub(crate) trait Iter: Iterator + Sized {
        /// Limits how finely rayon splits work; without threads it does nothing.
        fn with_min_len(self, _: usize) -> Self {
            self
        }

        fn flat_map_iter<I: IntoIterator>(
            self,
            map: impl FnMut(Self::Item) -> I,
        ) -> impl Iterator<Item = I::Item> {
            self.flat_map(map)
        }

        fn map_init<T, R>(
            self,
            init: impl Fn() -> T,
            mut map: impl FnMut(&mut T, Self::Item) -> R,
        ) -> impl Iterator<Item = R> {
            let mut scratch = init();
            self.map(move |item| map(&mut scratch, item))
        }

        fn position_first(mut self, is_wanted: impl FnMut(Self::Item) -> bool) -> Option<usize> {
            self.position(is_wanted)
        }

        fn collect_into_vec(self, into: &mut Vec<Self::Item>) {
            into.clear();
            into.extend(self);
        }
    }

    impl<I: Iterator> Iter for I {}

    pub(crate) trait IntoIter: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoIter for I {}

    pub(crate) trait Extended<T> {
        fn par_extend(&mut self, items: impl Iterator<Item = T>);
    }

    impl<T> Extended<T> for Vec<T> {
        fn par_extend(&mut self, items: impl Iterator<Item = T>) {
            self.extend(items);
        }
    }

    pub(crate) trait Slice<T> {
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
    }

    impl<T> Slice<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }

        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }
    }

    pub(crate) trait SliceMut<T> {
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T>;
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T>;
        fn par_sort_by(&mut self, order: impl FnMut(&T, &T) -> Ordering);
        fn par_sort_unstable_by(&mut self, order: impl FnMut(&T, &T) -> Ordering);
        fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
        fn par_sort_unstable(&mut self)
        where
            T: Ord;
    }

    impl<T> SliceMut<T> for [T] {
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
            self.iter_mut()
        }

        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T> {
            self.chunks_mut(size)
        }

        fn par_sort_by(&mut self, order: impl FnMut(&T, &T) -> Ordering) {
            self.sort_by(order);
        }

        fn par_sort_unstable_by(&mut self, order: impl FnMut(&T, &T) -> Ordering) {
            self.sort_unstable_by(order);
        }

        fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
            self.sort_unstable_by_key(key);
        }

        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.sort_unstable();
        }
    }
}
