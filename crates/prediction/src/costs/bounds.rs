//! The exact range of numbers that depend on ranges.
//!
//! Interval arithmetic is too wide where a range is needed more than once. So where the values at the ends of all ranges do
//! not reach its bounds, the ranges are halved until both meet (branch and bound). They meet where the extreme is at an end
//! of the ranges; elsewhere, the bounds come near it from outside.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Both meet if they differ by no more than this share: far below what any number of costs is known to, and above rounding.
const MET: f64 = 1e-12;

/// With more ranges, not all corners are looked at: there would be more than a thousand.
const MOST_CORNERS: usize = 10;

/// The most halvings for all bounds together. A bound that is at an end of the ranges takes about 40 of them for each range; any
/// other stays an outer one, which is too wide by about the width of a range divided by the halvings.
const MOST_STEPS: usize = 20_000;

/// The ranges of all numbers, each over so many ranges; `numbers` are those over parts of the ranges, from one share of each to
/// another.
pub(crate) fn exact<E>(
    ranges: usize,
    mut numbers: impl FnMut(&[[f64; 2]]) -> Result<Vec<[f64; 2]>, E>,
) -> Result<Vec<[f64; 2]>, E> {
    let whole = vec![[0.0, 1.0]; ranges];
    let mut outer = numbers(&whole)?;
    if ranges == 0 {
        return Ok(outer);
    }
    let corners = |at: usize| (0..ranges).map(move |range| [((at >> range.min(63)) & 1) as f64; 2]);
    let mut reached = vec![[f64::INFINITY, f64::NEG_INFINITY]; outer.len()];
    let count = 1_usize << ranges.min(MOST_CORNERS);
    for corner in (0..count).map(|at| corners(at).collect::<Vec<_>>()) {
        for (reached, at) in reached.iter_mut().zip(numbers(&corner)?) {
            *reached = [reached[0].min(at[0]), reached[1].max(at[1])];
        }
    }
    // The greatest of the negative numbers is the least.
    let sides = [-1.0, 1.0];
    let is_open = |&(at, side): &(usize, usize)| {
        !is_met(sides[side] * reached[at][side], sides[side] * outer[at][side])
    };
    let open: Vec<(usize, usize)> =
        (0..outer.len()).flat_map(|at| [(at, 0), (at, 1)]).filter(is_open).collect();
    for (at, side) in &open {
        let (at, side) = (*at, *side);
        let mut bound = |parts: &[[f64; 2]]| numbers(parts).map(|all| sides[side] * all[at][side]);
        let steps = MOST_STEPS / open.len();
        outer[at][side] = sides[side] * greatest(&whole, &mut bound, sides[side] * reached[at][side], steps)?;
    }
    Ok(outer)
}

fn is_met(reached: f64, bound: f64) -> bool {
    bound - reached <= MET * bound.abs().max(reached.abs())
}

/// A part of all ranges, with a bound of what is in it.
struct Piece {
    bound: f64,
    parts: Vec<[f64; 2]>,
    halvings: usize,
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Piece {}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Piece {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// The greatest value, or a bound of it, if at least `reached` is.
fn greatest<E>(
    whole: &[[f64; 2]],
    bound: &mut impl FnMut(&[[f64; 2]]) -> Result<f64, E>,
    mut reached: f64,
    steps: usize,
) -> Result<f64, E> {
    let mut open = BinaryHeap::from([Piece { bound: bound(whole)?, parts: whole.to_vec(), halvings: 0 }]);
    for _ in 0..steps {
        let Some(Piece { bound: most, parts, halvings }) = open.pop() else { break };
        if is_met(reached, most) {
            return Ok(most);
        }
        let range = halvings % parts.len();
        let middle = (parts[range][0] + parts[range][1]) / 2.0;
        for half in [[parts[range][0], middle], [middle, parts[range][1]]] {
            let mut parts = parts.clone();
            parts[range] = half;
            let centre: Vec<[f64; 2]> = parts.iter().map(|[low, high]| [(low + high) / 2.0; 2]).collect();
            reached = reached.max(bound(&centre)?);
            // What bounds the part that it was halved from bounds the half, too.
            let bound = bound(&parts)?.min(most);
            open.push(Piece { bound, parts, halvings: halvings + 1 });
        }
    }
    Ok(open.pop().map_or(reached, |most| most.bound.max(reached)))
}
