//! Reports that somebody has, and the truths that they are of.

use std::path::{Path, PathBuf};

use ats_compose::Subject;
use ats_model::files::read_document;
use ats_model::validation::{ProgramResult, RunStatus};
use ats_model::{Report, Truth};
use ats_props::Catalogue;
use thiserror::Error;

use super::Scored;
use crate::run::folder::{RunFolder, run_folders};
use crate::run::read_witnesses;
use crate::run::tool::{CallPaths, Tool, read_report};
use crate::score::judge::{Case, Rules, judge, not_judged};
use crate::truth;
use crate::truth::Size;

/// Why reports and truths do not come together.
#[derive(Debug, Error)]
pub enum GivenError {
    /// Nothing there is a truth.
    #[error(
        "{} is no truth: {reason}; give what `ats truth … --format json` prints, a folder that `ats validate -o` left, or a \
         document of your own (ats schema ats-truth/1)",
        path.display()
    )]
    Truth {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The witness does not fit.
    #[error("the witness in {} does not fit the truth: {reason}", path.display())]
    Witness {
        /// Its folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// There is no such report.
    #[error("there is no {}; give the file or folder that a tool has left", path.display())]
    NoReport {
        /// What was given.
        path: PathBuf,
    },
    /// It is not clear of which program a report is.
    #[error(
        "it is not clear of which program {} is: there are {}; put it into a folder that is named like the program, or give \
         one --truth for each report, in the same order",
        report.display(), programs.join(", ")
    )]
    Unassigned {
        /// The report.
        report: PathBuf,
        /// The programs whose truth is there.
        programs: Vec<String>,
    },
    /// Reports of several tools are one score only by mistake.
    #[error("{} is a report of {other}, the ones before are of {tool}; score each tool by itself", report.display())]
    OtherTool {
        /// The report.
        report: PathBuf,
        /// Its tool.
        other: String,
        /// The tool of the reports before.
        tool: String,
    },
}

/// One run whose truth is known, and the reports that are of it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The folder's or file's name.
    pub name: String,
    /// What its parameters promise.
    pub nominal: Truth,
    /// What it showed, where that is known; otherwise what its parameters promise. Where its witness is there and unfit, why.
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
pub fn truths(paths: &[PathBuf], witness: Option<&Path>) -> Result<Vec<Known>, GivenError> {
    let mut known = Vec::new();
    for path in paths {
        let missing = |reason: &str| GivenError::Truth { path: path.clone(), reason: reason.to_owned() };
        if path.is_file() {
            known.push(of_file(path)?);
        } else if RunFolder(path).is_of_a_run() {
            known.push(of_folder(path)?);
        } else {
            let mut folders = run_folders(path).map_err(|error| missing(&error.to_string()))?;
            folders.retain(|folder| RunFolder(folder).is_of_a_run());
            if folders.is_empty() {
                return Err(missing("no folder in it has a nominal.json"));
            }
            for folder in &folders {
                known.push(of_folder(folder)?);
            }
        }
    }
    if let (Some(witness), [only]) = (witness, &mut known[..]) {
        only.observed = Ok(replayed(&only.nominal, witness)?);
    } else if let Some(witness) = witness {
        return Err(GivenError::Witness {
            path: witness.to_owned(),
            reason: format!("there are {} truths, and it is of one run", known.len()),
        });
    }
    Ok(known)
}

fn of_folder(folder: &Path) -> Result<Known, GivenError> {
    Ok(Known { name: file_name(folder), ..of_file(&RunFolder(folder).nominal())? })
}

fn of_file(path: &Path) -> Result<Known, GivenError> {
    let nominal = read_truth(path)?;
    let beside = path.parent().filter(|_| RunFolder::is_nominal(path)).map(RunFolder);
    let observed = match beside {
        Some(folder) if folder.observed().is_file() => Ok(read_truth(&folder.observed())?),
        Some(folder) if folder.witness().is_dir() => {
            replayed(&nominal, &folder.witness()).map_err(|error| error.to_string())
        }
        _ => Ok(nominal.clone()),
    };
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok(Known { name, nominal, observed, reports: Vec::new() })
}

