//! One collective operation: the members that have come, and those that may go (MPI 4.1, chapter 6).

use std::sync::Arc;

use crate::kernel::time::Picoseconds;
use crate::mpi::costs::{Costs, Rounds};
use crate::mpi::neighborhood::{Neighborhood, Topology};
use crate::mpi::operation::{Done, Received, Waiter};
use crate::mpi::part::{Part, Shape};
use crate::mpi::waits::CompletedCall;

/// A collective operation that some members have not begun yet.
#[derive(Debug)]
pub(crate) struct Instance {
    /// The part of the member that came first,
    pub(crate) part: Part,
    /// which is this one.
    pub(crate) by: u32,
    size: usize,
    arrived: usize,
    latest: Picoseconds,
    latest_sender: Picoseconds,
    block_bytes: usize,
    root: Option<Picoseconds>,
    /// The earliest pinned end.
    earliest_end: Picoseconds,
    shortest_delay: Picoseconds,
    waiters: Vec<Waiter>,
    /// Of an n-to-1 operation: the senders' calls that took time before the root has come.
    pub(crate) left: Vec<CompletedCall>,
    /// and the senders that do not wait for it, but may be in a call of their request when it comes.
    pub(crate) eager: Vec<Waiter>,
    /// In a prefix operation, by rank: the begin of each member that has come, and the member itself if it waits; and
    /// the first rank that has not come.
    prefix: Vec<Option<(Picoseconds, Option<Waiter>)>>,
    prefix_reached: usize,
    /// The members of an operation between neighbours.
    neighborhood: Option<Box<Neighborhood>>,
    /// Colour, key and rank of the members of new communicators.
    splits: Vec<(u32, i32, u32)>,
}

/// A member that may leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaver {
    pub(crate) waiter: Waiter,
    pub(crate) done: Done,
    /// The transfers before that.
    pub(crate) rounds: Rounds,
}

/// The times and costs that decide when members leave an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    overhead: Picoseconds,
    rounds: Rounds,
    earliest_end: Picoseconds,
    shortest_delay: Picoseconds,
}

impl Exit {
    /// The exit of a member that waits for no other.
    fn free(&self, waiter: Waiter) -> Leaver {
        let at = waiter.begun.saturating_add(self.overhead);
        let done = Done { at, partner: None, start: None, earliest_end: at, received: Received::default() };
        Leaver { waiter, done, rounds: Rounds::NONE }
    }

    /// Of a member that waits until `partner`.
    #[inline(always)]
    pub(crate) fn after(&self, waiter: Waiter, partner: Picoseconds) -> Leaver {
        let &Exit { overhead, rounds, .. } = self;
        let cost = overhead.saturating_add(rounds.duration);
        let at = waiter.begun.max(partner).saturating_add(cost);
        let earliest_end = match self.earliest_end {
            Picoseconds::MAX => at.saturating_add(self.shortest_delay),
            pinned => pinned,
        };
        let partner = Some(partner);
        let done = Done { at, partner, start: None, earliest_end, received: Received::default() };
        Leaver { waiter, done, rounds }
    }
}

/// All members of an instance in which all wait for the last.
pub(crate) struct Assembly {
    pub(crate) waiters: Vec<Waiter>,
    pub(crate) splits: Vec<(u32, i32, u32)>,
    pub(crate) latest: Picoseconds,
    pub(crate) exit: Exit,
}

impl Instance {
    /// An instance of `size` members, whose first is `by`, with this part; of members with a topology if they have one.
    pub(crate) fn new(part: Part, by: u32, size: usize, topology: Option<&Arc<Topology>>) -> Self {
        Instance {
            part,
            by,
            size,
            arrived: 0,
            latest: 0,
            latest_sender: 0,
            block_bytes: 0,
            root: None,
            earliest_end: Picoseconds::MAX,
            shortest_delay: Picoseconds::MAX,
            waiters: if part.shape == Shape::All { Vec::with_capacity(size) } else { Vec::new() },
            left: Vec::new(),
            eager: Vec::new(),
            prefix: if part.shape == Shape::Prefix { vec![None; size] } else { Vec::new() },
            prefix_reached: 0,
            neighborhood: topology
                .filter(|_| part.is_among_neighbors())
                .map(|topology| Box::new(Neighborhood::new(topology))),
            splits: Vec::new(),
        }
    }

    /// Whether a member's part can be one of it: forms of an operation do not match each other.
    pub(crate) fn fits(&self, part: &Part) -> bool {
        let has_its_shape = match (self.part.shape, part.shape) {
            // Only neighbours need the same number of bytes.
            (Shape::Neighbors(_), Shape::Neighbors(_)) => true,
            (one, other) => one == other,
        };
        self.part.function == part.function && has_its_shape
    }

    /// Whether all have come.
    pub(crate) fn is_complete(&self) -> bool {
        self.arrived == self.size
    }

    /// A member has come; `leaves` is when it will leave, if that is pinned.
    #[inline(always)]
    pub(crate) fn count(&mut self, waiter: &Waiter, part: &Part, leaves: Option<Picoseconds>) {
        self.arrived += 1;
        self.latest = self.latest.max(waiter.begun);
        self.block_bytes = self.block_bytes.max(part.block_bytes(self.size));
        self.shortest_delay = self.shortest_delay.min(part.delay);
        if let Some(leaves) = leaves {
            self.earliest_end = self.earliest_end.min(leaves);
        }
        if let Some((Some(color), key)) = part.split {
            self.splits.push((color, key, waiter.rank));
        }
    }

