//! Distribution of a worksharing construct among threads.

use std::ops::Range;

use ats_model::openmp::Construct;
use ats_omp::Schedule;

use crate::kernel::call::Frame;
use crate::kernel::error::SimulationError;
use crate::kernel::state::Kernel;
use crate::openmp::rules::Cause;
use crate::openmp::share::Worksharing;
use crate::openmp::state::Omp;
use crate::openmp::thread::WaitsFor;

impl Omp {
    /// The thread that runs encounters a worksharing construct of its team; returns its number.
    pub(crate) fn begin_worksharing(
        &mut self,
        kernel: &Kernel<'_>,
        construct: Construct,
    ) -> Result<u32, SimulationError> {
        let Some(member) = self.member(kernel) else { return Ok(0) };
        let (encountered, by) = (member.encountered, member.number);
        member.encountered += 1;
        let team = self.team(kernel);
        if (encountered - team.first_worksharing) as usize == team.worksharing.len() {
            team.worksharing.push_back(Worksharing::new(construct, by));
        }
        let first = team.worksharing(encountered);
        if first.construct != construct {
            let (name, first, by) = (construct.region(), first.construct.region(), first.by);
            return Err(kernel.misuse(format!("{name} here, where thread {by} of the team is at {first}")));
        }
        Ok(encountered)
    }

    fn worksharing(&mut self, kernel: &Kernel<'_>, number: u32) -> &mut Worksharing {
        self.team(kernel).worksharing(number)
    }

    /// The thread that runs leaves a worksharing construct.
    pub(crate) fn end_worksharing(&mut self, kernel: &Kernel<'_>, number: u32) {
        let team = self.team(kernel);
        team.worksharing(number).left += 1;
        let size = team.members.len() as u32;
        while team.worksharing.front().is_some_and(|first| first.left == size) {
            team.worksharing.pop_front();
            team.first_worksharing += 1;
        }
    }

    /// The chunk of a dynamic or guided loop for the thread that runs; nothing can happen before any more.
    pub(crate) fn next_chunk(
        &mut self,
        kernel: &Kernel<'_>,
        number: u32,
        iterations: usize,
        schedule: Schedule,
    ) -> Option<Range<usize>> {
        self.mark_exchangeable(kernel);
        let team = self.team(kernel);
        let threads = team.members.len();
        let next = &mut team.worksharing(number).next;
        let left = iterations - *next;
        let least = schedule.chunk().map_or(1, usize::from);
        let size = match schedule {
            // As libomp: half of an equal share of what is left.
            Schedule::Guided(_) => least.max(left / (2 * threads)),
            _ => least,
        };
        let chunk = *next..*next + size.min(left);
        *next = chunk.end;
        (left > 0).then_some(chunk)
    }

    /// Whether the thread that runs executes a single; nothing can happen before any more.
    pub(crate) fn takes_single(&mut self, kernel: &Kernel<'_>, number: u32) -> bool {
        self.mark_exchangeable(kernel);
        std::mem::replace(&mut self.worksharing(kernel, number).next, 1) == 0
    }

    /// Whether it is an iteration's turn in an ordered loop; else the thread that runs has to wait until it is called.
    pub(crate) fn reach_turn(&mut self, kernel: &Kernel<'_>, number: u32, iteration: usize) -> bool {
        let ordered = self.worksharing(kernel, number);
        if ordered.turn == iteration {
            return true;
        }
        ordered.waiting.push((iteration, kernel.number()));
        self.here(kernel).waits_for = Some(WaitsFor::Turn(iteration));
        false
    }

    /// The turn of the thread that runs has come.
    pub(crate) fn begin_turn(&mut self, kernel: &mut Kernel<'_>, frame: &Frame, number: u32) {
        let since = self.worksharing(kernel, number).turn_since;
        let waited = since.saturating_sub(frame.enter);
        self.charge(kernel, Construct::Ordered, Cause::TurnNotCome, waited, false);
        let here = kernel.here();
        here.clock = here.clock.max(since);
    }

    /// The thread that runs ends its turn.
    pub(crate) fn end_turn(&mut self, kernel: &mut Kernel<'_>, number: u32) {
        let ordered = self.worksharing(kernel, number);
        ordered.turn += 1;
        ordered.turn_since = kernel.now();
        let next = ordered.turn;
        if let Some(at) = ordered.waiting.iter().position(|&(iteration, _)| iteration == next) {
            let (_, location) = ordered.waiting.swap_remove(at);
            self.threads[location as usize].waits_for = None;
            kernel.ready(location);
        }
    }
}
