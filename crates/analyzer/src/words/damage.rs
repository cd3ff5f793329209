//! Damage of a trace: counted while it is read, and put into words at the end.

use std::collections::BTreeMap;

use ats_model::Definitions;
use ats_model::event::{Class, Record};

/// A kind of damage or incompleteness of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Damage {
    TimeRunsBackwards,
    LeaveWithoutEnter,
    LeaveMissing,
    MetricImpossible,
    RecordOutsideCall,
    UnknownPeer,
    UnknownRequest,
    RequestNotCompleted,
    SendNotReceived,
    ReceiveNotSent,
    MessageMisplaced,
    OperationMisplaced,
    DoubtfulSend,
    DoubtfulReceive,
    DoubtfulOperation,
    CollectiveWithoutBegin,
    CollectiveWithoutEnd,
    NotAMember,
    MemberMissing,
    OperationsDiffer,
    RootUnknown,
    InitMissing,
    FinalizeMissing,
    JoinWithoutFork,
    JoinMissing,
    TeamEndWithoutBegin,
    TeamNotEnded,
    TeamWithoutFork,
    TeamsAroundEachOther,
    TeamMemberMissing,
    OmpBarrierOutsideTeam,
    OmpBarrierMemberMissing,
    OmpBarriersDiffer,
    LockOutsideConstruct,
    LockNotReleased,
    ReleaseWithoutAcquire,
    InterCommunicator,
    OneSided,
    OtherThreads,
    CallingContexts,
}

impl Damage {
    /// The damage of a record that the model does not have, if it hides waits: such records are not analyzed.
    pub(crate) fn of_unanalyzed(record: Record) -> Option<Self> {
        match record {
            // That a thread begins and ends hides nothing, nor does what OpenMP's tasks were before they had teams.
            Record::THREAD_BEGIN | Record::THREAD_END => return None,
            Record::OMP_TASK_CREATE | Record::OMP_TASK_SWITCH | Record::OMP_TASK_COMPLETE => return None,
            _ => {}
        }
        match record.class()? {
            Class::PointToPoint | Class::Collective | Class::NonBlockingCollective => {
                Some(Damage::InterCommunicator)
            }
            Class::Rma => Some(Damage::OneSided),
            Class::Thread | Class::Task => Some(Damage::OtherThreads),
            Class::CallingContext => Some(Damage::CallingContexts),
            Class::Attribute
            | Class::Measurement
            | Class::Program
            | Class::Region
            | Class::Parameter
            | Class::Metric
            | Class::Communicator
            | Class::Io => None,
        }
    }

