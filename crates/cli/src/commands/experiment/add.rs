//! `ats experiment add`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ats_diagnosis::{NoAnswer, ReplayOptions, Replays};
use ats_documents::classes::Classes;
use ats_documents::experiment::{IdealTimes, Listed, Run, Version, VirtualMachine};
use ats_documents::{Experiments, Profile};
use ats_experiment::running::{ideal_times, named_after, simulate};
use ats_experiment::{
    Beside, Given, Repeat, Repository, date, is_table, of_profile, read_table, sequential, source_files,
};
use ats_model::delay::Extent;
use ats_props::Catalogue;
use ats_reports::source::{profile_with, trace_at};
use ats_trace::Trace;
use ats_truth::{Costs, Planned, TruthOptions, costs, network};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::options::number::whole;
use crate::options::program::{ProgramArgs, SizeArgs};
use crate::output::{Output, remark};

/// Add experiments to a repository: a trace, the report of a tool, a table, or a run in virtual time
///
/// The answer is what was added. A folder that is not there, or empty, becomes a repository.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment add REPO trace/traces.otf2 --application heat --version 1.2 size=100
  ats experiment add REPO profile.cubex --application heat --repeat next size=100 --files heat.c
  ats experiment add REPO heat.mpiP --application heat --machine cluster --cpu 'EPYC 9654'
  ats experiment add REPO paper.csv --application heat
  ats experiment add REPO late_sender --engine virtual --np 8 r=10")]
pub(crate) struct Add {
    /// The folder.
    #[arg(value_name = "REPO")]
    repository: PathBuf,
    /// A trace or the report of a tool, as `ats profile` reads them; a table of figures, with the columns experiment
    /// (NAME.ranks4.size100), region, unit, metric and value; with --engine virtual, a property or the file of a
    /// composition.
    #[arg(value_name = "SOURCE")]
    source: String,
    /// The parameters that the program was run with, which tell the experiment from others: numbers, where it is to be
    /// modelled over them; `size` is the problem size.
    #[arg(value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Run it, in virtual time, exactly.
    #[arg(long, value_enum)]
    engine: Option<EngineName>,
    #[command(flatten)]
    size: SizeArgs,
    /// The application [default: the program that is run].
    #[arg(long, value_name = "NAME", required_unless_present = "engine")]
    application: Option<String>,
    /// The version of the application.
    #[arg(long, value_name = "NAME", default_value = "unversioned")]
    version: String,
    /// Its source files, whose hashes are kept.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    files: Vec<PathBuf>,
    /// The name of the experiment [default: that of the application].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The command that was run.
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// The number of this run among those that are alike, from 1 on, or the `next`.
    #[arg(long, value_name = "N", default_value = "1", value_parser = repeat)]
    repeat: Repeat,
    /// When it was run, as 2026-01-31 or 2026-01-31T12:00:00Z [default: when the trace or report was written].
    #[arg(long, value_name = "DATE", value_parser = date)]
    date: Option<String>,
    /// The seed of its random numbers.
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    /// It is of the sequential program, which others are compared with; in virtual time, of one that does what all
    /// ranks and threads compute.
    #[arg(long)]
    sequential: bool,
    /// The machine.
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// The processor.
    #[arg(long, value_name = "NAME")]
    cpu: Option<String>,
    /// The network; in virtual time, what communication costs, as for `ats truth`.
    #[arg(long, value_name = "NETWORK")]
    network: Option<String>,
    /// In virtual time, the costs of operations, as for `ats truth`; with cycle=0.25ns, instructions, cycles, and loads and misses
    /// of the first cache are counted.
    #[arg(long, value_name = "NAME=VALUE,…", value_parser = costs, requires = "engine")]
    costs: Option<Costs>,
    /// Rules in TOML that say what the time in regions is spent on, as for `ats profile --summaries`.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
    /// Keep the root causes of waits, too, all that are known: of a trace, or in virtual time.
    #[arg(long)]
    causes: bool,
}

/// The engine that runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Virtual,
}

fn repeat(text: &str) -> Result<Repeat, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(Repeat::Number(number)),
        _ if text == "next" => Ok(Repeat::Next),
        _ => Err("give a whole number from 1 on, or next".to_owned()),
    }
}

/// Says what was added.
fn answer(added: Vec<Listed>, output: Output) -> Result<(), Failure> {
    let document = Experiments::new(added, Vec::new());
    output.document(&document, || document.experiments.iter().map(|one| format!("{}\n", one.id)).collect())
}

/// The times of a recorded run without the cost of communication; none if its source is no trace, or cannot be replayed,
/// which a remark says.
fn ideal(source: &Path) -> Option<IdealTimes> {
    let file = trace_at(source).ok()??;
    let trace = Trace::open(&file).ok()?;
    let name = file.display().to_string();
    let replays = Replays::new(&trace, &name, ReplayOptions::default());
    match replays.and_then(|replays| replays.ideal_times()) {
        Ok(times) => times,
        Err(NoAnswer::Analysis(_)) => None,
        Err(error) => {
            remark(&format!("the time without the cost of communication is not known: {error}"));
            None
        }
    }
}

