//! `ats truth`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use ats_documents::Finding;
use ats_documents::Truth as Document;
use ats_model::WaitState;
use ats_model::locations::{Location, in_words};
use ats_presentation::definition;
use ats_props::Catalogue;
use ats_truth::{Experiment, Planned, Size, nominal};
use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::findings;
use crate::network::NetworkArgs;
use crate::output::{Output, grid, json};
use crate::program::ProgramArgs;

/// Compute the waits that a program shows, in virtual time.
///
/// The result is exact for an ideal machine. It is what reports are compared with.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats truth late_sender
  ats truth late_sender --np 8 basework=0.01 extrawork=0.05 r=10 -o late_sender.json
  ats truth imbalance_at_mpi_barrier distribution=block2:10ms:50ms --np 16
  ats truth imbalance_at_omp_barrier --threads 8
  ats truth late_sender_hybrid --np 4 --threads 2
  ats truth late_receiver_eager --network eager=0
  ats truth late_sender --network latency=1us,bandwidth=10GB/s,overhead=200ns,eager=64KiB
  ats truth examples/report-figure-3.5.toml --np 16")]
pub(crate) struct Truth {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    network: NetworkArgs,
    /// The file to write, in JSON: what `ats score` takes [default: print it].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Truth {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        if let Some((subject, sizes)) = self.program.experiment(catalogue)? {
            let experiment = Experiment::nominal(&subject, &sizes, &self.network.options())?;
            return self.answer(&experiment, || of_runs(&experiment), output);
        }
        let Planned { subject, size } = self.program.resolve(catalogue)?;
        let truth = nominal(&subject, size, &self.network.options())?;
        self.answer(&truth, || text(&truth), output)
    }

    /// Prints a truth, or writes it to the file.
    fn answer<D: Serialize>(
        &self,
        document: &D,
        text: impl FnOnce() -> String,
        output: Output,
    ) -> Result<ExitCode, Failure> {
        match &self.output {
            None => output.document(document, text)?,
            Some(file) => {
                fs::write(file, json(document))
                    .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))?;
                output.written(vec![file.clone()])?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A table of the runs, and with what the program is called in all of them.
fn of_runs(experiment: &Experiment) -> String {
    let head = ["run", "wall time (s)", "waits (s)", "speedup", "efficiency"];
    let mut table = grid(&head, &[1, 2, 3, 4]);
    for run in &experiment.runs {
        let size = Size { ranks: run.ranks, threads: run.threads };
        let (wall_time, waits) = (format!("{:.6}", run.wall_time), format!("{:.6}", run.waiting_time));
        let (speedup, efficiency) = (format!("{:.3}", run.speedup), format!("{:.3}", run.efficiency));
        table.row([size.to_string(), wall_time, waits, speedup, efficiency]);
    }
    let Experiment { program, parameters, runs, .. } = experiment;
    let parameters = called_with(parameters);
    format!("{program} in {} runs{parameters}\n\n{}", runs.len(), table.text())
}

/// Parameters with their values, after a comma, if there are any.
fn called_with(parameters: &BTreeMap<String, String>) -> String {
    let values: String = parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    if values.is_empty() { values } else { format!(",{values}") }
}

fn text(truth: &Document) -> String {
    let size = Size { ranks: truth.ranks as usize, threads: truth.threads as usize };
    let parameters = called_with(&truth.parameters);
    let network = truth.network.iter().map(|network| format!("network: {network}\n")).collect::<String>();
    let basis = findings::basis(&truth.basis);
    let mut text = format!("{} on {size}{parameters}\n{network}{basis}\n\n", truth.program);
    if truth.findings.is_empty() {
        text += "Nothing is to be found.\n";
    } else {
        text += &findings::table(&truth.findings.iter().collect::<Vec<_>>());
    }
    text += &each(&truth.findings);
    text += &why(&truth.findings);
    text + &absent(truth)
}

/// The wait states that a tool should not report, in short: mostly all the others.
fn absent(truth: &Document) -> String {
    let is_found = |state| truth.findings.iter().any(|finding| finding.property == Some(state));
    let is_neither = |state: &WaitState| !truth.absent.contains(state) && !is_found(*state);
    let neither: Vec<&str> = WaitState::ALL.into_iter().filter(is_neither).map(WaitState::name).collect();
    let all = if truth.findings.is_empty() { "all wait states" } else { "all other wait states" };
    let but = if neither.is_empty() { String::new() } else { format!(" but {}", neither.join(", ")) };
    format!("\nabsent: {all}{but} (`ats list --waits`)\n")
}

/// So many rows at most say who of a finding waits how long.
const MOST_ROWS: usize = 16;

/// A table of the waits of each location, with the location's awaited partner; locations with equal waits share a row.
fn each(findings: &[Finding]) -> String {
    let mut table = grid(&["each waits (s)", "locations", "for", "wait state", "call path"], &[0]);
    let waits = || findings.iter().filter(|finding| finding.unit().is_time());
    for finding in waits() {
        let mut equal: BTreeMap<String, Vec<Location>> = BTreeMap::new();
        for share in &finding.locations {
            let location = Location { rank: share.rank, thread: share.thread };
            equal.entry(format!("{:.6}", share.waiting_time)).or_default().push(location);
        }
        let mut rows: Vec<_> = equal.into_iter().collect();
        rows.sort_by(|(_, a), (_, b)| a.cmp(b));
        if rows.len() > MOST_ROWS {
            let seconds = || finding.locations.iter().map(|share| share.waiting_time);
            let (least, most) = (seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max));
            let locations = rows.into_iter().flat_map(|(_, locations)| locations);
            let mut locations: Vec<_> = locations.collect();
            locations.sort();
            rows = vec![(format!("{least:.6} … {most:.6}"), locations)];
        }
        for (seconds, locations) in rows {
            let whom = finding.property.and_then(WaitState::awaited).unwrap_or_default();
            let path = finding.call_path.join("/");
            table.row([&*seconds, &in_words(&locations), whom, finding.name(), &path]);
        }
    }
    if waits().next().is_none() { String::new() } else { format!("\n{}", table.text()) }
}

/// The definitions of the wait states, and the closed forms, if there are some.
fn why(findings: &[Finding]) -> String {
    let mut states: Vec<WaitState> = findings.iter().filter_map(|finding| finding.property).collect();
    states.dedup();
    let mut text = String::new();
    for (number, &state) in states.iter().enumerate() {
        if !states[..number].contains(&state) {
            text += &format!("\n{}: {}\n", state.name(), definition(state.name()));
        }
    }
    for finding in findings {
        if let Some(formula) = &finding.formula {
            text += &format!("\nformula of {}: {formula}\n", finding.id);
        }
    }
    text
}