    fn exit(&self, costs: &Costs) -> Exit {
        // Neighbours exchange a message each.
        let (members, operation) =
            if self.part.is_among_neighbors() { (2, None) } else { (self.size, Some(self.part.operation)) };
        let rounds = costs.rounds(operation, members, self.block_bytes);
        let Instance { earliest_end, shortest_delay, .. } = *self;
        Exit { overhead: costs.overhead, rounds, earliest_end, shortest_delay }
    }

    /// The exit of a member that waits for no other.
    pub(crate) fn pass(&self, waiter: Waiter, costs: &Costs) -> Leaver {
        self.exit(costs).free(waiter)
    }

    /// Adds a member that cannot go before all have come, unless it passes. Returns all waiting members if it is the
    /// last.
    #[inline(always)]
    pub(crate) fn assemble(&mut self, waiter: Waiter, passes: bool, costs: &Costs) -> Option<Assembly> {
        if !passes {
            self.waiters.push(waiter);
        }
        self.is_complete().then(|| Assembly {
            waiters: std::mem::take(&mut self.waiters),
            splits: std::mem::take(&mut self.splits),
            latest: self.latest,
            exit: self.exit(costs),
        })
    }

    /// The members that may go now that `waiter` has come, in operations that release some before others.
    #[inline(never)]
    pub(crate) fn arrive(
        &mut self,
        waiter: Waiter,
        part: &Part,
        is_pinned: bool,
        costs: &Costs,
    ) -> Vec<Leaver> {
        let exit = self.exit(costs);
        let passes = part.waits_for_nobody;
        match self.part.shape {
            Shape::All => Vec::new(),
            Shape::FromRoot(root) if waiter.rank == root => {
                self.root = Some(waiter.begun);
                let waiting = std::mem::take(&mut self.waiters);
                let released = waiting.into_iter().map(|waiting| exit.after(waiting, waiter.begun));
                released.chain([exit.free(waiter)]).collect()
            }
            Shape::FromRoot(_) if passes => vec![exit.free(waiter)],
            Shape::FromRoot(_) => match self.root {
                Some(root) => vec![exit.after(waiter, root)],
                None => {
                    self.waiters.push(waiter);
                    Vec::new()
                }
            },
            Shape::ToRoot(root) if waiter.rank == root => self.root_arrives(waiter, passes, &exit),
            Shape::ToRoot(_) => {
                let is_eager = is_pinned || part.sent <= costs.eager_limit as u64;
                self.sender_arrives(waiter, passes, is_eager, &exit)
            }
            Shape::Prefix => self.arrive_in_prefix(waiter, passes, &exit),
            Shape::Neighbors(_) => {
                let may_go = self.neighborhood.as_mut().map(|neighborhood| neighborhood.arrive(waiter));
                let leave = |(waiter, latest)| match latest {
                    Some(latest) => exit.after(waiter, latest),
                    None => exit.free(waiter),
                };
                may_go.into_iter().flatten().map(leave).collect()
            }
        }
    }

    fn root_arrives(&mut self, root: Waiter, passes: bool, exit: &Exit) -> Vec<Leaver> {
        self.root = Some(root.begun);
        let mut finished: Vec<_> =
            self.waiters.drain(..).map(|sender| exit.after(sender, root.begun)).collect();
        if passes {
            finished.push(exit.free(root));
        } else {
            self.waiters.push(root);
        }
        finished.extend(self.root_leaves(exit));
        finished
    }

    /// Releases a sender. In a replay it never waits for the root here: its exit in the real run shows whether it did.
    fn sender_arrives(&mut self, sender: Waiter, passes: bool, is_eager: bool, exit: &Exit) -> Vec<Leaver> {
        if !passes {
            self.latest_sender = self.latest_sender.max(sender.begun);
        }
        let mut finished = Vec::new();
        match self.root {
            _ if passes || is_eager => {
                let mut leaver = exit.free(sender);
                leaver.done.partner = self.root;
                finished.push(leaver);
            }
            Some(root) => finished.push(exit.after(sender, root)),
            None => self.waiters.push(sender),
        }
        finished.extend(self.root_leaves(exit));
        finished
    }

    /// Releases the root once all have come; it waited for the members that send something.
    fn root_leaves(&mut self, exit: &Exit) -> Option<Leaver> {
        let root = self.is_complete().then(|| self.waiters.pop()).flatten()?;
        let mut leaver = exit.after(root, self.latest);
        leaver.done.partner = Some(self.latest_sender);
        Some(leaver)
    }

    fn arrive_in_prefix(&mut self, waiter: Waiter, passes: bool, exit: &Exit) -> Vec<Leaver> {
        self.prefix[waiter.rank as usize] = Some((waiter.begun, (!passes).then_some(waiter)));
        let mut finished: Vec<_> = passes.then(|| exit.free(waiter)).into_iter().collect();
        while let Some(&Some((begun, next))) = self.prefix.get(self.prefix_reached) {
            self.prefix_reached += 1;
            self.latest_sender = self.latest_sender.max(begun);
            finished.extend(next.map(|next| exit.after(next, self.latest_sender)));
        }
        finished
    }
}