impl Add {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<(), Failure> {
        let classes = self.classes.as_deref().map(Classes::read).transpose().map_err(Failure::input)?;
        let version = Version { name: self.version.clone(), files: source_files(&self.files)? };
        let classes = classes.unwrap_or_default();
        if self.engine.is_none() && is_table(Path::new(&self.source)) {
            return self.add_table(version, output);
        }
        let parameters = self.given_parameters()?;
        let mut told: Vec<String> = parameters.keys().cloned().collect();
        let (profile, given) = match self.engine {
            Some(EngineName::Virtual) => self.simulate(catalogue, &classes, &mut told)?,
            None => {
                let source = Path::new(&self.source);
                let profile = profile_with(source, self.causes.then_some(Extent::All));
                let ideal = if self.sequential { None } else { ideal(source) };
                (profile.map_err(Failure::input)?, Given { ideal, ..self.given(parameters) })
            }
        };
        for warning in &profile.warnings {
            remark(&format!("warning: {}: {warning}", profile.source));
        }
        let experiment = of_profile(&profile, Given { version, ..given }, &classes);
        let repository = Repository::create(&self.repository)?;
        let added = repository.add(experiment, Beside::profile(&profile), &told, self.repeat)?;
        answer(vec![added], output)
    }

    /// Adds the experiments of a table, whose names in it say what else is told by words.
    fn add_table(&self, version: Version, output: Output) -> Result<(), Failure> {
        let SizeArgs { np, threads } = self.size;
        let is_told =
            [self.name.is_some(), np.is_some(), threads.is_some(), self.repeat != Repeat::Number(1)];
        if !self.parameters.is_empty() || is_told.contains(&true) {
            return Err(Failure::Input(format!(
                "{} is a table, whose names of experiments contain name, size, parameters and repetition, as \
                 heat.ranks4.threads2.size100.r1; omit them here",
                self.source
            )));
        }
        let given = Given { version, ..self.given(BTreeMap::new()) };
        let experiments = read_table(Path::new(&self.source), &given).map_err(Failure::input)?;
        answer(Repository::create(&self.repository)?.add_all(experiments)?, output)
    }

    /// The parameters that are given.
    fn given_parameters(&self) -> Result<BTreeMap<String, String>, Failure> {
        let mut told = BTreeMap::new();
        for word in &self.parameters {
            let Some((name, value)) = word.split_once('=').filter(|(name, _)| !name.is_empty()) else {
                return Err(Failure::Input(format!("`{word}` is not a parameter; write name=value")));
            };
            if told.insert(name.to_owned(), value.to_owned()).is_some() {
                return Err(Failure::Input(format!("{name} is given twice")));
            }
        }
        Ok(told)
    }

    fn given(&self, parameters: BTreeMap<String, String>) -> Given {
        let application = self.application.clone().unwrap_or_default();
        let size = self.size.given().instead_of(ats_truth::Size { ranks: 0, threads: 0 });
        let run = Run {
            name: self.name.clone().unwrap_or_else(|| application.clone()),
            command: self.command.clone(),
            parameters,
            ranks: size.ranks as u32,
            threads: size.threads as u32,
            date: self.date.clone(),
            seed: self.seed,
            sequential: self.sequential,
            ..Run::default()
        };
        let machine = VirtualMachine {
            part_of: self.machine.clone(),
            cpu: self.cpu.clone(),
            network: self.network.clone(),
            ..VirtualMachine::default()
        };
        Given { application, run, machine, ..Given::default() }
    }

    /// Runs a program in virtual time, or does its work sequentially; `told` then gets the parameters that name its
    /// size.
    fn simulate(
        &self,
        catalogue: &Catalogue,
        classes: &Classes,
        told: &mut Vec<String>,
    ) -> Result<(Profile, Given), Failure> {
        let program = ProgramArgs::new(&self.source, &self.parameters, self.size);
        let planned = program.resolve(catalogue)?;
        let network = self.network.as_deref().map(network).transpose().map_err(Failure::input)?;
        let network = network.unwrap_or_default();
        let causes = self.causes.then_some(Extent::All);
        let options = TruthOptions {
            network,
            costs: self.costs.unwrap_or_default(),
            causes,
            ..TruthOptions::default()
        };
        let mut profile = simulate(&planned, &options)?;
        let Planned { subject, size } = &planned;
        let mut given = self.given(subject.parameters());
        named_after(&mut given, subject.name(), &options);
        [given.run.ranks, given.run.threads] = [size.ranks as u32, size.threads as u32];
        if self.sequential {
            profile = sequential(&profile, classes);
            given.run.by_one_unit();
            told.extend(Run::SEQUENTIAL_OF.map(str::to_owned));
        } else {
            given.ideal = ideal_times(&planned, &options)?;
        }
        Ok((profile, given))
    }
}
