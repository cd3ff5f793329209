//! The calls of a location: its enters and leaves, made to fit if they do not.

use ats_model::{Event, EventSource, event::RegionRef};

/// A step that [`read`] hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The location enters a region.
    Open(RegionRef),
    /// The location leaves the region that it entered last.
    Close(RegionRef),
    /// Any other event.
    Other(Event),
}

/// Hands every event of a location to `visit`, with its time and as [`Step`]s that are balanced: leaving a region also
/// leaves those entered since; a leave without an enter is omitted; regions open at the end close with the last event.
/// Time never runs backwards.
///
/// # Errors
/// As [`EventSource::read_location`]; the events before the damage have been handed over, and their regions closed.
pub(crate) fn read<S: EventSource>(
    source: &S,
    location: usize,
    mut visit: impl FnMut(u64, Step),
) -> Result<(), S::Error> {
    let definitions = source.definitions();
    let mut open: Vec<RegionRef> = Vec::new();
    let mut now = 0;
    let result = source.read_location(location, |time, event| {
        now = now.max(time);
        match event {
            Event::Enter { region } => {
                open.push(region);
                visit(now, Step::Open(region));
            }
            Event::Leave { region } => {
                let is_left = |&other: &RegionRef| definitions.is_left_as(other, region);
                let Some(depth) = open.iter().rposition(is_left) else { return };
                open.drain(depth..).rev().for_each(|region| visit(now, Step::Close(region)));
            }
            event => visit(now, Step::Other(event)),
        }
    });
    open.into_iter().rev().for_each(|region| visit(now, Step::Close(region)));
    result
}

#[cfg(test)]
mod tests {
    use ats_model::source::InMemory;

    use super::*;

    #[test]
    fn steps_are_balanced_whatever_the_events_are() {
        let (outer, inner) = (RegionRef(0), RegionRef(1));
        let events = vec![
            (1, Event::Leave { region: inner }),
            (2, Event::Enter { region: outer }),
            (3, Event::Enter { region: inner }),
            (2, Event::Leave { region: outer }),
            (5, Event::Enter { region: inner }),
        ];
        let trace = InMemory { definitions: Default::default(), events: vec![events] };
        let mut steps = Vec::new();
        read(&trace, 0, |time, step| steps.push((time, step))).unwrap();
        use Step::{Close, Open};
        assert_eq!(
            steps,
            [
                (2, Open(outer)),
                (3, Open(inner)),
                (3, Close(inner)),
                (3, Close(outer)),
                (5, Open(inner)),
                (5, Close(inner))
            ]
        );
    }
}
