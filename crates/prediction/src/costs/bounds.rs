//! The exact range of numbers that depend on ranges.
//!
//! Interval arithmetic is too wide where a range is needed more than once. So where the values at the ends of all ranges do
//! not reach its bounds, the ranges are halved until both meet (branch and bound). They meet where the extreme is at an end
//! of the ranges. Elsewhere, halving leaves a small neighbourhood that the extreme is in, and golden sections find it there.
//! If it is in several, the bounds come near it from outside.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Both meet if they differ by no more than this share: far below what any number of costs is known to, and above rounding.
const MET: f64 = 1e-12;

/// With more ranges, not all corners are looked at: there would be more than a thousand.
const MOST_CORNERS: usize = 10;

/// The most halvings for all bounds together. A bound that is at an end of the ranges takes about 40 of them for each range, and
/// any other all of its share.
const MOST_STEPS: usize = 40_000;

/// The largest share of a range that a neighbourhood of an extreme may have: a cost that turns twice there would turn eight
/// times in the range.
const NEIGHBOURHOOD: f64 = 0.125;

/// A round of golden sections that finds less than this share more is the last one. What later rounds would find is at most as
/// many times more as ranges depend on each other, and stays below [`INSIDE`].
const LAST: f64 = 1e-13;
const MOST_ROUNDS: usize = 100;

/// An extreme inside of the ranges is known to this share, and bounds are wider by it.
const INSIDE: f64 = 1e-9;

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
    let mut open = BinaryHeap::from([Piece { bound: bound(whole)?, parts: whole.to_vec() }]);
    for _ in 0..steps {
        let Some(Piece { bound: most, parts }) = open.pop() else { break };
        if is_met(reached, most) {
            return Ok(most);
        }
        let range = decisive(&parts, most, bound)?;
        let middle = (parts[range][0] + parts[range][1]) / 2.0;
        for half in [[parts[range][0], middle], [middle, parts[range][1]]] {
            let mut parts = parts.clone();
            parts[range] = half;
            let centre: Vec<[f64; 2]> = parts.iter().map(|[low, high]| [(low + high) / 2.0; 2]).collect();
            reached = reached.max(bound(&centre)?);
            // What bounds the part that it was halved from bounds the half, too.
            let bound = bound(&parts)?.min(most);
            open.push(Piece { bound, parts });
        }
    }
    let Some(most) = open.peek().map(|most| most.bound.max(reached)) else { return Ok(reached) };
    let around = neighbourhood(open.iter().filter(|piece| !is_met(reached, piece.bound)), whole.len());
    let Some(around) = around.filter(|_| !is_met(reached, most)) else { return Ok(most) };
    let inside = climb(&around, bound, reached)?;
    Ok(inside.map_or(most, |inside| most.min(inside + INSIDE * inside.abs())))
}

/// The range that a bound depends on most; the widest, if it depends on none alone.
fn decisive<E>(
    parts: &[[f64; 2]],
    most: f64,
    bound: &mut impl FnMut(&[[f64; 2]]) -> Result<f64, E>,
) -> Result<usize, E> {
    let mut best = (0, [f64::NEG_INFINITY; 2]);
    for range in 0..if parts.len() > 1 { parts.len() } else { 0 } {
        let [low, high] = parts[range];
        let mut without = parts.to_vec();
        without[range] = [(low + high) / 2.0; 2];
        let key = [(most - bound(&without)?).max(0.0), high - low];
        if key > best.1 {
            best = (range, key);
        }
    }
    Ok(best.0)
}

/// The smallest part of each range that all pieces are in; `None` if one is large, but for ranges that were never halved, as they
/// decide nothing.
fn neighbourhood<'a>(pieces: impl Iterator<Item = &'a Piece>, ranges: usize) -> Option<Vec<[f64; 2]>> {
    let mut around = vec![[f64::INFINITY, f64::NEG_INFINITY]; ranges];
    let mut is_halved = vec![false; ranges];
    for piece in pieces {
        for ((around, is_halved), part) in around.iter_mut().zip(&mut is_halved).zip(&piece.parts) {
            *around = [around[0].min(part[0]), around[1].max(part[1])];
            *is_halved |= *part != [0.0, 1.0];
        }
    }
    let is_small = |([low, high], is_halved): (&[f64; 2], &bool)| !is_halved || high - low <= NEIGHBOURHOOD;
    around.iter().zip(&is_halved).all(is_small).then_some(around)
}

/// The greatest value in a neighbourhood that has one, by golden sections along one range after the other; `None` if they do not
/// come to an end.
fn climb<E>(
    around: &[[f64; 2]],
    bound: &mut impl FnMut(&[[f64; 2]]) -> Result<f64, E>,
    mut reached: f64,
) -> Result<Option<f64>, E> {
    let mut at: Vec<[f64; 2]> = around.iter().map(|[low, high]| [(low + high) / 2.0; 2]).collect();
    for _ in 0..MOST_ROUNDS {
        let before = reached;
        for range in 0..at.len() {
            let mut value = |share: f64| {
                at[range] = [share; 2];
                bound(&at)
            };
            let (share, greatest) = golden_section(around[range], &mut value)?;
            at[range] = [share; 2];
            reached = reached.max(greatest);
        }
        if reached - before <= LAST * reached.abs() {
            return Ok(Some(reached));
        }
    }
    Ok(None)
}

/// The place of the greatest value between two, and the value.
fn golden_section<E>(
    [mut low, mut high]: [f64; 2],
    value: &mut impl FnMut(f64) -> Result<f64, E>,
) -> Result<(f64, f64), E> {
    const RATIO: f64 = 0.618_033_988_749_894_8;
    let ends = [(low, value(low)?), (high, value(high)?)];
    let [mut one, mut other] = [high - RATIO * (high - low), low + RATIO * (high - low)];
    let (mut of_one, mut of_other) = (value(one)?, value(other)?);
    // A value is as flat at its greatest that places cannot be told apart to more than half of the digits.
    while high - low > 1e-9 * high.abs().max(1e-9) {
        if of_one >= of_other {
            (high, other, of_other) = (other, one, of_one);
            one = high - RATIO * (high - low);
            of_one = value(one)?;
        } else {
            (low, one, of_one) = (one, other, of_other);
            other = low + RATIO * (high - low);
            of_other = value(other)?;
        }
    }
    let found = [(one, of_one), (other, of_other)].into_iter().chain(ends);
    Ok(found.fold((low, f64::NEG_INFINITY), |best, this| if this.1 > best.1 { this } else { best }))
}
