//! Seconds that are lost as locations without a processor lose them, whatever the program does.

use ats_model::mpi::{Function, Kind};
use ats_model::openmp::Construct;

use super::case::Case;
use super::facts::Facts;
use super::mechanism::Mechanism;
use super::rules::{is_uneven, lack};
use super::transfers::Transfers;

/// The part of the seconds that late leaves cost up to which waits for locations that are late in turn are of the same kind:
/// a location gets its processor as late in its own code as after a call. All then wait for the last of them, which costs
/// less than that all leave late. With a higher value a planted delay of a random location is taken for one of a busy machine,
/// with a lower one such a machine gets advice.
const OF_LEAVES: f64 = 0.5;

/// The same for locations whose totals differ. Of random delays, totals differ by the root of their number: in 30 steps of
/// four locations that lets the others wait for a seventh of what late leaves cost.
pub(crate) const OF_LEAVES_IF_UNEVEN: f64 = 0.25;

/// The seconds for which another location keeps a processor before it is the next one's turn: a tick of a Linux kernel with
/// 250 of them. A higher value takes short work that is uneven for turns at a processor, a lower one the other way round.
const SLICE: f64 = 4e-3;

/// The longest mean time of small messages, in seconds, that is theirs: a network takes a tenth of it. The receiver of a longer
/// one got its processor late. With a higher value wake-ups pass for many small messages, with a lower one such messages go
/// unnamed where all are slow.
const MESSAGE: f64 = 0.25e-3;

/// The time that locations without a processor cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lack {
    /// Seconds that locations lack one in code, as far as that is counted.
    not_running: f64,
    /// Seconds in calls that end late after all have come, and of waits for locations that leave one late.
    leaves: f64,
    /// Seconds until a location gets its processor if all others there take their turns.
    turn: f64,
}

impl Lack {
    /// That of a run with these cases.
    pub(super) fn new(facts: &Facts<'_>, cases: &[Case<'_>], not_running: f64) -> Self {
        let leaves = cases.iter().filter(|case| leaves_late(case)).map(Case::seconds).sum();
        let shared = facts.analysis.machine.shared.iter();
        let others = shared.map(|of| of.locations as f64 / of.processors.max(1) as f64 - 1.0);
        Lack { not_running, leaves, turn: SLICE * others.fold(0.0, f64::max) }
    }

    /// Whether it may be the reason of a case: late leaves, slow messages, and waits for a location that nothing recorded makes
    /// late, that lacks a processor for longer than others, or that is late in turn or by little.
    pub(super) fn may_be_reason(&self, case: &Case<'_>) -> bool {
        match case.mechanism {
            _ if leaves_late(case) => true,
            Mechanism::Transfer => case.transfers.as_ref().is_some_and(are_woken),
            Mechanism::Team => self.explains(case),
            _ if is_of_processes(case) => {
                // What nothing recorded makes late is as likely a late leave, as long as it costs no more than these.
                let is_unknown = case.path.is_none() && case.facts.share_processors();
                is_unknown && case.seconds() <= self.leaves || self.explains(case)
            }
            _ => false,
        }
    }

    /// Whether locations without a processor explain waits: each may make all others wait. If the late ones always are the
    /// same, they have to be without a processor for longer than those that wait; if they share none, that is a problem of
    /// mapping.
    fn explains(&self, case: &Case<'_>) -> bool {
        let (seconds, shared) = (case.seconds(), case.facts.share_processors());
        let others = case.facts.profile.units.len().saturating_sub(1) as f64;
        let (counted, is_uneven) = (seconds <= self.not_running * others, is_uneven(case));
        let leaves = self.leaves * if is_uneven { OF_LEAVES_IF_UNEVEN } else { OF_LEAVES };
        let are_alike = !is_uneven || all_do_it(case);
        counted && (!is_uneven || shared && lack(case).is_some())
            || shared && (are_alike && seconds <= leaves || self.is_a_turn(case))
    }

    /// Whether threads that do the same, in a parallel region that divides no work, are late by no more than a turn.
    fn is_a_turn(&self, case: &Case<'_>) -> bool {
        let Some(&(worst, _)) = case.units.first().filter(|_| last(case) == Some(Construct::Parallel)) else {
            return false;
        };
        let times = case.visits()[worst as usize] * case.waiting().len() as f64;
        case.seconds() <= self.turn * times
    }
}

/// The least part of the culprit's time in the late code that those who wait spend there if all do the same. With a higher value
/// delays make code that all pass look as if few do, with a lower one code is common that the others pass by.
const ALIKE: f64 = 0.5;

/// Whether those that wait do what the worst culprit does, and it just takes them less time.
fn all_do_it(case: &Case<'_>) -> bool {
    let Some(&(worst, _)) = case.units.first() else { return false };
    let (time, waiting) = (case.time(), case.waiting());
    let others: Vec<f64> =
        waiting.iter().filter(|unit| **unit != worst).map(|&unit| time[unit as usize]).collect();
    others.iter().sum::<f64>() >= ALIKE * time[worst as usize] * others.len() as f64
}

/// The construct that the culprits are late in, if it is one.
fn last(case: &Case<'_>) -> Option<Construct> {
    Construct::of_region(case.path?.names.last()?)
}

/// Whether calls that move data take as long as those who wake up late in them.
fn are_woken(transfers: &Transfers<'_>) -> bool {
    !transfers.are_small() || transfers.seconds() > MESSAGE * transfers.moved.number
}

/// Whether locations wait for those of other processes.
fn is_of_processes(case: &Case<'_>) -> bool {
    matches!(case.mechanism, Mechanism::Data | Mechanism::Meeting | Mechanism::Receiver)
}

/// Whether the time is that of operations and barriers that end late after all have come, or of waits for a location that
/// leaves one late. Forks and joins take long by themselves.
fn leaves_late(case: &Case<'_>) -> bool {
    let is_left = || {
        let is_barrier = matches!(last(case), Some(Construct::Barrier | Construct::ImplicitBarrier));
        is_barrier || case.call().is_some_and(takes_no_time)
    };
    match case.mechanism {
        Mechanism::Completion => true,
        Mechanism::Runtime => case.idle.is_some(),
        _ => is_of_processes(case) && is_left(),
    }
}

/// Whether a call takes no time by itself: it waits until another location has come, or asks or sets something in its own
/// process.
fn takes_no_time(call: Function) -> bool {
    match call.kind() {
        Kind::Request | Kind::Status | Kind::Datatype | Kind::Operator | Kind::Group | Kind::Topology => true,
        Kind::Communicator(None) | Kind::Environment | Kind::Value | Kind::Error | Kind::Info => true,
        Kind::Receive | Kind::SendReceive | Kind::Collective(_) | Kind::Neighborhood(_) => true,
        Kind::Completion { tests, .. } => !tests,
        _ => false,
    }
}
