//! Entering calls, and waiting for requests or testing them.

use std::panic::resume_unwind;

use ats_model::mpi::Function;
use ats_mpi::{Choice, Completion, How, Outcome, Request, Source, Status};

use crate::kernel::time::Picoseconds;
use crate::mpi::call::{self, Frame};
use crate::mpi::operation::{Progress, Received};
use crate::world::{in_order, in_order_at, kernel, mpi, pause};

/// The location that runs enters a call.
#[inline]
pub(crate) fn enter(function: Function) -> Frame {
    mpi(|mpi, kernel| call::enter(mpi, kernel, function))
}

/// The outcome of a call in a real run, if there is one and the call leaves something open.
pub(crate) fn outcome(frame: &Frame, choice: Option<Choice>) -> Option<Outcome> {
    kernel(|kernel| call::outcome(kernel, frame, choice))
}

/// Ends the simulation: the program cannot do what the real run did in the call.
#[cold]
pub(crate) fn misfit(frame: &Frame, reason: &str) -> ! {
    resume_unwind(Box::new(kernel(|kernel| kernel.misfit_in(frame, reason))))
}

/// Ends the simulation: a location completes a request that another one waits for.
#[cold]
fn awaited_twice(frame: &Frame, other: u32) {
    let failure = kernel(|kernel| {
        let thread = kernel.locations[other as usize].thread;
        (!kernel.is_over).then(|| {
            kernel.misuse(format!(
                "{} completes a request that thread {thread} of the process waits for: let one thread complete it",
                frame.function
            ))
        })
    });
    if let Some(failure) = failure {
        resume_unwind(Box::new(failure));
    }
}

/// Whether a receive from this source has to be posted in the order of time.
pub(crate) fn is_ordered(from: Source) -> bool {
    mpi(|mpi, kernel| mpi.here(kernel).mailbox.is_ordered(from))
}

/// The status of a receive, for the program.
pub(crate) fn status(received: Received) -> Status {
    Status { source: received.source as usize, tag: received.tag, bytes: received.bytes }
}

/// Waits until all of these are done.
pub(crate) fn await_all(numbers: &[u32]) {
    if mpi(|mpi, kernel| mpi.awaits(kernel, numbers)) {
        pause();
    }
}

/// Waits until one of these is done and nothing earlier can happen; returns when that is.
fn await_any(numbers: &[u32]) -> Picoseconds {
    loop {
        let now = kernel(|kernel| kernel.now());
        match first_done(numbers) {
            Some((at, _)) => {
                in_order_at(at.max(now));
                // Others that are done earlier may have become so since.
                let first = first_done(numbers).map_or(at, |(first, _)| first);
                return first.max(now);
            }
            None if kernel(|kernel| kernel.is_over) => return now,
            None => {
                mpi(|mpi, kernel| mpi.awaits_any(kernel, numbers));
                pause();
                mpi(|mpi, kernel| mpi.here(kernel).awaits_none(numbers));
            }
        }
    }
}

/// When the first of these is done, if one is, and its index.
fn first_done(numbers: &[u32]) -> Option<(Picoseconds, usize)> {
    mpi(|mpi, kernel| {
        let process = mpi.here(kernel);
        let done = numbers.iter().enumerate();
        done.filter_map(|(at, &number)| Some((process.done(number)?.at, at))).min()
    })
}

/// Waits until one of these is done and nothing earlier can happen; returns the index of the one that is first.
pub(crate) fn first_of(numbers: &[u32]) -> usize {
    await_any(numbers);
    first_done(numbers).map_or(0, |(_, at)| at)
}

/// The requests of a completion call.
struct Requests {
    /// The numbers of their operations.
    numbers: Vec<u32>,
    /// The indices of those that are started, in order.
    active: Vec<usize>,
    /// and their operations.
    active_numbers: Vec<u32>,
}

impl Requests {
    /// Those of the call that the location that runs is in.
    ///
    /// # Panics
    /// Ends the simulation if another thread waits for one of them.
    fn new(requests: &[Request], frame: &Frame) -> Self {
        let numbers: Vec<u32> = requests.iter().map(|request| request.0 as u32).collect();
        let mut waiting = None;
        let active: Vec<usize> = mpi(|mpi, kernel| {
            let operations = &mut mpi.here(kernel).operations;
            let mut is_active = |number: u32| {
                let Some(operation) = operations.get_mut(number) else { return false };
                waiting = waiting.or(operation.awaited_by);
                !matches!(operation.progress, Progress::Inactive)
            };
            (0..numbers.len()).filter(|&at| is_active(numbers[at])).collect()
        });
        if let Some(other) = waiting {
            awaited_twice(frame, other);
        }
        let active_numbers = active.iter().map(|&at| numbers[at]).collect();
        Requests { numbers, active, active_numbers }
    }

