//! Collective operations: who has come, and who may go (MPI 4.1, chapter 6).

use std::collections::VecDeque;
use std::sync::Arc;

use crate::rules::Cause;
use ats_model::event::CollectiveOperation;
use ats_mpi::{MpiBuf, Op};

use crate::SimulationError;
use crate::point_to_point::{Done, Kind, Received, State};
use crate::time::Picoseconds;
use crate::world::World;

/// A communicator's members and the collective operations that are going on in it.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// Member i is this location.
    pub(crate) members: Arc<[u32]>,
    /// Of a location, its rank here; empty for the world, where they are equal.
    ranks: Vec<(u32, u32)>,
    /// Per member, how many collective operations it has begun.
    begun: Vec<u32>,
    /// The number of the first instance that is kept.
    first: u32,
    instances: VecDeque<Instance>,
}

impl Group {
    /// All locations.
    pub(crate) fn world(size: usize) -> Self {
        let members: Arc<[u32]> = (0..size as u32).collect();
        Group { ranks: Vec::new(), ..Group::new("MPI_COMM_WORLD".to_owned(), members) }
    }

    fn new(name: String, members: Arc<[u32]>) -> Self {
        let mut ranks: Vec<(u32, u32)> =
            (0..).zip(members.iter()).map(|(rank, &location)| (location, rank)).collect();
        ranks.sort_unstable();
        let begun = vec![0; members.len()];
        Group { name, members, ranks, begun, first: 0, instances: VecDeque::new() }
    }

    /// Begins the next instance, with the call of the member that comes first.
    #[inline(never)]
    fn begin(&mut self, call: &Call, by: u32) {
        let size = self.members.len();
        self.instances.push_back(Instance::new(*call, by, size));
    }

    /// The rank of a member.
    pub(crate) fn rank_of(&self, location: u32) -> u32 {
        if self.ranks.is_empty() {
            return location;
        }
        let at = self.ranks.binary_search_by_key(&location, |&(location, _)| location);
        at.map_or(0, |at| self.ranks[at].1)
    }

    /// The name of the call that an instance is made with.
    pub(crate) fn call(&self, instance: u32) -> &'static str {
        self.instances
            .get((instance - self.first) as usize)
            .map_or("a collective operation", |entry| entry.call.name)
    }

    /// The members that have not begun an instance.
    pub(crate) fn missing(&self, instance: u32) -> Vec<u32> {
        self.members
            .iter()
            .zip(&self.begun)
            .filter(|&(_, &begun)| begun <= instance)
            .map(|(&member, _)| member)
            .collect()
    }
}

/// How members depend on one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Nobody leaves before all have come.
    All,
    /// Nobody leaves before the root has come.
    FromRoot(u32),
    /// The root does not leave before all have come.
    ToRoot(u32),
    /// Nobody leaves before those of lower rank have come.
    Prefix,
}

/// A member's part of a collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) operation: CollectiveOperation,
    pub(crate) shape: Shape,
    pub(crate) sent: u64,
    pub(crate) received: u64,
    /// Colour and key of a split.
    pub(crate) split: Option<(Option<u32>, i32)>,
}

