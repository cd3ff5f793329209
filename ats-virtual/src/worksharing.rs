//! Who executes what of a worksharing construct.

use std::ops::Range;

use crate::rules::Cause;
use ats_model::openmp::Construct;
use ats_omp::Schedule;

use crate::SimulationError;
use crate::call::Frame;
use crate::team::WaitsFor;
use crate::time::Picoseconds;
use crate::world::World;

/// A worksharing construct that not all members of a team have left.
#[derive(Debug)]
pub(crate) struct Worksharing {
    construct: Construct,
    /// The member that came first.
    by: u32,
    left: u32,
    /// The first iteration that nobody has; of a single, 1 once somebody executes it.
    next: usize,
    /// Of an ordered loop: whose turn it is, since when, and who waits for theirs.
    turn: usize,
    turn_since: Picoseconds,
    waiting: Vec<(usize, u32)>,
}

/// The block of `count` things that member `number` of `threads` gets: the first members get one more.
pub(crate) fn block(count: usize, threads: usize, number: usize) -> Range<usize> {
    let (each, more) = (count / threads, count % threads);
    let start = number * each + number.min(more);
    start..start + each + usize::from(number < more)
}

impl World<'_> {
    /// The thread that runs encounters a worksharing construct of its team; returns its number.
    pub(crate) fn begin_worksharing(&mut self, construct: Construct) -> Result<u32, SimulationError> {
        let Some(member) = self.member() else { return Ok(0) };
        let (encountered, by) = (member.encountered, member.number);
        member.encountered += 1;
        let team = self.team();
        let at = (encountered - team.first_worksharing) as usize;
        if at == team.worksharing.len() {
            team.worksharing.push_back(Worksharing {
                construct,
                by,
                left: 0,
                next: 0,
                turn: 0,
                turn_since: 0,
                waiting: Vec::new(),
            });
        }
        let first = &team.worksharing[at];
        if first.construct != construct {
            let (name, first, by) = (construct.region(), first.construct.region(), first.by);
            return Err(self.misuse(format!("{name} here, where thread {by} of the team is at {first}")));
        }
        Ok(encountered)
    }

    fn worksharing(&mut self, number: u32) -> &mut Worksharing {
        let team = self.team();
        &mut team.worksharing[(number - team.first_worksharing) as usize]
    }

    /// The thread that runs leaves a worksharing construct.
    pub(crate) fn end_worksharing(&mut self, number: u32) {
        self.worksharing(number).left += 1;
        let team = self.team();
        let size = team.members.len() as u32;
        while team.worksharing.front().is_some_and(|first| first.left == size) {
            team.worksharing.pop_front();
            team.first_worksharing += 1;
        }
    }

    /// The chunk of a dynamic or guided loop for the thread that runs; nothing can happen before any more.
    pub(crate) fn next_chunk(
        &mut self,
        number: u32,
        iterations: usize,
        schedule: Schedule,
    ) -> Option<Range<usize>> {
        self.exchangeable();
        let threads = self.team().members.len();
        let next = &mut self.worksharing(number).next;
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
    pub(crate) fn takes_single(&mut self, number: u32) -> bool {
        self.exchangeable();
        std::mem::replace(&mut self.worksharing(number).next, 1) == 0
    }

    /// Whether it is an iteration's turn in an ordered loop; else the thread that runs has to wait until it is called.
    pub(crate) fn reach_turn(&mut self, number: u32, iteration: usize) -> bool {
        let here = self.current as u32;
        let ordered = self.worksharing(number);
        if ordered.turn == iteration {
            return true;
        }
        ordered.waiting.push((iteration, here));
        self.thread().waits_for = Some(WaitsFor::Turn(iteration));
        false
    }

    /// The turn of the thread that runs has come.
    pub(crate) fn begin_turn(&mut self, frame: &Frame, number: u32) {
        let since = self.worksharing(number).turn_since;
        self.blocked(frame, Cause::TurnNotCome, since.saturating_sub(frame.enter), false);
        let here = self.here();
        here.clock = here.clock.max(since);
    }

    /// The thread that runs ends its turn.
    pub(crate) fn end_turn(&mut self, number: u32) {
        let now = self.here().clock;
        let ordered = self.worksharing(number);
        ordered.turn += 1;
        ordered.turn_since = now;
        let next = ordered.turn;
        if let Some(at) = ordered.waiting.iter().position(|&(iteration, _)| iteration == next) {
            let (_, location) = ordered.waiting.swap_remove(at);
            self.threads.of[location as usize].waits_for = None;
            self.ready(location);
        }
    }
}
