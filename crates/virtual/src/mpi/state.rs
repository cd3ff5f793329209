//! State of MPI.

use ats_model::event::RegionRef;
use ats_model::mpi::Function;
use ats_model::neighbors::Neighbors;
use ats_mpi::{BaseComm, Partitions, Progress as Progression};
use rustc_hash::FxHashMap;

use crate::kernel::agenda::Agenda;
use crate::kernel::prefetch::prefetch_value;
use crate::kernel::state::Kernel;
use crate::mpi::costs::Costs;
use crate::mpi::group::Group;
use crate::mpi::mailbox::Mailbox;
use crate::mpi::nodes::Nodes;
use crate::mpi::operation::{Done, Operation, Progress, Tested};
use crate::mpi::operations::Operations;
use crate::mpi::part::Part;
use crate::mpi::progress::InCalls;
use crate::mpi::rules::ReceiveOrder;
use crate::mpi::starts::{StartNumber, Starts};
use crate::mpi::waits::{Charged, CompletedSend};

/// The state of MPI.
pub(crate) struct Mpi {
    pub(crate) processes: Vec<Process>,
    /// The callers that are not masters: by location, from the first behind the masters.
    others: Vec<Caller>,
    pub(crate) groups: Vec<Group>,
    pub(crate) costs: Costs,
    /// The nodes of the processes, if those on one have other costs.
    pub(crate) nodes: Option<Nodes>,
    /// The regions of the calls that were made, by [`Function`].
    pub(crate) regions: [Option<RegionRef>; Function::ALL.len()],
    /// Processes whose wildcard receives may match a message that arrives.
    pub(crate) arrivals: Agenda<u32>,
    /// Sends that took time and are complete, but not received, by message number.
    pub(crate) completed_sends: FxHashMap<u64, CompletedSend>,
    /// The threads of shared processes that are in a collective call, by process and group.
    pub(crate) in_collective: FxHashMap<(u32, u32), (u32, Function)>,
    /// The starts of operations that partners may ask for.
    pub(crate) starts: Starts,
    /// The calls that processes are in, if transfers proceed only there.
    pub(crate) in_calls: Option<Box<InCalls>>,
}

/// State of MPI for a process.
#[derive(Default)]
pub(crate) struct Process {
    pub(crate) mailbox: Mailbox,
    pub(crate) operations: Operations,
    /// Its parts of collective operations that have requests, by the number of their operation.
    pub(crate) parts: FxHashMap<u32, Part>,
    /// The partitions of its sends that have some, by the number of their operation.
    pub(crate) partitions: FxHashMap<u32, Partitions>,
    /// Its requests that were tested in vain, by the number of their operation.
    pub(crate) tested: FxHashMap<u32, Tested>,
    /// The locations that wait for any message to arrive.
    pub(crate) probing: Vec<u32>,
    /// The number of teams of several threads that it has at work.
    pub(crate) teams: u32,
    pub(crate) base: BaseComm,
    /// The master, beside what it works on.
    master: Caller,
}

/// State of MPI for a location, which makes calls and waits in them.
#[derive(Default)]
pub(crate) struct Caller {
    /// The number of operations that it waits for before it can go on.
    awaits: u32,
    pub(crate) order: ReceiveOrder<Charged>,
    /// The operations that it has started since it entered a call that acts on them.
    pub(crate) started: Vec<StartNumber>,
    /// The communicator that a split has made for it, by number, and its rank there.
    pub(crate) made: Option<(u32, u32)>,
    /// Its neighbours on a communicator with a topology that it is about to make.
    pub(crate) neighbors: Option<Neighbors>,
}

impl Process {
    /// Whether several of its threads may make calls at once; these start operations in the order of time.
    #[inline(always)]
    pub(crate) fn is_shared(&self) -> bool {
        self.teams > 0
    }

    /// Waits for none of these any more.
    pub(crate) fn awaits_none(&mut self, numbers: &[u32]) {
        for &number in numbers {
            if let Some(operation) = self.operations.get_mut(number) {
                operation.awaited_by = None;
            }
        }
    }

