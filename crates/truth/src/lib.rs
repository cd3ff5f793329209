//! The truth about a program, computed on the virtual engine from its parameters or from the stamps of a run.
//!
//! [`Planned`] is what is asked, [`nominal`] and [`observed`] are the two truths, [`ideal_trace`] is the nominal one as
//! a trace, [`nominal_runs`] is the nominal one of several runs.

pub mod causes;
mod costs;
mod experiment;
pub mod ideal_trace;
mod network;
mod numbers;
mod planned;
mod processors;
mod severities;
mod size;
mod subject;

pub use costs::{costs, costs_in_words};
pub use experiment::nominal_runs;
pub use network::{NetworkError, network, network_in_words, network_on_known_nodes};
pub use planned::{Planned, PlannedError};
pub use processors::{processors, processors_in_words};
pub use severities::{Amount, KnownSeverity, severities};
pub use size::{GivenSize, Size, SizeError};

use std::collections::BTreeMap;

use ats_compose::Subject;
use ats_documents::finding::{CommunicatorInfo, LocationShare, MEASURED_REGION, Tolerance};
use ats_documents::{Basis, Finding, Truth};
use ats_model::delay::Extent;
use ats_model::mpi::{Function, Kind};
use ats_model::openmp::Construct as OmpConstruct;
use ats_model::source::InMemory;
use ats_model::witness::{Choice, Construct, Work};
use ats_model::{CauseKind, View, WaitState, Witness};
use ats_props::{Location, SendMode, Shown};
pub use ats_virtual::{Costs, Network, Processors};
use ats_virtual::{Outcome, RankReplay, Simulation, SimulationError, ThreadReplay, Wait};
use thiserror::Error;

use numbers::Measures;
use subject::Programs;

/// Options for computing the nominal truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TruthOptions {
    /// The costs of communication; none by default.
    pub network: Network,
    /// The costs of operations, for work that is described by its amount.
    pub costs: Costs,
    /// The processors of the ranks; by default, each location has its own.
    pub processors: Option<Processors>,
    /// Seconds from a fork to the begin of the other threads; none by default.
    pub fork: f64,
    /// The waits whose root causes are wanted, too; none by default.
    pub causes: Option<Extent>,
}

/// Why there is no truth.
#[derive(Debug, Error)]
pub enum TruthError {
    /// The program cannot run like this.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The program does not come to its end on the virtual engine.
    #[error("{program} on {size} in virtual time: {source}")]
    Simulation {
        /// The program.
        program: String,
        /// The number of ranks and threads.
        size: Size,
        /// The simulation's error.
        source: Box<SimulationError>,
    },
    /// The witnesses are not those of one whole run.
    #[error("the witnesses are not of one run of {program}: {reason}; run it again into an empty folder")]
    Witnesses {
        /// The program.
        program: String,
        /// The mistake in them.
        reason: String,
    },
}

/// The truth that the parameters promise: the run on an ideal machine.
///
/// # Errors
/// There are too few ranks or threads, or the program does not come to its end.
pub fn nominal(subject: &Subject, size: Size, options: &TruthOptions) -> Result<Truth, TruthError> {
    size.check(subject)?;
    let outcome = simulate(whole(subject, size, options), subject, size)?;
    let measures = Measures::new(&outcome);
    let causes = |extent| causes::of_ideal_trace(subject, size, options, extent);
    let causes = options.causes.map(causes).transpose()?;
    let shares_processors = options.processors.is_some();
    let run = Run { subject, size, network: network_of(subject, options), shares_processors };
    let network = network_in_words(&run.network);
    let processors = options.processors.as_ref().map(processors_in_words);
    let costs = costs_in_words(&options.costs);
    Ok(Truth { network, costs, processors, causes, ..document(&run, &outcome, &measures) })
}

/// The truth that a run showed: its stamps, replayed under the same rules.
///
/// # Errors
/// A witness is missing or of another program, or does not fit it.
pub fn observed(subject: &Subject, size: Size, witnesses: &[Witness]) -> Result<Truth, TruthError> {
    size.check(subject)?;
    let replay = replay(subject, size, witnesses)?;
    let network = probed(witnesses).unwrap_or_default();
    let simulation = Simulation::new(size.ranks).threads(size.threads).network(network).replay(replay);
    let outcome = simulate(simulation, subject, size)?;
    let measures = Measures::of_witnesses(witnesses, &subject.measured(), &outcome);
    let run = Run { subject, size, network, shares_processors: false };
    let mut truth = Truth { network: network_in_words(&network), ..document(&run, &outcome, &measures) };
    // Outside the measured part, and where the harness aligns the ranks, nothing is stamped.
    truth.ambient.iter_mut().for_each(|finding| finding.any_amount = true);
    if witnesses.iter().any(Witness::is_from_pragmas) {
        let is_told =
            |name: &str| OmpConstruct::of_region(name).is_none_or(OmpConstruct::is_told_by_compilers);
        truth.counts.retain(|name, _| is_told(name));
    }
    Ok(truth)
}

