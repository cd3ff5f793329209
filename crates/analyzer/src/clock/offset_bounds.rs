//! The line that a clock's correction follows: as near as possible to the guesses of others, between the bounds that
//! they set.

/// A bound on, or a guess at, the correction at a time; both in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    /// After the clock's first event.
    pub(super) time: f64,
    pub(super) correction: f64,
}

/// A correction of `offset` + `drift` × time, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub(crate) offset: f64,
    pub(crate) drift: f64,
}

/// The side to believe of bounds that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Floor,
    Ceiling,
    Neither,
}

/// The bounds of a clock.
#[derive(Debug, Default)]
pub(super) struct OffsetBounds {
    /// The correction is at least this.
    pub(super) floor: Vec<Bound>,
    /// The correction is at most this.
    pub(super) ceiling: Vec<Bound>,
    /// The correction is likely to be about this.
    pub(super) guesses: Vec<Bound>,
}

/// The largest drift that a clock is assumed to have: a thousandth.
const MOST_DRIFT: f64 = 1e-3;

/// The least number of bounds on one side, or of guesses, that shows a drift.
const ENOUGH: usize = 9;

/// One of so many guesses may be an outlier.
const OUTLIERS: usize = 10;

impl OffsetBounds {
    /// Whether there are bounds from below and from above.
    pub(super) fn has_both_sides(&self) -> bool {
        !self.floor.is_empty() && !self.ceiling.is_empty()
    }

    /// Whether there are no bounds at all.
    pub(super) fn is_open(&self) -> bool {
        self.floor.is_empty() && self.ceiling.is_empty()
    }

    /// The line through the guesses, moved as far as the bounds demand. Without guesses it is the line that keeps
    /// farthest from the bounds on both sides; it rises or falls only if it has to. If all bounds are on one side, it
    /// touches them: nothing shows that the clock is right as it is, so the fastest message counts as instant.
    pub(super) fn line(mut self) -> Line {
        let span = self.span();
        if let Some(guess) = through(std::mem::take(&mut self.guesses), span) {
            return self.nearest(guess, Side::Neither, 0.0);
        }
        match (self.floor.is_empty(), self.ceiling.is_empty()) {
            (true, true) => Line::default(),
            (false, true) => touching(&self.floor, upper_hull, highest, span),
            (true, false) => touching(&self.ceiling, lower_hull, lowest, span),
            (false, false) => between(&upper_hull(self.floor), &lower_hull(self.ceiling)),
        }
    }

    /// A line moved as far as the bounds demand. If they leave no room for its drift, it is the line that keeps
    /// farthest from them; if they contradict each other by more than `tolerance` ticks, it is at the side to
    /// `believe`.
    pub(super) fn nearest(self, to: Line, believe: Side, tolerance: f64) -> Line {
        let (floor, ceiling) = (upper_hull(self.floor), lower_hull(self.ceiling));
        let (least, most) = (highest(&floor, to.drift), lowest(&ceiling, to.drift));
        if least <= most {
            return Line { offset: to.offset.max(least).min(most), drift: to.drift };
        }
        let between = between(&floor, &ceiling);
        let (least, most) = (highest(&floor, between.drift), lowest(&ceiling, between.drift));
        match believe {
            Side::Floor if least - most > tolerance => Line { offset: least, ..between },
            Side::Ceiling if least - most > tolerance => Line { offset: most, ..between },
            _ => between,
        }
    }

    /// Whether the guesses are on both sides of no correction, or there are none. Ends of calls that wait for each other
    /// differ by what transfers and the machine take, one way or the other. Those of clocks that differ do so one way; a
    /// tenth of them may be outliers: with more, a clock that differs would more often be left as it is.
    pub(super) fn guesses_straddle_none(&self) -> bool {
        let part = |is_one: fn(f64) -> bool| {
            let those = self.guesses.iter().filter(|guess| is_one(guess.correction));
            those.count() * OUTLIERS >= self.guesses.len()
        };
        part(|correction| correction <= 0.0) && part(|correction| correction >= 0.0)
    }

    /// The time from the first bound to the last.
    fn span(&self) -> f64 {
        let times = || self.floor.iter().chain(&self.ceiling).map(|bound| bound.time);
        times().fold(f64::NEG_INFINITY, f64::max) - times().fold(f64::INFINITY, f64::min)
    }
}