fn read_truth(path: &Path) -> Result<Truth, GivenError> {
    let wrong = |reason: String| GivenError::Truth { path: path.to_owned(), reason };
    let bytes = read_document(path).map_err(|error| wrong(error.to_string()))?;
    let mut truth: Truth = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    if truth.schema != Truth::SCHEMA {
        return Err(wrong(format!("its schema is `{}`, not `{}`", truth.schema, Truth::SCHEMA)));
    }
    truth.complete().map_err(wrong)?;
    Ok(truth)
}

/// What a run of a program of the catalogue showed, from its witness.
fn replayed(nominal: &Truth, witness: &Path) -> Result<Truth, GivenError> {
    let wrong = |reason: String| GivenError::Witness { path: witness.to_owned(), reason };
    let program = Catalogue::builtin().program(&nominal.program).map_err(|error| wrong(error.to_string()))?;
    let pairs = nominal.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let arguments = program.property.arguments(pairs).map_err(|error| wrong(error.to_string()))?;
    let size = size(nominal);
    let subject = Subject::Property { program, arguments };
    let witnesses = read_witnesses(witness, size.ranks).map_err(&wrong)?;
    truth::observed(&subject, size, &witnesses).map_err(|error| wrong(error.to_string()))
}

fn size(truth: &Truth) -> Size {
    Size { ranks: truth.ranks as usize, threads: truth.threads as usize }
}

