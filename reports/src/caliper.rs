//! Caliper's profiles: what both of its forms have in common.
//!
//! A record has a path of nested regions and of MPI calls, the rank it is of, and a time. Which of the many names the time
//! has depends on the configuration; that of the path below the record is contained in it, or not.
//!
//! Names from Caliper's controllers (`HatchetRegionProfileController.cpp`, `controllers.cpp`) and its OMPT service
//! (`OmptService.cpp`), forms from `JsonSplitFormatter.cpp`, `CaliReader.cpp`, the package `caliper-reader`, which reads our
//! fixture with the same result, and profiles that Caliper 2.2 and 2.10 wrote (among Hatchet's test data). Caliper was not
//! run here.

pub(crate) mod cali;
pub(crate) mod json_split;

use std::collections::{BTreeMap, HashMap};

use ats_model::openmp::Construct;
use ats_model::report::CallShare;
use ats_model::{CallPathId, CallTree, Report};

use crate::draft::Draft;
use crate::error::{At, Origin};
use crate::input::File;
use crate::{ReportError, limits, names, number};

/// The tool's name.
pub(crate) const TOOL: &str = "caliper";

/// The attribute, or column, that tells the rank.
pub(crate) const RANK: &str = "mpi.rank";
/// That which tells the thread.
pub(crate) const THREAD: &str = "omp.thread.id";

/// Attributes that name OpenMP's constructs, from the outermost.
pub(crate) const CONSTRUCT_ATTRIBUTES: [&str; 3] = ["omp.region", "omp.work", "omp.sync"];

/// What their values are in our words.
const CONSTRUCTS: [(&str, Construct); 11] = [
    ("parallel", Construct::Parallel),
    ("loop", Construct::For),
    ("sections", Construct::Sections),
    ("single_executor", Construct::Single),
    ("single_other", Construct::Single),
    ("barrier", Construct::Barrier),
    ("barrier_explicit", Construct::Barrier),
    ("barrier_implicit", Construct::ImplicitBarrier),
    ("barrier_implementation", Construct::ImplicitBarrier),
    ("taskwait", Construct::TaskWait),
    ("reduction", Construct::Reduction),
];

/// A time that a record may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time {
    /// The name of the attribute or column.
    pub(crate) name: &'static str,
    is_inclusive: bool,
    /// Seconds.
    unit: f64,
}

const fn inclusive(name: &'static str, unit: f64) -> Time {
    Time { name, is_inclusive: true, unit }
}

const fn exclusive(name: &'static str, unit: f64) -> Time {
    Time { name, is_inclusive: false, unit }
}

/// Every time that is read, the best first.
pub(crate) const TIMES: [Time; 16] = [
    inclusive("time (inc)", 1.0),
    inclusive("inclusive#sum#time.duration", 1.0),
    inclusive("sum#inclusive#sum#time.duration", 1.0),
    inclusive("iscale#sum#time.duration.ns", 1.0),
    inclusive("inclusive#sum#time.duration.ns", 1e-9),
    inclusive("sum#time.inclusive.duration", 1.0),
    exclusive("time", 1.0),
    exclusive("sum#sum#time.duration", 1.0),
    exclusive("sum#time.duration", 1.0),
    exclusive("time.duration", 1.0),
    exclusive("scale#sum#time.duration.ns", 1.0),
    exclusive("sum#scale#sum#time.duration.ns", 1.0),
    exclusive("sum#sum#time.duration.ns", 1e-9),
    exclusive("sum#time.duration.ns", 1e-9),
    exclusive("time.duration.ns", 1e-9),
    exclusive("time (exc)", 1.0),
];

/// The frame of a value of one of [`CONSTRUCT_ATTRIBUTES`].
fn construct(value: &str) -> String {
    match CONSTRUCTS.iter().find(|(known, _)| *known == value) {
        Some((_, construct)) => names::at(*construct, None),
        None => value.to_owned(),
    }
}

/// The paths and times of a file.
pub(crate) struct Profile<'a> {
    origin: Origin<'a>,
    draft: Draft<'a>,
    names: Vec<String>,
    ids: HashMap<String, u32>,
    tree: CallTree<u32>,
    depths: Vec<usize>,
    /// By index in [`TIMES`]: records need not all have the same one.
    times: BTreeMap<usize, Times>,
}

/// Seconds by path, rank and thread.
type Times = BTreeMap<(CallPathId, u32, u32), f64>;

impl<'a> Profile<'a> {
    pub(crate) fn new(file: &'a File, source: &std::path::Path) -> Self {
        Profile {
            origin: file.origin(),
            draft: Draft::new(TOOL, file.origin(), source),
            names: Vec::new(),
            ids: HashMap::new(),
            tree: CallTree::default(),
            depths: vec![0],
            times: BTreeMap::new(),
        }
    }