/// The trace of a run if communication had cost nothing: the measured part, with its work, its choices, and the waits that
/// follow from them. `None` for programs with teams of threads, whose constructs cost something, too.
///
/// # Errors
/// A witness is missing or of another program, or does not fit it.
pub fn at_no_cost(
    subject: &Subject,
    size: Size,
    witnesses: &[Witness],
) -> Result<Option<InMemory>, TruthError> {
    size.check(subject)?;
    if subject.needs().team {
        return Ok(None);
    }
    let replay = replay(subject, size, witnesses)?;
    let network = probed(witnesses).unwrap_or_default();
    let mut trace = InMemory::default();
    let simulation = Simulation::new(size.ranks).network(network).replay_work(replay);
    simulate(simulation.without_accounts().record(&mut trace), subject, size)?;
    Ok(Some(trace))
}

/// The truth that the parameters promise on the library of a run, and with `causes` if they are wanted: with the eager
/// limit that the run has probed, or without eager messages if the property's were not sent so. `None` if neither
/// matters.
///
/// # Errors
/// As for [`nominal`].
pub fn promised(
    subject: &Subject,
    size: Size,
    witnesses: &[Witness],
    causes: Option<Extent>,
) -> Result<Option<Truth>, TruthError> {
    let options =
        probed(witnesses).map(|network| TruthOptions { network, causes, ..TruthOptions::default() });
    options.map(|options| nominal(subject, size, &options)).transpose()
}

/// The network with the eager limit that a run has probed.
fn probed(witnesses: &[Witness]) -> Option<Network> {
    let limit = |witness: &Witness| witness.eager_limit.or((witness.eager_held == Some(false)).then_some(0));
    let limit = witnesses.iter().find_map(limit)?;
    Some(Network { eager_limit: usize::try_from(limit).unwrap_or(usize::MAX), ..Network::default() })
}

/// The network of the options; if they say nothing of its progress or bandwidth, with that of the subject.
pub fn network_of(subject: &Subject, options: &TruthOptions) -> Network {
    let network = options.network;
    let progress = network.progress.or(subject.progress());
    let is_said = network.bandwidth.is_finite();
    let bandwidth = if is_said { network.bandwidth } else { subject.bandwidth().unwrap_or(f64::INFINITY) };
    Network { progress, bandwidth, ..network }
}

/// A simulation of the program from its begin to its end.
pub(crate) fn whole<'a>(subject: &Subject, size: Size, options: &TruthOptions) -> Simulation<'a> {
    let network = network_of(subject, options);
    let simulation = Simulation::new(size.ranks).threads(size.threads).network(network).fork(options.fork);
    let simulation = simulation.processors(options.processors.clone()).costs(options.costs);
    if subject.needs().ranks && !subject.owns_mpi() { simulation.whole_program() } else { simulation }
}

/// Runs the program, in its measured region.
pub(crate) fn simulate(
    simulation: Simulation<'_>,
    subject: &Subject,
    size: Size,
) -> Result<Outcome, TruthError> {
    subject::simulate(subject, simulation, size).map_err(|source| TruthError::Simulation {
        program: subject.name().to_owned(),
        size,
        source: Box::new(source),
    })
}

