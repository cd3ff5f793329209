//! Buffers that keep events until they are written: in chunks, with raw time stamps, and with a stack of the things
//! that have begun and not ended.
//!
//! An event costs a clock reading and some stores.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ats_model::Event;
use ats_trace::packed::Chunk;

use crate::clock;

/// Something that is begun and ended.
pub(crate) trait Frame: Copy + Debug + PartialEq {
    /// Hands the event of its begin to `record`; none where that says more than this knows.
    fn begin(self, record: impl FnOnce(Event));

    /// Hands the event of its end to `record`.
    fn end(self, record: impl FnOnce(Event));

    /// Whether nothing that was begun before can end within it.
    fn is_border(self) -> bool;
}

/// The events of a thread.
#[derive(Debug)]
pub(crate) struct Buffer<F> {
    full: Vec<Chunk>,
    current: Chunk,
    open: Vec<F>,
    /// Events before those of the current chunk.
    before: u64,
    /// Events that were taken away.
    taken: u64,
    /// Attributes of events, which are no events themselves.
    attributes: u64,
}

impl<F: Frame> Buffer<F> {
    pub(crate) fn new() -> Self {
        Buffer {
            full: Vec::new(),
            current: Chunk::empty(),
            open: Vec::new(),
            before: 0,
            taken: 0,
            attributes: 0,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, ticks: u64, event: Event) {
        if self.current.is_full() {
            self.next_chunk();
        }
        self.attributes += u64::from(matches!(event, Event::Attribute { .. }));
        self.current.push(ticks, event);
    }

    /// Takes an event back, if it is still here.
    pub(crate) fn take_back(&mut self, ticks: u64, event: Event) {
        self.current.take_back(ticks, event);
    }

    #[cold]
    fn next_chunk(&mut self) {
        clock::calibrate();
        self.close_chunk();
        let bytes = BYTES.fetch_add(Chunk::BYTES, Ordering::Relaxed);
        if bytes >= LIMIT.load(Ordering::Relaxed) {
            FULL.store(true, Ordering::Relaxed);
        }
    }

    fn close_chunk(&mut self) {
        self.before += self.current.len() as u64;
        self.full.push(std::mem::replace(&mut self.current, Chunk::empty()));
    }

    /// Begins something.
    #[inline]
    pub(crate) fn begin(&mut self, ticks: u64, frame: F) {
        self.open.push(frame);
        frame.begin(|event| self.push(ticks, event));
    }

    /// Ends what was begun last.
    #[inline]
    pub(crate) fn end(&mut self, ticks: u64) {
        if let Some(frame) = self.open.pop() {
            frame.end(|event| self.push(ticks, event));
        }
    }

    /// The number of things open before the innermost one that `is_it`, within the innermost border.
    #[inline]
    pub(crate) fn find(&self, is_it: impl Fn(F) -> bool) -> Option<usize> {
        let at = self.open.iter().rposition(|&open| is_it(open) || open.is_border())?;
        is_it(self.open[at]).then_some(at)
    }

    /// Whether a thing that `is_it` is open.
    #[inline]
    pub(crate) fn has(&self, is_it: impl Fn(F) -> bool) -> bool {
        self.open.iter().any(|&open| is_it(open))
    }

    /// The thing that is open within so many others.
    pub(crate) fn within(&self, depth: usize) -> Option<F> {
        self.open.get(depth).copied()
    }

    /// Ends what was begun within `depth` others, and all in it, if it is `frame` and may end.
    #[inline]
    pub(crate) fn end_within(&mut self, ticks: u64, depth: usize, frame: F) {
        let Some((&of, inner)) = self.open.get(depth..).and_then(<[F]>::split_first) else { return };
        if of == frame && !inner.iter().any(|inner| inner.is_border()) {
            self.end_to(ticks, depth);
        }
    }

    /// The number of events and attributes that were ever recorded.
    #[inline]
    pub(crate) fn pushed(&self) -> u64 {
        self.before + self.current.len() as u64
    }

    /// Ends all but the outer `depth` things that are open.
    pub(crate) fn end_to(&mut self, ticks: u64, depth: usize) {
        while self.open.len() > depth {
            self.end(ticks);
        }
    }

    /// The thing that was begun last.
    #[inline]
    pub(crate) fn innermost(&self) -> Option<F> {
        self.open.last().copied()
    }

    /// The number of things that are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The events that end all that is open, which stays open.
    pub(crate) fn ends(&self) -> Vec<Event> {
        let mut ends = Vec::new();
        self.open.iter().rev().for_each(|frame| frame.end(|event| ends.push(event)));
        ends
    }

    /// The number of events so far.
    pub(crate) fn events(&self) -> u64 {
        let full: usize = self.full.iter().map(Chunk::len).sum();
        self.taken + (full + self.current.len()) as u64 - self.attributes
    }

    /// The number of events that `are_it`, among those kept and those that will end the open things.
    pub(crate) fn count(&self, are_it: impl Fn(&Event) -> bool) -> u64 {
        let kept = self.full.iter().chain([&self.current]).flat_map(Chunk::iter).map(|(_, event)| event);
        kept.chain(self.ends()).filter(are_it).count() as u64
    }

    /// Takes events away: all before the first chunk in which one is not `ready`.
    pub(crate) fn take(&mut self, ready: impl Fn(&Event) -> bool) -> Vec<Chunk> {
        self.close_chunk();
        let is_ready = |chunk: &&Chunk| chunk.iter().all(|(_, event)| ready(&event));
        let count = self.full.iter().take_while(is_ready).count();
        let taken: Vec<Chunk> = self.full.drain(..count).collect();
        self.taken += taken.iter().map(Chunk::len).sum::<usize>() as u64;
        let bytes = taken.len() * Chunk::BYTES;
        // The chunk that was current is among them, and was not counted.
        let _ =
            BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |all| Some(all.saturating_sub(bytes)));
        taken
    }
}