/// Tukey's resistant line: through the medians of the first and the last third. Few guesses, or guesses near to each
/// other in a long `span`, do not show a drift.
fn through(mut guesses: Vec<Bound>, span: f64) -> Option<Line> {
    if guesses.is_empty() {
        return None;
    }
    guesses.sort_by(|a, b| a.time.total_cmp(&b.time));
    let level = |drift: f64| {
        let offset = median(guesses.iter().map(|guess| guess.correction - drift * guess.time).collect());
        Line { offset, drift }
    };
    if guesses.len() < ENOUGH {
        return Some(level(0.0));
    }
    let third = guesses.len() / 3;
    let end = |part: &[Bound]| {
        let of = |what: fn(&Bound) -> f64| median(part.iter().map(what).collect());
        Bound { time: of(|bound| bound.time), correction: of(|bound| bound.correction) }
    };
    let (first, last) = (end(&guesses[..third]), end(&guesses[guesses.len() - third..]));
    Some(clear(first, last, level, &guesses, span))
}

/// The line that has the drift between two bounds, or the level one, if that drift is meaningless: they are near to
/// each other in a long `span`, the drift is too large for a clock, or the bounds are off the line by about as much as
/// it rises or falls.
fn clear(from: Bound, to: Bound, line: impl Fn(f64) -> Line, bounds: &[Bound], span: f64) -> Line {
    let distance = to.time - from.time;
    if distance <= 0.0 || distance < span / 3.0 || slope(from, to).abs() > MOST_DRIFT {
        return line(0.0);
    }
    let found = line(slope(from, to));
    let off = |bound: &Bound| (bound.correction - found.offset - found.drift * bound.time).abs();
    let is_clear = found.drift.abs() * distance > 3.0 * median(bounds.iter().map(off).collect());
    if is_clear { found } else { line(0.0) }
}

fn median(mut values: Vec<f64>) -> f64 {
    let (middle, is_even) = (values.len() / 2, values.len().is_multiple_of(2));
    values.sort_by(f64::total_cmp);
    if is_even { f64::midpoint(values[middle - 1], values[middle]) } else { values[middle] }
}

/// The line that touches bounds on one side. It follows the edge of their hull over the middle of the `span`, which is
/// as near to all of them as a line on one side can be (Moon, Skelly and Towsley, INFOCOM 1999).
fn touching(
    bounds: &[Bound],
    hull: fn(Vec<Bound>) -> Vec<Bound>,
    offset: fn(&[Bound], f64) -> f64,
    span: f64,
) -> Line {
    let hull = hull(bounds.to_vec());
    let line = |drift: f64| Line { offset: offset(&hull, drift), drift };
    let middle = hull.first().map_or(0.0, |first| first.time) + span / 2.0;
    let edge = hull.windows(2).find(|pair| pair[0].time <= middle && middle <= pair[1].time);
    match edge {
        Some(&[from, to]) if bounds.len() >= ENOUGH => clear(from, to, line, bounds, span),
        _ => line(0.0),
    }
}

/// The line in the middle between bounds on both sides.
fn between(floor: &[Bound], ceiling: &[Bound]) -> Line {
    let drift = drift(floor, ceiling);
    Line { offset: f64::midpoint(highest(floor, drift), lowest(ceiling, drift)), drift }
}

