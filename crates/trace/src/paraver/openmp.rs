//! Extrae's events of OpenMP, as the events of teams.
//!
//! It has two sets of types: that of `new_openmp_events.h` for GNU's runtime, and the one before it for LLVM's.
//! Neither names teams or the barrier at the end of a parallel region: a thread that works between a fork and its join
//! is in the team, and waits from the end of its work to the join.

use ats_model::Event;
use ats_model::definitions::Team;
use ats_model::event::{RegionRef, TeamRef};
use ats_model::openmp::Construct;
use rustc_hash::FxHashMap;

use super::kind::openmp as kind;
use super::labels::Labels;
use super::regions::Regions;
use super::thread::Thread;

/// The region that an event begins; its end has the value 0.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Begins {
    /// A parallel region, on the thread that starts it.
    Fork,
    /// A thread's work for it.
    Work,
    Region(Construct),
    Request,
    Taken,
    Release,
    /// Nothing that is analyzed.
    Nothing,
}

/// A region that is open on a thread.
#[derive(Clone, Copy, PartialEq)]
enum What {
    /// By their numbers.
    Fork(usize),
    Work(usize),
    Region(RegionRef),
    Nothing,
}

#[derive(Clone, Copy)]
struct Entry {
    kind: u32,
    what: What,
}

/// A parallel region that was executed.
struct Instance {
    master: usize,
    /// Locations that have worked for it, and whether they still do.
    members: Vec<(usize, bool)>,
}

/// A lock that a thread has.
#[derive(Clone, Copy)]
struct Held {
    lock: u32,
    order: u32,
    is_call: bool,
}

/// Facts about OpenMP that the trace does not have.
#[derive(Default)]
pub(super) struct Untold {
    /// Barriers that may be explicit or at the end of a construct.
    pub(super) barriers: usize,
    /// Parallel regions that were started while another one of the process was under way.
    pub(super) nested: usize,
    /// Work of threads for no parallel region.
    pub(super) outside: usize,
}

/// OpenMP in a trace that is being read.
#[derive(Default)]
pub(super) struct OpenMp {
    /// By location, the innermost last.
    open: FxHashMap<usize, Vec<Entry>>,
    held: FxHashMap<usize, Vec<Held>>,
    /// By task, the instances that are under way, the last one last.
    forks: FxHashMap<u64, Vec<usize>>,
    instances: Vec<Instance>,
    /// By task and address, the number of a lock and how often it was taken.
    locks: FxHashMap<(u64, u64), (u32, u32)>,
    pub(super) untold: Untold,
}

/// The events of a thread at a time.
pub(super) struct Moment<'a> {
    pub(super) task: u64,
    pub(super) location: usize,
    pub(super) time: u64,
    pub(super) pairs: &'a [(u32, u64)],
}

impl Moment<'_> {
    fn value(&self, kinds: &[u32]) -> Option<(u32, u64)> {
        self.pairs.iter().copied().find(|(kind, _)| kinds.contains(kind))
    }

    fn label<'a>(&self, kind: u32, labels: &'a Labels) -> &'a str {
        self.value(&[kind]).and_then(|(kind, value)| labels.value(kind, value)).unwrap_or_default()
    }
}

impl OpenMp {
    /// Takes the events of OpenMP among those of a moment.
    pub(super) fn take(&mut self, moment: &Moment<'_>, regions: &mut Regions<'_>, threads: &mut [Thread]) {
        for &(kind, value) in moment.pairs.iter().filter(|(kind, _)| kind::ALL.contains(kind)) {
            if kind::LOCKS.contains(&kind) {
                self.lock(moment, kind, value, regions, threads);
            } else if value == 0 {
                self.end(moment, kind, regions, threads);
            } else {
                let begins = begins(kind, regions.labels.value(kind, value).unwrap_or_default());
                self.begin(moment, kind, begins, regions, threads);
            }
        }
    }

    fn begin(
        &mut self,
        moment: &Moment<'_>,
        kind: u32,
        begins: Begins,
        regions: &mut Regions<'_>,
        threads: &mut [Thread],
    ) {
        let &Moment { task, location, time, .. } = moment;
        let events = &mut threads[location].events;
        let what = match begins {
            Begins::Fork => {
                let forks = self.forks.entry(task).or_default();
                self.untold.nested += usize::from(!forks.is_empty());
                forks.push(self.instances.len());
                self.instances.push(Instance { master: location, members: Vec::new() });
                events.push((time, Event::ThreadFork { requested: 0 }));
                What::Fork(self.instances.len() - 1)
            }
            Begins::Work => match self.forks.get(&task).and_then(|forks| forks.last()) {
                Some(&instance) => {
                    let members = &mut self.instances[instance].members;
                    if members.iter().any(|(member, _)| *member == location) {
                        What::Nothing
                    } else {
                        members.push((location, true));
                        events.push((time, Event::ThreadTeamBegin { team: TeamRef(instance as u32) }));
                        let region = regions.construct(Construct::Parallel);
                        events.push((time, Event::Enter { region }));
                        What::Work(instance)
                    }
                }
                None => {
                    self.untold.outside += 1;
                    What::Nothing
                }
            },
            Begins::Region(construct) => {
                self.untold.barriers += usize::from(construct == Construct::Barrier);
                let region = regions.construct(construct);
                events.push((time, Event::Enter { region }));
                What::Region(region)
            }
            _ => What::Nothing,
        };
        self.open.entry(location).or_default().push(Entry { kind, what });
    }

