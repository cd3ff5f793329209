//! Explanation of a run: why locations wait, and what to change: the document `ats-explanation/1`.

mod gate;

use serde::{Deserialize, Serialize};

use ats_model::locations::Location;
use ats_model::{WaitState, named};

pub use ats_model::CauseKind;

pub use gate::{
    CalledAt, Gate, JudgedCalls, JudgedProblem, KnownPlace, KnownProblem, KnownWait, Numbers, ProblemState,
};

use crate::Basis;
use crate::Comparison;
use crate::comparison::Term;
use crate::machine::Machine;
use crate::profile::FunctionShare;

/// `ats-explanation/1`: problems with their causes and advice, as Kappa-PI gives them (Espinosa, Margalef and Luque 1998).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The schema's name, `ats-explanation/1`.
    pub schema: String,
    /// The trace, as it was named.
    pub trace: String,
    /// The time that shares are relative to.
    pub basis: Basis,
    /// The location-seconds, each in one term.
    #[serde(default)]
    pub division: Division,
    /// Seconds that are neither computing nor unknown, over all locations.
    pub lost: f64,
    /// Seconds that may be computing or lost, over all locations: in calls that are not analyzed, and those that are not
    /// recorded. Calls that move data are none of them: all of their time is lost.
    #[serde(default)]
    pub unknown: f64,
    /// The share of the location-seconds that is computing, if nothing of the unknown is lost.
    pub efficiency: f64,
    /// The efficiency that is enough, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<f64>,
    /// The efficiency in the course of the run.
    pub over_time: OverTime,
    /// The calls that move data, by the region that makes them, by falling seconds: those of at least the share of a
    /// problem. Moving data is a problem if messages are small, or slower than others.
    #[serde(default)]
    pub transfers: Vec<Transfers>,
    /// Time that is lost as locations without a processor lose it: in operations that last after all have come, slow
    /// messages, and waits for locations that have left a call late, lack a processor for longer than others, or are late in
    /// turn. It is in no problem while locations lack processors, and nothing otherwise.
    #[serde(default)]
    pub lacking_processors: Omitted,
    /// The problems, by falling seconds; none if the required efficiency is met.
    pub problems: Vec<Problem>,
    /// Further problems, which are too small or too many to be listed.
    pub omitted: Omitted,
    /// The number of locations; 0 in documents that were written before it was there.
    #[serde(default)]
    pub locations: u64,
    /// All problems in short, listed or not, by falling seconds: later runs are compared with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownProblem>,
    /// Calls of MPI and constructs of OpenMP at their places in the source: they are counted exactly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CalledAt>,
    /// The same problems and calls, judged by earlier runs, if such were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The run beside another one, if that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
    /// Seconds by which a replay without changes ends later than the trace, if gains were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_error: Option<f64>,
    /// Work of the machine for the locations, where the trace has something of it.
    #[serde(default, skip_serializing_if = "Machine::is_empty")]
    pub machine: Machine,
    /// Limits of what the trace tells, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The kinds of the notes, in their order; none in documents that were written before they were there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub note_kinds: Vec<NoteKind>,
}

named! {
    /// The kind of a note.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum NoteKind {
        /// A location ends before its time: nothing else is to be read before it.
        ReadInPart = "read_in_part",
        /// Something is not known that explanations tell of other runs.
        NotKnown = "not_known",
        /// Another one.
        Remark = "remark",
    }
}

/// A run beside another one, in sentences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Against {
    /// The facts that were not compared, the whole difference, and its parts, the largest first.
    pub sentences: Vec<String>,
    /// The comparison: A is the other run, and B this one.
    pub comparison: Comparison,
}

/// The location-seconds of a basis by their use. The terms add up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Division {
    /// Code of the program: outside of MPI and of the runtime of threads.
    pub computing: f64,
    /// Wait states in which another location is awaited.
    pub waiting: Waiting,
    /// Calls of MPI that move data or let all meet, besides waits.
    pub transfer: f64,
    /// Other calls of MPI besides waits: to start, to make communicators, to test for messages.
    pub other_mpi: f64,
    /// Threads without work: outside of parallel regions, or left out of their teams.
    pub idle: f64,
    /// The runtime of threads besides waits: barriers, forks, joins, tasks and locks.
    pub runtime: f64,
    /// Code of the program that had no processor.
    pub not_running: f64,
    /// Time in which the recorder wrote its buffers.
    pub recorder: f64,
    /// Time of locations that had not begun or had ended, or were not in the region that is the basis.
    pub absent: f64,
    /// Calls that are not analyzed.
    pub not_analyzed: f64,
    /// Code between tests in vain of requests that are not receives: it may work, or wait.
    pub polling: f64,
    /// Time in which recording was off, and after the last event of locations that could only be read in part.
    pub not_recorded: f64,
}