impl Call {
    /// What rank `me` of `size` does in `op`, which is collective. Bytes count as Score-P counts them.
    pub(crate) fn of(op: &Op, me: usize, size: usize) -> Self {
        use CollectiveOperation as Is;
        let at_root = |root: usize, bytes: usize| if me == root { bytes } else { 0 };
        let sum = |counts: &[usize], buf: &MpiBuf| buf.datatype().bytes(counts.iter().sum());
        let (operation, shape, sent, received) = match op {
            Op::Send { .. } | Op::Recv { .. } | Op::Sendrecv { .. } => unreachable!("not collective"),
            Op::Barrier => (Is::Barrier, Shape::All, 0, 0),
            Op::Bcast { root, buf } => {
                (Is::Bcast, Shape::FromRoot(*root as u32), at_root(*root, size * buf.bytes()), buf.bytes())
            }
            Op::Scatter { root, recv, .. } => (
                Is::Scatter,
                Shape::FromRoot(*root as u32),
                at_root(*root, size * recv.bytes()),
                recv.bytes(),
            ),
            Op::Scatterv { root, buf } => {
                let all = at_root(*root, sum(&buf.counts, &buf.own));
                (Is::Scatterv, Shape::FromRoot(*root as u32), all, buf.own.bytes())
            }
            Op::Gather { root, send, .. } => {
                (Is::Gather, Shape::ToRoot(*root as u32), send.bytes(), at_root(*root, size * send.bytes()))
            }
            Op::Gatherv { root, buf } => {
                let all = at_root(*root, sum(&buf.counts, &buf.own));
                (Is::Gatherv, Shape::ToRoot(*root as u32), buf.own.bytes(), all)
            }
            Op::Reduce { root, send, .. } => {
                (Is::Reduce, Shape::ToRoot(*root as u32), send.bytes(), at_root(*root, size * send.bytes()))
            }
            Op::Allreduce { send, .. } => {
                (Is::Allreduce, Shape::All, size * send.bytes(), size * send.bytes())
            }
            Op::Allgather { send, .. } => {
                (Is::Allgather, Shape::All, size * send.bytes(), size * send.bytes())
            }
            Op::Allgatherv { send, counts, .. } => {
                (Is::Allgatherv, Shape::All, size * send.bytes(), sum(counts, send))
            }
            Op::Alltoall { send, .. } => {
                let all = send.datatype().bytes(send.count() / size * size);
                (Is::Alltoall, Shape::All, all, all)
            }
            Op::Alltoallv { send, send_counts, recv, recv_counts } => {
                (Is::Alltoallv, Shape::All, sum(send_counts, send), sum(recv_counts, recv))
            }
            Op::ReduceScatter { send, counts, .. } => {
                let own = send.datatype().bytes(counts.get(me).copied().unwrap_or(0));
                (Is::ReduceScatter, Shape::All, sum(counts, send), size * own)
            }
            Op::ReduceScatterBlock { recv, .. } => {
                (Is::ReduceScatterBlock, Shape::All, size * recv.bytes(), size * recv.bytes())
            }
            Op::Scan { send, .. } => {
                (Is::Scan, Shape::Prefix, (size - me) * send.bytes(), (me + 1) * send.bytes())
            }
            Op::Exscan { send, .. } => {
                (Is::Exscan, Shape::Prefix, (size - me - 1) * send.bytes(), me * send.bytes())
            }
        };
        let (sent, received) = (sent as u64, received as u64);
        Call { name: op.blocking_name(), operation, shape, sent, received, split: None }
    }

    /// A member's part of `MPI_Comm_split`, or of `MPI_Comm_dup` with one colour for all.
    pub(crate) fn split(name: &'static str, color: Option<u32>, key: i32) -> Self {
        let operation = CollectiveOperation::CreateHandle;
        Call { name, operation, shape: Shape::All, sent: 0, received: 0, split: Some((color, key)) }
    }

    /// A rank's part of `MPI_Finalize`, which nobody leaves before all have come.
    pub(crate) fn finalize() -> Self {
        let operation = CollectiveOperation::DestroyHandle;
        Call { name: "MPI_Finalize", operation, shape: Shape::All, sent: 0, received: 0, split: None }
    }

    /// Bytes that go from one member to another, as far as this member knows.
    fn block_bytes(&self, size: usize) -> usize {
        let bytes = match self.shape {
            Shape::FromRoot(_) => self.received,
            Shape::ToRoot(_) => self.sent,
            Shape::All => self.sent.max(self.received) / size as u64,
            Shape::Prefix => (self.sent + self.received) / size as u64,
        };
        bytes as usize
    }

    /// Its root, if it has one.
    pub(crate) fn root(&self) -> Option<u32> {
        match self.shape {
            Shape::FromRoot(root) | Shape::ToRoot(root) => Some(root),
            Shape::All | Shape::Prefix => None,
        }
    }

    /// Why rank `me` is blocked in it until the partner comes; none where it never is.
    pub(crate) fn cause(&self, me: u32) -> Option<Cause> {
        match self.shape {
            Shape::All if self.operation == CollectiveOperation::Barrier => Some(Cause::BarrierNotReached),
            Shape::All => Some(Cause::AllToAllNotReached),
            Shape::FromRoot(root) => (me != root).then_some(Cause::RootNotReached),
            Shape::ToRoot(root) => (me == root).then_some(Cause::SenderNotReached),
            Shape::Prefix => Some(Cause::LowerRankNotReached),
        }
    }

