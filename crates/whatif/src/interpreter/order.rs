//! Receives in the order in which messages arrive.

use ats_model::event::RegionRef;
use ats_model::{Event, EventSource};
use ats_virtual::{RecordedCommunicator, first_to_complete};

use super::Interpreter;
use crate::run::{Finder, Receive, Wanted};
use crate::state::State;
use crate::survey::Channel;
use crate::tables::RegionKind;

impl<'a, S: EventSource> Interpreter<'a, S> {
    /// The location comes to a call that may take another message than in the trace: of the receives that follow each other
    /// here, the one whose message comes first is made first, with the work behind it.
    pub(super) fn receive_first(&self, state: &mut State<'a, S>, region: RegionRef, time: u64) {
        state.work_until(time);
        self.catch_up(state);
        state.reader.put_back(time, Event::Enter { region });
        for attribute in state.exchange_attributes(Vec::new()).into_iter().rev() {
            state.reader.put_back(time, attribute);
        }
        let run = self.exchangeable(state);
        if run.len() > 1 {
            state.flush();
            let first = self.first(state, &run);
            if let Some(before) = first.checked_sub(1) {
                run[first].bring(&mut state.reader, time, run[before].until);
                state.tape.bring(first);
            }
        }
        while let Some((time, event)) = state.reader.next() {
            match event {
                Event::Enter { region } => {
                    if let RegionKind::Mpi(function) = self.tables.kind(region) {
                        self.call(state, function, region, time);
                    }
                    return;
                }
                Event::Attribute { .. } => state.keep_attribute(event),
                event => state.emit(event),
            }
        }
    }

    /// The receives that may be exchanged with the one that comes next, which is the first of them.
    fn exchangeable(&self, state: &mut State<'a, S>) -> Vec<Receive> {
        let State { reader, stack, pace, requests, rank, .. } = state;
        let is_known = |wanted| match wanted {
            Wanted::Request(request) => requests.contains_key(&request),
            Wanted::Message(communicator, from, tag) => {
                RecordedCommunicator::new(self.tables.number(communicator, *rank)).is_some_and(|known| {
                    let channel = Channel { communicator: communicator.0, from, to: known.rank(), tag };
                    from < known.size() && self.survey.is_even(channel)
                })
            }
        };
        let may_change =
            |region, time, wanted| pace.is_reordered(region, time) && !pace.is_removed() && is_known(wanted);
        Finder { reader, tables: self.tables }.run(stack, may_change)
    }

    /// The index of the receive in a run whose message comes first.
    fn first(&self, state: &State<'a, S>, run: &[Receive]) -> usize {
        let messages = || run.iter().filter_map(|receive| receive.wanted.message());
        let requests = run.iter().filter_map(|receive| state.requests.get(&receive.wanted.request()?));
        match messages().next().and_then(|(communicator, ..)| self.communicator(state, communicator)) {
            Some(known) => {
                let wanted: Vec<(u32, u32)> = messages().map(|(_, from, tag)| (from, tag)).collect();
                known.first_to_arrive(&wanted)
            }
            None => first_to_complete(requests),
        }
    }
}
