//! `ats validate`.

pub(crate) mod what_if;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ats_compose::{Row, Selection};
use ats_documents::finding::Tolerance;
use ats_generator::Language;
use ats_launch::ready::RealOptions;
use ats_launch::tool::{Known, Tool};
use ats_model::delay::Extent;
use ats_presentation::text;
use ats_props::{Catalogue, Needs};
use ats_truth::Planned;
use ats_validation::pipeline::{Reporter, Request, validate};
use ats_validation::score::judge::{Amounts, Rules};
use ats_validation::selection::{self, Sweep};
use clap::{Args, ValueEnum};

use crate::cancel;
use crate::commands::completions::{one_of, tools};
use crate::commands::generate::{language, languages};
use crate::commands::report::files::FileArgs;
use crate::commands::run::{LaunchArgs, absolute};
use crate::failure::Failure;
use crate::options::keep::KeepArgs;
use crate::options::machine::MachineArgs;
use crate::options::number::whole;
use crate::options::program::{SizeArgs, is_file};
use crate::options::share::share;
use crate::output::Output;
use crate::output::progress::Bar;

/// Run programs, analyze them, and compare with the truth.
///
/// Without a name, a small selection of properties that covers every wait state of each paradigm is run, each in one
/// size (`ats list --representative`). `--all` runs every property, hybrid ones in two sizes. A property also runs its
/// balanced twin. A twin or a composition (a name with `/` or ending in `.toml`) runs alone.
///
/// A program that the machine disturbed is run again after all others, at most three times in all, those first that did not
/// show what they are made for. There is one such rerun for every eight programs, and one besides. The result says so, and
/// the files of the disturbed run are kept as NAME~1.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats validate
  ats validate --engine virtual --all
  ats validate --paradigm hybrid --np 2 --threads 4
  ats validate --table 1
  ats validate late_sender r=3 late_receiver --np 8
  ats validate examples/ranking.toml
  ats validate late_sender_propagation --causes
  ats validate blocked_sender multiple_output --explain
  ats validate --launcher mpirun.mpich --format json
  ats validate --all --paradigm openmp --lang c
  ats validate late_sender --sweep extrawork=1ms,5ms,20ms --threshold 0.001
  ats validate --what-if --paradigm mpi
  ats validate --what-if late_sender late_broadcast --simulator smpi --network latency=10us,bandwidth=1GB/s
  ats validate --tool eztrace --all --paradigm mpi --repeat 3 --append scores/
  ats validate -q --junit report.xml --html report.html")]