    /// Whether a metric counts waits in it: not without payload or in a communicator of one, barriers apart.
    pub(crate) fn analyzed(&self, size: usize) -> bool {
        use CollectiveOperation::{Barrier, DestroyHandle};
        let payload = self.sent + self.received > 0 || matches!(self.operation, Barrier | DestroyHandle);
        payload && size > 1 && self.split.is_none()
    }
}

/// One collective operation that not everybody has begun.
#[derive(Debug)]
struct Instance {
    call: Call,
    by: u32,
    arrived: usize,
    latest: Picoseconds,
    latest_sender: Picoseconds,
    block_bytes: usize,
    root: Option<Picoseconds>,
    earliest_end: Picoseconds,
    waiters: Vec<Waiter>,
    /// Of a prefix operation: who has come, by rank, and how far all have.
    prefix: Vec<Option<Waiter>>,
    prefix_reached: usize,
    splits: Vec<(u32, i32, u32)>,
}

/// A member that waits in an instance.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    location: u32,
    number: u32,
    rank: u32,
    begun: Picoseconds,
}

impl Instance {
    fn new(call: Call, by: u32, size: usize) -> Self {
        Instance {
            call,
            by,
            arrived: 0,
            latest: 0,
            latest_sender: 0,
            block_bytes: 0,
            root: None,
            earliest_end: Picoseconds::MAX,
            waiters: if call.shape == Shape::All { Vec::with_capacity(size) } else { Vec::new() },
            prefix: if call.shape == Shape::Prefix { vec![None; size] } else { Vec::new() },
            prefix_reached: 0,
            splits: Vec::new(),
        }
    }
}

