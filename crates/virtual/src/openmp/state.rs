//! State of OpenMP.

use ats_model::definitions;
use ats_model::event::{Event, TeamRef};
use ats_model::openmp::Construct;
use ats_model::{CallPathId, WaitState};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::account::{Among, WaitKey};
use crate::kernel::agenda::Agenda;
use crate::kernel::location::Location;
use crate::kernel::replay::{Pins, ThreadReplay};
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::openmp::lock::{LockOrder, Locks};
use crate::openmp::rules::{Cause, wait_state};
use crate::openmp::task::Tasks;
use crate::openmp::team::{Member, ParallelRegions, Team};
use crate::openmp::thread::{Thread, ThreadPath};

/// The state of OpenMP.
#[derive(Default)]
pub(crate) struct Omp {
    /// The number of threads of a process without nested regions.
    pub(crate) default: u32,
    /// From a fork to the begin of the other threads.
    pub(crate) fork: Picoseconds,
    /// By location; empty if the program has no teams.
    pub(crate) threads: Vec<Thread>,
    pub(crate) teams: Vec<Team>,
    /// Numbers of teams that are free.
    pub(crate) free: Vec<u32>,
    pub(crate) locks: Locks,
    pub(crate) tasks: Tasks,
    /// Locks and tasks to be given away when nothing can happen earlier any more.
    pub(crate) due: Agenda<DueForThreads>,
    /// Per rank, the regions that its master is in; empty if idle times are not wanted.
    pub(crate) regions: Vec<ParallelRegions>,
    /// The actions of threads other than masters in a real run.
    pub(crate) pins: FxHashMap<(u32, ThreadPath), Pins>,
    pub(crate) definitions: Vec<definitions::Team>,
    by_members: FxHashMap<Vec<u32>, TeamRef>,
    locations: FxHashMap<(u32, ThreadPath), u32>,
    /// Per rank, the numbers that its threads have.
    numbers: Vec<FxHashSet<u32>>,
}

/// Something to be given to threads that wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DueForThreads {
    /// Tasks, to threads of this team that rest.
    Tasks(u32),
    /// The lock of this number.
    Lock(u32),
}

impl Omp {
    /// State with `threads` threads in every process, and locks that go to waiting threads in this order.
    pub(crate) fn new(threads: u32, order: LockOrder) -> Self {
        let mut omp = Omp { default: threads, ..Omp::default() };
        omp.locks.order = order;
        omp
    }

    /// Makes the locations that every process has; for programs with teams.
    pub(crate) fn make_threads(&mut self, kernel: &mut Kernel<'_>) {
        self.numbers.resize_with(kernel.ranks, FxHashSet::default);
        for rank in 0..kernel.ranks as u32 {
            self.add_thread(rank, 0, ThreadPath::new(), rank);
        }
        for rank in 0..kernel.ranks as u32 {
            for number in 1..self.default {
                self.location_of(kernel, rank, ThreadPath::from_slice(&[number]));
            }
        }
    }

    fn add_thread(&mut self, rank: u32, number: u32, path: ThreadPath, location: u32) {
        self.numbers[rank as usize].insert(number);
        self.locations.insert((rank, path.clone()), location);
        self.threads.push(Thread { path, ..Thread::default() });
    }

    /// The location of a thread, made where it is new.
    pub(crate) fn location_of(&mut self, kernel: &mut Kernel<'_>, rank: u32, path: ThreadPath) -> u32 {
        if let Some(&location) = self.locations.get(&(rank, path.clone())) {
            return location;
        }
        let location = kernel.locations.len() as u32;
        let used = &self.numbers[rank as usize];
        let number = match path[..] {
            [number] if !used.contains(&number) => number,
            _ => (self.default..).find(|number| !used.contains(number)).unwrap_or(location),
        };
        let replayed = kernel.locations[rank as usize].pins.is_some();
        let pins = replayed.then(|| {
            let pins = self.pins.remove(&(rank, path.clone()));
            Box::new(pins.unwrap_or_else(|| Pins::new(ThreadReplay::default())))
        });
        self.add_thread(rank, number, path, location);
        kernel.add(Location::new(rank, number, 0, pins));
        location
    }

    /// The thread that runs.
    pub(crate) fn here(&mut self, kernel: &Kernel<'_>) -> &mut Thread {
        &mut self.threads[kernel.current]
    }

    /// The thread that runs, as a member of its innermost team.
    pub(crate) fn member(&mut self, kernel: &Kernel<'_>) -> Option<&mut Member> {
        self.here(kernel).member_of.last_mut()
    }

    /// The innermost team of the thread that runs, which is in one.
    pub(crate) fn team(&mut self, kernel: &Kernel<'_>) -> &mut Team {
        let team = self.member(kernel).map_or(0, |member| member.team);
        &mut self.teams[team as usize]
    }

    /// The definition of the team of these members.
    pub(crate) fn define_team(&mut self, members: &[u32]) -> TeamRef {
        if let Some(&team) = self.by_members.get(members) {
            return team;
        }
        let team = TeamRef(self.definitions.len() as u32);
        self.definitions.push(definitions::Team { name: String::new(), members: members.to_vec() });
        self.by_members.insert(members.to_vec(), team);
        team
    }

    /// An event of the thread that runs that names its innermost team.
    pub(crate) fn team_event(&mut self, kernel: &mut Kernel<'_>, event: impl FnOnce(TeamRef) -> Event) {
        kernel.event(event(self.team(kernel).definition));
    }

    /// The thread that runs was blocked in a construct, where in another run another thread could have been.
    pub(crate) fn charge(
        &mut self,
        kernel: &mut Kernel<'_>,
        construct: Construct,
        cause: Cause,
        ticks: Picoseconds,
        exchangeable: bool,
    ) {
        let exchangeable = exchangeable && !kernel.replays();
        let call_path = kernel.here().call_path;
        self.charge_at(kernel, call_path, wait_state(construct, cause), ticks, exchangeable);
    }

    /// The thread that runs was blocked at a call path.
    pub(crate) fn charge_at(
        &mut self,
        kernel: &mut Kernel<'_>,
        call_path: CallPathId,
        state: Option<WaitState>,
        ticks: Picoseconds,
        exchangeable: bool,
    ) {
        if !kernel.accounts || ticks == 0 {
            return;
        }
        kernel.here().account.charge(WaitKey { call_path, among: Among::PROCESS, state }, ticks);
        let thread = self.here(kernel);
        if thread.is_nested() || exchangeable {
            thread.exchangeable.insert(call_path);
        }
    }

    /// Notes that another thread of its teams could, in another run, do what the running thread does.
    pub(crate) fn mark_exchangeable(&mut self, kernel: &Kernel<'_>) {
        // A real run's threads are known.
        if kernel.replays() {
            return;
        }
        let Omp { threads, teams, .. } = self;
        for member in &threads[kernel.current].member_of {
            teams[member.team as usize].exchangeable = true;
        }
    }
}
