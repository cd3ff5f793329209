//! The order in which all causes of a wait come before it.

use std::collections::{BTreeMap, BTreeSet};

use crate::causes::meetings::{At, Key, Met};

/// All waits: those of a location in order, and each after those that its causer had before. A circle, which only a
/// damaged trace has, is cut.
pub(super) fn causes_first(met: &Met, waits: &[BTreeSet<Key>]) -> Vec<At> {
    let late: BTreeMap<At, At> = met.causings.iter().map(|causing| (causing.waits, causing.late)).collect();
    let mut left: Vec<_> = waits.iter().map(|waits| waits.iter().copied().peekable()).collect();
    let mut order = Vec::new();
    for first in 0..waits.len() {
        // The locations under way, and up to where the waits of each are needed.
        let mut under_way: Vec<(usize, Option<Key>)> = vec![(first, None)];
        let mut is_under_way = vec![false; waits.len()];
        is_under_way[first] = true;
        while let Some(&(location, until)) = under_way.last() {
            let is_needed = |key: &Key| until.is_none_or(|until| *key < until);
            let Some(key) = left[location].peek().copied().filter(is_needed) else {
                is_under_way[location] = false;
                under_way.pop();
                continue;
            };
            if let Some(&(causer, late)) = late.get(&(location, key))
                && !is_under_way[causer]
                && left[causer].peek().is_some_and(|&earlier| earlier < late)
            {
                is_under_way[causer] = true;
                under_way.push((causer, Some(late)));
                continue;
            }
            left[location].next();
            order.push((location, key));
        }
    }
    order
}
