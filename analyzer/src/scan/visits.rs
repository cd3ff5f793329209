//! How often a location enters what is counted.

use ats_model::CallPathId;
use rustc_hash::FxHashMap;

use crate::place::Base;

/// The visits of a location to what is counted, by call path.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    /// By call path, where the path continues nothing.
    outermost: Vec<u64>,
    /// By base and call path, where it does.
    continued: FxHashMap<(Base, CallPathId), u64>,
}

impl Visits {
    /// Counts one.
    #[inline]
    pub(crate) fn add(&mut self, base: Base, path: CallPathId) {
        let at = path.0 as usize;
        if !base.is_nothing() {
            *self.continued.entry((base, path)).or_default() += 1;
            return;
        }
        if at >= self.outermost.len() {
            self.outermost.resize(at + 1, 0);
        }
        self.outermost[at] += 1;
    }

    /// Gives the call paths other bases.
    pub(crate) fn renumber(&mut self, bases: &[Base]) {
        let visits = std::mem::take(&mut self.continued);
        for ((base, path), count) in visits {
            *self.continued.entry((base.renumbered(bases), path)).or_default() += count;
        }
    }

    /// Base, call path and count.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Base, CallPathId, u64)> {
        let outermost =
            (0..).zip(&self.outermost).map(|(path, &count)| (Base::NOTHING, CallPathId(path), count));
        let continued = self.continued.iter().map(|(&(base, path), &count)| (base, path, count));
        outermost.filter(|&(.., count)| count > 0).chain(continued)
    }
}
