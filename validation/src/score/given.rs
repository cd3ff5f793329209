//! Reports of the user's, and the truths that belong to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ats_compose::{Composition, Subject};
use ats_documents::score::{ProgramResult, RunStatus};
use ats_documents::{Report, Truth, written};
use ats_model::files::read_document;
use ats_props::{Catalogue, Needs};
use thiserror::Error;

use super::Scored;
use crate::score::fit::unfit;
use crate::score::judge::{Case, Rules, judge, not_judged};
use ats_launch::folder::{RunFolder, run_folders};
use ats_launch::tool::{CallPaths, Tool};
use ats_launch::{Failure, read_witnesses};
use ats_reports::source::Wanted;
use ats_truth as truth;
use ats_truth::Size;

/// Why reports and truths do not come together.
#[derive(Debug, Error)]
pub enum GivenError {
    /// Nothing there is a truth.
    #[error(
        "{} cannot be read as a truth: {reason}; give a file from `ats truth -o FILE`, a folder from `ats \
         validate -o DIR`, or a document of your own (`ats schema ats-truth/1`)",
        path.display()
    )]
    Truth {
        /// The file or folder.
        path: PathBuf,
        /// The mistake in it.
        reason: String,
    },
    /// The witness does not fit.
    #[error("the witness in {} does not fit the truth: {reason}", path.display())]
    Witness {
        /// Its folder.
        path: PathBuf,
        /// The mistake in it.
        reason: String,
    },
    /// There is no such report.
    #[error("{} does not exist; give the report of a tool, a file or a folder", path.display())]
    NoReport {
        /// The path that was given.
        path: PathBuf,
    },
    /// The program of a report is ambiguous.
    #[error(
        "the program of {} is ambiguous, it may be any of {}; put the report into a folder named after the \
         program, or give one --truth for each report, in the same order",
        report.display(), programs.join(", ")
    )]
    Unassigned {
        /// The report.
        report: PathBuf,
        /// The programs whose truth is there.
        programs: Vec<String>,
    },
    /// A repeat is a report of another run.
    #[error("{} is given twice; give each report once, repeats are reports of other runs", report.display())]
    Twice {
        /// The report.
        report: PathBuf,
    },
    /// Reports of several tools are one score only by mistake.
    #[error("{} is a report of {other}, those before it are of {tool}; score each tool separately", report.display())]
    OtherTool {
        /// The report.
        report: PathBuf,
        /// Its tool.
        other: String,
        /// The tool of the reports before.
        tool: String,
    },
}

/// The programs that are known by name: a witness can be replayed for these only.
#[derive(Clone, Debug)]
pub struct Subjects {
    /// Properties and their twins.
    pub catalogue: Catalogue,
    /// Programs of several properties.
    pub compositions: Vec<Arc<Composition>>,
}

impl Default for Subjects {
    fn default() -> Self {
        Subjects { catalogue: Catalogue::builtin(), compositions: Vec::new() }
    }
}

impl Subjects {
    /// The subject of a truth: a property, its twin or a composition.
    fn find(&self, nominal: &Truth) -> Result<Subject, String> {
        let named = self.compositions.iter().find(|composition| composition.name() == nominal.program);
        if let Some(composition) = named {
            return Ok(Subject::Composition(composition.clone()));
        }
        let program = self
            .catalogue
            .program(&nominal.program)
            .map_err(|error| format!("{error}; if it is a composition, add --composition FILE.toml"))?;
        let pairs = nominal.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let arguments = program.property.arguments(pairs).map_err(|error| error.to_string())?;
        Ok(Subject::Property { program, arguments })
    }
}

/// One run whose truth is known, and the reports that are of it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The folder's or file's name.
    pub name: String,
    /// The truth that its parameters promise.
    pub nominal: Truth,
    /// The truth that it showed, if known; otherwise the one that its parameters promise. For an unfit witness, the
    /// reason.
    pub observed: Result<Truth, String>,
    /// Repeats, each under this truth.
    pub reports: Vec<PathBuf>,
}

/// The truths in files and folders.
///
/// A file is an `ats-truth/1`. A folder is a run's, with `nominal.json` and, of what the run showed, `observed.json` or
/// `witness/`; or it holds such folders. `witness` is the witness of the only truth.
///
/// # Errors
/// Something is no truth, or none is there.
pub fn truths(
    paths: &[PathBuf],
    witness: Option<&Path>,
    subjects: &Subjects,
) -> Result<Vec<Known>, GivenError> {
    let mut known = Vec::new();
    for path in paths {
        let missing = |reason: &str| GivenError::Truth { path: path.clone(), reason: reason.to_owned() };
        if path.is_file() {
            known.push(of_file(path, subjects)?);
        } else if RunFolder(path).is_of_a_run() {
            known.push(of_folder(path, subjects)?);
        } else {
            let mut folders = run_folders(path).map_err(|error| missing(&error.to_string()))?;
            folders.retain(|folder| RunFolder(folder).is_of_a_run());
            if folders.is_empty() {
                return Err(missing("it has no folder with a nominal.json"));
            }
            for folder in &folders {
                known.push(of_folder(folder, subjects)?);
            }
        }
    }
    if let (Some(witness), [only]) = (witness, &mut known[..]) {
        only.observed = Ok(replayed(&mut only.nominal, witness, subjects)?);
    } else if let Some(witness) = witness {
        return Err(GivenError::Witness {
            path: witness.to_owned(),
            reason: format!("it is of one run, but there are {} truths", known.len()),
        });
    }
    Ok(known)
}

