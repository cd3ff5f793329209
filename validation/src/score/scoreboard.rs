//! Several scores side by side, with the cause of whatever in them is not as it should be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ats_documents::score::{Expectation, Outcome, ProgramResult, RunStatus};
use ats_documents::scoreboard::{Cause, Causes, Cell, Entrant, JudgedCauses, Row, Standing};
use ats_documents::{Score, Scoreboard};
use ats_model::WaitState;
use ats_model::files::read_text;
use ats_model::mistakes::Mistakes;
use ats_props::Catalogue;
use thiserror::Error;

use super::read;

mod costs;

/// The file in a folder of scores that has the causes.
pub const CAUSES: &str = "causes.toml";

/// Scores by the names of their files, and the causes beside them.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// The scores, without `.json`.
    pub scores: BTreeMap<String, Score>,
    /// Why something in them is not as it should be.
    pub causes: Causes,
}

/// Why there is no scoreboard.
#[derive(Debug, Error)]
pub enum ScoreboardError {
    /// A folder or file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// There is no score.
    #[error("{} contains no scores; save the output of `ats score --format json` there as TOOL.json", .0.display())]
    Nothing(PathBuf),
    /// A file is not what it should be.
    #[error("{} cannot be read as {schema}: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The schema that it should have.
        schema: &'static str,
        /// The mistake in it.
        reason: String,
    },
    /// Causes and scores do not fit.
    #[error("{}: {mistakes}", path.display())]
    Causes {
        /// The file with the causes.
        path: PathBuf,
        /// All that is wrong.
        mistakes: Mistakes,
    },
}

impl Scores {
    /// Those of a folder.
    ///
    /// # Errors
    /// There is none, or a file is not what it should be.
    pub fn read(dir: &Path) -> Result<Self, ScoreboardError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| ScoreboardError::Io { path, source }
        };
        let mut scores = BTreeMap::new();
        for entry in std::fs::read_dir(dir).map_err(failed(dir))? {
            let path = entry.map_err(failed(dir))?.path();
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            if let (Some(stem), true) = (stem, path.extension().is_some_and(|end| end == "json")) {
                scores.insert(stem, score(&path)?);
            }
        }
        if scores.is_empty() {
            return Err(ScoreboardError::Nothing(dir.to_owned()));
        }
        let path = dir.join(CAUSES);
        let causes = if path.exists() { causes(&path)? } else { Causes::default() };
        Ok(Scores { scores, causes })
    }

    /// All of them in one table. Programs that the catalogue does not have are compositions.
    ///
    /// # Errors
    /// Something that needs a cause has none, a cause is of something that needs none, or a program is in a score
    /// twice.
    pub fn board(&self, catalogue: &Catalogue) -> Result<Scoreboard, Mistakes> {
        let mut board = Board { used: BTreeSet::new(), mistakes: Mistakes::default(), scores: self };
        let rows = board.rows(catalogue);
        board.unneeded();
        let scores = self.scores.iter().map(|(name, score)| entrant(name, score, catalogue)).collect();
        let left_out = self.causes.left_out.clone();
        board.mistakes.none_in(Scoreboard { schema: Scoreboard::SCHEMA.to_owned(), scores, rows, left_out })
    }
}

fn score(path: &Path) -> Result<Score, ScoreboardError> {
    let invalid = |reason| ScoreboardError::Invalid { path: path.to_owned(), schema: Score::SCHEMA, reason };
    read(path).map_err(invalid)
}

fn causes(path: &Path) -> Result<Causes, ScoreboardError> {
    let invalid = |reason| ScoreboardError::Invalid { path: path.to_owned(), schema: Causes::SCHEMA, reason };
    let text = read_text(path).map_err(|error| invalid(error.to_string()))?;
    let causes: Causes =
        toml::from_str(&text).map_err(|error| invalid(error.to_string().trim_end().to_owned()))?;
    match causes.schema.as_str() {
        Causes::SCHEMA => Ok(causes),
        other => Err(invalid(format!("its schema is `{other}`"))),
    }
}

fn entrant(name: &str, score: &Score, catalogue: &Catalogue) -> Entrant {
    let title = score.environment.get("tool_description").and_then(|tool| tool["title"].as_str());
    Entrant {
        name: name.to_owned(),
        tool: title.unwrap_or(&score.tool).to_owned(),
        version: score.version.clone(),
        options: score.options.clone(),
        diagnoses: diagnoses(score),
        programs: score.programs.iter().map(|program| &program.program).collect::<BTreeSet<_>>().len() as u64,
        totals: costs::totals_of_waits(score, diagnoses(score), catalogue),
        causes: costs::judged(&score.programs),
    }
}

