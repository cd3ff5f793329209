#![doc = include_str!("../README.md")]

mod answer;
mod causes;
mod clock;
mod end;
mod error;
mod judge;
#[cfg(feature = "notation")]
pub mod notation;
mod reading;
mod records;
mod scan;
mod settle;
mod spool;
mod words;

use std::borrow::Cow;
use std::{io, path::PathBuf};

use ats_documents::{Analysis, Profile, Wait};
use ats_model::{Definitions, EventSource, clock_correction::ClockMethod, delay::Extent};

pub use crate::answer::in_basis::{InBasis, LocationInBasis};
pub use crate::error::AnalysisError;
use crate::{
    answer::{basis, counts, findings, flushes, gaps, machine, messages, profile, unanalyzed},
    clock::Correction,
    end::{End, Judgement, ReadAgain},
    judge::{
        flights::Flights,
        init_finalize::CommonClock,
        ledger::Details,
        points::Points,
        waits::{SingleWaits, TimesOf},
    },
    reading::ReadingPlan,
    scan::{Scan, Wants},
    settle::Settling,
    words::{
        damage::{Damage, Damages},
        regions::Regions,
    },
};

/// The clocks that waits are computed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clocks {
    /// Those of the trace if it has measured how they differ, or all its processes run on one node and do not contradict
    /// each other; otherwise clocks that are derived from messages and collective operations.
    #[default]
    Corrected,
    /// Those of the trace, whatever they show.
    Recorded,
}

/// Options of the analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The region that severities are relative to; by default `ats_measured` if the trace has it, else the time from
    /// the first leave of `MPI_Init` to the last enter of `MPI_Finalize`.
    pub region: Option<String>,
    /// The number of records of MPI calls, messages and collective operations, of teams, barriers and locks after which
    /// the records that are fully known are judged and forgotten; 500,000 by default, 30 to 120 MB. If the trace has
    /// not measured its clocks, their correction is then derived from a sample of about as many, and it is read again.
    pub records_in_memory: usize,
    /// The waits whose root causes are computed; none by default.
    pub causes: Option<Extent>,
    /// The clocks that waits are computed by.
    pub clocks: Clocks,
    /// Whether flights of messages are compared; not by default. They are not known if clocks are derived.
    pub messages: bool,
    /// The folder of temporary files, if root causes need some; by default where the system has such files.
    pub temp: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            region: None,
            records_in_memory: 500_000,
            causes: None,
            clocks: Clocks::Corrected,
            messages: false,
            temp: None,
        }
    }
}

/// Analyzes a whole trace; `trace_name` is its name in the document.
///
/// Damage of the trace becomes a warning in the document and spoils no more than it must.
///
/// # Errors
/// No location can be read at all, or the region of [`Options::region`] does not exist or is never entered.
pub fn analyze<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
) -> Result<Analysis, AnalysisError<S::Error>> {
    Ok(whole(source, trace_name, options, None, false)?.0)
}

/// [`analyze`], and each single wait to `observe`, in no order.
///
/// Idle threads and limited parallelism are sums over many spans and have no single waits. Those that do not fit
/// into memory are in a temporary file of [`Options::temp`].
///
/// ```
/// use ats_model::WaitState;
///
/// let trace = ats_analyzer::notation::parse(
///     "0: 0..5 work; 5..9 MPI_Send send 1
///      1: 2..9 MPI_Recv recv 0",
/// )?;
/// let mut waits = Vec::new();
/// let observe = &mut |wait| waits.push(wait);
/// let analysis = ats_analyzer::analyze_with(&trace, "example", &Default::default(), observe).unwrap();
/// let [late] = waits[..] else { panic!("one wait") };
/// assert_eq!(analysis.findings[late.finding].property, Some(WaitState::LateSender));
/// assert_eq!((late.location, late.begin, late.end), (1, 2, 5));
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
///
/// # Errors
/// As [`analyze`].
pub fn analyze_with<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
    observe: &mut dyn FnMut(Wait),
) -> Result<Analysis, AnalysisError<S::Error>> {
    Ok(whole(source, trace_name, options, Some(&mut |_, wait| observe(wait)), false)?.0)
}

/// [`analyze`], and the profile of the run by call path and location, from the same reading.
///
/// Time is as each location has recorded it, without any correction of its clock. That of a parallel region is from the
/// fork to the join on every member of its team, as in Scalasca's reports; its shortest and longest visits are as each
/// recorded them. A program that the trace names encloses all call paths of its process, and `MEASUREMENT OFF` is
/// inside the region where recording was off. A metric has the sums of its growth or, if it is a state, its least
/// and its greatest value.
///
/// ```
/// let trace = ats_analyzer::notation::parse("0: 0 enter main; 1..3 work; 4..9 work; 10 leave")?;
/// let (_, profile) = ats_analyzer::analyze_and_profile(&trace, "example", &Default::default()).unwrap();
/// assert_eq!(profile.path(1), ["main", "work"]);
/// assert_eq!(profile.values["time"], [(0, 0, 3.0), (1, 0, 7.0)]);
/// assert_eq!(profile.values["visits"], [(0, 0, 1.0), (1, 0, 2.0)]);
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
///
/// # Errors
/// As [`analyze`].
pub fn analyze_and_profile<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
) -> Result<(Analysis, Profile), AnalysisError<S::Error>> {
    let (analysis, profile, _) = profiled(source, trace_name, options, None)?;
    Ok((analysis, profile))
}