pub(crate) struct Validate {
    /// Properties, each followed by those of its parameters that are not at their defaults.
    #[arg(value_name = "PROPERTY [NAME=VALUE] or FILE")]
    programs: Vec<String>,
    /// Every property and every balanced twin.
    #[arg(long, conflicts_with_all = ["programs", "table"])]
    all: bool,
    /// The properties of one table of the catalogue, and their twins: `ats list --rows` has the tables.
    #[arg(long, value_name = "N", value_parser = table_of_rows, conflicts_with = "programs")]
    table: Option<u8>,
    /// Only programs of this paradigm.
    #[arg(long, value_parser = Needs::ALL.map(Needs::paradigm), conflicts_with = "programs")]
    paradigm: Option<String>,
    #[command(flatten)]
    size: SizeArgs,
    /// As real processes and threads, or in virtual time, which needs nothing installed.
    #[arg(long, value_enum, default_value_t = EngineName::Mpi)]
    engine: EngineName,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    launch: LaunchArgs,
    /// The language of the programs: rust, c or fortran [default: rust, or what the tool needs]. A selection leaves out
    /// programs that initialise MPI themselves, which are in Rust only.
    #[arg(long, value_name = "LANGUAGE", value_parser = language, add = one_of(languages))]
    lang: Option<Language>,
    /// The folder that keeps the output of the programs, a folder each.
    #[arg(short, long, value_name = "DIR", default_value = "target/ats-validation")]
    output: PathBuf,
    /// Smallest wait that has to be reported, as a share from 0 to 1 of the measured location-seconds [default: 0.01;
    /// with the virtual engine, 0].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    threshold: Option<f64>,
    /// Permitted error of an amount, as a share from 0 to 1 of the observed amount [default: as the truth says; with
    /// the virtual engine, 1e-6].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    tolerance: Option<f64>,
    /// Judge the root causes of the waits, too: the costs of each call path, by kind of wait.
    #[arg(long)]
    causes: bool,
    /// Judge the explanation of the run and its root causes, too: the cause of each planted wait, its seconds, its region and
    /// its culprits. With --tool, it is that of the trace that the tool leaves.
    #[arg(long)]
    explain: bool,
    /// Judge `ats what-if` in the place of the analyzer, on traces of virtual time: twice the speed against the program with its
    /// times halved, another network (--network) and shared processors (--processors) against the runs on them, and even
    /// work against the twin. A change is undefined if no trace tells its result.
    #[arg(long, conflicts_with_all = NOT_OF_WHAT_IF)]
    what_if: bool,
    /// Judge a simulator of networks in the place of `ats what-if`, on the network of --network: its name (loggopsim, smpi), or
    /// the path of a description with a table [simulator] (`ats schema ats-tool/1`).
    #[arg(long, value_name = "NAME", requires = "what_if")]
    simulator: Option<String>,
    /// Run each property that is named once for every value of this parameter: where is it found from?
    #[arg(long, value_name = "NAME=A,B,…", requires = "programs", value_parser = |text: &str| text.parse::<Sweep>())]
    sweep: Option<Sweep>,
    /// End with 77, not with 3, where something is missing on this machine: a test that is skipped.
    #[arg(long)]
    skip_missing: bool,
    /// Run each program without and with this tool, and score what it says: a name that the suite knows, or the path of
    /// a description (`ats schema ats-tool/1`).
    #[arg(long, value_name = "NAME", help = tool_help(), add = tools())]
    tool: Option<String>,
    /// The number of runs of each program.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1000_u32))]
    repeat: u32,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    files: FileArgs,
}

fn tool_help() -> String {
    let known: Vec<&str> = Known::names().collect();
    format!(
        "Run each program without and with this tool, and score what it says in place of our recorder and analyzer: {}, or \
         the path of a description of your own (`ats schema ats-tool/1`)",
        known.join(", ")
    )
}

/// The number of a table.
fn table_of_rows(text: &str) -> Result<u8, String> {
    let last = Row::list().iter().map(|row| row.table).max().unwrap_or_default();
    let number = text.parse().ok().filter(|number| (1..=last).contains(number));
    number.ok_or_else(|| format!("give the number of a table, 1 to {last}; `ats list --rows` shows them"))
}

/// Options of runs and reports, which are no part of a replay.
const NOT_OF_WHAT_IF: [&str; 15] = [
    "tool",
    "causes",
    "explain",
    "repeat",
    "threshold",
    "tolerance",
    "lang",
    "skip_missing",
    "baseline",
    "append",
    "html",
    "junit",
    "sarif",
    "csv",
    "markdown",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Mpi,
    Virtual,
}

