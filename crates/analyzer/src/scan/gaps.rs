//! Times in which recording was off.

use ats_model::event::MeasurementMode;

use super::{
    Scanner,
    open_messages::{HandedEnd, Outcome, Pending, Request},
};
use crate::records::Gap;

impl Scanner<'_> {
    /// Recording stops, or goes on.
    pub(super) fn note_gap(&mut self, time: u64, mode: MeasurementMode) {
        let open = self.scan.records.gaps.last_mut().filter(|gap| gap.end == u64::MAX);
        match (mode, open) {
            (MeasurementMode::On, Some(gap)) => {
                gap.end = time;
                // Whether other threads were idle meanwhile is not known.
                self.open.serial_until = time;
            }
            (MeasurementMode::On, None) if self.scan.events == 1 => {
                let gap = Gap { end: time, ..Gap::new(self.location, 0) };
                self.scan.records.gaps.push(gap);
            }
            (MeasurementMode::Off, None) => {
                self.scan.records.gaps.push(Gap::new(self.location, time));
                self.count_serial(time);
                // The next receive, and the next call of MPI, may be missing.
                self.close_probes();
                self.act_unseen();
            }
            (MeasurementMode::On, None) | (MeasurementMode::Off, Some(_)) => {}
        }
    }

    /// A request is not complete as far as is recorded. If recording was off, it may be complete.
    pub(super) fn leave_unfinished(&mut self, pending: &Pending) {
        let records = &mut self.scan.records;
        let call = pending.request.start(records);
        let Some(gap) = records.gaps.first_mut() else { return };
        let (open, number) = match pending.request {
            Request::Send(_) => return,
            Request::Receive(_) | Request::Foreseen(_) => (&mut gap.open_receive, Some(call)),
            Request::Collective(requested) => {
                (&mut gap.open_operation, records.requested[requested as usize].part)
            }
        };
        *open = [*open, number].into_iter().flatten().min();
    }

    /// The start of an operation was not recorded: its place among others is not known.
    pub(super) fn forget_place(&mut self, end: &HandedEnd) {
        let records = &mut self.scan.records;
        match end.outcome {
            Outcome::Received(receive) => records.receives[receive as usize].channel = None,
            Outcome::Collective(requested) => {
                if let Some(part) = records.requested[requested as usize].part {
                    records.collectives[part as usize].communicator = None;
                }
            }
            Outcome::Sent { .. } | Outcome::Cancelled => {}
        }
    }
}