/// [`analyze_and_profile`], and each single wait to `observe`, as in [`analyze_with`].
///
/// # Errors
/// As [`analyze`].
pub fn analyze_and_profile_with<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
    observe: &mut dyn FnMut(Wait),
) -> Result<(Analysis, Profile), AnalysisError<S::Error>> {
    let observe: Observe<'_> = &mut |_, wait| observe(wait);
    let (analysis, profile, _) = profiled(source, trace_name, options, Some(observe))?;
    Ok((analysis, profile))
}

/// Takes a wait, and before it the first and the last tick of the basis.
pub type Observe<'o> = &'o mut dyn FnMut((u64, u64), Wait);

/// [`analyze_and_profile_with`], and the part of the profile's time that lies in the basis of the analysis.
///
/// # Errors
/// As [`analyze`].
pub fn analyze_and_divide<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
    observe: Observe<'_>,
) -> Result<(Analysis, Profile, InBasis), AnalysisError<S::Error>> {
    profiled(source, trace_name, options, Some(observe))
}

fn profiled<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
    observe: Option<Observe<'_>>,
) -> Result<(Analysis, Profile, InBasis), AnalysisError<S::Error>> {
    let (analysis, rest) = whole(source, trace_name, options, observe, true)?;
    let (profile, in_basis) = profile::profile(&rest.definitions, rest.scans, &analysis, rest.span);
    Ok((analysis, profile, in_basis))
}

/// Results that only a profile needs.
struct Rest<'a> {
    definitions: Cow<'a, Definitions>,
    scans: Vec<Scan>,
    /// The first and the last tick of the basis.
    span: (u64, u64),
}

/// The analysis, and the results of pass 1 for each location.
fn whole<'a, S: EventSource>(
    source: &'a S,
    trace_name: &str,
    options: &Options,
    observe: Option<Observe<'_>>,
    is_profiled: bool,
) -> Result<(Analysis, Rest<'a>), AnalysisError<S::Error>> {
    let definitions = source.definitions();
    let asked_for = options.region.as_deref();
    let region = basis::region(definitions, asked_for).map_err(|near| AnalysisError::UnknownRegion {
        region: asked_for.unwrap_or_default().to_owned(),
        near,
    })?;
    let regions = Regions::new(definitions, region);
    let details = details(options, observe.is_some());
    let Found { mut scans, judgement, mut damages, mut warnings } =
        found(source, &regions, options, details, is_profiled)?;
    let with_segments = regions.with_segments(definitions);
    let definitions = &*with_segments;
    let Judgement { ledgers, damages: of_processes, init_finalize, gaps, clocks, correction, tape, waits } =
        judgement;
    warnings.splice(0..0, source.remarks());
    damages.absorb(&of_processes);
    scans.iter().for_each(|scan| damages.absorb(&scan.damages));
    if !source.tells_completions() {
        damages.forget(Damage::RequestNotCompleted);
    }
    warnings.extend(clocks.warning(definitions));
    warnings.extend(gaps::warning(definitions, &gaps, &mut damages));
    warnings.extend(flushes::warning(definitions, &scans));
    warnings.extend(damages.warnings(definitions));

    let (basis, span) = match region.map(|region| (region, basis::of_region(definitions, &scans, region))) {
        Some((_, Some(basis))) => basis,
        Some((region, None)) if asked_for.is_some() => {
            return Err(AnalysisError::RegionNotEntered { region: region.to_owned() });
        }
        _ => basis::between_init_and_finalize(definitions, &scans, &init_finalize),
    };
    if is_profiled {
        counts::add_instances(&ledgers, &mut scans);
    }
    let runs_backwards = damages.has(Damage::TimeRunsBackwards);
    let (findings, mut index) = findings::findings(definitions, &scans, &ledgers, &basis, runs_backwards);
    if let (Some(waits), Some(observe)) = (waits, observe) {
        let folder = waits.folder().to_owned();
        let recorded = |rank, time| correction.as_ref().map_or(time, |clocks| clocks.recorded(rank, time));
        let finding = |state, place| index.position(state, place);
        // Times of different locations cannot be compared as they were recorded if clocks were corrected.
        let meanwhile = |awaited: usize, begin, end| match correction {
            None => (scans[awaited].recorder.flushed(begin, end), scans[awaited].recorder.events(begin, end)),
            Some(_) => (0, 0),
        };
        let mut observe = |wait| observe(span, wait);
        waits.read(definitions, recorded, meanwhile, finding, &mut observe).map_err(temporary(folder))?;
    }
    let read =
        causes::Read { definitions, scans: &scans, findings: &findings, index, clocks: correction.as_ref() };
    let causes = root_causes(read, tape, options.causes, &mut warnings)?;
    let analysis = Analysis {
        schema: Analysis::SCHEMA.to_owned(),
        trace: trace_name.to_owned(),
        locations: definitions.locations.len() as u64,
        events: scans.iter().map(|scan| scan.events).sum(),
        findings,
        counts: counts::visits(definitions, &regions, &scans, &basis),
        traffic: counts::traffic(definitions, &regions, &scans, &basis),
        calls: Vec::new(),
        causes,
        messages: (options.messages && clocks.method == ClockMethod::Recorded)
            .then(|| messages::messages(definitions, &scans, &ledgers, &basis)),
        not_analyzed: unanalyzed::calls(definitions, &regions, &scans, &basis),
        basis,
        clock_correction: clocks
            .correction(definitions, options.clocks == Clocks::Recorded && !source.has_common_clock()),
        machine: machine::machine(definitions, &scans, source.cost_of_event()),
        warnings,
    };
    Ok((analysis, Rest { definitions: with_segments, scans, span }))
}