/// The stamps of all ranks on rank 0's clock, in picoseconds from the first entry into the measured region.
fn replay(subject: &Subject, size: Size, witnesses: &[Witness]) -> Result<Vec<RankReplay>, TruthError> {
    let (name, parameters) = (subject.name(), subject.parameters());
    let wrong = |reason: String| TruthError::Witnesses { program: name.to_owned(), reason };
    let mut by_rank: Vec<&Witness> = witnesses.iter().collect();
    by_rank.sort_by_key(|witness| witness.rank);
    for (expected, witness) in (0..).zip(&by_rank) {
        if witness.program != name {
            return Err(wrong(format!("rank {} ran {}", witness.rank, witness.program)));
        }
        if witness.parameters != parameters {
            return Err(wrong(format!(
                "rank {} had other parameters: {:?}",
                witness.rank, witness.parameters
            )));
        }
        if witness.rank != expected || witness.ranks as usize != size.ranks {
            let (rank, ranks) = (witness.rank, witness.ranks);
            return Err(wrong(format!(
                "rank {rank} of {ranks} is there, where rank {expected} of {size} is due"
            )));
        }
    }
    if by_rank.len() != size.ranks {
        return Err(wrong(format!("there are {}, where {size} were to run", by_rank.len())));
    }
    let aligned = |witness: &Witness, ns: u64| witness.clock.align(ns);
    let begin = |witness: &&Witness| aligned(witness, witness.measured.enter_ns);
    let origin = by_rank.iter().map(begin).min().unwrap_or_default();
    let on_shared_clock =
        |witness: &Witness, ns: u64| ((aligned(witness, ns) - origin).max(0) as u64).saturating_mul(1000);
    let thread = |witness: &Witness,
                  constructs: &[Construct],
                  work: &[Work],
                  choices: &[Choice],
                  begins_ns: &[u64]| ThreadReplay {
        calls: constructs
            .iter()
            .map(|construct| {
                let at = |ns| on_shared_clock(witness, ns);
                (construct.name.clone(), at(construct.span.enter_ns), at(construct.span.leave_ns))
            })
            .collect(),
        repeated: constructs
            .iter()
            .enumerate()
            .filter_map(|(at, construct)| (construct.times != 1).then_some((at, construct.times)))
            .collect(),
        choices: choices.iter().map(|choice| (choice.construct, choice.chosen)).collect(),
        work: work
            .iter()
            .map(|work| {
                [work.span.enter_ns, work.span.leave_ns].map(|ns| on_shared_clock(witness, ns)).into()
            })
            .collect(),
        begins: begins_ns.iter().map(|&ns| on_shared_clock(witness, ns)).collect(),
    };
    let rank = |witness: &&Witness| RankReplay {
        enter: on_shared_clock(witness, witness.measured.enter_ns),
        leave: on_shared_clock(witness, witness.measured.leave_ns),
        master: thread(witness, &witness.constructs, &witness.work, &witness.choices, &witness.begins_ns),
        threads: witness
            .threads
            .iter()
            .map(|other| {
                (
                    other.path.clone(),
                    thread(witness, &other.constructs, &other.work, &other.choices, &other.begins_ns),
                )
            })
            .collect(),
    };
    Ok(by_rank.iter().map(rank).collect())
}

/// A run of a program.
struct Run<'a> {
    subject: &'a Subject,
    size: Size,
    network: Network,
    /// Whether ranks may wait for a processor, which no property plans.
    shares_processors: bool,
}

impl Run<'_> {
    /// The seconds of each cause in a wait that a property shows. In a composition, a property may pass its waits on to the
    /// next, and run on a few ranks only: nothing is known of causes there.
    fn explained_by(&self, shown: &Shown, waited: f64) -> BTreeMap<CauseKind, f64> {
        let (false, Subject::Property { program, arguments }) = (self.shares_processors, self.subject) else {
            return BTreeMap::new();
        };
        let (Size { ranks, threads }, Network { eager_limit, .. }) = (self.size, self.network);
        let participants = if program.property.needs.ranks { ranks } else { threads };
        let run = Location { ranks, threads, rank: 0, thread: 0, participants, eager_limit };
        shown.explained_by(arguments, &run, waited)
    }
}

fn document(run: &Run<'_>, outcome: &Outcome, measures: &Measures<'_>) -> Truth {
    let &Run { subject, size, .. } = run;
    let basis = Basis::new(Some(MEASURED_REGION.to_owned()), outcome.wall_time(), outcome.locations.len());
    let mut grouped: BTreeMap<(Vec<&str>, Option<WaitState>), Vec<&Wait>> = BTreeMap::new();
    for wait in &outcome.waits {
        grouped.entry((wait.call_path.clone(), wait.state)).or_default().push(wait);
    }
    // A runtime may take the threads of nested teams from those that idle, or make more that idle later.
    let is_nested = outcome.locations.iter().any(|location| location.exchangeable);
    let programs = Programs(subject.programs());
    let mut findings = Vec::new();
    let mut ambient = Vec::new();
    for ((call_path, state), waits) in grouped {
        let mut finding = finding(run, &programs, &call_path, state, &waits, &basis);
        finding.any_amount = is_nested && finding.view == View::Idle;
        let is_known = finding.is_measured() && !finding.any_amount;
        if is_known { &mut findings } else { &mut ambient }.push(finding);
    }
    findings.sort_by(|a, b| b.waiting_time.total_cmp(&a.waiting_time));
    findings.extend(measures.findings(subject, &basis));
    let present = |state| findings.iter().chain(&ambient).any(|finding| finding.property == Some(state));
    let absent = WaitState::ALL.into_iter().filter(|&state| !present(state)).collect();
    let last = outcome.ends.iter().copied().fold(0.0, f64::max);
    let mut counts = outcome.counts.clone();
    counts.retain(|call, _| subject.owns_mpi() || !is_outside(call));
    Truth {
        schema: Truth::SCHEMA.to_owned(),
        program: subject.name().to_owned(),
        parameters: subject.parameters(),
        network: None,
        costs: None,
        processors: None,
        ranks: size.ranks as u32,
        threads: size.threads as u32,
        basis,
        findings,
        absent,
        ambient,
        counts,
        skew_left: outcome.ends.iter().map(|end| last - end).collect(),
        causes: None,
        runs: Vec::new(),
    }
}

