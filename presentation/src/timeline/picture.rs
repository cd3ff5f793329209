//! What is in a picture, and what it says of itself.

use ats_model::{
    CallSite,
    clock_correction::ClockMethod,
    definitions::{Paradigm, Region, RegionRole},
    event::CollectiveOperation,
    mpi,
};

/// The picture of a trace. All times are ticks of the trace's clock, in seconds when divided by [`Timeline::resolution`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Ticks per second.
    pub resolution: u64,
    /// The first event.
    pub begin: u64,
    /// The last event.
    pub end: u64,
    /// From the first entry into the measured part to the last exit, where the program has one.
    pub measured: Option<(u64, u64)>,
    /// One per location, by rank and thread.
    pub rows: Vec<Row>,
    /// What [`Bar::region`] refers to.
    pub regions: Vec<RegionName>,
    /// Messages between the rows, by the time they are sent.
    pub messages: Vec<Message>,
    /// Collective operations of at least two rows, by the time they begin.
    pub collectives: Vec<Collective>,
    /// What [`MarkedWait::finding`] refers to: the [`ats_documents::Finding::id`]s.
    pub findings: Vec<String>,
    /// Where somebody waits, by row and begin.
    pub waits: Vec<MarkedWait>,
    /// What was left out.
    pub detail: Detail,
}

/// A location.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name in the trace.
    pub name: String,
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    pub thread: u32,
    /// What it does, by level and begin. Bars of one level do not overlap.
    pub bars: Vec<Bar>,
}

/// A call, or neighbouring calls that were too short to be kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// How many calls are around it.
    pub level: u16,
    /// Index into [`Timeline::regions`]; of several calls that of the longest.
    pub region: u32,
    /// The time of its enter.
    pub begin: u64,
    /// The time of its leave.
    pub end: u64,
    /// How many calls it stands for.
    pub calls: u64,
}

/// A region by name and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionName {
    /// Its name.
    pub name: String,
    /// Where its calls stand, if the trace says so.
    pub call_site: Option<CallSite>,
    /// What it is.
    pub kind: Kind,
}

impl RegionName {
    /// Its name, and its call site: `MPI_Recv in halo (heat.c:12)`.
    pub fn label(&self) -> String {
        CallSite::label(&self.name, self.call_site.as_ref())
    }
}

/// The kinds of regions that are told apart by colour.
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
    /// A construct of OpenMP at which threads wait for each other.
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
    pub fn of(region: &Region) -> Self {
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
            _ => function.map_or(Kind::Mpi, Kind::of_call),
        }
    }

    /// The kind of a call of MPI, for recorders that do not say what it does.
    fn of_call(function: mpi::Function) -> Self {
        use mpi::Kind::*;
        match function.kind() {
            Collective(_) | Neighborhood => Kind::Collective,
            Send(_) | Receive | SendReceive | Probe | Start | Completion { .. } => Kind::PointToPoint,
            _ => Kind::Mpi,
        }
    }
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The row that sends.
    pub from: usize,
    /// When it is sent.
    pub sent: u64,
    /// The row that receives.
    pub to: usize,
    /// When it is received.
    pub received: u64,
    /// Payload.
    pub bytes: u64,
    /// The tag.
    pub tag: u32,
}

/// A collective operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Which one.
    pub operation: CollectiveOperation,
    /// Who takes part, by row.
    pub parts: Vec<Part>,
}

/// A row's part in a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The row.
    pub row: usize,
    /// When it begins.
    pub begin: u64,
    /// When it ends.
    pub end: u64,
}

/// A span in which a row waits, as the analyzer handed it out, or neighbouring ones that were too many to be kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedWait {
    /// Index into [`Timeline::findings`].
    pub finding: usize,
    /// The row that waits.
    pub row: usize,
    /// When it begins.
    pub begin: u64,
    /// When it ends.
    pub end: u64,
    /// How many waits it stands for.
    pub waits: u64,
    /// How long they are together.
    pub waited: u64,
    /// For whom: rank and thread, shown or not; none where it is for nobody, or where several waits are for different ones.
    pub awaited: Option<(u32, u32)>,
}

/// How much of a trace a picture may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Locations.
    pub rows: usize,
    /// Bars over all rows.
    pub bars: usize,
    /// Messages.
    pub messages: usize,
    /// Collective operations.
    pub collectives: usize,
    /// Marked waits.
    pub waits: usize,
}

impl Default for Limits {
    /// A picture of about a megabyte at most.
    fn default() -> Self {
        Limits { rows: 64, bars: 40_000, messages: 5_000, collectives: 1_000, waits: 10_000 }
    }
}

/// What a picture leaves out. All zero: it shows everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// How many locations the trace has.
    pub locations: usize,
    /// Calls that share a bar with their neighbours.
    pub merged: u64,
    /// Calls that are deeper than the picture.
    pub deeper: u64,
    /// Messages between the rows that are not drawn.
    pub messages: u64,
    /// Collective operations that are not drawn.
    pub collectives: u64,
    /// Waits that share a mark with their neighbours.
    pub waits: u64,
    /// Where messages and collective operations are too many to be remembered: they are drawn up to this time.
    pub lines_until: Option<u64>,
    /// How times of different processes were made comparable, where they were not: corrected as the analysis derived it, or
    /// not at all, so that only waits inside a process are marked.
    pub clocks: Option<ClockMethod>,
    /// What could not be read, in words.
    pub unreadable: Vec<String>,
}

impl Timeline {
    /// What the picture leaves out, in words; nothing where it shows everything.
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
        if detail.locations > self.rows.len() {
            remarks.push(format!(
                "{} of {} locations are shown: those that wait most, those for whom they do, and others evenly from all.",
                self.rows.len(),
                detail.locations
            ));
        }
        let counts = [
            (detail.merged, "short calls share a bar with their neighbours"),
            (detail.deeper, "calls lie deeper than the picture"),
            (detail.messages, "messages are not drawn"),
            (detail.collectives, "collective operations are not drawn"),
            (detail.waits, "waits share a mark with their neighbours"),
        ];
        let said = counts.into_iter().filter(|(count, _)| *count > 0);
        remarks.extend(said.map(|(count, what)| format!("{count} {what}.")));
        if let Some(until) = detail.lines_until {
            let seconds = until.saturating_sub(self.begin) as f64 / self.resolution.max(1) as f64;
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