fn of_folder(folder: &Path, subjects: &Subjects) -> Result<Known, GivenError> {
    Ok(Known { name: file_name(folder), ..of_file(&RunFolder(folder).nominal(), subjects)? })
}

fn of_file(path: &Path, subjects: &Subjects) -> Result<Known, GivenError> {
    let mut nominal = read_truth(path)?;
    let beside = path.parent().filter(|_| RunFolder::is_nominal(path)).map(RunFolder);
    let observed = match beside {
        Some(folder) if folder.observed().is_file() => Ok(read_truth(&folder.observed())?),
        Some(folder) if folder.witness().is_dir() => {
            replayed(&mut nominal, &folder.witness(), subjects).map_err(|error| error.to_string())
        }
        _ => Ok(nominal.clone()),
    };
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok(Known { name, nominal, observed, reports: Vec::new() })
}

fn read_truth(path: &Path) -> Result<Truth, GivenError> {
    let wrong = |reason: String| GivenError::Truth { path: path.to_owned(), reason };
    let bytes = read_document(path).map_err(|error| wrong(error.to_string()))?;
    let truth = written::truth(&bytes).map_err(|mistakes| wrong(mistakes.to_string()))?;
    if !truth.runs.is_empty() {
        let several = "it is of several runs; `ats truth` writes that of one with --np and --threads";
        return Err(wrong(several.to_owned()));
    }
    Ok(truth)
}

/// The truth that a run of a known program showed, from its witness. `nominal` becomes the truth that its parameters
/// promise on the MPI library of the run, if that matters.
fn replayed(nominal: &mut Truth, witness: &Path, subjects: &Subjects) -> Result<Truth, GivenError> {
    let wrong = |reason: String| GivenError::Witness { path: witness.to_owned(), reason };
    let subject = subjects.find(nominal).map_err(&wrong)?;
    let size = size(nominal);
    let witnesses = read_witnesses(witness, size.ranks).map_err(&wrong)?;
    let unfit = |error: truth::TruthError| wrong(error.to_string());
    let extent = nominal.causes.as_ref().map(|causes| causes.extent);
    let promised = truth::promised(&subject, size, &witnesses, extent).map_err(unfit)?;
    if let Some(promised) = promised {
        *nominal = promised;
    }
    truth::observed(&subject, size, &witnesses).map_err(unfit)
}

fn size(truth: &Truth) -> Size {
    Size { ranks: truth.ranks as usize, threads: truth.threads as usize }
}

