//! Leaving regions: what is known of each when it is over.

use ats_model::event::RegionRef;

use super::{Frame, Scanner, Trees};
use crate::{
    records::Span,
    words::{
        damage::Damage,
        place::Base,
        regions::{CallKind, ConstructKind, Coverage},
        visits::Visits,
    },
};

impl Scanner<'_> {
    /// Closes all that is open at the end of the events. Its call tree becomes one of `trees`, if one equals it.
    pub(crate) fn close(&mut self, trees: &Trees) {
        self.close_code();
        let end = self.last_time;
        self.is_over = true;
        self.count_serial(end);
        self.spend(end);
        self.program_end(end);
        self.count_beside(end, None);
        while let Some(frame) = self.stack.pop() {
            self.damage(Damage::LeaveMissing, frame.enter);
            self.close_frame(end, frame);
        }
        self.messages.outside = None;
        self.close_probes();
        self.close_marks();
        self.end_calls();
        if let Some((_, last)) = &mut self.scan.time {
            *last = end;
        }
        (self.stack, self.last_child) = (Vec::new(), Vec::new());
        self.scan.paths.tree = trees.shared(std::mem::take(&mut self.tree));
        self.scan.pack();
    }

    /// Leaves a region that is not the innermost one: those inside it have lost their leave. Returns it as it was entered.
    #[cold]
    pub(super) fn leave_outer(&mut self, time: u64, region: RegionRef) -> RegionRef {
        let of_team = &self.stack[self.open.bottom..];
        let Some(depth) = of_team.iter().rposition(|frame| frame.is_left_as(region)) else {
            self.damage(Damage::LeaveWithoutEnter, time);
            if self.regions.traits(region).is_mpi {
                self.lose_enter();
            }
            return region;
        };
        let depth = self.open.bottom + depth;
        let entered = self.stack[depth].region;
        while self.stack.len() > depth
            && let Some(frame) = self.stack.pop()
        {
            if !frame.is_left_as(region) {
                self.damage(Damage::LeaveMissing, frame.enter);
            }
            self.close_frame(time, frame);
        }
        entered
    }

    #[inline(always)]
    pub(super) fn close_frame(&mut self, time: u64, frame: Frame) {
        self.count_visit(frame.path, Visits::one(time.saturating_sub(frame.enter)));
        self.follow_out(time, frame.stop);
        if let Some(call) = frame.call {
            self.scan.records.calls[call as usize].leave = time;
        }
        if frame.is_inner || !self.in_calls.is_empty() {
            self.close_call(time, &frame);
        }
        if frame.traits.construct != ConstructKind::Plain {
            self.close_construct(time, frame.path);
        }
        if self.messages.probes.are_open() {
            self.pass_probes(&frame);
        }
        if frame.traits.coverage != Coverage::Full && frame.call.is_none() && !frame.is_recorded {
            self.close_unrecorded(time, frame);
        }
        if matches!(frame.traits.call, CallKind::Init | CallKind::Finalize) {
            self.close_span(time, frame);
        }
        if frame.traits.call == CallKind::Test {
            self.note_in_vain(time, &frame);
        }
        if frame.traits.is_basis {
            self.extend_basis(frame.enter, time);
        }
    }

    /// Leaves a call without a record.
    #[inline(never)]
    fn close_unrecorded(&mut self, time: u64, frame: Frame) {
        match frame.traits.call {
            _ if frame.traits.among_neighbors.is_some() => self.close_neighborhood(time, frame),
            CallKind::Probe | CallKind::MatchedProbe => self.found(time, frame),
            CallKind::Test => {
                self.tested_without_record(frame);
                self.close_unknown(time, frame);
            }
            _ => self.close_unknown(time, frame),
        }
    }

    /// The region of the basis was executed in this time, too.
    #[cold]
    pub(super) fn extend_basis(&mut self, from: u64, to: u64) {
        let (first, last) = self.scan.in_basis.unwrap_or((from, to));
        self.scan.in_basis = Some((first.min(from), last.max(to)));
    }

    /// Keeps `MPI_Init` or `MPI_Finalize`, the first time.
    #[cold]
    fn close_span(&mut self, time: u64, Frame { path, enter, traits, stop, .. }: Frame) {
        let spans = &self.scan.records.spans;
        if spans.iter().all(|span| span.kind != traits.call) {
            let span = Span { kind: traits.call, enter, leave: time, place: self.place(path), stop };
            self.scan.records.spans.push(span);
        }
        if traits.call == CallKind::Init && self.open.base == Base::BEFORE_INIT {
            self.open.base = Base::NOTHING;
            // A team that is started before is not over before.
            self.scan.leaves_init = !self.open.is_in_team();
        }
    }
}
