//! The content of a picture, and remarks on its omissions.

use ats_model::{
    CallSite,
    clock_correction::ClockMethod,
    definitions::{Paradigm, Region, RegionRole},
    event::CollectiveOperation,
    mpi,
};

/// The picture of a trace. All times are ticks of the trace's clock, in seconds when divided by
/// [`Timeline::resolution`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Ticks per second.
    pub resolution: u64,
    /// The begin of the trace, which documents count seconds from.
    pub origin: u64,
    /// The first event.
    pub begin: u64,
    /// The last event.
    pub end: u64,
    /// The span from the first entry into the measured part to the last exit, if the program has one.
    pub measured: Option<(u64, u64)>,
    /// The span that is shown, if it is not all: calls and messages of it are there, as long as they are, and no others.
    pub window: Option<(u64, u64)>,
    /// One per location, by rank and thread.
    pub rows: Vec<Row>,
    /// The regions that [`Bar::region`] refers to.
    pub regions: Vec<RegionName>,
    /// Messages between the rows, by the time they are sent.
    pub messages: Vec<Message>,
    /// Collective operations of at least two rows, by the time they begin.
    pub collectives: Vec<Collective>,
    /// The findings that [`MarkedWait::finding`] refers to: their [`ats_documents::Finding::id`]s.
    pub findings: Vec<String>,
    /// The marks of waits, by row and begin.
    pub waits: Vec<MarkedWait>,
    /// The omissions of the picture.
    pub detail: Detail,
}

/// A location of the trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name in the trace.
    pub name: String,
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    pub thread: u32,
    /// Its calls, by level and begin. Bars of one level do not overlap.
    pub bars: Vec<Bar>,
}

/// A call, or neighbouring calls that were too short to be kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The number of calls around it.
    pub level: u16,
    /// Index into [`Timeline::regions`]; for several calls that of the longest.
    pub region: u32,
    /// The time of its enter.
    pub begin: u64,
    /// The time of its leave.
    pub end: u64,
    /// The number of calls it stands for.
    pub calls: u64,
}

/// A region by name and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionName {
    /// Its name.
    pub name: String,
    /// The place of its calls, if the trace has it.
    pub call_site: Option<CallSite>,
    /// Its kind, which decides its colour.
    pub kind: Kind,
}

impl RegionName {
    /// Its name, and its call site: `MPI_Recv in halo (heat.c:12)`.
    pub fn label(&self) -> String {
        CallSite::label(&self.name, self.call_site.as_ref())
    }
}

/// The kinds of regions that differ in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The program's own.
    User,
    /// MPI, from process to process.
    PointToPoint,
    /// MPI, all processes of a communicator.
    Collective,
    /// Any other call of MPI.
    Mpi,
    /// A construct of OpenMP that gives work.
    OpenMp,
    /// A construct of OpenMP where threads wait for each other.
    OpenMpSynchronization,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 6] = [
        Kind::User,
        Kind::PointToPoint,
        Kind::Collective,
        Kind::Mpi,
        Kind::OpenMp,
        Kind::OpenMpSynchronization,
    ];

    /// The kind of a region.
    pub fn from_region(region: &Region) -> Self {
        use RegionRole::*;
        let is_openmp = region.paradigm == Paradigm::OpenMp || region.name.starts_with("!$omp");
        let function = mpi::Function::of_spelling(&region.name);
        match region.role {
            Barrier | ImplicitBarrier | Critical | Ordered | TaskWait | Atomic if is_openmp => {
                Kind::OpenMpSynchronization
            }
            _ if is_openmp && region.name.contains("_lock") => Kind::OpenMpSynchronization,
            _ if is_openmp => Kind::OpenMp,
            _ if region.paradigm != Paradigm::Mpi && function.is_none() => Kind::User,
            PointToPoint => Kind::PointToPoint,
            Barrier | CollOneToAll | CollAllToOne | CollAllToAll | CollOther => Kind::Collective,
            FileIo | Rma => Kind::Mpi,
            _ => function.map_or(Kind::Mpi, Kind::of_call),
        }
    }

    /// The kind of a call of MPI, for recorders without records of its operation.
    fn of_call(function: mpi::Function) -> Self {
        use mpi::Kind::*;
        match function.kind() {
            Collective(_) | Neighborhood(_) => Kind::Collective,
            Send(_) | Receive | SendReceive | Probe | Start | Completion { .. } => Kind::PointToPoint,
            _ => Kind::Mpi,
        }
    }
}

/// A message from one row to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The row that sends.
    pub from: usize,
    /// The time when it is sent, in ticks.
    pub sent: u64,
    /// The row that receives.
    pub to: usize,
    /// The time when it is received, in ticks.
    pub received: u64,
    /// Payload in bytes.
    pub bytes: u64,
    /// The tag.
    pub tag: u32,
}

/// A collective operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The kind of the operation.
    pub operation: CollectiveOperation,
    /// The parts of its members, by row.
    pub parts: Vec<Part>,
}

/// A row's part in a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The row of the location.
    pub row: usize,
    /// The time when it begins, in ticks.
    pub begin: u64,
    /// The time when it ends, in ticks.
    pub end: u64,
}