    /// The end of the region begun last by an event of this type, and of all regions in it: Extrae does not record the
    /// end of each.
    fn end(&mut self, moment: &Moment<'_>, kind: u32, regions: &mut Regions<'_>, threads: &mut [Thread]) {
        let &Moment { task, location, time, .. } = moment;
        let open = self.open.entry(location).or_default();
        let Some(at) = open.iter().rposition(|entry| entry.kind == kind) else { return };
        match leave_down_to(open, at, time, &mut threads[location]) {
            What::Fork(instance) => {
                if let Some(forks) = self.forks.get_mut(&task) {
                    forks.retain(|other| *other != instance);
                }
                self.join(instance, time, regions, threads);
            }
            What::Work(instance) => {
                let members = &mut self.instances[instance].members;
                members
                    .iter_mut()
                    .filter(|(member, _)| *member == location)
                    .for_each(|(_, works)| *works = false);
                let region = regions.construct(Construct::ImplicitBarrier);
                threads[location].events.push((time, Event::Enter { region }));
            }
            What::Region(_) | What::Nothing => {}
        }
    }

    /// All members leave the barrier at the end of a parallel region.
    fn join(&mut self, instance: usize, time: u64, regions: &mut Regions<'_>, threads: &mut [Thread]) {
        let Instance { master, members } = &self.instances[instance];
        for &(member, works) in members {
            if works && let Some(open) = self.open.get_mut(&member) {
                let own = open.iter().position(|entry| entry.what == What::Work(instance));
                own.map(|at| leave_down_to(open, at, time, &mut threads[member]));
            }
            let barrier = regions.construct(Construct::ImplicitBarrier);
            let parallel = regions.construct(Construct::Parallel);
            let events = &mut threads[member].events;
            if !works {
                events.push((time, Event::Leave { region: barrier }));
            }
            events.push((time, Event::Leave { region: parallel }));
            events.push((time, Event::ThreadTeamEnd { team: TeamRef(instance as u32) }));
        }
        threads[*master].events.push((time, Event::ThreadJoin));
    }

    /// A critical section or a lock: it is asked for, taken, given back, and free.
    fn lock(
        &mut self,
        moment: &Moment<'_>,
        kind: u32,
        value: u64,
        regions: &mut Regions<'_>,
        threads: &mut [Thread],
    ) {
        let &Moment { task, location, time, .. } = moment;
        let (open, held) = (self.open.entry(location).or_default(), self.held.entry(location).or_default());
        let thread = &mut threads[location];
        let labels = regions.labels;
        let mut enter = |open: &mut Vec<Entry>, thread: &mut Thread, construct| {
            let region = regions.construct(construct);
            thread.events.push((time, Event::Enter { region }));
            open.push(Entry { kind, what: What::Region(region) });
        };
        let leave = |open: &mut Vec<Entry>, thread: &mut Thread| {
            if let Some(at) = open.iter().rposition(|entry| entry.kind == kind) {
                leave_down_to(open, at, time, thread);
            }
        };
        match if value == 0 {
            Begins::Nothing
        } else {
            begins(kind, labels.value(kind, value).unwrap_or_default())
        } {
            Begins::Request => enter(open, thread, requested(moment, labels)),
            Begins::Taken => {
                let address = moment.value(&kind::LOCK_NAMES).map_or(0, |(_, address)| address);
                let number = self.locks.len() as u32;
                let (lock, count) = self.locks.entry((task, address)).or_insert((number, 0));
                let taken = Held { lock: *lock, order: *count, is_call: is_call(moment, labels) };
                *count += 1;
                thread.events.push((time, Event::ThreadAcquireLock { lock: taken.lock, order: taken.order }));
                held.push(taken);
                if taken.is_call {
                    leave(open, thread);
                } else {
                    enter(open, thread, Construct::CriticalBlock);
                }
            }
            Begins::Release => match held.last() {
                Some(Held { is_call: true, .. }) => enter(open, thread, Construct::UnsetLock),
                Some(_) => leave(open, thread),
                None => {}
            },
            _ => {
                if let Some(Held { lock, order, .. }) = held.pop() {
                    thread.events.push((time, Event::ThreadReleaseLock { lock, order }));
                    leave(open, thread);
                }
            }
        }
    }

