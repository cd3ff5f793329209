//! Gains of changes: the trace of a run is run again with them, and the replay is analyzed like any trace.

mod advice;
mod joined;
mod state;

use ats_analyzer::{AnalysisError, Clocks, Options, analyze_and_profile};
use ats_documents::experiment::IdealTimes;
use ats_documents::explanation::{Gain, NoteKind, Problem};
use ats_documents::what_if::{StateOfRun, WhatIfAnswer};
use ats_documents::{Explanation, Profile, WhatIf};
use ats_experiment::ideal_times_of_replay;
use ats_model::{Event, EventSource};
use ats_trace::{TemporaryTrace, TraceError};
use ats_whatif::{
    Changes, Destination, Network, NetworkOfReplay, NetworkOfTrace, Program, Replayed, WhatIfError,
};
use thiserror::Error;

use self::state::{floor, state};
use crate::explanation::{Explained, Limits, explain_trace};

/// Changes as they were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AskedChanges {
    /// Their words.
    pub words: Vec<String>,
    /// The changes.
    pub changes: Changes,
}

/// Options of replays.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// The folder of temporary files of analyses; by default where the system has such files.
    pub temp: Option<std::path::PathBuf>,
    /// The clocks of the trace.
    pub clocks: Clocks,
    /// The network that the trace was recorded on: its eager limit and its progress.
    pub network: NetworkOfTrace,
}

/// The largest error of a replay that tells a factor of efficiency, as a share of the run: factors are told in percent.
const LARGEST_ERROR: f64 = 0.01;

/// Failure of an analysis or a replay.
#[derive(Debug, Error)]
pub enum NoAnswer<E: std::error::Error + Send + Sync + 'static> {
    /// The trace cannot be analyzed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError<E>),
    /// It cannot be run again.
    #[error(transparent)]
    Replay(#[from] WhatIfError),
    /// The changed trace cannot be kept until it is analyzed.
    #[error(transparent)]
    Temporary(#[from] TraceError),
}

/// A changed trace, until it is analyzed.
struct Kept {
    trace: TemporaryTrace,
    failure: Option<TraceError>,
}

impl Destination for Kept {
    fn take(&mut self, location: usize, events: Vec<(u64, Event)>) {
        for (time, event) in events {
            if self.failure.is_none() {
                self.failure = self.trace.push(location, time, event).err();
            }
        }
    }
}

/// Reasons why the time without the cost of communication is not known.
const INEXACT: &str =
    "the time without the cost of communication is not known: a replay without changes is more than 1 % off";
const LONGER: &str =
    "the time without the cost of communication is not known: a replay without it takes longer";
const NO_END: &str =
    "the time without the cost of communication is not known: a replay without it does not come to its end";

/// A trace that is run again with changes.
pub struct Replays<'s, S> {
    program: Program<'s, S>,
    explained: Explained,
    options: ReplayOptions,
    document: WhatIf,
    /// The changes of the last answer.
    last: AskedChanges,
}

/// The least part of the run that a change has to gain if it is to be advised.
const LEAST_GAIN: f64 = 0.01;

/// Picoseconds as seconds.
fn seconds(picoseconds: u64) -> f64 {
    picoseconds as f64 / ats_whatif::TICKS_PER_SECOND as f64
}

impl<'s, S: EventSource> Replays<'s, S> {
    /// Analyzes a trace, and runs it again without changes.
    ///
    /// # Errors
    /// It can be neither read nor run.
    pub fn new(trace: &'s S, name: &str, options: ReplayOptions) -> Result<Self, NoAnswer<S::Error>> {
        let of_analysis =
            Options { clocks: options.clocks, temp: options.temp.clone(), ..Options::default() };
        let explained = explain_trace(trace, name, &of_analysis, Limits::default(), &mut |_| {})?;
        let correction = explained.analysis.clock_correction.as_ref();
        let clocks = correction.map_or(&[][..], |correction| &correction.processes);
        let program = Program::new_in(trace, clocks, options.network, options.temp.as_deref())?;
        let (recorded, unchanged) = (program.recorded().wall, program.unchanged().wall);
        let document = WhatIf {
            schema: WhatIf::SCHEMA.to_owned(),
            trace: name.to_owned(),
            recorded: seconds(recorded),
            error: seconds(unchanged) - seconds(recorded),
            not_followed: seconds(program.unchanged().unknown),
            eager_limit: program.eager_limit().bytes as u64,
            eager_limit_from: program.source_of_eager_limit(),
            notes: program.remarks(),
            before: state(seconds(unchanged), &explained, Err(INEXACT)),
            floor: floor(&explained.profile),
            ..WhatIf::default()
        };
        Ok(Replays { program, explained, options, document, last: AskedChanges::default() })
    }