/// Seconds of wait states by what they are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// Waits for messages.
    pub messages: f64,
    /// Waits in collective operations, barriers of MPI, and `MPI_Finalize`.
    pub collectives: f64,
    /// Waits at barriers of OpenMP.
    pub omp_barriers: f64,
    /// Waits for critical sections and locks.
    pub locks: f64,
}

impl Waiting {
    /// All of them.
    pub fn seconds(&self) -> f64 {
        self.messages + self.collectives + self.omp_barriers + self.locks
    }
}

impl Division {
    /// Seconds that are neither computing nor unknown.
    pub fn lost(&self) -> f64 {
        let Division { transfer, other_mpi, idle, runtime, not_running, recorder, absent, .. } = self;
        self.waiting.seconds() + transfer + other_mpi + idle + runtime + not_running + recorder + absent
    }

    /// The seconds of a term.
    pub fn seconds(mut self, term: Term) -> f64 {
        *self.term(term)
    }

    /// The seconds of a term, to be changed.
    pub fn term(&mut self, term: Term) -> &mut f64 {
        match term {
            Term::Computing | Term::MoreWork | Term::SlowerWork => &mut self.computing,
            Term::Messages => &mut self.waiting.messages,
            Term::Collectives => &mut self.waiting.collectives,
            Term::OmpBarriers => &mut self.waiting.omp_barriers,
            Term::Locks => &mut self.waiting.locks,
            Term::Transfer => &mut self.transfer,
            Term::OtherMpi => &mut self.other_mpi,
            Term::Idle => &mut self.idle,
            Term::Runtime => &mut self.runtime,
            Term::NotRunning => &mut self.not_running,
            Term::Recorder => &mut self.recorder,
            Term::Absent => &mut self.absent,
            Term::NotAnalyzed => &mut self.not_analyzed,
            Term::Polling => &mut self.polling,
            Term::NotRecorded => &mut self.not_recorded,
        }
    }

    /// Seconds that may be computing or lost.
    pub fn unknown(&self) -> f64 {
        self.not_analyzed + self.polling + self.not_recorded
    }
}

/// The efficiency in the course of a run, in intervals of equal length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverTime {
    /// The begin of the first interval and of the basis, in seconds since the first event of the trace.
    pub begin: f64,
    /// The length of an interval, in seconds.
    pub interval: f64,
    /// The share of each interval in which locations do not wait.
    pub efficiency: Vec<f64>,
    /// Lost seconds that are in no interval, since only their sum is known: all but wait states.
    pub untimed: f64,
}

/// Calls from one region that move data: messages, or collective operations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Transfers {
    /// Seconds that they take besides waits, over all locations.
    pub seconds: f64,
    /// The same as a share of the location-seconds.
    pub share: f64,
    /// Their call paths, by falling seconds.
    pub call_paths: Vec<Vec<String>>,
    /// Messages sent and received, and parts in collective operations.
    pub number: u64,
    /// Bytes of these.
    pub bytes: u64,
}

/// Problems that are not listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Omitted {
    /// Their number.
    pub problems: u64,
    /// Their seconds, over all locations.
    pub seconds: f64,
    /// Those of the largest.
    #[serde(default)]
    pub largest: f64,
    /// Number and seconds by the call that waits, or that moves data, by falling seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_call: Vec<OmittedAt>,
}

/// Problems at a call that are not listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OmittedAt {
    /// The name of the call, or of a construct without its place; empty if the waits are in no call.
    pub call: String,
    /// Their number.
    pub problems: u64,
    /// Their seconds, over all locations.
    pub seconds: f64,
}

