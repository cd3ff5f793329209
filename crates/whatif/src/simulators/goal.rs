//! GOAL, the text that LogGOPSim's `txt2bin` reads: for each rank, work in nanoseconds, sends and receives, and which of
//! them requires which others to be done, or (`irequires`) begun.
//!
//! The format is that of LogGOPSim's README and examples (T. Hoefler, T. Schneider, A. Lumsdaine: *LogGOPSim: simulating
//! large-scale applications in the LogGOPS model*, 2010). It has no collective operations: they are written as messages.

use std::collections::HashMap;
use std::fmt::Write;

use ats_model::event::CollectiveOperation::{self, *};

use super::actions::{Action, Message};

/// The first tag of collective operations; each has one of its own.
const FIRST_TAG: u32 = 1 << 30;

/// The losses of collective operations, in words.
pub(super) fn loss(processes: &[Vec<Action>]) -> Option<String> {
    let is_collective = |action: &Action| matches!(action, Action::Collective { .. });
    let has_some = processes.iter().flatten().any(is_collective);
    let words = "collective operations are messages: binomial trees for one root, dissemination and exchanges for all";
    has_some.then(|| words.to_owned())
}

/// The text of all ranks.
pub(super) fn text(processes: &[Vec<Action>]) -> String {
    let ranks = processes.len() as u32;
    let mut text = format!("num_ranks {ranks}\n");
    for (rank, actions) in (0..).zip(processes) {
        let mut schedule = Schedule { rank, ranks, ..Schedule::default() };
        actions.iter().for_each(|action| schedule.add(action));
        _ = write!(text, "\nrank {rank} {{\n{}}}\n", schedule.text);
    }
    text
}

/// The schedule of a rank.
#[derive(Default)]
struct Schedule {
    rank: u32,
    ranks: u32,
    text: String,
    /// The number of operations so far.
    made: u32,
    /// The operation that the next ones require, and those that have to have begun.
    done: Option<u32>,
    begun: Vec<u32>,
    /// The operations of requests.
    requests: HashMap<u64, u32>,
    /// The number of collective operations.
    collectives: u32,
    /// Work so far, in picoseconds, and as it is written, in nanoseconds.
    work: u64,
    written: u64,
}

impl Schedule {
    /// Adds an operation that follows what is done; what comes next does not wait for it.
    fn start(&mut self, operation: &str) -> u32 {
        self.made += 1;
        let made = self.made;
        _ = writeln!(self.text, "l{made}: {operation}");
        if let Some(done) = self.done {
            _ = writeln!(self.text, "l{made} requires l{done}");
        }
        for begun in self.begun.drain(..) {
            _ = writeln!(self.text, "l{made} irequires l{begun}");
        }
        made
    }

    /// Adds an operation that what comes next waits for.
    fn do_next(&mut self, operation: &str) {
        self.done = Some(self.start(operation));
    }

    /// Adds operations that are under way at the same time, and waits for all.
    fn do_all(&mut self, operations: &[String]) {
        let started: Vec<u32> = operations
            .iter()
            .map(|operation| {
                let made = self.start(operation);
                self.begun.push(made);
                made
            })
            .collect();
        self.wait(&started);
    }

    fn wait(&mut self, operations: &[u32]) {
        let made = self.start("calc 0");
        for operation in operations {
            _ = writeln!(self.text, "l{made} requires l{operation}");
        }
        self.done = Some(made);
    }

    fn add(&mut self, action: &Action) {
        match *action {
            Action::Compute(picoseconds) => {
                self.work += picoseconds;
                let until = (self.work + 500) / 1000;
                self.do_next(&format!("calc {}", until - self.written));
                self.written = until;
            }
            Action::Send(Message { to, tag, bytes, .. }, request) => {
                self.message(&send(bytes, to, tag), request);
            }
            Action::Receive(Message { from, tag, bytes, .. }, request) => {
                self.message(&receive(bytes, from, tag), request);
            }
            Action::Wait(_, request) => {
                if let Some(operation) = self.requests.remove(&request) {
                    self.wait(&[operation]);
                }
            }
            Action::Collective { operation, root, bytes } => self.collective(operation, root, bytes),
        }
    }

    fn message(&mut self, operation: &str, request: Option<u64>) {
        match request {
            None => self.do_next(operation),
            Some(request) => {
                let made = self.start(operation);
                self.begun.push(made);
                self.requests.insert(request, made);
            }
        }
    }

    fn collective(&mut self, operation: CollectiveOperation, root: u32, bytes: u64) {
        self.collectives += 1;
        let tag = FIRST_TAG + self.collectives;
        let (rank, ranks) = (self.rank, self.ranks);
        // Counted from the root.
        let place = (rank + ranks - root) % ranks;
        let at = |place: u32| (place + root) % ranks;
        let steps = || (0..31).map(|power| 1_u32 << power).take_while(|step| *step < ranks);
        match operation {
            Bcast => {
                if place > 0 {
                    self.do_next(&receive(bytes, at(place - highest_bit(place)), tag));
                }
                let children = steps().filter(|step| *step > place && place + step < ranks);
                children.for_each(|step| self.do_next(&send(bytes, at(place + step), tag)));
            }
            Reduce => {
                let children: Vec<u32> =
                    steps().filter(|step| *step > place && place + step < ranks).collect();
                children.iter().rev().for_each(|step| self.do_next(&receive(bytes, at(place + step), tag)));
                if place > 0 {
                    self.do_next(&send(bytes, at(place - highest_bit(place)), tag));
                }
            }
            Scatter if place == 0 => (1..ranks).for_each(|other| self.do_next(&send(bytes, at(other), tag))),
            Scatter => self.do_next(&receive(bytes, root, tag)),
            Gather if place == 0 => {
                self.do_all(&(1..ranks).map(|other| receive(bytes, at(other), tag)).collect::<Vec<_>>());
            }
            Gather => self.do_next(&send(bytes, root, tag)),
            Scan | Exscan => {
                if rank > 0 {
                    self.do_next(&receive(bytes, rank - 1, tag));
                }
                if rank + 1 < ranks {
                    self.do_next(&send(bytes, rank + 1, tag));
                }
            }
            Alltoall => {
                let all = (1..ranks).flat_map(|step| exchange(bytes, (rank, ranks, step), tag));
                self.do_all(&all.collect::<Vec<_>>());
            }
            _ => {
                for step in steps() {
                    let bytes = if operation == Allgather { bytes * u64::from(step) } else { bytes };
                    self.do_all(&exchange(bytes, (rank, ranks, step), tag));
                }
            }
        }
    }
}

/// A message to the rank that is so many steps further, and one from that before.
fn exchange(bytes: u64, (rank, ranks, step): (u32, u32, u32), tag: u32) -> [String; 2] {
    [send(bytes, (rank + step) % ranks, tag), receive(bytes, (rank + ranks - step) % ranks, tag)]
}

/// A message of no bytes is one of a byte: the simulator's cost is that of the bytes beyond the first.
fn send(bytes: u64, to: u32, tag: u32) -> String {
    format!("send {}b to {to} tag {tag}", bytes.max(1))
}

fn receive(bytes: u64, from: u32, tag: u32) -> String {
    format!("recv {}b from {from} tag {tag}", bytes.max(1))
}

fn highest_bit(number: u32) -> u32 {
    1 << number.ilog2()
}