/// Whether a call is outside the measured region.
fn is_outside(call: &str) -> bool {
    Function::of_name(call)
        .is_some_and(|function| matches!(function.kind(), Kind::Initialize | Kind::Finalize))
}

/// The tolerances of measured values: the clock's and the recorder's share of every single wait, in seconds, and a
/// share of the whole: more among threads, which share cores.
const ABSOLUTE_PER_INSTANCE: f64 = 2e-6;
const RELATIVE: f64 = 0.005;
const RELATIVE_IN_TEAMS: f64 = 0.01;

fn finding(
    run: &Run<'_>,
    programs: &Programs,
    call_path: &[&str],
    state: Option<WaitState>,
    waits: &[&Wait],
    basis: &Basis,
) -> Finding {
    let share = |wait: &&Wait| LocationShare {
        rank: wait.rank as u32,
        thread: wait.thread as u32,
        waiting_time: wait.waiting_time,
    };
    let mut shares: Vec<LocationShare> = waits.iter().map(share).collect();
    shares.sort_by_key(|share| (share.rank, share.thread));
    shares.dedup_by(|next, kept| {
        let same = (next.rank, next.thread) == (kept.rank, kept.thread);
        if same {
            kept.waiting_time += next.waiting_time;
        }
        same
    });
    let instances = waits.iter().map(|wait| wait.instances).sum();
    let in_basis = call_path.contains(&MEASURED_REGION);
    let inner: Vec<&str> = call_path.iter().copied().filter(|&region| region != MEASURED_REGION).collect();
    let owned = inner.iter().map(|&region| region.to_owned()).collect();
    let mut finding = Finding::wait(state, owned, shares, instances, basis, in_basis);
    finding.physical_time = Some(waits.iter().map(|wait| wait.physical_time).sum());
    let relative = if waits[0].communicator.is_some() { RELATIVE } else { RELATIVE_IN_TEAMS };
    finding.tolerance = Some(Tolerance { absolute: ABSOLUTE_PER_INSTANCE * instances as f64, relative });
    if state.is_none() {
        finding.accept = accepted(call_path).map(str::to_owned).collect();
    }
    let communicator = &waits[0].communicator;
    if let Some((name, size)) = communicator
        && waits.iter().all(|wait| wait.communicator == *communicator)
    {
        finding.communicator = Some(CommunicatorInfo { name: name.clone(), size: *size as u32 });
    }
    finding.exchangeable = waits.iter().any(|wait| wait.exchangeable);
    if let Some(shown) = state.and_then(|state| programs.shown(state, &inner)) {
        finding.formula = Some(shown.formula.to_owned());
        finding.explained_by = run.explained_by(shown, finding.waiting_time);
    }
    if in_basis {
        finding.send_mode = programs.send_mode(&inner).map(|mode| send_mode(mode).to_owned());
    }
    finding
}

/// The metrics under which a tool may rightly report time at a call path that is of no wait state. For OMPT, waiting
/// for one's turn in an ordered construct is waiting for a mutex, as for a lock.
fn accepted(call_path: &[&str]) -> impl Iterator<Item = &'static str> {
    use ats_model::openmp::Construct::Ordered;
    let is_turn = call_path.last().is_some_and(|region| *region == Ordered.region());
    let state = is_turn.then_some(WaitState::OmpLockContention);
    state.into_iter().flat_map(|state| state.metric().into_iter().chain(state.accept().iter().copied()))
}

fn send_mode(mode: SendMode) -> &'static str {
    match mode {
        SendMode::Standard => "standard, eager",
        SendMode::Synchronous => "synchronous",
        SendMode::Buffered => "buffered",
        SendMode::Ready => "ready",
    }
}

#[cfg(test)]
mod tests;