impl Validate {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        self.validate(catalogue, output).map_err(|failure| match failure {
            Failure::Missing(what) if self.skip_missing => Failure::Skipped(what),
            failure => failure,
        })
    }

    fn validate(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        if self.what_if {
            self.launch.refuse_in_virtual_time()?;
            let programs = self.programs(catalogue)?;
            return what_if::run(&programs, &self.machine, self.simulator.as_deref(), output);
        }
        let request = self.request(catalogue)?;
        let compositions = self.programs.iter().filter(|word| is_file(word)).map(Path::new);
        self.files.check(&compositions.collect::<Vec<_>>())?;
        let cancelled = cancel::on_signal()?;
        let mut bar = Bar::new(output, &request.programs, request.rules.threshold);
        let score = validate(&request, &mut bar, &cancelled);
        bar.done();
        let score = score?;
        let is_real = self.engine == EngineName::Mpi;
        self.files.write(&score, is_real.then(|| absolute(&self.output)).transpose()?.as_deref())?;
        let shown = if self.tool.is_some() || self.repeat > 1 { text::score } else { text::results };
        let code = self.keep.finish(&score, || shown(&score, output.look(bar.is_seen())), output)?;
        if cancelled.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        Ok(code)
    }

    fn request(&self, catalogue: &Catalogue) -> Result<Request, Failure> {
        let reporter = self.reporter()?;
        let rules = match self.engine {
            EngineName::Virtual => Rules::EXACT,
            EngineName::Mpi => Rules::MEASURED,
        };
        let given = self.tolerance.map(|relative| Amounts::Fixed(Tolerance { absolute: 0.0, relative }));
        let threshold = self.threshold.unwrap_or(rules.threshold);
        let rules = Rules {
            threshold,
            silence: rules.silence.max(threshold),
            amounts: given.unwrap_or(rules.amounts),
            ..rules
        };
        Ok(Request {
            programs: self.programs(catalogue)?,
            reporter,
            rules,
            causes: if self.explain { Some(Extent::All) } else { self.causes.then_some(Extent::Scalasca) },
            explanations: self.explain,
            repeats: self.repeat,
            catalogue: catalogue.clone(),
        })
    }

    fn reporter(&self) -> Result<Reporter, Failure> {
        let tool = self.tool.as_deref().map(Tool::named).transpose().map_err(Failure::input)?;
        let refused = |message: String| Err(Failure::Input(message));
        if let Some(tool) = tool.as_ref().filter(|tool| tool.simulator.is_some()) {
            let name = &tool.name;
            return refused(format!("{} is a simulator; use --what-if --simulator {name}", tool.title));
        }
        match (self.engine, tool) {
            (EngineName::Virtual, Some(tool)) => {
                refused(format!("{} works with real processes only; omit --engine virtual", tool.title))
            }
            (EngineName::Virtual, None) => {
                self.launch.refuse_in_virtual_time()?;
                if self.explain && self.machine.options().processors.is_some() {
                    let message =
                        "--explain knows no causes of waits for a processor; omit --explain or --processors";
                    return refused(message.to_owned());
                }
                if self.lang.is_some() {
                    return refused(
                        "--lang is for real programs; omit --lang or --engine virtual".to_owned(),
                    );
                }
                Ok(Reporter::Simulated(self.machine.options()))
            }
            (EngineName::Mpi, tool) => {
                self.machine.refuse_on_a_real_machine()?;
                let options = RealOptions {
                    launcher: self.launch.launcher.clone(),
                    time: self.launch.timeout,
                    build_time: self.launch.build.time(),
                    dir: absolute(&self.output)?,
                    options: self.launch.program_options(),
                    language: self.lang,
                };
                Ok(match tool {
                    Some(tool) => Reporter::Tool(Box::new(tool), options),
                    None => Reporter::Own(options),
                })
            }
        }
    }

    fn programs(&self, catalogue: &Catalogue) -> Result<Vec<Planned>, Failure> {
        let size = self.size.given();
        let programs = if self.programs.is_empty() {
            let selected = selection::selected(self.selection(), self.paradigm.as_deref(), size, catalogue);
            let is_in_rust_only = |one: &Planned| one.subject.owns_mpi();
            let is_asked_for = self.lang.is_none_or(|language| language == Language::Rust);
            selected.map(|all| all.into_iter().filter(|one| is_asked_for || !is_in_rust_only(one)).collect())
        } else {
            selection::named(&self.programs, self.sweep.as_ref(), size, catalogue)
        };
        programs.map_err(Failure::input)
    }

    fn selection(&self) -> Selection {
        match self.table {
            Some(table) => Selection::Table(table),
            None if self.all => Selection::All,
            None => Selection::Representative,
        }
    }
}
