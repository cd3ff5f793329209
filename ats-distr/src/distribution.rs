//! A distribution function together with its descriptor.

use std::fmt;
use std::sync::Arc;

use crate::{
    Val1, Val2, Val2N, Val3, df_block2, df_block3, df_cyclic2, df_cyclic3, df_linear, df_peak, df_same,
};

/// A distribution of amounts among participants: one of the report's seven shapes with its descriptor, or a function
/// of the user's own.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// As [`df_same`].
    Same(Val1),
    /// As [`df_cyclic2`].
    Cyclic2(Val2),
    /// As [`df_block2`].
    Block2(Val2),
    /// As [`df_linear`].
    Linear(Val2),
    /// As [`df_peak`].
    Peak(Val2N),
    /// As [`df_cyclic3`].
    Cyclic3(Val3),
    /// As [`df_block3`].
    Block3(Val3),
    /// A function of the user's own.
    User(UserFunction),
}

impl Distribution {
    /// Everyone gets `val`.
    pub const fn same(val: f64) -> Self {
        Distribution::Same(Val1 { val })
    }

    /// Even participants get `low`, odd ones `high`.
    pub const fn cyclic2(low: f64, high: f64) -> Self {
        Distribution::Cyclic2(Val2 { low, high })
    }

    /// The first half gets `low`, the second `high`.
    pub const fn block2(low: f64, high: f64) -> Self {
        Distribution::Block2(Val2 { low, high })
    }

    /// From `low` for the first to `high` for the last, in equal steps.
    pub const fn linear(low: f64, high: f64) -> Self {
        Distribution::Linear(Val2 { low, high })
    }

    /// Participant `n` gets `high`, the others `low`.
    pub const fn peak(low: f64, high: f64, n: usize) -> Self {
        Distribution::Peak(Val2N { low, high, n })
    }

    /// The same amount in total for `size` participants, shared evenly.
    pub fn balanced(&self, size: usize) -> Self {
        Distribution::same(self.mean(size, 1.0))
    }

    /// The same shape with all amounts times `factor`.
    ///
    /// ```
    /// let work: ats_distr::Distribution = "peak:0.5:2:3".parse()?;
    /// assert_eq!(work.scaled(0.5).to_string(), "peak:0.25:1:3");
    /// # Ok::<(), ats_distr::DistributionError>(())
    /// ```
    pub fn scaled(&self, factor: f64) -> Self {
        let scaled1 = |dd: &Val1| Val1 { val: dd.val * factor };
        let scaled2 = |dd: &Val2| Val2 { low: dd.low * factor, high: dd.high * factor };
        let scaled3 = |dd: &Val3| Val3 { low: dd.low * factor, med: dd.med * factor, high: dd.high * factor };
        match self {
            Distribution::Same(dd) => Distribution::Same(scaled1(dd)),
            Distribution::Cyclic2(dd) => Distribution::Cyclic2(scaled2(dd)),
            Distribution::Block2(dd) => Distribution::Block2(scaled2(dd)),
            Distribution::Linear(dd) => Distribution::Linear(scaled2(dd)),
            Distribution::Peak(dd) => Distribution::peak(dd.low * factor, dd.high * factor, dd.n),
            Distribution::Cyclic3(dd) => Distribution::Cyclic3(scaled3(dd)),
            Distribution::Block3(dd) => Distribution::Block3(scaled3(dd)),
            Distribution::User(UserFunction { name, function }) => {
                let function = Arc::clone(function);
                Distribution::user(name.clone(), move |me, size, scale| function(me, size, scale * factor))
            }
        }
    }

    /// Makes a distribution of a function of the participant, the number of participants and the scale factor.
    ///
    /// ```
    /// let work = ats_distr::Distribution::user("square", |me, _size, scale| scale * (me * me) as f64);
    /// assert_eq!(work.value(3, 4, 0.5), 4.5);
    /// assert_eq!(work.to_string(), "square");
    /// ```
    pub fn user(
        name: impl Into<String>,
        function: impl Fn(usize, usize, f64) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Distribution::User(UserFunction { name: name.into(), function: Arc::new(function) })
    }

    /// The share of participant `me` (from 0) of `size`, times `scale`.
    pub fn value(&self, me: usize, size: usize, scale: f64) -> f64 {
        match self {
            Distribution::Same(dd) => df_same(me, size, scale, dd),
            Distribution::Cyclic2(dd) => df_cyclic2(me, size, scale, dd),
            Distribution::Block2(dd) => df_block2(me, size, scale, dd),
            Distribution::Linear(dd) => df_linear(me, size, scale, dd),
            Distribution::Peak(dd) => df_peak(me, size, scale, dd),
            Distribution::Cyclic3(dd) => df_cyclic3(me, size, scale, dd),
            Distribution::Block3(dd) => df_block3(me, size, scale, dd),
            Distribution::User(user) => (user.function)(me, size, scale),
        }
    }

    /// The share of each of `size` participants, in order.
    pub fn values(&self, size: usize, scale: f64) -> impl Iterator<Item = f64> {
        (0..size).map(move |me| self.value(me, size, scale))
    }

    /// The mean share of a participant: the amount of the balanced twin. 0 for an empty group.
    pub fn mean(&self, size: usize, scale: f64) -> f64 {
        if size == 0 { 0.0 } else { self.values(size, scale).sum::<f64>() / size as f64 }
    }

    /// The most that a participant gets (M of the catalogue). 0 for an empty group.
    pub fn max(&self, size: usize, scale: f64) -> f64 {
        self.values(size, scale).reduce(f64::max).unwrap_or(0.0)
    }

    /// The amount that is missing until all participants have the most: S = Σ(M − w) of the catalogue.
    pub fn imbalance(&self, size: usize, scale: f64) -> f64 {
        let max = self.max(size, scale);
        self.values(size, scale).map(|value| max - value).sum()
    }
}

/// A distribution function of the user's own, with a name to show.
#[derive(Clone)]
pub struct UserFunction {
    name: String,
    function: Arc<dyn Fn(usize, usize, f64) -> f64 + Send + Sync>,
}

impl UserFunction {
    /// The name it was given.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Debug for UserFunction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("UserFunction").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartialEq for UserFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.function, &other.function)
    }
}