    /// The teams, with teams of equal members merged; events then have their numbers.
    pub(super) fn teams(&self, threads: &mut [Thread]) -> Vec<Team> {
        let mut teams: Vec<Team> = Vec::new();
        let mut known: FxHashMap<Vec<u32>, TeamRef> = FxHashMap::default();
        let number = |instance: &Instance| {
            let mut members: Vec<u32> = instance.members.iter().map(|(member, _)| *member as u32).collect();
            members.sort_by_key(|member| (*member != instance.master as u32, *member));
            *known.entry(members).or_insert_with_key(|members| {
                teams.push(Team { name: String::new(), members: members.clone() });
                TeamRef(teams.len() as u32 - 1)
            })
        };
        let numbers: Vec<TeamRef> = self.instances.iter().map(number).collect();
        for (_, event) in threads.iter_mut().flat_map(|thread| &mut thread.events) {
            if let Event::ThreadTeamBegin { team } | Event::ThreadTeamEnd { team } = event {
                *team = numbers[team.0 as usize];
            }
        }
        teams
    }
}

/// Leaves the open regions of a thread, down to this entry, which is returned.
fn leave_down_to(open: &mut Vec<Entry>, at: usize, time: u64, thread: &mut Thread) -> What {
    let last = open[at].what;
    for entry in open.drain(at..).rev() {
        if let What::Region(region) = entry.what {
            thread.events.push((time, Event::Leave { region }));
        }
    }
    last
}

/// Whether a lock is one of a call, and not of a critical section.
fn is_call(moment: &Moment<'_>, labels: &Labels) -> bool {
    moment.label(kind::CALL, labels) == "GOMP_set_lock"
}

/// The construct that a request for a lock enters.
fn requested(moment: &Moment<'_>, labels: &Labels) -> Construct {
    match moment.label(kind::SYNCHRONIZATION, labels) {
        _ if is_call(moment, labels) => Construct::SetLock,
        "ATOMIC" => Construct::Atomic,
        _ => Construct::Critical,
    }
}

/// The region that a value of this name begins.
fn begins(kind: u32, name: &str) -> Begins {
    use Construct::{
        Barrier, CreateTask, For, ImplicitBarrier, Master, Ordered, Sections, Single, Task, TaskWait,
    };
    let region = Begins::Region;
    match (kind, name) {
        (kind::PARALLEL, name) if name.ends_with("Fork/Join") => Begins::Fork,
        (kind::PARALLEL | kind::OLD_FUNCTION, _) => Begins::Work,
        (kind::OLD_PARALLEL, _) => Begins::Fork,
        (kind::WORKSHARING, name) if name.starts_with("DO") => region(For),
        (kind::OLD_WORKSHARING, "DO") => region(For),
        (kind::WORKSHARING, "SECTION") | (kind::OLD_WORKSHARING, "SECTIONS") => region(Sections),
        (kind::WORKSHARING | kind::OLD_WORKSHARING, "SINGLE") => region(Single),
        (kind::WORKSHARING, "MASTER") => region(Master),
        (kind::OLD_BARRIER, _) | (kind::SYNCHRONIZATION, "BARRIER") => region(Barrier),
        (kind::SYNCHRONIZATION, "JOIN (wait)") => region(ImplicitBarrier),
        (kind::SYNCHRONIZATION, "ORDERED") => region(Ordered),
        (kind::OLD_TASKWAIT, _) | (kind::SYNCHRONIZATION, "TASKWAIT") => region(TaskWait),
        (kind::SYNCHRONIZATION, "TASKGROUP") => region(Construct::TaskGroup),
        (kind::OLD_TASK_CREATION, _) => region(CreateTask),
        (kind::OLD_TASK, _) => region(Task),
        (kind::TASKING, name) if name.ends_with("instantiation") => region(CreateTask),
        (kind::TASKING, name) if name.ends_with("execution") => region(Task),
        (kind::LOCK, "LOCK: Obtaining") | (kind::OLD_NAMED | kind::OLD_UNNAMED, "Lock") => Begins::Request,
        (kind::LOCK, "LOCK: Taken") | (kind::OLD_NAMED | kind::OLD_UNNAMED, "Locked status") => Begins::Taken,
        (kind::LOCK, "LOCK: Releasing") | (kind::OLD_NAMED | kind::OLD_UNNAMED, "Unlock") => Begins::Release,
        _ => Begins::Nothing,
    }
}