    /// The path one frame longer.
    pub(crate) fn child(
        &mut self,
        parent: CallPathId,
        frame: &str,
        at: At,
    ) -> Result<CallPathId, ReportError> {
        let id = match self.ids.get(frame) {
            Some(&id) => id,
            None => {
                let name = names::region(frame);
                self.draft.take(name.len() + frame.len())?;
                self.names.push(name);
                self.ids.insert(frame.to_owned(), self.names.len() as u32 - 1);
                self.names.len() as u32 - 1
            }
        };
        self.child_of(parent, id, at)
    }

    fn child_of(&mut self, parent: CallPathId, id: u32, at: At) -> Result<CallPathId, ReportError> {
        let child = self.tree.child(parent, id);
        if child.0 as usize == self.depths.len() {
            let depth = self.depths[parent.0 as usize] + 1;
            if depth > limits::DEPTH {
                return Err(self
                    .origin
                    .refused(at, format!("a path has more than {} regions", limits::DEPTH)));
            }
            self.draft.take(64)?;
            self.depths.push(depth);
        }
        Ok(child)
    }

    /// The path with an OpenMP construct at its end.
    pub(crate) fn construct(
        &mut self,
        parent: CallPathId,
        value: &str,
        at: At,
    ) -> Result<CallPathId, ReportError> {
        self.child(parent, &construct(value), at)
    }

    /// The path with the frames of another at its end.
    pub(crate) fn joined(
        &mut self,
        path: CallPathId,
        other: CallPathId,
        at: At,
    ) -> Result<CallPathId, ReportError> {
        if path == CallPathId::ROOT {
            return Ok(other);
        }
        self.tree.path(other).into_iter().try_fold(path, |path, id| self.child_of(path, id, at))
    }

    /// A record's time; `time` is its index in [`TIMES`].
    pub(crate) fn add(
        &mut self,
        path: CallPathId,
        (rank, thread): (u32, u32),
        time: usize,
        value: f64,
        at: At,
    ) -> Result<(), ReportError> {
        let seconds = number::seconds(value * TIMES[time].unit);
        let seconds = seconds.map_err(|what| self.origin.damaged(at, what))?;
        if path != CallPathId::ROOT && seconds > 0.0 {
            self.draft.take(32)?;
            *self.times.entry(time).or_default().entry((path, rank, thread)).or_default() += seconds;
        }
        Ok(())
    }

    /// The report. `rank_known` tells whether the records say which rank they are of.
    pub(crate) fn finish(
        mut self,
        version: Option<String>,
        world_size: Option<u32>,
        rank_known: bool,
    ) -> Result<Report, ReportError> {
        if !rank_known && world_size.is_some_and(|size| size > 1) {
            let fix = "measure with CALI_CONFIG=hatchet-region-profile,profile.mpi";
            return Err(self.origin.unsupported(At::Whole, "adds all ranks up", fix));
        }
        // The best time that there is.
        let times = match std::mem::take(&mut self.times).pop_first() {
            Some((time, times)) if TIMES[time].is_inclusive => times,
            Some((_, times)) => self.added_up(times)?,
            None => Times::new(),
        };
        let mut by_path = BTreeMap::<CallPathId, Vec<CallShare>>::new();
        let mut wall_times = BTreeMap::<(u32, u32), f64>::new();
        for (&(path, rank, thread), &inclusive_time) in &times {
            by_path.entry(path).or_default().push(CallShare { rank, thread, inclusive_time, visits: None });
            let wall_time = wall_times.entry((rank, thread)).or_default();
            if self.depths[path.0 as usize] == 1 {
                *wall_time += inclusive_time;
            }
        }
        for (path, shares) in by_path {
            let frames = self.tree.path(path);
            let frames = self.draft.path(frames.iter().map(|&id| self.names[id as usize].as_str()))?;
            self.draft.call(frames, shares)?;
        }
        let mut threads = BTreeMap::<u32, u32>::new();
        wall_times.keys().for_each(|(rank, _)| *threads.entry(*rank).or_default() += 1);
        self.draft.version(version);
        self.draft.shape(world_size.or(Some(threads.len() as u32)), threads.values().copied().max());
        let wall_time = wall_times.values().copied().fold(0.0, f64::max);
        self.draft.basis(wall_time, wall_times.len());
        Ok(self.draft.finish())
    }

    /// From exclusive to inclusive.
    fn added_up(&mut self, exclusive: Times) -> Result<Times, ReportError> {
        // A path is younger than the one above it.
        let mut by_path = vec![BTreeMap::<(u32, u32), f64>::new(); self.tree.len()];
        for ((path, rank, thread), seconds) in exclusive {
            by_path[path.0 as usize].insert((rank, thread), seconds);
        }
        let mut inclusive = Times::new();
        while let Some(times) = by_path.pop() {
            let path = CallPathId(by_path.len() as u32);
            if path == CallPathId::ROOT {
                break;
            }
            let parent = self.tree.parent(path);
            for ((rank, thread), seconds) in times {
                if parent != CallPathId::ROOT {
                    let above = by_path[parent.0 as usize].entry((rank, thread)).or_insert_with(|| 0.0);
                    *above += seconds;
                }
                self.draft.take(32)?;
                inclusive.insert((path, rank, thread), seconds);
            }
        }
        Ok(inclusive)
    }
}