impl World<'_> {
    /// Starts a collective operation of the location that runs. `leaves` is when it will leave, if that is pinned.
    #[inline(never)]
    pub(crate) fn start_collective(&mut self, number: u32, call: &Call, leaves: Option<Picoseconds>) {
        let here = self.current as u32;
        let now = self.here().clock;
        self.operations += 1;
        let World { locations, groups, .. } = self;
        let Some(operation) = locations[here as usize].operations.get_mut(number) else { return };
        operation.state = State::Started;
        let group_number = operation.group as usize;
        let Kind::Collective { instance, .. } = &mut operation.kind else { return };
        let group = &mut groups[group_number];
        let rank = group.rank_of(here);
        let begun = &mut group.begun[rank as usize];
        *instance = *begun;
        let at = (*begun - group.first) as usize;
        *begun += 1;
        let size = group.members.len();
        if at == group.instances.len() {
            group.begin(call, rank);
        }
        let entry = &mut group.instances[at];
        if entry.call.operation != call.operation || entry.call.shape != call.shape {
            let failure = self.mismatch(group_number, at, call);
            self.fail(failure);
            return;
        }
        entry.arrived += 1;
        entry.latest = entry.latest.max(now);
        entry.block_bytes = entry.block_bytes.max(call.block_bytes(size));
        if let Some(leaves) = leaves {
            entry.earliest_end = entry.earliest_end.min(leaves);
        }
        if let Some((Some(color), key)) = call.split {
            entry.splits.push((color, key, rank));
        }
        let waiter = Waiter { location: here, number, rank, begun: now };
        let complete = entry.arrived == size;
        if call.shape == Shape::All && !complete {
            entry.waiters.push(waiter);
            return;
        }
        let finished = self.arrive(group_number, at, waiter);
        for (waiter, done) in finished {
            self.done(waiter.location, waiter.number, done);
        }
        if complete {
            let group = &mut self.groups[group_number];
            while group.instances.front().is_some_and(|instance| instance.arrived == size) {
                group.instances.pop_front();
                group.first += 1;
            }
        }
    }

    #[cold]
    fn mismatch(&self, group: usize, at: usize, call: &Call) -> SimulationError {
        let Group { name, first, instances, .. } = &self.groups[group];
        let Instance { call: other, by, .. } = &instances[at];
        let number = *first as usize + at;
        self.misuse(format!(
            "collective operation {number} of {name} is {} here, but {} on rank {by}",
            describe(call),
            describe(other)
        ))
    }

    /// Who may go now that `waiter` has come; if nobody goes before all have come, `waiter` is the last.
    #[inline(never)]
    fn arrive(&mut self, group: usize, at: usize, waiter: Waiter) -> Vec<(Waiter, Done)> {
        let costs = self.costs;
        let size = self.groups[group].members.len();
        let entry = &mut self.groups[group].instances[at];
        let call = entry.call;
        let cost = costs.collective(size, entry.block_bytes);
        let earliest_end = entry.earliest_end;
        let free = |waiter: Waiter| {
            let at = waiter.begun.saturating_add(costs.overhead);
            (waiter, Done { at, partner: None, earliest_end: at, received: Received::default() })
        };
        let after = |waiter: Waiter, partner: Picoseconds| {
            let at = waiter.begun.max(partner).saturating_add(cost);
            let earliest_end = earliest_end.min(at);
            (waiter, Done { at, partner: Some(partner), earliest_end, received: Received::default() })
        };
        let complete = entry.arrived == size;
        match call.shape {
            Shape::All => {
                entry.waiters.push(waiter);
                let latest = entry.latest;
                let waiters = std::mem::take(&mut entry.waiters);
                let splits = std::mem::take(&mut entry.splits);
                let places = if call.split.is_some() { self.split_group(group, splits) } else { Vec::new() };
                // Not collected first: with thousands of members the list would not fit into the cache.
                for waiter in waiters {
                    let (waiter, mut done) = after(waiter, latest);
                    if let Some(&Some((group, rank))) = places.get(waiter.rank as usize) {
                        done.received = Received { source: rank, tag: 0, bytes: group as usize };
                    } else if call.split.is_some() {
                        done.received.bytes = usize::MAX;
                    }
                    self.done(waiter.location, waiter.number, done);
                }
                Vec::new()
            }
            Shape::FromRoot(root) => {
                if waiter.rank == root {
                    entry.root = Some(waiter.begun);
                    let waiting = std::mem::take(&mut entry.waiters);
                    let released = waiting.into_iter().map(|waiting| after(waiting, waiter.begun));
                    return released.chain([free(waiter)]).collect();
                }
                match entry.root {
                    Some(root) => vec![after(waiter, root)],
                    None => {
                        entry.waiters.push(waiter);
                        Vec::new()
                    }
                }
            }
            Shape::ToRoot(root) => {
                let mut finished = Vec::new();
                if waiter.rank == root {
                    entry.waiters.push(waiter);
                } else {
                    entry.latest_sender = entry.latest_sender.max(waiter.begun);
                    finished.push(free(waiter));
                }
                if complete {
                    let latest_sender = entry.latest_sender;
                    finished.extend(
                        std::mem::take(&mut entry.waiters).into_iter().map(|root| after(root, latest_sender)),
                    );
                }
                finished
            }
            Shape::Prefix => {
                entry.prefix[waiter.rank as usize] = Some(waiter);
                let mut finished = Vec::new();
                while let Some(&Some(next)) = entry.prefix.get(entry.prefix_reached) {
                    entry.prefix_reached += 1;
                    entry.latest_sender = entry.latest_sender.max(next.begun);
                    finished.push(after(next, entry.latest_sender));
                }
                finished
            }
        }
    }

    /// Makes the communicators of a split; per old rank, the new communicator and the rank in it.
    fn split_group(&mut self, group: usize, mut splits: Vec<(u32, i32, u32)>) -> Vec<Option<(u32, u32)>> {
        splits.sort_unstable();
        let old = Arc::clone(&self.groups[group].members);
        let mut places = vec![None; old.len()];
        for same in splits.chunk_by(|a, b| a.0 == b.0) {
            let number = self.groups.len() as u32;
            for (new_rank, &(_, _, rank)) in (0..).zip(same) {
                places[rank as usize] = Some((number, new_rank));
            }
            let members = same.iter().map(|&(_, _, rank)| old[rank as usize]).collect();
            self.groups.push(Group::new(format!("communicator {number}"), members));
        }
        places
    }
}

fn describe(call: &Call) -> String {
    match call.root() {
        Some(root) => format!("{} with root {root}", call.name),
        None => call.name.to_owned(),
    }
}