/// A span in which a row waits, as the analyzer handed it out, or neighbouring waits that were too many to keep apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedWait {
    /// Index into [`Timeline::findings`].
    pub finding: usize,
    /// The row that waits.
    pub row: usize,
    /// The time when it begins, in ticks.
    pub begin: u64,
    /// The time when it ends, in ticks.
    pub end: u64,
    /// The number of waits it stands for.
    pub waits: u64,
    /// The sum of their durations, in ticks.
    pub waited: u64,
    /// The awaited location as rank and thread, shown or not; `None` if there is none, or if several waits have
    /// different ones.
    pub awaited: Option<(u32, u32)>,
}

/// The limits of the parts of a trace that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of locations.
    pub rows: usize,
    /// Bars over all rows.
    pub bars: usize,
    /// Number of messages.
    pub messages: usize,
    /// Number of collective operations.
    pub collectives: usize,
    /// Number of marked waits.
    pub waits: usize,
}

impl Default for Limits {
    /// A picture of about a megabyte at most.
    fn default() -> Self {
        Limits { rows: 64, bars: 40_000, messages: 5_000, collectives: 1_000, waits: 10_000 }
    }
}

/// The omissions of a picture. All zero: it shows everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The number of locations in the trace, or of those that were to be shown.
    pub locations: usize,
    /// The ranks that were to be shown, in words, if not all were.
    pub ranks: Option<String>,
    /// Calls that share a bar with their neighbours.
    pub merged: u64,
    /// Calls that are deeper than the picture.
    pub deeper: u64,
    /// Messages between the rows that are not drawn.
    pub messages: u64,
    /// Collective operations that are not drawn.
    pub collectives: u64,
    /// Messages and collective operations that are not drawn, since recording was off for a time, and their other ends may
    /// be others than they seem.
    pub doubtful: u64,
    /// Waits that share a mark with their neighbours.
    pub waits: u64,
    /// The end of the drawn messages and collective operations, if there are too many to remember.
    pub lines_until: Option<u64>,
    /// The method that made times of different processes comparable, if they were not: corrected as the analysis
    /// derived it, or not at all, so that only waits inside a process are marked.
    pub clocks: Option<ClockMethod>,
    /// The unreadable parts of the trace, in words.
    pub unreadable: Vec<String>,
}

impl Timeline {
    /// Seconds from the first event to a time.
    pub fn since_begin(&self, time: u64) -> f64 {
        time.saturating_sub(self.begin) as f64 / self.resolution.max(1) as f64
    }

    /// The omissions of the picture, in words; empty if it shows everything.
    ///
    /// ```
    /// use ats_presentation::{Detail, Timeline};
    /// let detail = Detail { merged: 1200, ..Detail::default() };
    /// let timeline = Timeline { detail, ..Timeline::default() };
    /// assert_eq!(timeline.remarks(), ["1200 short calls share a bar with their neighbours."]);
    /// ```
    pub fn remarks(&self) -> Vec<String> {
        let detail = &self.detail;
        let mut remarks = Vec::new();
        let span = self.window.map(|(begin, end)| {
            let [begin, end] = [begin, end].map(|time| self.since_begin(time));
            format!("{begin:.6} s to {end:.6} s")
        });
        let ranks = detail.ranks.as_ref().map(|ranks| format!("ranks {ranks}"));
        let part: Vec<String> = span.into_iter().chain(ranks).collect();
        if !part.is_empty() {
            remarks.push(format!(
                "The timeline shows {} alone; all else is of the whole run.",
                part.join(" and ")
            ));
        }
        if detail.locations > self.rows.len() {
            remarks.push(format!(
                "{} of {} locations are shown: those that wait most, those they wait for, and others evenly from all.",
                self.rows.len(),
                detail.locations
            ));
        }
        let counts = [
            (detail.merged, "short calls share a bar with their neighbours"),
            (detail.deeper, "calls lie deeper than the picture"),
            (detail.messages, "messages are not drawn"),
            (detail.collectives, "collective operations are not drawn"),
            (
                detail.doubtful,
                "messages and collective operations are not drawn: recording was off for a time, and their other ends are not \
                 known",
            ),
            (detail.waits, "waits share a mark with their neighbours"),
        ];
        let said = counts.into_iter().filter(|(count, _)| *count > 0);
        remarks.extend(said.map(|(count, what)| format!("{count} {what}.")));
        if let Some(until) = detail.lines_until {
            let seconds = self.since_begin(until);
            remarks.push(format!("Messages and collective operations are drawn up to {seconds:.3} s."));
        }
        match detail.clocks {
            Some(ClockMethod::Derived) => {
                remarks.push("The clocks of the processes differ; times are corrected as the analysis derived it.".to_owned());
            }
            Some(ClockMethod::Durations) => remarks.push(
                "The clocks of the processes contradict each other: messages may run backwards, and waits between processes \
                 are estimated without times, so that none of them is marked."
                    .to_owned(),
            ),
            Some(ClockMethod::Recorded) | None => {}
        }
        remarks.extend(detail.unreadable.iter().cloned());
        remarks
    }
}
