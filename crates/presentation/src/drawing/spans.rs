//! The activity of a location over time: one at each time.

use crate::timeline::{Bar, Kind, RegionName, Row, Timeline};

/// The activity of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// A thread that no team has any use for.
    Nothing,
    /// The program's own, in no call, or in a construct that gives work.
    Work,
    /// A call: its region.
    Call(u32),
}

/// Some time of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) doing: Doing,
}

/// The part that is drawn: the window that was asked for, or else the measured one, if there is one.
pub(super) fn part(timeline: &Timeline) -> (u64, u64) {
    timeline.window.or(timeline.measured).unwrap_or((timeline.begin, timeline.end))
}

/// The time at the begin of the part, in seconds: a window keeps its place in the run.
pub(super) fn zero(timeline: &Timeline) -> f64 {
    timeline.window.map_or(0.0, |(begin, _)| timeline.since_begin(begin))
}

/// The activity of the location in the part that is drawn, without gaps.
pub(super) fn of_row(row: &Row, regions: &[RegionName], part: (u64, u64)) -> Vec<Span> {
    let kind = |bar: &Bar| regions[bar.region as usize].kind;
    let mut calls: Vec<&Bar> = row.bars.iter().filter(|bar| kind(bar) != Kind::User).collect();
    calls.sort_by_key(|bar| (bar.begin, bar.level));
    let doing = |call: Option<&&Bar>| match call {
        Some(bar) if kind(bar) == Kind::OpenMp => Doing::Work,
        Some(bar) => Doing::Call(bar.region),
        None if row.thread == 0 => Doing::Work,
        None => Doing::Nothing,
    };
    let (mut spans, mut open): (Vec<Span>, Vec<&Bar>) = (Vec::new(), Vec::new());
    let mut at = part.0;
    let mut until = |end: u64, open: &[&Bar]| {
        let (begin, end, doing) = (at, end.clamp(part.0, part.1), doing(open.last()));
        if end > begin {
            at = end;
            match spans.last_mut() {
                Some(last) if last.doing == doing && doing == Doing::Work => last.end = end,
                _ => spans.push(Span { begin, end, doing }),
            }
        }
    };
    for call in calls {
        while let Some(inner) = open.last().copied().filter(|inner| inner.end <= call.begin) {
            until(inner.end, &open);
            open.pop();
        }
        until(call.begin, &open);
        open.push(call);
    }
    while let Some(inner) = open.last().copied() {
        until(inner.end, &open);
        open.pop();
    }
    until(part.1, &open);
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bars of one row, as `region begin..end` from the outermost.
    fn spans_of(thread: u32, bars: &[(u16, u32, u64, u64)]) -> Vec<(u64, u64, Doing)> {
        let kinds = [Kind::User, Kind::OpenMp, Kind::OpenMpSynchronization, Kind::PointToPoint];
        let regions: Vec<RegionName> =
            kinds.iter().map(|&kind| RegionName { name: String::new(), call_site: None, kind }).collect();
        let bar = |&(level, region, begin, end)| Bar { level, region, begin, end, calls: 1 };
        let row = Row { name: String::new(), rank: 0, thread, bars: bars.iter().map(bar).collect() };
        let spans = of_row(&row, &regions, (10, 100));
        spans.iter().map(|span| (span.begin, span.end, span.doing)).collect()
    }

    #[test]
    fn time_in_no_call_is_work() {
        let bars = [(0, 0, 0, 100), (1, 3, 20, 40), (1, 3, 40, 50), (1, 0, 60, 80)];
        let wanted = [
            (10, 20, Doing::Work),
            (20, 40, Doing::Call(3)),
            (40, 50, Doing::Call(3)),
            (50, 100, Doing::Work),
        ];
        assert_eq!(spans_of(0, &bars), wanted);
    }

    #[test]
    fn a_construct_gives_work_but_for_the_barrier_in_it_and_a_worker_without_one_has_none() {
        let bars = [(0, 1, 20, 80), (1, 2, 50, 80)];
        let inside = [(20, 50, Doing::Work), (50, 80, Doing::Call(2))];
        let of_worker = [(10, 20, Doing::Nothing), inside[0], inside[1], (80, 100, Doing::Nothing)];
        assert_eq!(spans_of(1, &bars), of_worker);
        let of_master = [(10, 50, Doing::Work), inside[1], (80, 100, Doing::Work)];
        assert_eq!(spans_of(0, &bars), of_master);
    }

    #[test]
    fn spans_are_cut_to_the_part() {
        let bars = [(0, 3, 0, 30), (0, 3, 90, 120), (0, 3, 130, 140)];
        let wanted = [(10, 30, Doing::Call(3)), (30, 90, Doing::Work), (90, 100, Doing::Call(3))];
        assert_eq!(spans_of(0, &bars), wanted);
        assert_eq!(spans_of(0, &[]), [(10, 100, Doing::Work)]);
    }
}
