//! State of MPI.

use ats_model::event::RegionRef;
use ats_model::mpi::Function;
use ats_mpi::BaseComm;
use rustc_hash::FxHashMap;

use crate::kernel::agenda::Agenda;
use crate::kernel::prefetch::prefetch_value;
use crate::kernel::state::Kernel;
use crate::mpi::group::Group;
use crate::mpi::mailbox::Mailbox;
use crate::mpi::network::Costs;
use crate::mpi::operation::{Done, Operation, Progress};
use crate::mpi::operations::Operations;
use crate::mpi::rules::ReceiveOrder;
use crate::mpi::waits::{Charged, CompletedCall};

/// The state of MPI. A process' master makes all its calls, so a process' rank is its location's number.
pub(crate) struct Mpi {
    pub(crate) processes: Vec<Process>,
    pub(crate) groups: Vec<Group>,
    pub(crate) costs: Costs,
    /// The regions of the calls that were made, by [`Function`].
    pub(crate) regions: [Option<RegionRef>; Function::ALL.len()],
    /// Processes whose wildcard receives may match a message that arrives.
    pub(crate) arrivals: Agenda<u32>,
    /// Sends that took time and are complete, but not received, by message number.
    pub(crate) completed_sends: FxHashMap<u64, CompletedCall>,
}

/// State of MPI for a process.
#[derive(Default)]
pub(crate) struct Process {
    pub(crate) mailbox: Mailbox,
    pub(crate) operations: Operations,
    /// The number of operations that it waits for before it can go on.
    pub(crate) awaits: u32,
    /// Whether it waits for any message to arrive.
    pub(crate) awaits_message: bool,
    pub(crate) order: ReceiveOrder<Charged>,
    /// The communicator that a split has made for it, by number, and its rank there.
    pub(crate) made: Option<(u32, u32)>,
    pub(crate) base: BaseComm,
}

impl Process {
    /// Whether it has to wait for any of these, which it then does.
    #[inline(always)]
    pub(crate) fn awaits(&mut self, numbers: &[u32]) -> bool {
        self.awaits = 0;
        for &number in numbers {
            if let Some(operation) = self.operations.get_mut(number)
                && matches!(operation.progress, Progress::Started)
            {
                operation.awaited = true;
                self.awaits += 1;
            }
        }
        self.awaits > 0
    }

    /// Waits for the first of these.
    pub(crate) fn awaits_any(&mut self, numbers: &[u32]) {
        self.awaits(numbers);
        self.awaits = 1;
    }

    /// Waits for none of these any more.
    pub(crate) fn awaits_none(&mut self, numbers: &[u32]) {
        for &number in numbers {
            if let Some(operation) = self.operations.get_mut(number) {
                operation.awaited = false;
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
    pub(crate) fn new(ranks: usize, costs: Costs) -> Self {
        let mut processes = Vec::new();
        processes.resize_with(ranks, Process::default);
        Mpi {
            processes,
            groups: vec![Group::world(ranks)],
            costs,
            regions: [None; Function::ALL.len()],
            arrivals: Agenda::default(),
            completed_sends: FxHashMap::default(),
        }
    }

    /// The process that runs, in a call of its master.
    #[inline(always)]
    pub(crate) fn here(&mut self, kernel: &Kernel<'_>) -> &mut Process {
        &mut self.processes[kernel.current]
    }

    /// An operation of a process that is still kept.
    #[inline(always)]
    pub(crate) fn operation(&mut self, process: u32, number: u32) -> Option<&mut Operation> {
        self.processes[process as usize].operations.get_mut(number)
    }

    /// An operation is done; its process goes on if that was the last it waits for.
    #[inline(always)]
    pub(crate) fn done(&mut self, kernel: &mut Kernel<'_>, process: u32, number: u32, done: Done) {
        let waiting = &mut self.processes[process as usize];
        let Some(operation) = waiting.operations.get_mut(number) else { return };
        operation.progress = Progress::Done(done);
        // One that waits for any of several may have been called already.
        if std::mem::take(&mut operation.awaited) && waiting.awaits > 0 {
            waiting.awaits -= 1;
            if waiting.awaits == 0 {
                kernel.ready(process);
            }
        }
    }

    /// Fetches the state of a process that runs soon into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, location: u32) {
        if let Some(process) = self.processes.get(location as usize) {
            prefetch_value(process);
        }
    }
}