fn file_name(path: &Path) -> String {
    let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    name.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Gives every report to its truth: to the only one; to the one whose name, or whose program, is a part of the report's path;
/// or, with as many truths as reports, in their order.
///
/// A folder that holds folders named like truths stands for a report in each of them.
///
/// # Errors
/// A report is not there, or has no truth.
pub fn assign(known: &mut [Known], reports: &[PathBuf], tool: Option<&Tool>) -> Result<(), GivenError> {
    let mut single: Vec<PathBuf> = Vec::new();
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

/// The report in the folder of a run: where the tool leaves it, a document of ours, the only file, or the folder itself.
fn report_in(folder: &Path, tool: Option<&Tool>) -> Option<PathBuf> {
    if let Some(left) = tool.and_then(|tool| tool.left(folder).ok()) {
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

/// Judges every report against its truth; `tool` says what it can show, otherwise regions that programs mark are expected.
///
/// A report that cannot be read, and one that is missing, is a result of its program.
///
/// # Errors
/// The reports are of several tools.
pub fn judge_all(known: &[Known], tool: Option<&Tool>, rules: &Rules) -> Result<Scored, GivenError> {
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
            scored.results.push(failed(known, RunStatus::NotStarted, message));
        }
        for path in &known.reports {
            let report = read_report(path).and_then(|report| fits(report, known, path));
            let (mut report, observed) =
                match report.and_then(|report| Ok((report, known.observed.as_ref()?))) {
                    Ok(both) => both,
                    Err(message) => {
                        scored.results.push(failed(known, RunStatus::ParseError, message));
                        continue;
                    }
                };
            match tool {
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
            let case = Case { nominal: &known.nominal, observed, report: &report, call_paths };
            scored.results.push(judge(case, rules));
        }
    }
    if readable == 0 {
        scored.diagnoses = true;
        scored.tool = tool.map_or("unknown".to_owned(), |tool| tool.name.clone());
    }
    Ok(scored)
}

fn fits(report: Report, known: &Known, path: &Path) -> Result<Report, String> {
    let differs = |is: Option<u32>, due: u32| is.is_some_and(|is| is != due);
    if differs(report.ranks, known.nominal.ranks) {
        return Err(format!(
            "{} is of {} ranks, and {} of {}",
            path.display(),
            report.ranks.unwrap_or_default(),
            known.name,
            known.nominal.ranks
        ));
    }
    Ok(report)
}

fn failed(known: &Known, status: RunStatus, message: String) -> ProgramResult {
    let nominal = &known.nominal;
    not_judged(&nominal.program, nominal.parameters.clone(), size(nominal), Some(nominal), status, message)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::collections::BTreeMap;

    use ats_model::{Analysis, Basis};
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use ats_model::validation::Outcome;
    use ats_props::Arguments;

    use crate::truth::TruthOptions;

    fn arguments(program: &ats_props::Program) -> Arguments {
        program.property.arguments([("r", "2")]).unwrap()
    }

    fn nominal(name: &str) -> Truth {
        let program = Catalogue::builtin().program(name).unwrap();
        let subject = Subject::Property { program, arguments: arguments(&program) };
        truth::nominal(&subject, Size::ranks(4), &TruthOptions::default()).unwrap()
    }

    /// A report that says just what the truth does.
    fn analysis(truth: &Truth) -> Analysis {
        Analysis {
            schema: Analysis::SCHEMA.to_owned(),
            trace: "traces.otf2".to_owned(),
            locations: 4,
            events: 0,
            basis: Basis::clone(&truth.basis),
            findings: truth.findings.clone(),
            counts: BTreeMap::new(),
            clock_correction: None,
            warnings: Vec::new(),
        }
    }

    fn write(path: PathBuf, document: impl serde::Serialize) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, json!(document).to_string()).unwrap();
        path
    }

    /// Two programs, a folder each.
    fn two(dir: &Path) -> Vec<Known> {
        for name in ["late_sender", "early_reduce"] {
            write(RunFolder(&dir.join("truth").join(name)).nominal(), nominal(name));
        }
        truths(&[dir.join("truth")], None).unwrap()
    }

    fn reports(known: &[Known]) -> Vec<(&str, usize)> {
        known.iter().map(|known| (known.name.as_str(), known.reports.len())).collect()
    }

    #[test]
    fn with_one_truth_all_reports_are_repeats() {
        let dir = TempDir::new().unwrap();
        let file = write(dir.path().join("ls.json"), nominal("late_sender"));
        let report = write(dir.path().join("a.json"), analysis(&nominal("late_sender")));
        let mut known = truths(&[file], None).unwrap();
        assign(&mut known, &[report.clone(), report], None).unwrap();
        let scored = judge_all(&known, None, &Rules::MEASURED).unwrap();
        assert_eq!((scored.tool.as_str(), scored.diagnoses, scored.results.len()), ("ats", true, 2));
        let outcomes = scored.results.iter().flat_map(|result| &result.expectations).map(|e| e.outcome);
        assert!(outcomes.clone().count() == 2 && outcomes.clone().all(|outcome| outcome == Outcome::Found));
        assert_eq!(scored.truths.len(), 1);
    }

    #[test]
    fn with_several_a_report_belongs_to_its_name() {
        let dir = TempDir::new().unwrap();
        let known = two(dir.path());
        let named = |given: &[&str]| {
            let mut known = known.clone();
            let given = given.iter().map(|path| write(dir.path().join("given").join(path), "a report"));
            let given: Vec<PathBuf> = given.collect();
            assign(&mut known, &given, None).map(|()| known)
        };
        let counted = |given: &[&str]| {
            named(given).unwrap().iter().map(|known| known.reports.len()).collect::<Vec<_>>()
        };
        assert_eq!(reports(&known), [("early_reduce", 0), ("late_sender", 0)]);
        assert_eq!(
            counted(&["late_sender/scout.cubex", "x/late_sender.4.mpiP", "early_reduce/profile"]),
            [1, 2]
        );
        assert_eq!(counted(&["first.cubex", "second.cubex"]), [1, 1], "as many as truths: in their order");
        let error = named(&["first.cubex"]).unwrap_err().to_string();
        assert!(error.contains("first.cubex") && error.contains("early_reduce, late_sender"), "{error}");
        assert!(named(&["late_sender.cubex", "second.cubex"]).is_err(), "named and in order do not mix");
    }

    #[test]
    fn a_folder_of_such_folders_stands_for_what_lies_in_them() {
        let dir = TempDir::new().unwrap();
        let mut known = two(dir.path());
        let runs = dir.path().join("runs");
        write(runs.join("late_sender/analysis.json"), analysis(&nominal("late_sender")));
        fs::create_dir_all(runs.join("early_reduce")).unwrap();
        assign(&mut known, &[runs], None).unwrap();
        assert_eq!(reports(&known), [("early_reduce", 0), ("late_sender", 1)]);
        let results = judge_all(&known, None, &Rules::MEASURED).unwrap().results;
        assert_eq!(results[0].run_status, RunStatus::NotStarted);
        assert_eq!(results[0].expectations[0].outcome, Outcome::ToolError, "what is missing is no silence");
        assert_eq!(results[1].expectations[0].outcome, Outcome::Found);
    }

    #[test]
    fn a_run_that_left_half_a_witness_keeps_none_of_the_others_from_its_score() {
        let dir = TempDir::new().unwrap();
        two(dir.path());
        let folder = dir.path().join("truth");
        fs::create_dir_all(RunFolder(&folder.join("early_reduce")).witness()).unwrap();
        write(folder.join("early_reduce/analysis.json"), analysis(&nominal("early_reduce")));
        write(folder.join("late_sender/analysis.json"), analysis(&nominal("late_sender")));
        let mut known = truths(std::slice::from_ref(&folder), None).unwrap();
        assign(&mut known, &[folder], None).unwrap();
        let results = judge_all(&known, None, &Rules::MEASURED).unwrap().results;
        assert_eq!(results[0].run_status, RunStatus::ParseError);
        assert!(results[0].message.as_ref().unwrap().contains("left no witness"), "{:?}", results[0].message);
        assert_eq!(results[1].expectations[0].outcome, Outcome::Found);
    }

    #[test]
    fn what_cannot_be_read_is_a_result_of_its_program() {
        let dir = TempDir::new().unwrap();
        let file = write(dir.path().join("ls.json"), nominal("late_sender"));
        fs::write(dir.path().join("x.cubex"), "nothing").unwrap();
        let other = Report { ranks: Some(8), ..Report::from(analysis(&nominal("late_sender"))) };
        let of_others = write(dir.path().join("r.json"), other);
        let mut known = truths(&[file], None).unwrap();
        assign(&mut known, &[dir.path().join("x.cubex"), of_others], None).unwrap();
        let scored = judge_all(&known, None, &Rules::MEASURED).unwrap();
        assert!(scored.results.iter().all(|result| result.run_status == RunStatus::ParseError));
        let messages: Vec<_> = scored.results.iter().filter_map(|result| result.message.as_deref()).collect();
        assert!(messages[0].contains("x.cubex") && messages[1].contains("is of 8 ranks"), "{messages:?}");
    }

    #[test]
    fn reports_of_two_tools_are_not_one_score() {
        let dir = TempDir::new().unwrap();
        let file = write(dir.path().join("ls.json"), nominal("late_sender"));
        let report = |tool: &str| {
            let report = Report::from(analysis(&nominal("late_sender")));
            write(dir.path().join(format!("{tool}.json")), Report { tool: tool.to_owned(), ..report })
        };
        let mut known = truths(&[file], None).unwrap();
        assign(&mut known, &[report("one"), report("other")], None).unwrap();
        let error = judge_all(&known, None, &Rules::MEASURED).unwrap_err().to_string();
        assert!(error.contains("other.json is a report of other, the ones before are of one"), "{error}");
    }

    #[test]
    fn a_truth_needs_only_what_cannot_be_worked_out() {
        let dir = TempDir::new().unwrap();
        let document = json!({
            "schema": "ats-truth/1", "program": "heat", "ranks": 4, "basis": { "wall_time": 2.5 },
            "findings": [
                { "metric": "mpi_latesender", "call_path": ["exchange", "MPI_Recv"], "waiting_time": 1.0 },
                { "property": "idle_threads", "call_path": ["main"], "severity": 0.5 },
                { "property": "wait_at_barrier", "call_path": ["MPI_Barrier"],
                  "locations": [{ "rank": 2, "waiting_time": 0.25 }, { "rank": 0, "waiting_time": 0.25 }] },
                { "view": "count", "call_path": ["MPI_Barrier"], "instances": 12 },
            ],
        });
        let known = truths(&[write(dir.path().join("heat.json"), document)], None).unwrap();
        let truth = &known[0].nominal;
        assert_eq!((truth.threads, truth.basis.location_seconds), (1, 10.0));
        let [late, idle, barrier, count] = &truth.findings[..] else { panic!("{truth:#?}") };
        assert_eq!((late.kind(), late.severity), ("late_sender", 0.1));
        assert_eq!(late.id, "late_sender@exchange/MPI_Recv");
        assert!(late.accept.contains(&"mpi_point2point".to_owned()) && late.in_basis);
        assert_eq!((idle.view, idle.waiting_time), (ats_model::View::Idle, 5.0));
        assert_eq!((barrier.waiting_time, barrier.locations[0].rank), (0.5, 0));
        assert_eq!((count.id.as_str(), truth.counts["MPI_Barrier"].calls), ("visits@MPI_Barrier", 12));
        assert_eq!(truth.absent.len(), 17);
    }

    #[test]
    fn what_a_document_lacks_is_said() {
        let dir = TempDir::new().unwrap();
        let error = |finding: serde_json::Value| {
            let report = json!({ "schema": "ats-report/1", "tool": "mine", "findings": [finding] });
            read_report(&write(dir.path().join("r.json"), report)).unwrap_err()
        };
        for (finding, wanted) in [
            (
                json!({ "property": "late_sender", "call_path": ["a", "MPI_Recv"] }),
                "says how much nowhere; give `locations`",
            ),
            (json!({ "call_path": ["MPI_Recv"], "waiting_time": 1.0 }), "has no name; give `property`"),
            (json!({ "property": "late_sender", "waiting_time": 1.0 }), "missing field `call_path`"),
            (
                json!({ "property": "LateSender", "call_path": [], "waiting_time": 1.0 }),
                "there is no wait state `LateSender`; did you mean late_sender?",
            ),
        ] {
            let error = error(finding);
            assert!(error.contains("r.json: ") && error.contains(wanted), "{error}");
        }
        fs::write(dir.path().join("own.json"), "{\"findings\": []}").unwrap();
        let error = read_report(&dir.path().join("own.json")).unwrap_err();
        assert!(error.ends_with("; or a document ats-report/1 or a trace in OTF2"), "{error}");
        let truth = json!({
            "schema": "ats-truth/1", "program": "heat", "ranks": 4, "basis": { "wall_time": 2.5 },
            "findings": [{ "property": "late_sender", "call_path": ["MPI_Recv"] }],
        });
        let error = truths(&[write(dir.path().join("t.json"), truth)], None).unwrap_err().to_string();
        assert!(error.contains("t.json is no truth: ") && error.contains("says how much nowhere"), "{error}");
    }

    #[test]
    fn a_report_that_is_not_there_is_no_result() {
        let dir = TempDir::new().unwrap();
        let mut known = two(dir.path());
        let error =
            assign(&mut known, &[dir.path().join("late_sender.cubex")], None).unwrap_err().to_string();
        assert!(error.starts_with("there is no ") && error.contains("late_sender.cubex; give"), "{error}");
    }

    #[test]
    fn what_is_no_truth_is_named() {
        let dir = TempDir::new().unwrap();
        let error = |path: PathBuf| truths(&[path], None).unwrap_err().to_string();
        assert!(error(dir.path().to_owned()).contains("no folder in it has a nominal.json"));
        let other = write(dir.path().join("a.json"), analysis(&nominal("late_sender")));
        assert!(error(other).contains("a.json is no truth"));
        assert!(error(dir.path().join("nowhere")).contains("nowhere is no truth"));
        let file = write(dir.path().join("ls.json"), nominal("late_sender"));
        let error = truths(&[file], Some(&dir.path().join("w"))).unwrap_err().to_string();
        assert!(error.contains("does not fit the truth: rank 0 left no witness"), "{error}");
    }
}
