//! The distribution functions of the report: the share of participant `me` of `sz`, times `scale`.

use crate::{Val1, Val2, Val2N, Val3};

/// Everyone gets the same.
pub fn df_same(_me: usize, _sz: usize, scale: f64, dd: &Val1) -> f64 {
    scale * dd.val
}

/// Even participants get `low`, odd ones `high`.
pub fn df_cyclic2(me: usize, _sz: usize, scale: f64, dd: &Val2) -> f64 {
    scale * if me.is_multiple_of(2) { dd.low } else { dd.high }
}

/// The first `sz / 2` participants get `low`, the rest `high`.
pub fn df_block2(me: usize, sz: usize, scale: f64, dd: &Val2) -> f64 {
    scale * if me < sz / 2 { dd.low } else { dd.high }
}

/// From `low` for the first to `high` for the last participant, in even steps; a single one gets `low`.
pub fn df_linear(me: usize, sz: usize, scale: f64, dd: &Val2) -> f64 {
    if sz < 2 {
        return scale * dd.low;
    }
    scale * (dd.low + (dd.high - dd.low) * (me as f64 / (sz - 1) as f64))
}

/// Participant `n` gets `high`, all others `low`; if `n` is not below `sz` there is no peak.
pub fn df_peak(me: usize, _sz: usize, scale: f64, dd: &Val2N) -> f64 {
    scale * if me == dd.n { dd.high } else { dd.low }
}

/// `low`, `med` and `high` in turn; fewer than three participants have no `high`.
pub fn df_cyclic3(me: usize, _sz: usize, scale: f64, dd: &Val3) -> f64 {
    scale * [dd.low, dd.med, dd.high][me % 3]
}

/// The participants below `sz / 3` get `low`, those below `2 * sz / 3` `med`, the rest `high`.
pub fn df_block3(me: usize, sz: usize, scale: f64, dd: &Val3) -> f64 {
    scale
        * if me < sz / 3 {
            dd.low
        } else if me < 2 * sz / 3 {
            dd.med
        } else {
            dd.high
        }
}
