//! Caliper's profiles: the common part of both of their forms.
//!
//! A record has a path of nested regions and of MPI calls, its rank, and a time. The name of the time depends on the
//! configuration, and so does whether it contains the time of the paths below. A file with times of all ranks together
//! is refused: no location has them.
//!
//! Names from Caliper's controllers (`HatchetRegionProfileController.cpp`, `controllers.cpp`) and its OMPT service
//! (`OmptService.cpp`), forms from `JsonSplitFormatter.cpp`, `CaliReader.cpp`, the package `caliper-reader`, which
//! reads our fixture with the same result, and profiles that Caliper 2.2 and 2.10 wrote (among Hatchet's test data).
//! Caliper was not run here.

pub(crate) mod cali;
pub(crate) mod json_split;
mod times;

use std::collections::{BTreeMap, HashMap};

use ats_documents::Report;
use ats_documents::report::CallShare;
use ats_model::openmp::Construct;
use ats_model::{CallPathId, CallTree};

use crate::draft::Draft;
use crate::error::{At, Origin};
use crate::input::File;
use crate::{ReportError, limits, names, number};
use times::TIMES;

/// The tool's name.
const TOOL: &str = "caliper";

/// The attribute, or column, with the rank.
pub(crate) const RANK: &str = "mpi.rank";
/// The attribute, or column, with the thread.
pub(crate) const THREAD: &str = "omp.thread.id";

/// Attributes that name OpenMP's constructs, from the outermost.
pub(crate) const CONSTRUCT_ATTRIBUTES: [&str; 3] = ["omp.region", "omp.work", "omp.sync"];

/// The constructs that their values stand for.
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

/// The frame of a value of one of [`CONSTRUCT_ATTRIBUTES`].
fn construct(value: &str) -> String {
    match CONSTRUCTS.iter().find(|(known, _)| *known == value) {
        Some((_, construct)) => names::construct_region(*construct, None),
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
    /// The records by index in [`TIMES`]: they may have different times.
    records: BTreeMap<usize, Records>,
}

/// A path's time on a location.
pub(crate) struct Record {
    pub(crate) path: CallPathId,
    /// The rank; `None` if the record does not have it.
    pub(crate) rank: Option<u32>,
    pub(crate) thread: u32,
    /// The value in the unit of the time.
    pub(crate) value: f64,
    /// Whether it is a sum of several ranks, as far as the values beside it show.
    pub(crate) is_of_several: bool,
    pub(crate) at: At,
}

/// The records that have the same time.
#[derive(Default)]
struct Records(Vec<Record>);

impl Records {
    fn are_in_regions(&self) -> bool {
        self.0.iter().any(|record| record.path != CallPathId::ROOT && record.value > 0.0)
    }

    fn are_whole(&self) -> bool {
        self.0.iter().all(|record| record.value.fract() == 0.0)
    }

    fn tell_ranks(&self) -> bool {
        self.0.iter().any(|record| record.rank.is_some())
    }

    fn add_up_ranks(&self) -> bool {
        self.0.iter().any(|record| record.is_of_several)
    }
}

/// Seconds by path, rank and thread.
type Times = BTreeMap<(CallPathId, u32, u32), f64>;

/// The facts about its run in a file.
#[derive(Default)]
pub(crate) struct Run {
    /// Caliper's version.
    pub(crate) version: Option<String>,
    pub(crate) ranks: Option<u32>,
}

impl<'a> Profile<'a> {
    pub(crate) fn new(file: &'a File, source: &std::path::Path) -> Self {
        Profile {
            origin: file.origin(),
            draft: Draft::new(TOOL, file.origin(), source),
            names: Vec::new(),
            ids: HashMap::new(),
            tree: CallTree::default(),
            depths: vec![0],
            records: BTreeMap::new(),
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

    /// Takes a record; `time` is the index of its time in [`TIMES`].
    pub(crate) fn add(&mut self, time: usize, record: Record) -> Result<(), ReportError> {
        self.draft.take(size_of::<Record>())?;
        self.records.entry(time).or_default().0.push(record);
        Ok(())
    }

    /// The report. `unit` is the name that the file has for the unit of a time, given by its index in [`TIMES`].
    pub(crate) fn finish(
        mut self,
        run: Run,
        unit: impl FnOnce(usize) -> Option<String>,
    ) -> Result<Report, ReportError> {
        let unsupported = |what: String, fix| self.origin.unsupported(At::Whole, what, fix);
        // The best time that there is.
        let mut all = std::mem::take(&mut self.records).into_iter();
        let Some((index, records)) = all.find(|(_, records)| records.are_in_regions()) else {
            let fix = "measure with CALI_CONFIG=hatchet-region-profile";
            return Err(unsupported("has no times of nested regions".to_owned(), fix));
        };
        if !records.tell_ranks() && (run.ranks.is_some_and(|ranks| ranks > 1) || records.add_up_ranks()) {
            let fix = "measure with CALI_CONFIG=hatchet-region-profile,profile.mpi";
            return Err(unsupported("does not tell ranks apart".to_owned(), fix));
        }
        let (time, named) = (TIMES[index], unit(index));
        let unit = time.unit(named.as_deref(), records.are_whole());
        let unit = unit.map_err(|what| unsupported(what, "have Caliper write seconds"))?;
        if named.is_none() && unit == times::MICROSECOND {
            let warning = "its times, which are whole numbers without a unit, are taken for microseconds, as in Caliper \
                           2.3 and older";
            self.draft.warn(warning.to_owned());
        }
        let times = self.seconds(records, unit)?;
        let times = if time.is_inclusive { times } else { self.added_up(times)? };
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
        self.draft.version(run.version);
        self.draft.shape(run.ranks.or(Some(threads.len() as u32)), threads.values().copied().max());
        let wall_time = wall_times.values().copied().fold(0.0, f64::max);
        self.draft.basis(wall_time, wall_times.len());
        Ok(self.draft.finish())
    }

    /// Seconds in regions. If some records have a rank, those without one belong to no location.
    fn seconds(&mut self, records: Records, unit: f64) -> Result<Times, ReportError> {
        let tell_ranks = records.tell_ranks();
        let (mut times, mut of_no_rank) = (Times::new(), 0.0);
        for Record { path, rank, thread, value, at, .. } in records.0 {
            let seconds = number::seconds(value * unit).map_err(|what| self.origin.damaged(at, what))?;
            if path == CallPathId::ROOT || seconds == 0.0 {
                continue;
            }
            if tell_ranks && rank.is_none() {
                of_no_rank += seconds;
                continue;
            }
            self.draft.take(32)?;
            *times.entry((path, rank.unwrap_or(0), thread)).or_default() += seconds;
        }
        if of_no_rank > 0.0 {
            self.draft.warn(format!("{of_no_rank} s in regions belong to no rank, and are omitted"));
        }
        Ok(times)
    }

    /// Inclusive times from exclusive ones.
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