/// Bytes of full chunks.
static BYTES: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Whether more is kept than should be.
static FULL: AtomicBool = AtomicBool::new(false);

/// From now on [`is_full`] says when more than `bytes` are kept.
pub(crate) fn limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Whether the memory for events is used up, so that they should be written.
#[inline]
pub(crate) fn is_full() -> bool {
    FULL.load(Ordering::Relaxed)
}

/// Says that events were written.
pub(crate) fn written() {
    FULL.store(false, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_model::event::RegionRef;
    use proptest::prelude::*;

    /// A region.
    impl Frame for u32 {
        fn begin(self, record: impl FnOnce(Event)) {
            record(Event::Enter { region: RegionRef(self) });
        }

        fn end(self, record: impl FnOnce(Event)) {
            record(Event::Leave { region: RegionRef(self) });
        }

        fn is_border(self) -> bool {
            self == 0
        }
    }

    /// A step in the life of a buffer.
    #[derive(Clone, Debug)]
    enum Step {
        Begin(u32),
        End,
        EndTo(usize),
        Push(u64),
        /// All before the chunk of this request.
        Take(u64),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let most = Chunk::BYTES as u64 / 8;
        let step = prop_oneof![
            3 => (0..4u32).prop_map(Step::Begin),
            2 => Just(Step::End),
            1 => (0..6usize).prop_map(Step::EndTo),
            3 => (1..most).prop_map(Step::Push),
            1 => (0..8 * most).prop_map(Step::Take),
        ];
        proptest::collection::vec(step, 1..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: ats_testing::seeds(64).end as u32, ..ProptestConfig::default() })]

        #[test]
        fn records_are_taken_once_and_in_order(steps in steps()) {
            let (mut buffer, mut taken) = (Buffer::new(), Vec::new());
            let (mut recorded, mut open, mut request) = (Vec::new(), Vec::new(), 0);
            for (ticks, step) in (0..).zip(steps) {
                match step {
                    Step::Begin(frame) => {
                        buffer.begin(ticks, frame);
                        open.push(frame);
                        frame.begin(|event| recorded.push((ticks, event)));
                    }
                    Step::End => {
                        buffer.end(ticks);
                        if let Some(frame) = open.pop() {
                            frame.end(|event| recorded.push((ticks, event)));
                        }
                    }
                    Step::EndTo(depth) => {
                        buffer.end_to(ticks, depth);
                        for frame in open.drain(depth.min(open.len())..).rev() {
                            frame.end(|event| recorded.push((ticks, event)));
                        }
                    }
                    Step::Push(events) => for request in request..request + events {
                        let event = Event::MpiIsendComplete { request };
                        buffer.push(ticks, event);
                        recorded.push((ticks, event));
                    },
                    Step::Take(waits_for) => {
                        let ready = |event: &Event| *event != Event::MpiIsendComplete { request: waits_for };
                        let chunks = buffer.take(ready);
                        prop_assert!(chunks.iter().flat_map(Chunk::iter).all(|(_, event)| ready(&event)));
                        taken.extend(chunks.iter().flat_map(Chunk::iter));
                    }
                }
                request = recorded.len() as u64;
                prop_assert_eq!((buffer.depth(), buffer.events()), (open.len(), request));
                let border = open.iter().rposition(|&frame| frame == 0).unwrap_or(0);
                let innermost = open.iter().rposition(|&frame| frame == 1).filter(|&at| at >= border);
                prop_assert_eq!(buffer.find(|frame| frame == 1), innermost);
            }
            let ends = |event: &Event| matches!(event, Event::Leave { .. });
            let waiting = recorded[taken.len()..].iter().filter(|(_, event)| ends(event)).count() + open.len();
            prop_assert_eq!(buffer.count(ends), waiting as u64);
            taken.extend(buffer.take(|_| true).iter().flat_map(Chunk::iter));
            prop_assert_eq!(taken, recorded);
        }
    }

    fn buffer_of(events: u64) -> Buffer<u32> {
        let mut buffer = Buffer::new();
        for request in 0..events {
            buffer.push(clock::now(), Event::MpiIsendComplete { request });
        }
        buffer
    }

    #[test]
    fn events_come_back_in_order_across_chunks_with_rising_times() {
        // Each takes two bytes at least, mostly four or five.
        let count = Chunk::BYTES as u64;
        let mut buffer = buffer_of(count);
        assert_eq!(buffer.events(), count);
        let chunks = buffer.take(|_| true);
        assert!(chunks.len() > 2);
        let events: Vec<_> = chunks.iter().flat_map(Chunk::iter).collect();
        assert!(events.is_sorted_by_key(|(ticks, _)| *ticks));
        let requests = events.iter().map(|(_, event)| match event {
            Event::MpiIsendComplete { request } => *request,
            other => panic!("{other:?}"),
        });
        assert!(requests.eq(0..count));
        assert_eq!((buffer.events(), buffer.take(|_| true).len()), (count, 1));
    }

    #[test]
    fn an_unready_record_stays_with_all_that_follow() {
        let count = Chunk::BYTES;
        let mut buffer = buffer_of(count as u64);
        let first = buffer.full[0].len();
        let taken = buffer.take(|event| *event != Event::MpiIsendComplete { request: first as u64 });
        assert_eq!(taken.iter().map(Chunk::len).collect::<Vec<_>>(), [first]);
        assert_eq!(buffer.take(|_| true).iter().map(Chunk::len).sum::<usize>(), count - first);
    }

    #[test]
    fn open_records_are_found_within_the_border() {
        let mut buffer = Buffer::new();
        [1, 0, 2, 3].into_iter().for_each(|frame: u32| buffer.begin(1, frame));
        assert_eq!([1, 2].map(|frame| buffer.find(|open| open == frame)), [None, Some(2)]);
        buffer.end_to(2, 1);
        assert_eq!((buffer.innermost(), buffer.depth(), buffer.events()), (Some(1), 1, 7));
        assert_eq!(buffer.ends(), [Event::Leave { region: RegionRef(1) }]);
        let leaves = |of| buffer.count(move |event| *event == Event::Leave { region: RegionRef(of) });
        assert_eq!([0, 1, 4].map(leaves), [1, 1, 0], "1 is still open");
        let events: Vec<Event> = buffer.take(|_| true)[0].iter().map(|(_, event)| event).collect();
        assert_eq!(events[4..], [3, 2, 0].map(|frame| Event::Leave { region: RegionRef(frame) }));
    }
}