    /// The trace as a program.
    pub fn program(&self) -> &Program<'s, S> {
        &self.program
    }

    /// The changes of the last answer: none, if there is no answer.
    pub fn last(&self) -> &AskedChanges {
        &self.last
    }

    /// The trace with changes.
    ///
    /// # Errors
    /// A change selects nothing, the changed program does not come to its end, or the disk is full.
    pub fn changed(&self, changes: &Changes) -> Result<(Replayed, TemporaryTrace), NoAnswer<S::Error>> {
        let mut definitions = self.program.definitions();
        let trace = TemporaryTrace::new(definitions.locations.len(), self.options.temp.as_deref());
        let mut kept = Kept { trace, failure: None };
        let replayed = self.program.run(changes, &mut kept)?;
        let Kept { mut trace, failure } = kept;
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        definitions.clock.length = replayed.wall;
        trace.define(definitions);
        Ok((replayed, trace))
    }

    /// The answers so far.
    pub fn into_document(self) -> WhatIf {
        let ideal = self.ideal(&Changes::default(), &self.explained.profile);
        let before = state(self.document.before.seconds, &self.explained, ideal.and_then(of_program));
        WhatIf { before, ..self.document }
    }

    /// The times of the run if calls of MPI took no time beside waiting; `None` if a replay without changes is too far off
    /// for that.
    ///
    /// # Errors
    /// The replay does not come to its end.
    pub fn ideal_times(&self) -> Result<Option<IdealTimes>, NoAnswer<S::Error>> {
        if self.is_inexact() {
            return Ok(None);
        }
        let (_, trace) = self.changed(&self.without_network(&Changes::default()))?;
        Ok(self.times(&trace, &self.explained.profile))
    }

    /// The times of a changed run if calls of MPI took no time beside waiting, or the reason that they are not known; its
    /// profile is that of the run where they do.
    fn ideal(&self, changes: &Changes, profile: &Profile) -> Result<IdealTimes, &'static str> {
        if self.is_inexact() {
            return Err(INEXACT);
        }
        let replay = self.changed(&self.without_network(changes));
        let (_, trace) = replay.map_err(|_| NO_END)?;
        self.times(&trace, profile).ok_or(LONGER)
    }

    /// Whether a replay without changes is too far off to tell a factor of efficiency.
    fn is_inexact(&self) -> bool {
        self.document.error.abs() > LARGEST_ERROR * self.document.recorded
    }

    /// The changes, and a network that costs nothing. Its eager limit and its progress are those of the network that it
    /// replaces.
    fn without_network(&self, changes: &Changes) -> Changes {
        let (eager_limit, progress) = match changes.network {
            NetworkOfReplay::Model(network) => (network.eager_limit, network.progress),
            NetworkOfReplay::Recorded => (self.program.eager_limit().bytes, self.options.network.progress),
        };
        let network = NetworkOfReplay::Model(Network { eager_limit, progress, ..Network::default() });
        Changes { network, ..changes.clone() }
    }

    /// The times of a replay where calls of MPI take no time beside waiting; `None` if they are longer than those of a run
    /// with this profile.
    fn times(&self, replay: &TemporaryTrace, profile: &Profile) -> Option<IdealTimes> {
        let options = Options { temp: self.options.temp.clone(), ..Options::default() };
        let (_, ideal) = analyze_and_profile(replay, &self.document.trace, &options).ok()?;
        let times = ideal_times_of_replay(&ideal);
        // A run cannot take longer because calls take less: else the replay does not explain it.
        let most = ideal_times_of_replay(profile).program? * (1.0 + LARGEST_ERROR);
        Some(times).filter(|times| times.program.is_some_and(|ideal| ideal <= most))
    }

    /// Adds the gain of changes.
    ///
    /// # Errors
    /// A change selects nothing, or the changed program does not come to its end.
    pub fn ask(&mut self, asked: &AskedChanges) -> Result<(), NoAnswer<S::Error>> {
        let answer = self.answer(asked, None)?;
        self.document.answers.push(answer);
        self.last = asked.clone();
        Ok(())
    }

    /// Adds the gains of following the advice on each problem of the run that a change stands for, the most first, and those
    /// of all of them together. What gains little is left out.
    pub fn ask_each(&mut self) {
        let all = self.explained.explanation.problems.len();
        let (mut answers, mut notes) = (Vec::<(AskedChanges, WhatIfAnswer)>::new(), Vec::new());
        let (mut small, mut same) = (0, 0);
        for problem in &self.explained.explanation.problems {
            let Some(asked) = self.advised(problem) else { continue };
            if answers.iter().any(|(other, _)| *other == asked) {
                same += 1;
                continue;
            }
            match self.answer(&asked, Some(problem.text.clone())) {
                Ok(answer) if self.is_worth_it(&answer) => answers.push((asked, answer)),
                Ok(_) => small += 1,
                Err(error) => notes.push(format!("{}: {error}", asked.words.join(" "))),
            }
        }
        let without = all - answers.len() - same - small - notes.len();
        if without > 0 {
            notes.push(format!("no change stands for {without} of the {all} problems of the run"));
        }
        if small > 0 {
            let least = LEAST_GAIN * 100.0;
            notes.push(format!(
                "the changes for {small} of the {all} problems of the run gain less than {least} % of it each"
            ));
        }
        answers.sort_by(|a, b| b.1.gain.total_cmp(&a.1.gain));
        let (asked, answers): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
        self.document.answers.extend(answers);
        if let Err(error) = self.ask_together(&asked) {
            notes.push(format!("the changes together: {error}"));
        }
        self.document.notes.extend(notes);
    }

    /// Takes changes together, one after the other: adds the seconds of the run, and the gain of all of them.
    fn ask_together(&mut self, asked: &[AskedChanges]) -> Result<(), NoAnswer<S::Error>> {
        let steps = joined::one_by_one(asked);
        self.last = steps.last().unwrap_or(&self.last).clone();
        for (at, step) in steps.iter().enumerate() {
            if at > 0 && at + 1 == steps.len() {
                self.ask(step)?;
            }
            let wall = match self.document.answers.iter().find(|answer| answer.changes == step.words) {
                Some(answer) => answer.after.seconds,
                None => seconds(self.program.run(&step.changes, &mut ())?.wall),
            };
            self.document.together.push(wall);
        }
        Ok(())
    }

    /// The gains of the run by following the advice on problems of its explanation, put into that.
    pub fn put_gains_into(&self, explanation: &mut Explanation) {
        explanation.replay_error = Some(self.document.error);
        let mut notes = Vec::new();
        for problem in &mut explanation.problems {
            let Some(AskedChanges { words, changes }) = self.advised(problem) else { continue };
            match self.program.run(&changes, &mut ()) {
                Ok(replayed) => {
                    let (seconds, is_certain) = self.gain(&replayed);
                    let share = seconds / self.document.before.seconds;
                    problem.gain = Some(Gain { changes: words, seconds, share, is_certain });
                }
                Err(error) => notes.push(format!("{}: {error}", words.join(" "))),
            }
        }
        notes.into_iter().for_each(|note| explanation.add_note(NoteKind::Remark, note));
    }

    /// The changes that follow the advice on a problem; `None` if none stands for it.
    fn advised(&self, problem: &Problem) -> Option<AskedChanges> {
        advice::advised(problem, self.program.definitions_of_trace())
    }

    fn is_worth_it(&self, answer: &WhatIfAnswer) -> bool {
        answer.is_certain && answer.gain >= LEAST_GAIN * self.document.before.seconds
    }

    /// The seconds that a changed run is shorter, and whether that is certain.
    fn gain(&self, replayed: &Replayed) -> (f64, bool) {
        let gain = self.document.before.seconds - seconds(replayed.wall);
        (gain, gain.abs() > 0.0 && gain.abs() >= 2.0 * self.document.error.abs())
    }

    fn answer(
        &self,
        asked: &AskedChanges,
        problem: Option<String>,
    ) -> Result<WhatIfAnswer, NoAnswer<S::Error>> {
        let (replayed, trace) = self.changed(&asked.changes)?;
        let options = Options { temp: self.options.temp.clone(), ..Options::default() };
        let explained = explain_trace(&trace, &self.document.trace, &options, Limits::default(), &mut |_| {});
        drop(trace);
        let wall = seconds(replayed.wall);
        // With all regions left out, it has no location with events.
        let after = match explained {
            Ok(explained) => {
                let ideal = self.ideal(&asked.changes, &explained.profile);
                state(wall, &explained, ideal.and_then(of_program))
            }
            Err(_) => StateOfRun { seconds: wall, ..StateOfRun::default() },
        };
        let (gain, is_certain) = self.gain(&replayed);
        Ok(WhatIfAnswer { changes: asked.words.clone(), problem, after, gain, is_certain })
    }
}

/// The time of the whole program.
fn of_program(ideal: IdealTimes) -> Result<f64, &'static str> {
    ideal.program.ok_or(LONGER)
}