/// Waits with one origin, or messages that take long.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// Seconds lost, over all locations: the waiting that it causes, and not what a change saves.
    pub seconds: f64,
    /// The same as a share of the location-seconds.
    pub share: f64,
    /// The call path that the culprits are late in, or whose messages take long; empty if it is unknown.
    pub call_path: Vec<String>,
    /// Further call paths to the same code, such as those of other phases, by falling seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_call_paths: Vec<Vec<String>>,
    /// Its place in the source, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceLine>,
    /// Whether those who wait spend as much of the run there as the culprits: another distribution of the work does not
    /// help.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_even: bool,
    /// The locations that the others wait for, or whose messages take long, by falling seconds.
    pub culprits: Vec<Culprit>,
    /// Further locations that are about as late as the first culprit, though none waits for them: once it is relieved, the
    /// others wait for these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub as_late: Vec<Location>,
    /// The functions that the culprits spend their time there in, by samples and falling shares; none without samples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionShare>,
    /// The waits, by falling seconds; none if messages take long.
    pub effects: Vec<Effect>,
    /// The causes that fit, by falling confidence.
    pub causes: Vec<FittingCause>,
    /// The problem and the advice of its first cause, in words.
    pub text: String,
    /// The gain of the run if the advice is followed, if it was asked for and a change stands for the advice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
}

/// The gain of a run by changes, as a replay of its trace tells it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gain {
    /// The changes, as options of `ats what-if`.
    pub changes: Vec<String>,
    /// Seconds that the run is shorter; negative if it is longer.
    pub seconds: f64,
    /// The same as a share of the run.
    pub share: f64,
    /// Whether the gain is at least twice the error of a replay.
    pub is_certain: bool,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceLine {
    /// The file, as the trace names it.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// A location that others wait for, or whose messages take long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Culprit {
    /// The location.
    #[serde(flatten)]
    pub location: Location,
    /// Seconds that others wait because of it, or that its messages take.
    pub seconds: f64,
}

/// The part of a finding that belongs to a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Effect {
    /// The finding, by its id in `ats-analysis/1`.
    pub finding: String,
    /// The wait state.
    pub property: WaitState,
    /// The call path of the waits.
    pub call_path: Vec<String>,
    /// The place in the source of the call that waits, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceLine>,
    /// Seconds of it, over all locations.
    pub seconds: f64,
    /// The locations that wait in the finding.
    pub waiting: Vec<Location>,
    /// The intervals in which they wait; none if single waits are not known, as of idle threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Intervals>,
}

/// Intervals of inefficiency: in each, the same locations wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Intervals {
    /// Their number.
    pub number: u64,
    /// The begin of the worst, in seconds since the first event of the trace.
    pub begin: f64,
    /// Its end.
    pub end: f64,
    /// The locations that wait in it.
    pub waiting: Vec<Location>,
}

/// A cause that fits what the trace shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FittingCause {
    /// The cause.
    pub cause: CauseKind,
    /// Confidence that it is the cause, from 0 to 1.
    pub confidence: f64,
    /// The facts that speak for it, in words.
    pub evidence: Vec<String>,
    /// The change that it suggests, in words.
    pub advice: String,
}

impl Explanation {
    /// The value of [`Explanation::schema`].
    pub const SCHEMA: &str = "ats-explanation/1";

    /// The least share of the location-seconds of a problem that is listed, unless another is asked for. A smaller one is
    /// hard to tell from the differences between two runs.
    pub const LEAST_SHARE: f64 = 0.01;

    /// The efficiency if all of the unknown is lost.
    pub fn least_efficiency(&self) -> f64 {
        (self.efficiency - self.basis.severity(self.unknown)).max(0.0)
    }

    /// Adds a note.
    pub fn add_note(&mut self, kind: NoteKind, note: String) {
        self.notes.push(note);
        self.note_kinds.push(kind);
    }

    /// The notes with their kinds.
    pub fn noted(&self) -> impl Iterator<Item = (NoteKind, &String)> {
        let kinds = self.note_kinds.iter().copied().chain(std::iter::repeat(NoteKind::Remark));
        kinds.zip(&self.notes)
    }

    /// Whether a problem is not listed that is worth a change.
    pub fn omits_problems(&self) -> bool {
        self.basis.severity(self.omitted.largest) >= Self::LEAST_SHARE
    }

    /// Whether more of the time is in problems that are not listed than in those that are.
    pub fn hides_most(&self) -> bool {
        self.omitted.seconds > self.problems.iter().map(|problem| problem.seconds).sum()
    }

    /// Whether so much is unknown that it may hide a problem.
    pub fn may_hide_problems(&self) -> bool {
        self.basis.severity(self.unknown) >= Self::LEAST_SHARE
    }

    /// Whether the run is certainly as efficient as required; `false` if nothing is required.
    pub fn is_enough(&self) -> bool {
        self.required.is_some_and(|required| self.least_efficiency() >= required)
    }
}

impl Problem {
    /// The cause that fits best.
    pub fn cause(&self) -> CauseKind {
        self.causes.first().map_or(CauseKind::Unknown, |first| first.cause)
    }
}
