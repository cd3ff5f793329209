//! One collective operation: who has come, and who may go (MPI 4.1, chapter 6).

use crate::kernel::time::Picoseconds;
use crate::mpi::network::Costs;
use crate::mpi::operation::{Done, Received};
use crate::mpi::part::{Part, Shape};
use crate::mpi::waits::CompletedCall;

/// A collective operation that not everybody has begun.
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
    /// Of those whose end is pinned.
    earliest_end: Picoseconds,
    shortest_delay: Picoseconds,
    waiters: Vec<Waiter>,
    /// Of an n-to-1 operation: the senders' calls that took time before the root has come.
    pub(crate) left: Vec<CompletedCall>,
    /// Of a prefix operation, by rank: when who has come began, and who of them waits; and how far all have come.
    prefix: Vec<Option<(Picoseconds, Option<Waiter>)>>,
    prefix_reached: usize,
    /// Colour, key and rank of who is to be in a new communicator.
    splits: Vec<(u32, i32, u32)>,
}

/// A member that waits in an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiter {
    pub(crate) location: u32,
    /// The number of its operation.
    pub(crate) operation: u32,
    pub(crate) rank: u32,
    pub(crate) begun: Picoseconds,
}

/// How members leave an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    overhead: Picoseconds,
    cost: Picoseconds,
    earliest_end: Picoseconds,
    shortest_delay: Picoseconds,
}

impl Exit {
    /// Of a member that waits for nobody.
    fn free(&self, waiter: Waiter) -> (Waiter, Done) {
        let at = waiter.begun.saturating_add(self.overhead);
        (waiter, Done { at, partner: None, earliest_end: at, received: Received::default() })
    }

    /// Of a member that waits until `partner`.
    #[inline(always)]
    pub(crate) fn after(&self, waiter: Waiter, partner: Picoseconds) -> (Waiter, Done) {
        let at = waiter.begun.max(partner).saturating_add(self.cost);
        let earliest_end = match self.earliest_end {
            Picoseconds::MAX => at.saturating_add(self.shortest_delay),
            pinned => pinned,
        };
        (waiter, Done { at, partner: Some(partner), earliest_end, received: Received::default() })
    }
}

/// Everybody who was in an instance that nobody leaves before all have come.
pub(crate) struct Assembly {
    pub(crate) waiters: Vec<Waiter>,
    pub(crate) splits: Vec<(u32, i32, u32)>,
    pub(crate) latest: Picoseconds,
    pub(crate) exit: Exit,
}

impl Instance {
    /// For `size` members, of which `by` comes first, with this part.
    pub(crate) fn new(part: Part, by: u32, size: usize) -> Self {
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
            prefix: if part.shape == Shape::Prefix { vec![None; size] } else { Vec::new() },
            prefix_reached: 0,
            splits: Vec::new(),
        }
    }

    /// Whether a member's part can be one of it.
    pub(crate) fn fits(&self, part: &Part) -> bool {
        self.part.operation == part.operation && self.part.shape == part.shape
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
        let cost = costs.collective(self.size, self.block_bytes);
        let Instance { earliest_end, shortest_delay, .. } = *self;
        Exit { overhead: costs.overhead, cost, earliest_end, shortest_delay }
    }

    /// How a member leaves that waits for nobody.
    pub(crate) fn pass(&self, waiter: Waiter, costs: &Costs) -> (Waiter, Done) {
        self.exit(costs).free(waiter)
    }

    /// A member waits that cannot go before all have come, unless it passes. Returns all who wait if it is the last.
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

    /// Who may go now that `waiter` has come, where some go before others.
    #[inline(never)]
    pub(crate) fn arrive(
        &mut self,
        waiter: Waiter,
        part: &Part,
        is_pinned: bool,
        costs: &Costs,
    ) -> Vec<(Waiter, Done)> {
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
        }
    }

    fn root_arrives(&mut self, root: Waiter, passes: bool, exit: &Exit) -> Vec<(Waiter, Done)> {
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

    /// Where it does not wait for the root, that of a real run is told apart by when it leaves.
    fn sender_arrives(
        &mut self,
        sender: Waiter,
        passes: bool,
        is_eager: bool,
        exit: &Exit,
    ) -> Vec<(Waiter, Done)> {
        if !passes {
            self.latest_sender = self.latest_sender.max(sender.begun);
        }
        let mut finished = Vec::new();
        match self.root {
            _ if passes || is_eager => {
                let (sender, done) = exit.free(sender);
                finished.push((sender, Done { partner: self.root, ..done }));
            }
            Some(root) => finished.push(exit.after(sender, root)),
            None => self.waiters.push(sender),
        }
        finished.extend(self.root_leaves(exit));
        finished
    }

    /// Once all have come; what it waited for are those that send something.
    fn root_leaves(&mut self, exit: &Exit) -> Option<(Waiter, Done)> {
        let root = self.is_complete().then(|| self.waiters.pop()).flatten()?;
        let (root, done) = exit.after(root, self.latest);
        Some((root, Done { partner: Some(self.latest_sender), ..done }))
    }

    fn arrive_in_prefix(&mut self, waiter: Waiter, passes: bool, exit: &Exit) -> Vec<(Waiter, Done)> {
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
