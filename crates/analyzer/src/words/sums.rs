//! Sums of a location by call path: numbers of events, or amounts.

use std::ops::AddAssign;

use ats_model::CallPathId;
use rustc_hash::FxHashMap;

use crate::words::place::Base;

/// Sums by call path, most of them zero.
#[derive(Debug, Default)]
pub(crate) struct Sums<T> {
    /// The sums by call path, for paths that continue nothing.
    outermost: Vec<T>,
    /// The sums by base and call path, for paths that continue a place, or if few sums are not zero.
    continued: FxHashMap<(Base, CallPathId), T>,
}

impl<T: Copy + Default + PartialEq + AddAssign> Sums<T> {
    /// Adds `more`. Inlined into its callers, so that amounts known there to be zero are not added.
    #[inline(always)]
    pub(crate) fn add(&mut self, base: Base, path: CallPathId, more: T) {
        match self.outermost.get_mut(path.0 as usize) {
            Some(sum) if base.is_nothing() => *sum += more,
            _ => *self.rare(base, path) += more,
        }
    }

    /// The sum of a path that continues another, or is new.
    #[inline(never)]
    fn rare(&mut self, base: Base, path: CallPathId) -> &mut T {
        if !base.is_nothing() {
            return self.continued.entry((base, path)).or_default();
        }
        self.outermost.resize(path.0 as usize + 1, T::default());
        &mut self.outermost[path.0 as usize]
    }

    /// The number of sums of paths that continue others.
    pub(crate) fn scattered(&self) -> usize {
        self.continued.len()
    }

    /// Gives back spare memory when hardly anything more is added.
    pub(crate) fn pack(&mut self) {
        let used = self.outermost.iter().filter(|sum| **sum != T::default()).count();
        let [dense, sparse] = [size_of::<T>(), size_of::<((Base, CallPathId), T)>()];
        // A map has room for twice as many.
        if 2 * used * sparse < self.outermost.len() * dense {
            for (sum, path) in std::mem::take(&mut self.outermost).into_iter().zip(0..) {
                if sum != T::default() {
                    *self.continued.entry((Base::NOTHING, CallPathId(path))).or_default() += sum;
                }
            }
        }
        self.outermost.shrink_to_fit();
        self.continued.shrink_to_fit();
    }

    /// Gives the call paths other bases.
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        let sums = std::mem::take(&mut self.continued);
        for ((base, path), sum) in sums {
            *self.continued.entry((base.renumbered(bases), path)).or_default() += sum;
        }
    }

    /// Adds all of another.
    pub(crate) fn absorb(&mut self, more: &Self) {
        more.iter().for_each(|(base, path, sum)| self.add(base, path, sum));
    }

    /// Base, call path and sum.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Base, CallPathId, T)> {
        let outermost = (0..).zip(&self.outermost).map(|(path, &sum)| (Base::NOTHING, CallPathId(path), sum));
        let continued = self.continued.iter().map(|(&(base, path), &sum)| (base, path, sum));
        outermost.filter(|&(.., sum)| sum != T::default()).chain(continued)
    }
}