/// Whether a tool names wait states: by whatever it named, or failed to.
fn diagnoses(score: &Score) -> bool {
    use Outcome::{Found, Missed, Wrong};
    let names = |e: &Expectation| e.wait_state.is_some() && matches!(e.outcome, Found | Wrong | Missed);
    let has_named =
        |program: &ProgramResult| !program.unexpected.is_empty() || program.expectations.iter().any(names);
    score.programs.iter().any(has_named)
}

fn standing(outcome: Outcome) -> Standing {
    match outcome {
        Outcome::Found | Outcome::Consistent => Standing::Right,
        Outcome::NotManifested | Outcome::BelowThreshold => Standing::NotAsked,
        _ => Standing::Otherwise,
    }
}

/// A program's rows of one score, by the id of what is expected; the empty id stands for all else, [`Row::CAUSES`] for
/// root causes.
type Judged = BTreeMap<String, (Option<String>, Vec<String>, Cell)>;

/// Compositions last; of the others those with ranks alone first, then those with threads alone.
type Order = (bool, bool, bool, String, u32, u32);

struct Board<'a> {
    scores: &'a Scores,
    /// Number of the cause, and the program that it was needed for.
    used: BTreeSet<(usize, &'a str)>,
    mistakes: Mistakes,
}

impl<'a> Board<'a> {
    fn rows(&mut self, catalogue: &Catalogue) -> Vec<Row> {
        let scores = self.scores;
        let mut programs: BTreeMap<Order, Vec<Option<Judged>>> = BTreeMap::new();
        for (column, (name, score)) in scores.scores.iter().enumerate() {
            let diagnoses = diagnoses(score);
            for program in &score.programs {
                let (ranks, threads) = (program.ranks, program.threads);
                let is_composition = catalogue.program(&program.program).is_err();
                let key = (is_composition, threads > 1, ranks > 1, program.program.clone(), ranks, threads);
                let columns = programs.entry(key).or_insert_with(|| vec![None; scores.scores.len()]);
                if columns[column].is_some() {
                    let what = format!("it has {} of {ranks}×{threads} twice; remove one", program.program);
                    self.mistakes.add(&format!("{name}.json"), what);
                }
                let threshold = score.totals.threshold;
                columns[column] = Some(self.judged(name, program, threshold, diagnoses));
            }
        }
        programs.into_iter().flat_map(|(order, columns)| rows_of(order, &columns)).collect()
    }

    fn judged(&mut self, score: &str, program: &'a ProgramResult, threshold: f64, diagnoses: bool) -> Judged {
        let mut judged = Judged::new();
        let (of, causes) = (program.program.as_str(), costs::judged([program]));
        if let Some(causes) = causes {
            let row = (Some(Row::CAUSES.to_owned()), Vec::new(), self.of_causes(score, of, causes));
            judged.insert(Row::CAUSES.to_owned(), row);
        }
        let program = &costs::waits_of(program);
        for e in &program.expectations {
            let standing = standing(e.outcome);
            if !e.is_due(threshold) && standing == Standing::NotAsked {
                continue;
            }
            let cause = |cause: &Cause| cause.property.is_none() || cause.property == e.wait_state;
            let (verdict, name) = (e.verdict(), e.name().to_owned());
            let cell = Cell {
                standing,
                cause: self.cause(score, of, standing, &format!("{name} is {verdict}"), &cause),
                verdict,
                observed: e.is_judged().then_some(e.observed),
                found: e.is_judged().then_some(e.found),
            };
            judged.insert(e.id.clone(), (Some(name), e.call_path.clone(), cell));
        }
        let (verdict, standing) = all_else(program, threshold, diagnoses);
        let alarms: BTreeSet<Option<WaitState>> =
            program.unexpected.iter().map(|alarm| alarm.property).collect();
        let cause = |cause: &Cause| cause.property.is_none() || alarms.contains(&cause.property);
        let cell = Cell {
            verdict: verdict.to_owned(),
            standing,
            observed: None,
            found: (!alarms.is_empty()).then_some(program.false_seconds),
            cause: self.cause(score, of, standing, verdict, &cause),
        };
        judged.insert(String::new(), (None, Vec::new(), cell));
        judged
    }

    /// The number of right root causes; what is wrong with them needs a cause as all else does.
    fn of_causes(&mut self, score: &str, program: &'a str, causes: JudgedCauses) -> Cell {
        let standing = if causes.are_right() { Standing::Right } else { Standing::Otherwise };
        let verdict = causes.in_words();
        let fits = |cause: &Cause| cause.property.is_none();
        let what = format!("{} are {verdict}", Row::CAUSES);
        let cause = self.cause(score, program, standing, &what, &fits);
        Cell { verdict, standing, observed: None, found: None, cause }
    }