/// The drift that leaves most room between the bounds; 0 if that leaves room, too, or if no drift removes more than
/// half of their contradiction.
fn drift(floor: &[Bound], ceiling: &[Bound]) -> f64 {
    let room = |drift: f64| lowest(ceiling, drift) - highest(floor, drift);
    let level = room(0.0);
    if level >= 0.0 {
        return 0.0;
    }
    // The room is a concave function of the drift, of straight pieces between the slopes of the hulls.
    let slopes = |hull: &[Bound]| hull.windows(2).map(|pair| slope(pair[0], pair[1])).collect::<Vec<_>>();
    let mut drifts = [slopes(floor), slopes(ceiling), vec![-MOST_DRIFT, 0.0, MOST_DRIFT]].concat();
    drifts.retain(|drift| drift.abs() <= MOST_DRIFT);
    drifts.sort_by(f64::total_cmp);
    let (mut low, mut high) = (0, drifts.len() - 1);
    while low < high {
        let middle = usize::midpoint(low, high);
        if room(drifts[middle]) < room(drifts[middle + 1]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if room(drifts[low]) < level / 2.0 {
        return 0.0;
    }
    // Of equally good ones, but for what rounding makes of them, the least.
    let enough = room(drifts[low]) - 0.01;
    let is_equal = |drift: &&f64| room(**drift) >= enough;
    let below = drifts[..low].iter().rev().take_while(is_equal);
    let above = drifts[low..].iter().take_while(is_equal);
    below.chain(above).copied().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0)
}

/// The least offset of a line with this drift that is nowhere below the bounds.
fn highest(bounds: &[Bound], drift: f64) -> f64 {
    bounds.iter().map(|bound| bound.correction - drift * bound.time).fold(f64::NEG_INFINITY, f64::max)
}

/// The greatest offset of a line with this drift that is nowhere above the bounds.
fn lowest(bounds: &[Bound], drift: f64) -> f64 {
    bounds.iter().map(|bound| bound.correction - drift * bound.time).fold(f64::INFINITY, f64::min)
}

fn slope(from: Bound, to: Bound) -> f64 {
    (to.correction - from.correction) / (to.time - from.time)
}

/// The upper hull of the bounds: those that a line above all of them can touch, from left to right.
fn upper_hull(mut bounds: Vec<Bound>) -> Vec<Bound> {
    bounds.iter_mut().for_each(|bound| bound.correction = -bound.correction);
    let mut hull = lower_hull(bounds);
    hull.iter_mut().for_each(|bound| bound.correction = -bound.correction);
    hull
}

/// The lower hull of the bounds: those that a line below all of them can touch, from left to right.
fn lower_hull(mut bounds: Vec<Bound>) -> Vec<Bound> {
    bounds.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.correction.total_cmp(&b.correction)));
    bounds.dedup_by(|later, earlier| later.time == earlier.time);
    let mut hull: Vec<Bound> = Vec::new();
    for bound in bounds {
        while let [.., before, last] = hull[..]
            && slope(before, last) >= slope(last, bound)
        {
            hull.pop();
        }
        hull.push(bound);
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::{Bound, Line, MOST_DRIFT, OffsetBounds};

    fn line(floor: &[(f64, f64)], ceiling: &[(f64, f64)]) -> Line {
        let bounds = |all: &[(f64, f64)]| {
            all.iter().map(|&(time, correction)| Bound { time, correction }).collect::<Vec<_>>()
        };
        OffsetBounds { floor: bounds(floor), ceiling: bounds(ceiling), guesses: Vec::new() }.line()
    }

    fn guessed(floor: f64, ceiling: f64, guess: impl Fn(f64) -> f64) -> Line {
        let times = || (0..30).map(|k| f64::from(k) * 1e6);
        let bounds =
            |offset: f64| times().map(|time| Bound { time, correction: guess(time) + offset }).collect();
        OffsetBounds { floor: bounds(floor), ceiling: bounds(ceiling), guesses: bounds(0.0) }.line()
    }

    #[test]
    fn guesses_decide_between_bounds_that_are_far_apart() {
        let found = guessed(-1.0, 5e5, |time| 7.0 - 1e-5 * time);
        assert!((found.offset - 7.0).abs() < 1e-3 && (found.drift + 1e-5).abs() < 1e-10, "{found:?}");
    }

    #[test]
    fn offsets_that_scatter_more_than_they_drift_do_not_drift() {
        let scattered = |time: f64| 7.0 - 1e-5 * time + if time % 2e6 == 0.0 { 300.0 } else { -300.0 };
        let found = guessed(-1e5, 5e5, scattered);
        assert_eq!(found.drift, 0.0, "{found:?}");
        let far = |time: f64| 7.0 - 1e-5 * time + if time % 2e6 == 0.0 { 3.0 } else { -3.0 };
        let found = guessed(-1e5, 5e5, far);
        assert!((found.drift + 1e-5).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn guesses_that_are_out_of_bounds_are_moved() {
        let found = guessed(3.0, 5e5, |_| 7.0);
        assert_eq!(found, Line { offset: 10.0, drift: 0.0 });
    }

    #[test]
    fn a_few_wild_guesses_change_nothing() {
        let found = guessed(-1e9, 1e9, |time| if time % 5e6 == 0.0 { 9e8 } else { 7.0 });
        assert_eq!(found, Line { offset: 7.0, drift: 0.0 });
    }

    #[test]
    fn no_bound_no_correction() {
        assert_eq!(line(&[], &[]), Line::default());
    }

    #[test]
    fn bounds_on_one_side_are_touched() {
        assert_eq!(line(&[(0.0, 7.0), (9.0, 5.0)], &[]), Line { offset: 7.0, drift: 0.0 });
        assert_eq!(line(&[(0.0, -7.0)], &[]), Line { offset: -7.0, drift: 0.0 });
        assert_eq!(line(&[], &[(0.0, -7.0), (3.0, 4.0)]), Line { offset: -7.0, drift: 0.0 });
        assert_eq!(line(&[], &[(3.0, 4.0)]), Line { offset: 4.0, drift: 0.0 });
    }

    #[test]
    fn a_guess_decides_where_bounds_are_on_one_side() {
        let guess = Bound { time: 3.0, correction: 0.0 };
        let offset_bounds = |floor: f64| OffsetBounds {
            floor: vec![Bound { time: 3.0, correction: floor }],
            ceiling: Vec::new(),
            guesses: vec![guess],
        };
        assert_eq!(offset_bounds(-7.0).line(), Line::default());
        assert_eq!(offset_bounds(7.0).line(), Line { offset: 7.0, drift: 0.0 });
    }

    #[test]
    fn a_guess_that_the_clock_is_right_is_a_guess() {
        assert_eq!(guessed(-1.0, 5e5, |_| 0.0), Line::default());
    }

    #[test]
    fn a_drift_is_found_along_bounds_on_one_side() {
        let truth = |time: f64| 300.0 - 2e-4 * time;
        let times = || (0..50).map(|k| f64::from(k) * 1e6);
        for side in [1.0, -1.0] {
            let bounds: Vec<_> =
                times().map(|time| (time, truth(time) + side * (time % 7.0) * 9.0)).collect();
            let found = if side > 0.0 { line(&[], &bounds) } else { line(&bounds, &[]) };
            assert!((found.drift + 2e-4).abs() < 1e-9, "{found:?}");
            assert!((found.offset - 300.0).abs() < 1.0, "{found:?}");
            let few = &bounds[..8];
            let found = if side > 0.0 { line(&[], few) } else { line(few, &[]) };
            assert_eq!(found.drift, 0.0);
        }
    }

    #[test]
    fn bounds_that_run_away_are_no_drift() {
        let bounds: Vec<_> = (0..50).map(|k| (f64::from(k) * 1e6, f64::from(k) * 1e5)).collect();
        assert_eq!(line(&[], &bounds), Line::default());
    }

    #[test]
    fn without_contradiction_it_is_level_and_in_the_middle() {
        let found = line(&[(0.0, 10.0), (50.0, 12.0)], &[(20.0, 20.0), (90.0, 18.0)]);
        assert_eq!(found, Line { offset: 15.0, drift: 0.0 });
    }

    #[test]
    fn a_drift_is_found_between_bounds_that_rise() {
        let truth = |time: f64| 300.0 + 2e-4 * time;
        let times = || (0..50).map(|k| f64::from(k) * 1e6);
        let floor: Vec<_> = times().map(|time| (time, truth(time) - 3.0 - time % 7.0)).collect();
        let ceiling: Vec<_> = times().map(|time| (time, truth(time) + 3.0 + time % 5.0)).collect();
        let found = line(&floor, &ceiling);
        assert!((found.drift - 2e-4).abs() < 1e-6, "{found:?}");
        assert!((found.offset - 300.0).abs() < 4.0, "{found:?}");
        for ((time, low), (_, high)) in floor.into_iter().zip(ceiling) {
            let correction = found.offset + found.drift * time;
            assert!(low <= correction && correction <= high, "{found:?} at {time}");
        }
    }

    #[test]
    fn contradicting_bounds_are_violated_least() {
        assert_eq!(line(&[(5.0, 10.0)], &[(5.0, 4.0)]), Line { offset: 7.0, drift: 0.0 });
    }

    #[test]
    fn no_drift_is_beyond_measure() {
        let steep = [(0.0, 0.0), (1e6, 1e5)];
        assert_eq!(line(&steep, &steep).drift, 0.0);
        let less_steep = [(0.0, 0.0), (1e6, 1.5e3)];
        assert_eq!(line(&less_steep, &less_steep).drift, MOST_DRIFT);
        let never = line(&[(1e6, 5.0)], &[(0.0, 0.0)]);
        assert!(never.drift.abs() <= MOST_DRIFT && never.offset.is_finite());
    }
}
