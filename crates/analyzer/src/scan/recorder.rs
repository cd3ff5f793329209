//! Time that the recorder itself takes from the program: events that it writes to its files, and the number of all
//! events by the time.

use ats_model::event::Time;

use super::Scanner;
use crate::words::visits::Visits;

/// The time that the recorder of a location takes.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// Begin and end of each time in which it wrote its buffers.
    pub(crate) flushes: Vec<(u64, u64)>,
    /// The events by their time; `None` if the caller does not ask for it.
    pub(super) marks: Option<Marks>,
}

impl Recorder {
    /// The number of ticks between two times in which it wrote its buffers.
    pub(crate) fn flushed(&self, begin: u64, end: u64) -> u64 {
        // They follow each other, as the events of a location do.
        let from = self.flushes.partition_point(|&(_, stop)| stop <= begin);
        let meanwhile = self.flushes[from..].iter().take_while(|&&(start, _)| start < end);
        meanwhile.map(|&(start, stop)| stop.min(end).saturating_sub(start.max(begin))).sum()
    }

    /// About the number of events between two times.
    pub(crate) fn events(&self, begin: u64, end: u64) -> u64 {
        let Some(marks) = &self.marks else { return 0 };
        (marks.until(end) - marks.until(begin)).max(0.0).round() as u64
    }
}

/// The times of some events of a location: of every `step`-th.
#[derive(Debug)]
pub(super) struct Marks {
    times: Vec<u64>,
    step: u64,
    /// The time of the last event of all, and the number of events; known at the end.
    end: (u64, u64),
}

/// The most times that are kept of a location: 4 KiB, since there may be many locations. Between two of them, events are
/// taken to be evenly spread.
const MOST: usize = 512;

impl Marks {
    pub(super) fn new() -> Self {
        Marks { times: Vec::new(), step: 1, end: (0, 0) }
    }

    /// Notes the time of an event, the next in step; returns the number of events before the one to be noted then.
    fn note(&mut self, time: u64) -> u64 {
        if self.times.len() == MOST {
            let mut nth = 0;
            self.times.retain(|_| {
                nth += 1;
                nth % 2 == 1
            });
            self.step *= 2;
        }
        self.times.push(time);
        self.times.len() as u64 * self.step
    }

    /// About the number of events before a time.
    fn until(&self, time: u64) -> f64 {
        let after = self.times.partition_point(|&mark| mark < time);
        let Some(before) = after.checked_sub(1) else { return 0.0 };
        let (mark, marked) = (self.times[before], before as u64 * self.step);
        let (next, events) = match self.times.get(after) {
            Some(&next) => (next, self.step),
            None => (self.end.0.max(mark), self.end.1.saturating_sub(marked)),
        };
        let part = if time < next { (time - mark) as f64 / (next - mark) as f64 } else { 1.0 };
        marked as f64 + part * events as f64
    }
}

impl Scanner<'_> {
    /// Takes the first event, and those whose times are kept.
    #[cold]
    pub(super) fn mark(&mut self, time: u64) {
        if self.scan.time.is_none() {
            self.scan.time = Some((time, time));
            self.open.serial_until = time;
            self.spend(time);
            self.follow();
        }
        self.next_mark = self.scan.recorder.marks.as_mut().map_or(u64::MAX, |marks| marks.note(time));
    }

    /// Notes how many events there are, at the end.
    pub(super) fn close_marks(&mut self) {
        if let Some(marks) = &mut self.scan.recorder.marks {
            marks.end = (self.last_time, self.scan.events);
        }
    }

    /// The recorder writes its buffers; the program stands still.
    #[cold]
    pub(super) fn flush(&mut self, time: u64, Time(stop): Time) {
        if stop <= time {
            return;
        }
        let flushes = &mut self.scan.recorder.flushes;
        // Each begins where the one before has ended, whatever a damaged trace says.
        let begin = flushes.last().map_or(time, |&(_, last)| last.max(time));
        if begin < stop {
            flushes.push((begin, stop));
            self.pass_over(begin, stop);
            let (base, path) = (self.open.base, self.innermost_path());
            if let Some(spent) = &mut self.scan.spent {
                spent.flushed.add(base, path, Visits::one(stop - begin));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flushes_are_cut_to_an_interval() {
        let recorder = Recorder { flushes: vec![(10, 20), (30, 40), (40, 45)], marks: None };
        let cases =
            [(0, 10, 0), (0, 15, 5), (12, 18, 6), (15, 35, 10), (0, 100, 25), (20, 30, 0), (44, 50, 1)];
        for (begin, end, ticks) in cases {
            assert_eq!(recorder.flushed(begin, end), ticks, "{begin}..{end}");
        }
    }

    #[test]
    fn events_are_counted_between_times_however_many_there_are() {
        for number in [1, 100, MOST as u64, 1_000, 100_000] {
            let (mut marks, mut next) = (Marks::new(), 0);
            // Twice as fast in the second half.
            let time = |event: u64| if event < number / 2 { 2 * event } else { number / 2 + event };
            for event in 0..number {
                if event == next {
                    next = marks.note(time(event));
                }
            }
            marks.end = (time(number - 1), number);
            assert!(marks.times.len() <= MOST);
            let recorder = Recorder { flushes: Vec::new(), marks: Some(marks) };
            for (from, to) in [(0, number), (number / 4, number / 2), (number / 3, number - number / 5)] {
                let counted = recorder.events(time(from), time(to));
                let slack = 2 + 2 * number / (MOST as u64 / 2);
                assert!(counted.abs_diff(to - from) <= slack, "{number}: {from} to {to} are {counted}");
            }
        }
    }
}