fn file_name(path: &Path) -> String {
    let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    name.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Gives every report to its truth: to the only one; to the one whose name, or whose program, is a part of the report's
/// path; or, with as many truths as reports, in their order.
///
/// A folder that holds folders named like truths stands for a report in each of them.
///
/// # Errors
/// A report is not there, or has no truth.
pub fn assign(known: &mut [Known], reports: &[PathBuf], tool: Option<&Tool>) -> Result<(), GivenError> {
    let mut single: Vec<PathBuf> = Vec::new();
    let same =
        |one: &PathBuf, other: &PathBuf| one == other || one.canonicalize().ok() == other.canonicalize().ok();
    let again = (1..reports.len())
        .find(|&at| reports[..at].iter().any(|one| one.exists() && same(one, &reports[at])));
    if let Some(at) = again {
        return Err(GivenError::Twice { report: reports[at].clone() });
    }
    for report in reports {
        if !report.exists() {
            return Err(GivenError::NoReport { path: report.clone() });
        }
        let mut inside = false;
        for known in known.iter_mut().filter(|_| report.is_dir()) {
            let folder = report.join(&known.name);
            if folder.is_dir() && !known.name.is_empty() {
                inside = true;
                known.reports.extend(report_in(&folder, tool));
            }
        }
        if !inside {
            single.push(report.clone());
        }
    }
    if let [only] = known {
        only.reports.extend(single.iter().map(|report| match report.is_dir() {
            true => report_in(report, tool).unwrap_or_else(|| report.clone()),
            false => report.clone(),
        }));
        return Ok(());
    }
    let named: Vec<Option<usize>> = single.iter().map(|report| named_in(report, known)).collect();
    let in_order = single.len() == known.len() && named.iter().all(Option::is_none);
    for (at, (report, named)) in single.into_iter().zip(named).enumerate() {
        let Some(index) = named.or(in_order.then_some(at)) else {
            let programs = known.iter().map(|known| known.name.clone()).collect();
            return Err(GivenError::Unassigned { report, programs });
        };
        known[index].reports.push(report);
    }
    Ok(())
}

/// The truth whose name, or else whose program, a part of the path is, with or without an extension; the innermost part
/// first.
fn named_in(report: &Path, known: &[Known]) -> Option<usize> {
    let parts = report.components().rev().map(|part| part.as_os_str().to_string_lossy());
    let mut names = parts.flat_map(|part| {
        let stem = part.split('.').next().unwrap_or_default().to_owned();
        [part.into_owned(), stem]
    });
    let only = |holds: &dyn Fn(&Known) -> bool| {
        let mut found = (0..known.len()).filter(|&at| holds(&known[at]));
        found.next().filter(|_| found.next().is_none())
    };
    names.find_map(|name| {
        only(&|known| known.name == name).or_else(|| only(&|known| known.nominal.program == name))
    })
}

/// The report in the folder of a run: where the tool leaves it, a document of ours, the only file, or the folder
/// itself.
fn report_in(folder: &Path, tool: Option<&Tool>) -> Option<PathBuf> {
    let left =
        |tool: &Tool| Needs::ALL.into_iter().find_map(|needs| tool.for_programs(needs).left(folder).ok());
    if let Some(left) = tool.and_then(left) {
        return Some(left);
    }
    let folder = RunFolder(folder);
    if let Some(own) = folder.own_report() {
        return Some(own);
    }
    let entries = folder.of_others().ok()?;
    match &entries[..] {
        [] => None,
        [only] => Some(only.clone()),
        _ => Some(folder.0.to_owned()),
    }
}

/// Judges every report against its truth; `tool` says what it can show, otherwise regions that programs mark are
/// expected.
///
/// A report that cannot be read, and one that is missing, is a result of its program.
///
/// # Errors
/// The reports are of several tools.
pub fn judge_all(
    known: &[Known],
    tool: Option<&Tool>,
    rules: &Rules,
    catalogue: &Catalogue,
) -> Result<Scored, GivenError> {
    let mut scored = Scored {
        tool: tool.map_or_else(String::new, |tool| tool.name.clone()),
        threshold: rules.threshold,
        ..Scored::default()
    };
    let mut readable = 0;
    for known in known {
        if !scored.truths.contains(&known.nominal) {
            scored.truths.push(known.nominal.clone());
        }
        if known.reports.is_empty() {
            let message = "there is no report of it".to_owned();
            scored.results.push(failed(known, RunStatus::NoReport, message));
        }
        for path in &known.reports {
            let (mut report, observed) = match read(path, known, tool) {
                Ok(both) => both,
                Err(Failure { status, message }) => {
                    scored.results.push(failed(known, status, message));
                    continue;
                }
            };
            let tool = tool.map(|tool| tool.for_programs(needs_of(&known.nominal, catalogue)));
            match &tool {
                Some(tool) => tool.restrict(&mut report),
                None if scored.tool.is_empty() => scored.tool.clone_from(&report.tool),
                None if scored.tool == report.tool => {}
                None => {
                    let (other, tool) = (report.tool, scored.tool);
                    return Err(GivenError::OtherTool { report: path.clone(), other, tool });
                }
            }
            readable += 1;
            scored.diagnoses |= report.diagnoses();
            scored.version = scored.version.take().or_else(|| report.version.clone());
            let call_paths = tool.map_or(CallPaths::UserRegions, |tool| tool.shows.call_paths);
            let case = Case { nominal: &known.nominal, observed, report: &report, call_paths, catalogue };
            scored.results.push(judge(case, rules));
        }
    }
    if readable == 0 {
        scored.diagnoses = true;
        scored.tool = tool.map_or("unknown".to_owned(), |tool| tool.name.clone());
    }
    Ok(scored)
}

/// The needs of a program: those of the catalogue; for a composition those that its size implies.
fn needs_of(Truth { program, ranks, threads, .. }: &Truth, catalogue: &Catalogue) -> Needs {
    let team = *threads > 1;
    match catalogue.program(program) {
        Ok(program) => program.property.needs,
        Err(_) => Needs { ranks: *ranks > 1 || !team, team },
    }
}

/// A report of a program, and what it is held to.
fn read<'a>(path: &Path, known: &'a Known, tool: Option<&Tool>) -> Result<(Report, &'a Truth), Failure> {
    let unreadable = |message| Failure { status: RunStatus::ParseError, message };
    let wanted = Wanted::by(&known.nominal);
    let any = || ats_reports::source::report_with(path, wanted).map_err(|error| error.to_string());
    let report = tool.map_or_else(any, |tool| tool.read(path, wanted)).map_err(unreadable)?;
    if let Some(why) = unfit(&report, &known.nominal) {
        let message = format!("{} is not of this run: {why}", path.display());
        return Err(Failure { status: RunStatus::OtherRun, message });
    }
    Ok((report, known.observed.as_ref().map_err(|why| unreadable(why.clone()))?))
}

fn failed(known: &Known, status: RunStatus, message: String) -> ProgramResult {
    let nominal = &known.nominal;
    not_judged(&nominal.program, nominal.parameters.clone(), size(nominal), Some(nominal), status, message)
}

#[cfg(test)]
mod tests;