    /// The indices of those that are done by `time`.
    fn done_by(&self, time: Picoseconds) -> Vec<usize> {
        mpi(|mpi, kernel| {
            let process = mpi.here(kernel);
            let mut is_done = |at: usize| process.done(self.numbers[at]).is_some_and(|done| done.at <= time);
            self.active.iter().copied().filter(|&at| is_done(at)).collect()
        })
    }

    /// The index of the one that is done first.
    fn first_done(&self) -> Option<usize> {
        first_done(&self.active_numbers).map(|(_, at)| self.active[at])
    }

    /// Waits as a call does that must complete something; returns the indices of completed requests.
    fn wait(&self, how: How) -> Vec<usize> {
        match how {
            How::Wait | How::Waitall => {
                await_all(&self.active_numbers);
                self.active.clone()
            }
            How::Waitany => {
                await_any(&self.active_numbers);
                self.first_done().into_iter().collect()
            }
            How::Waitsome => self.done_by(await_any(&self.active_numbers)),
            How::Test | How::Testany | How::Testsome | How::Testall => self.test(how),
        }
    }

    /// Looks as a call does that may complete nothing; returns the indices of completed requests.
    fn test(&self, how: How) -> Vec<usize> {
        let mut done = self.done_by(in_order());
        match how {
            How::Testsome => {}
            How::Testany => {
                let first = self.first_done();
                done.retain(|&at| Some(at) == first);
            }
            _ if done.len() < self.active.len() => done.clear(),
            _ => {}
        }
        if done.is_empty() {
            kernel(|kernel| kernel.poll());
        }
        done
    }

    /// The operations that a test has found not done, given the indices of those that it completes.
    fn in_vain(&self, how: How, complete: &[usize]) -> Vec<u32> {
        if !how.function().never_waits() || !(complete.is_empty() || how == How::Testsome) {
            return Vec::new();
        }
        let others = self.active.iter().filter(|at| !complete.contains(at));
        others.map(|&at| self.numbers[at]).collect()
    }

    /// The active requests that a real run completed.
    fn take(&self, how: How, outcome: Outcome, frame: &Frame) -> Vec<usize> {
        let taken = match outcome {
            Outcome::Took(taken) => taken,
            Outcome::Flag(true) => self.active.clone(),
            Outcome::Flag(false) | Outcome::Matched(_) => Vec::new(),
        };
        if let Some(at) = taken.iter().find(|at| self.active.binary_search(at).is_err()) {
            misfit(frame, &format!("took request {at}, which the program has not started there"));
        }
        if taken.is_empty() && !self.active.is_empty() && matches!(how, How::Waitany | How::Waitsome) {
            misfit(frame, "took no request, where the program waits for one");
        }
        let awaited: Vec<u32> = taken.iter().map(|&at| self.numbers[at]).collect();
        await_all(&awaited);
        taken
    }
}

/// Completes requests, or tests whether it can; requests that are done, and not persistent, are taken out.
pub(crate) fn complete(how: How, requests: &mut Vec<Request>) -> Completion {
    let frame = enter(how.function());
    if how.function().never_waits() {
        kernel(|kernel| kernel.here().test());
    }
    let all = Requests::new(requests, &frame);
    let complete = match outcome(&frame, how.choice()) {
        Some(outcome) => all.take(how, outcome, &frame),
        None if all.active.is_empty() => Vec::new(),
        None => all.wait(how),
    };
    let in_vain = all.in_vain(how, &complete);
    if !in_vain.is_empty() {
        mpi(|mpi, kernel| mpi.tested_in_vain(kernel, &frame, &in_vain));
    }
    let numbers: Vec<u32> = complete.iter().map(|&at| all.numbers[at]).collect();
    let mut stays = vec![true; requests.len()];
    let completed = mpi(|mpi, kernel| {
        let process = mpi.here(kernel);
        let mut ended = |(&at, &number): (&usize, &u32)| {
            let received = process.done(number).map(|done| done.received);
            stays[at] = process.operations.get_mut(number).is_some_and(|operation| operation.persistent);
            (at, status(received.unwrap_or_default()))
        };
        let completed = complete.iter().zip(&numbers).map(&mut ended).collect();
        mpi.finish(kernel, &frame, &numbers, true);
        completed
    });
    let mut stays = stays.into_iter();
    requests.retain(|_| stays.next().expect("one for each request"));
    Completion { completed }
}