/// The root causes, if they are asked for; none but a warning if times cannot be compared.
fn root_causes<E>(
    read: causes::Read<'_>,
    tape: Option<causes::Tape>,
    extent: Option<Extent>,
    warnings: &mut Vec<String>,
) -> Result<Option<ats_documents::Causes>, AnalysisError<E>> {
    let Some(extent) = extent else { return Ok(None) };
    let Some(tape) = tape else {
        warnings.push(causes::UNCOMPARABLE.to_owned());
        return Ok(None);
    };
    let folder = tape.folder().to_owned();
    causes::causes(read, tape, extent, warnings).map(Some).map_err(temporary(folder))
}

/// The details that an analysis keeps.
fn details(options: &Options, has_observer: bool) -> Details {
    Details {
        waits: SingleWaits::new(has_observer),
        points: Points::new(options.causes),
        flights: Flights::new(options.messages),
    }
}

/// The error of a temporary file in a folder.
fn temporary<E>(folder: PathBuf) -> impl FnOnce(io::Error) -> AnalysisError<E> {
    |error| AnalysisError::Temporary { folder, reason: error.to_string() }
}

/// The results of reading and judging a trace.
struct Found {
    scans: Vec<Scan>,
    judgement: Judgement,
    /// The damage of teams.
    damages: Damages,
    warnings: Vec<String>,
}

/// Reads a trace and judges it; once more, if it turns out that it should have been read otherwise.
fn found<S: EventSource>(
    source: &S,
    regions: &Regions,
    options: &Options,
    details: Details,
    is_profiled: bool,
) -> Result<Found, AnalysisError<S::Error>> {
    let definitions = source.definitions();
    let mut records_in_memory = Some(options.records_in_memory);
    let mut correction: Option<Correction> = None;
    let is_common = source.has_common_clock() || options.clocks == Clocks::Recorded;
    let clock = if is_common { CommonClock::Measured } else { CommonClock::Unknown };
    loop {
        let mut warnings = Vec::new();
        let correction_known = correction.as_ref();
        let plan = ReadingPlan {
            regions,
            records_in_memory,
            correction: correction_known,
            clock,
            details: &details,
            wants: Wants {
                profile: is_profiled,
                causes: details.points.extent(),
                marks: details.waits.are_kept() && source.cost_of_event().is_some(),
                messages: options.messages,
            },
            temp: options.temp.as_deref(),
        };
        let (mut scans, mut settled) = reading::read(source, &plan, &mut warnings)?;
        let (mut of_threads, damages) = settle::finish_threads(definitions, &mut scans, &mut settled);
        let settling = Settling::at_end(definitions, &mut scans, clock);
        let end = End { definitions, settling, settled, details: details.clone() };
        let judged = match correction.take() {
            None if clock == CommonClock::Measured => Ok(end.judge_recorded()),
            None => end.judge_derived(&mut scans),
            Some(correction) => end.judge_corrected(&mut scans, correction),
        };
        match judged {
            Ok(mut judgement) => {
                if let Some(waits) = &mut judgement.waits {
                    for (times, ledgers) in [
                        (TimesOf::AllProcesses, &mut judgement.ledgers),
                        (TimesOf::OneProcess, &mut of_threads),
                    ] {
                        ledgers.iter_mut().for_each(|ledger| waits.take_all(times, &mut ledger.waits));
                    }
                }
                judgement.ledgers.extend(of_threads);
                if let Some(tape) = &mut judgement.tape {
                    tape.finish(&mut scans, &mut judgement.ledgers);
                }
                return Ok(Found { scans, judgement, damages, warnings });
            }
            Err(ReadAgain::KeepingAll) => records_in_memory = None,
            Err(ReadAgain::Corrected(derived)) => correction = Some(*derived),
        }
    }
}