    fn cause(
        &mut self,
        score: &str,
        program: &'a str,
        standing: Standing,
        what: &str,
        fits: &dyn Fn(&Cause) -> bool,
    ) -> Option<String> {
        if standing != Standing::Otherwise {
            return None;
        }
        let is_it = |cause: &Cause| {
            cause.score == score && cause.programs.iter().any(|one| one == program) && fits(cause)
        };
        let Some(at) = self.scores.causes.cause.iter().position(is_it) else {
            let what = format!("{program}: {what}, without a cause; add one to causes.toml");
            self.mistakes.add(&format!("{score}.json"), what);
            return None;
        };
        self.used.insert((at, program));
        Some(self.scores.causes.cause[at].why.clone())
    }

    /// Causes of what is as it should be, or not there.
    fn unneeded(&mut self) {
        for (at, cause) in self.scores.causes.cause.iter().enumerate() {
            if cause.why.trim().is_empty() {
                self.mistakes.add(&format!("cause {}", at + 1), "its `why` is empty; give a reason");
            }
            for program in
                cause.programs.iter().filter(|program| !self.used.contains(&(at, program.as_str())))
            {
                let of = cause.property.map_or_else(String::new, |state| format!("{} of ", state.name()));
                let what = format!(
                    "nothing is wrong with {of}{program} in {}.json, or an earlier cause explains it; remove the \
                     program",
                    cause.score
                );
                self.mistakes.add(&format!("cause {}", at + 1), what);
            }
        }
    }
}

/// The label and standing of a program's reports beyond its expectations.
fn all_else(program: &ProgramResult, threshold: f64, diagnoses: bool) -> (&'static str, Standing) {
    let is_silence_asked = program.has_nothing_to_find(threshold);
    match program.run_status {
        RunStatus::Ok if !program.unexpected.is_empty() => ("false alarm", Standing::Otherwise),
        RunStatus::Ok if !diagnoses => ("not asked", Standing::NotAsked),
        RunStatus::Ok if is_silence_asked && !program.noise.is_empty() => ("noise", Standing::NotAsked),
        RunStatus::Ok => ("silent", Standing::Right),
        status if is_silence_asked => (status.label(), Standing::Otherwise),
        _ => ("no answer", Standing::NotAsked),
    }
}

fn rows_of((_, _, _, program, ranks, threads): Order, columns: &[Option<Judged>]) -> Vec<Row> {
    let judged = || columns.iter().flatten();
    let mut things = things(columns);
    let is_alarmed =
        judged().filter_map(|judged| judged.get("")).any(|(_, _, cell)| cell.standing == Standing::Otherwise);
    let all_else = (things.is_empty() || is_alarmed).then_some("");
    let has_causes = judged().any(|judged| judged.contains_key(Row::CAUSES));
    things.extend(has_causes.then_some(Row::CAUSES).into_iter().chain(all_else).map(|id| vec![id]));
    let row = |ids: Vec<&str>| {
        let of = |column: &Option<Judged>| ids.iter().find_map(|id| column.as_ref()?.get(*id)).cloned();
        let (property, call_path, _) = columns.iter().filter_map(of).max_by_key(|(_, path, _)| path.len())?;
        let cells = columns.iter().map(|column| of(column).map(|(_, _, cell)| cell)).collect();
        Some(Row { program: program.clone(), ranks, threads, property, call_path, cells })
    };
    things.into_iter().filter_map(row).collect()
}

/// The ids of each thing that a program shows. Scores of different age may have several: the call path has other regions
/// around the same call.
fn things(columns: &[Option<Judged>]) -> Vec<Vec<&str>> {
    let judged = || columns.iter().flatten();
    let kind = |id: &str| judged().find_map(|of| of.get(id)).map(|(name, path, _)| (name, path.last()));
    let are_apart =
        |one: &str, other: &str| judged().any(|of| of.contains_key(one) && of.contains_key(other));
    let mut things: Vec<Vec<&str>> = Vec::new();
    for id in judged().flat_map(BTreeMap::keys).filter(|id| ![Row::CAUSES, ""].contains(&id.as_str())) {
        if things.iter().flatten().any(|known| known == id) {
            continue;
        }
        let is_it = |ids: &&mut Vec<&str>| ids.iter().all(|one| kind(one) == kind(id) && !are_apart(one, id));
        match things.iter_mut().find(is_it) {
            Some(ids) => ids.push(id),
            None => things.push(vec![id]),
        }
    }
    things
}

#[cfg(test)]
mod tests;
