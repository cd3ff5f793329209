//! The part of pass 1 that follows messages from the probes that find them to their receives.

use ats_model::messages::Envelope;

use super::{
    Frame, Scanner,
    probes::{MOST, Probe},
    unfollowed::CallTime,
};
use crate::{
    records::EarlyWait,
    words::regions::{CallKind, Coverage},
};

impl Scanner<'_> {
    /// Whether a call is a probe that blocks.
    pub(super) fn is_probe(frame: &Frame) -> bool {
        matches!(frame.traits.call, CallKind::Probe | CallKind::MatchedProbe)
    }

    /// A probe is left: it has found a message.
    #[cold]
    pub(super) fn found(&mut self, time: u64, frame: Frame) {
        if self.messages.probes.open.len() == MOST
            && let Some(oldest) = self.messages.probes.open.pop_front()
        {
            self.lose(oldest);
        }
        let place = self.place(frame.path);
        let (enter, kind, started) = (frame.enter, frame.traits.call, self.messages.started);
        let envelope = self.messages.probes.take_envelope();
        self.messages.probes.open.push_back(Probe { enter, leave: time, place, kind, started, envelope });
    }

    /// A probe whose receive the call that is posted now may be, if the recorder has not noted its message.
    pub(super) fn probe_before(&mut self, call: u32) -> Option<Probe> {
        let kind = self.scan.records.calls[call as usize].kind;
        self.messages.probes.take(kind, self.messages.started, None)
    }

    /// A message is received in a call that was posted when `started` many requests were started.
    #[cold]
    pub(super) fn receive_found(
        &mut self,
        receive: u32,
        started: u64,
        envelope: Envelope,
        before: Option<Probe>,
    ) {
        let records = &self.scan.records;
        let posted = records.receives[receive as usize].start;
        let kind = records.calls[posted as usize].kind;
        let mut next = before;
        while let Some(Probe { enter, leave, place, kind: of_probe, .. }) =
            next.take().or_else(|| self.messages.probes.take(kind, started, Some(envelope)))
        {
            self.scan.records.early.push(EarlyWait::in_probe(receive, (enter, leave), place));
            if of_probe == CallKind::MatchedProbe {
                break;
            }
        }
    }

    /// A call of MPI is left: a probe before it, whose message is not noted, is not that of a later receive.
    #[cold]
    pub(super) fn pass_probes(&mut self, frame: &Frame) {
        let is_of_messages =
            frame.call.is_some() || frame.is_recorded || frame.traits.coverage != Coverage::Full;
        if !(frame.traits.is_mpi && is_of_messages) {
            return;
        }
        let open = std::mem::take(&mut self.messages.probes.open);
        for probe in open {
            match probe.envelope {
                Some(_) => self.messages.probes.open.push_back(probe),
                None => self.lose(probe),
            }
        }
    }

    /// The location is read: no message of a probe is received any more.
    pub(super) fn close_probes(&mut self) {
        std::mem::take(&mut self.messages.probes.open).into_iter().for_each(|probe| self.lose(probe));
    }

    /// The receive of a probe's message is not known, and so neither is its wait.
    fn lose(&mut self, Probe { enter, leave, place, .. }: Probe) {
        let ticks = leave.saturating_sub(enter);
        self.scan.unfollowed.add(place.base, place.path, CallTime { calls: 1, ticks });
    }
}
