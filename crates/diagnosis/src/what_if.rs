//! Gains of changes: the trace of a run is run again with them, and the replay is analyzed like any trace.

mod advice;

use ats_analyzer::{AnalysisError, Clocks, Options, analyze_and_profile};
use ats_documents::experiment::IdealTimes;
use ats_documents::explanation::{Gain, NoteKind, Problem};
use ats_documents::what_if::{StateOfRun, WhatIfAnswer};
use ats_documents::{Explanation, WhatIf};
use ats_experiment::ideal_times_of_replay;
use ats_model::EventSource;
use ats_whatif::{Changes, Network, NetworkOfReplay, Program, Replayed, WhatIfError};
use thiserror::Error;

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
    pub network: Network,
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
}

/// A trace that is run again with changes.
pub struct Replays<'s, S> {
    program: Program<'s, S>,
    explanation: Explanation,
    /// The time of the slowest unit in the run, in seconds.
    slowest: Option<f64>,
    options: ReplayOptions,
    document: WhatIf,
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
        let Explained { analysis, profile, explanation } =
            explain_trace(trace, name, &of_analysis, Limits::default(), &mut |_| {})?;
        let clocks = analysis.clock_correction.map(|correction| correction.processes).unwrap_or_default();
        let program = Program::new(trace, &clocks, options.network)?;
        let (recorded, unchanged) = (program.recorded().wall, program.unchanged().wall);
        let document = WhatIf {
            schema: WhatIf::SCHEMA.to_owned(),
            trace: name.to_owned(),
            recorded: seconds(recorded),
            error: seconds(unchanged) - seconds(recorded),
            not_followed: seconds(program.unchanged().unknown),
            eager_limit: options.network.eager_limit as u64,
            notes: program.remarks(),
            before: state(program.unchanged(), &explanation),
            answers: Vec::new(),
        };
        let slowest = ideal_times_of_replay(&profile).program;
        Ok(Replays { program, explanation, slowest, options, document })
    }

    /// The trace as a program.
    pub fn program(&self) -> &Program<'s, S> {
        &self.program
    }

    /// The answers so far.
    pub fn into_document(self) -> WhatIf {
        self.document
    }

    /// The times of the run if calls of MPI took no time beside waiting; `None` if a replay without changes is too far off
    /// for that.
    ///
    /// # Errors
    /// The replay does not come to its end.
    pub fn ideal_times(&self) -> Result<Option<IdealTimes>, NoAnswer<S::Error>> {
        let WhatIf { error, recorded, trace: name, .. } = &self.document;
        if error.abs() > LARGEST_ERROR * recorded {
            return Ok(None);
        }
        let network = NetworkOfReplay::Model(self.options.network);
        let (_, trace) = self.program.run_in_memory(&Changes { network, ..Changes::default() })?;
        let options = Options { temp: self.options.temp.clone(), ..Options::default() };
        let profile = analyze_and_profile(&trace, name, &options).ok().map(|(_, profile)| profile);
        let times = profile.map(|profile| ideal_times_of_replay(&profile));
        // A run cannot take longer because calls take less: else the replay does not explain it.
        let most = self.slowest.map_or(0.0, |slowest| slowest * (1.0 + LARGEST_ERROR));
        Ok(times.filter(|times| times.program.is_some_and(|ideal| ideal <= most)))
    }

    /// Adds the gain of changes.
    ///
    /// # Errors
    /// A change selects nothing, or the changed program does not come to its end.
    pub fn ask(&mut self, asked: &AskedChanges) -> Result<(), NoAnswer<S::Error>> {
        let answer = self.answer(asked, None)?;
        self.document.answers.push(answer);
        Ok(())
    }

    /// Adds the gains of following the advice on each problem of the run that a change stands for, the most first. What gains
    /// little is left out.
    pub fn ask_each(&mut self) {
        let all = self.explanation.problems.len();
        let (mut answers, mut notes) = (Vec::new(), Vec::new());
        let mut small = 0;
        for problem in &self.explanation.problems {
            match self.follow(problem) {
                None => {}
                Some(Ok(answer)) if self.is_worth_it(&answer) => answers.push(answer),
                Some(Ok(_)) => small += 1,
                Some(Err(note)) => notes.push(note),
            }
        }
        let without = all - answers.len() - small - notes.len();
        if without > 0 {
            notes.push(format!("no change stands for {without} of the {all} problems of the run"));
        }
        if small > 0 {
            let least = LEAST_GAIN * 100.0;
            notes.push(format!(
                "the changes for {small} of the {all} problems of the run gain less than {least} % of it each"
            ));
        }
        answers.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        self.document.answers.extend(answers);
        self.document.notes.extend(notes);
    }

    /// The gains of the run by following the advice on problems of its explanation, put into that.
    pub fn put_gains_into(&self, explanation: &mut Explanation) {
        explanation.replay_error = Some(self.document.error);
        let mut notes = Vec::new();
        for problem in &mut explanation.problems {
            match self.follow(problem) {
                None => {}
                Some(Ok(WhatIfAnswer { changes, gain: seconds, is_certain, .. })) => {
                    let share = seconds / self.document.before.seconds;
                    problem.gain = Some(Gain { changes, seconds, share, is_certain });
                }
                Some(Err(note)) => notes.push(note),
            }
        }
        notes.into_iter().for_each(|note| explanation.add_note(NoteKind::Remark, note));
    }

    /// The gain of following the advice on a problem, or the reason that it is not known; `None` if no change stands for it.
    fn follow(&self, problem: &Problem) -> Option<Result<WhatIfAnswer, String>> {
        let asked = advice::advised(problem, self.program.definitions_of_trace())?;
        let answer = self.answer(&asked, Some(problem.text.clone()));
        Some(answer.map_err(|error| format!("{}: {error}", asked.words.join(" "))))
    }

    fn is_worth_it(&self, answer: &WhatIfAnswer) -> bool {
        answer.is_certain && answer.gain >= LEAST_GAIN * self.document.before.seconds
    }

    fn answer(
        &self,
        asked: &AskedChanges,
        problem: Option<String>,
    ) -> Result<WhatIfAnswer, NoAnswer<S::Error>> {
        let (replayed, trace) = self.program.run_in_memory(&asked.changes)?;
        let options = Options { temp: self.options.temp.clone(), ..Options::default() };
        let explained = explain_trace(&trace, &self.document.trace, &options, Limits::default(), &mut |_| {});
        // What is in memory can be read, and has a location with events.
        let after = match explained {
            Ok(explained) => state(&replayed, &explained.explanation),
            Err(_) => StateOfRun { seconds: seconds(replayed.wall), ..StateOfRun::default() },
        };
        let gain = self.document.before.seconds - after.seconds;
        let is_certain = gain.abs() > 0.0 && gain.abs() >= 2.0 * self.document.error.abs();
        Ok(WhatIfAnswer { changes: asked.words.clone(), problem, after, gain, is_certain })
    }
}

/// A run as its explanation describes it.
fn state(replayed: &Replayed, explanation: &Explanation) -> StateOfRun {
    StateOfRun {
        seconds: seconds(replayed.wall),
        efficiency: explanation.efficiency,
        division: explanation.division,
        problem: explanation.problems.first().map(|problem| problem.text.clone()),
    }
}