    /// The end of an operation, if it has ended.
    #[inline(always)]
    pub(crate) fn done(&mut self, number: u32) -> Option<Done> {
        match self.operations.get_mut(number)?.progress {
            Progress::Done(done) => Some(done),
            Progress::Inactive | Progress::Started => None,
        }
    }
}

impl Mpi {
    /// State for `ranks` processes.
    pub(crate) fn new(ranks: usize, costs: Costs, progress: Progression) -> Self {
        let mut processes = Vec::new();
        processes.resize_with(ranks, Process::default);
        Mpi {
            processes,
            others: Vec::new(),
            groups: vec![Group::world(ranks)],
            costs,
            nodes: None,
            regions: [None; Function::ALL.len()],
            arrivals: Agenda::default(),
            completed_sends: FxHashMap::default(),
            in_collective: FxHashMap::default(),
            starts: Starts::default(),
            in_calls: (progress == Progression::Calls).then(|| Box::new(InCalls::new(ranks))),
        }
    }

    /// The costs between two processes.
    #[inline(always)]
    pub(crate) fn costs_between(&self, one: u32, other: u32) -> &Costs {
        match &self.nodes {
            None => &self.costs,
            Some(nodes) => nodes.costs(one, other, &self.costs),
        }
    }

    /// Whether the location that runs starts all operations in the order of time.
    #[inline(always)]
    pub(crate) fn starts_in_order(&mut self, kernel: &Kernel<'_>) -> bool {
        self.in_calls.is_some() || self.here(kernel).is_shared()
    }

    /// The process of the location that runs.
    #[inline(always)]
    pub(crate) fn here(&mut self, kernel: &Kernel<'_>) -> &mut Process {
        &mut self.processes[kernel.rank()]
    }

    /// The state of a location that has made a call.
    #[inline(always)]
    pub(crate) fn caller(&mut self, location: u32) -> &mut Caller {
        let (location, ranks) = (location as usize, self.processes.len());
        if location < ranks {
            &mut self.processes[location].master
        } else {
            &mut self.others[location - ranks]
        }
    }

    /// Makes the state of a location that is not a master, where it is new.
    pub(crate) fn make_caller(&mut self, location: u32) {
        let others = location as usize + 1 - self.processes.len();
        if self.others.len() < others {
            self.others.resize_with(others, Caller::default);
        }
    }

    /// Whether the location that runs has to wait for any of these, which it then does.
    #[inline(always)]
    pub(crate) fn awaits(&mut self, kernel: &Kernel<'_>, numbers: &[u32]) -> bool {
        let operations = &mut self.here(kernel).operations;
        let mut awaits = 0;
        for &number in numbers {
            if let Some(operation) = operations.get_mut(number)
                && matches!(operation.progress, Progress::Started)
            {
                operation.awaited_by = Some(kernel.number());
                awaits += 1;
            }
        }
        self.caller(kernel.number()).awaits = awaits;
        awaits > 0
    }

    /// The location that runs waits for the first of these.
    pub(crate) fn awaits_any(&mut self, kernel: &Kernel<'_>, numbers: &[u32]) {
        self.awaits(kernel, numbers);
        self.caller(kernel.number()).awaits = 1;
    }

    /// An operation of a process that is still kept.
    #[inline(always)]
    pub(crate) fn operation(&mut self, process: u32, number: u32) -> Option<&mut Operation> {
        self.processes[process as usize].operations.get_mut(number)
    }

    /// An operation of a process is done; the location that waits for it goes on if it waits for no other.
    #[inline(always)]
    pub(crate) fn done(&mut self, kernel: &mut Kernel<'_>, process: u32, number: u32, done: Done) {
        let Some(operation) = self.operation(process, number) else { return };
        operation.progress = Progress::Done(done);
        let Some(location) = operation.awaited_by.take() else { return };
        let waiting = self.caller(location);
        // One that waits for any of several may have been called already.
        if waiting.awaits > 0 {
            waiting.awaits -= 1;
            if waiting.awaits == 0 {
                kernel.ready(location);
            }
        }
    }

    /// Fetches the state of a process whose master runs soon into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, location: u32) {
        if let Some(process) = self.processes.get(location as usize) {
            prefetch_value(process);
        }
    }
}