    /// The same where recording was off: what is missing may have been there.
    pub(crate) fn with_recording_off(self) -> Self {
        match self {
            Damage::SendNotReceived => Damage::DoubtfulSend,
            Damage::ReceiveNotSent => Damage::DoubtfulReceive,
            Damage::MemberMissing => Damage::DoubtfulOperation,
            other => other,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Damage::TimeRunsBackwards => {
                "time stamps that lie before their predecessor's (no wait is longer than the basis)"
            }
            Damage::LeaveWithoutEnter => "leaves of a region that was not entered (ignored)",
            Damage::LeaveMissing => {
                "regions that were entered and not left (closed with the region around them)"
            }
            Damage::MetricImpossible => {
                "values of a metric that are less than the one before, though it accumulates, or values that are not numbers (ignored)"
            }
            Damage::RecordOutsideCall => "MPI records outside every MPI call (no wait is counted for them)",
            Damage::UnknownPeer => "messages whose communicator or peer is not defined (ignored)",
            Damage::UnknownRequest => "completions of a request that was not started",
            Damage::RequestNotCompleted => "requests that were started and not completed",
            Damage::SendNotReceived => "messages that were sent and not received",
            Damage::ReceiveNotSent => "messages that were received and not sent",
            Damage::MessageMisplaced => {
                "sends and receives with one before them that was not recorded (no wait is counted for them)"
            }
            Damage::OperationMisplaced => {
                "collective operations of a process with one before them that was not recorded (ignored there)"
            }
            Damage::DoubtfulSend => "sends",
            Damage::DoubtfulReceive => "receives",
            Damage::DoubtfulOperation => "collective operations",
            Damage::CollectiveWithoutBegin => {
                "collective operations without a begin (the enter of their call is taken, outside every call their end)"
            }
            Damage::CollectiveWithoutEnd => "collective operations without an end (ignored)",
            Damage::NotAMember => {
                "collective operations on a communicator that is not defined or does not hold the process (ignored)"
            }
            Damage::MemberMissing => {
                "collective operations that a member of the communicator did not take part in (the others are analyzed)"
            }
            Damage::OperationsDiffer => {
                "collective operations that differ between members, or have different roots (ignored)"
            }
            Damage::RootUnknown => "rooted collective operations whose root is not known (ignored)",
            Damage::InitMissing => "processes without MPI_Init, though others have it",
            Damage::FinalizeMissing => "processes without MPI_Finalize, though others have it",
            Damage::JoinWithoutFork => "joins of a team that was not forked (ignored)",
            Damage::JoinMissing => {
                "forks without a join (their management is counted up to the region's begin)"
            }
            Damage::TeamEndWithoutBegin => "ends of a team that did not begin (ignored)",
            Damage::TeamNotEnded => "teams without an end (closed with the construct around them)",
            Damage::TeamWithoutFork => {
                "teams without a fork (no management and limited parallelism is counted for them)"
            }
            Damage::TeamsAroundEachOther => {
                "teams that were started inside each other (their call paths are incomplete)"
            }
            Damage::TeamMemberMissing => {
                "teams in which a member did not take part (the others are analyzed)"
            }
            Damage::OmpBarrierOutsideTeam => {
                "OpenMP barriers outside every team (no wait is counted for them)"
            }
            Damage::OmpBarrierMemberMissing => {
                "OpenMP barriers in which a thread of the team did not take part (the others are analyzed)"
            }
            Damage::OmpBarriersDiffer => {
                "OpenMP barriers that are explicit on one thread of the team and implicit on another (ignored)"
            }
            Damage::LockOutsideConstruct => {
                "acquisitions of a lock outside critical and lock calls (no wait is counted for them)"
            }
            Damage::LockNotReleased => {
                "acquisitions of a lock whose previous release is not recorded (no wait is counted for them)"
            }
            Damage::ReleaseWithoutAcquire => "releases of a lock that was not acquired (ignored)",
            Damage::InterCommunicator => "messages and collective operations between groups (not analyzed)",
            Damage::OneSided => "records of one-sided communication (not analyzed)",
            Damage::OtherThreads => "records of threads other than OpenMP's (their waits are not analyzed)",
            Damage::CallingContexts => "records of calling contexts and samples (passed over)",
        }
    }
}

/// The place where something was wrong for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) time: u64,
    /// Index into the trace's locations.
    pub(crate) location: usize,
}

/// All damage of one kind: its number, and its first place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damages(BTreeMap<Damage, (u64, Spot)>);

impl Damages {
    pub(crate) fn add(&mut self, damage: Damage, location: usize, time: u64) {
        self.add_many(damage, 1, Spot { time, location });
    }

    fn add_many(&mut self, damage: Damage, count: u64, spot: Spot) {
        let (total, first) = self.0.entry(damage).or_insert((0, spot));
        *total += count;
        *first = spot.min(*first);
    }

    /// Drops damage that does not apply to this trace, or is told otherwise; returns how often there was such.
    pub(crate) fn forget(&mut self, damage: Damage) -> u64 {
        self.0.remove(&damage).map_or(0, |(count, _)| count)
    }

    pub(crate) fn absorb(&mut self, other: &Damages) {
        for (&damage, &(count, spot)) in &other.0 {
            self.add_many(damage, count, spot);
        }
    }

    pub(crate) fn has(&self, damage: Damage) -> bool {
        self.0.contains_key(&damage)
    }

    /// One line for each kind.
    pub(crate) fn warnings(&self, definitions: &Definitions) -> Vec<String> {
        self.0.iter().map(|(damage, &(count, spot))| warning(definitions, *damage, count, spot)).collect()
    }
}

fn warning(definitions: &Definitions, damage: Damage, count: u64, spot: Spot) -> String {
    let location = &definitions.locations[spot.location];
    let ticks = spot.time.saturating_sub(definitions.clock.offset);
    let (rank, thread, seconds) = (location.rank, location.thread, definitions.clock.seconds(ticks));
    format!("{}: {count}; the first on rank {rank}, thread {thread}, at {seconds} s", damage.text())
}
