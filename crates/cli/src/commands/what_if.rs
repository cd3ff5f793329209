//! `ats what-if`.

use std::path::PathBuf;
use std::process::ExitCode;

use ats_analyzer::{Clocks, Options};
use ats_diagnosis::{AskedChanges, NoAnswer, ReplayOptions, Replays, compare};
use ats_documents::comparison::Measure;
use ats_documents::what_if::SimulatedRun;
use ats_documents::{Comparison, WhatIf};
use ats_model::event::Event;
use ats_presentation::text;
use ats_props::{Bytes, ParameterType};
use ats_reports::source::opening::trace_file;
use ats_trace::{ArchiveProperties, ArchiveWriter, Trace, TraceError};
use ats_truth::{Network, NetworkError, Processors, network, network_on_known_nodes, processors};
use ats_validation::what_if::simulated;
use ats_whatif::{
    Changes, Destination, NetworkOfReplay, NetworkOfTrace, Selection, Speed, TICKS_PER_SECOND, WhatIfError,
};
use clap::{Args, ValueEnum};

use crate::cancel;
use crate::commands::compare::{RunsOfPage, Seen, seen_run};
use crate::commands::export;
use crate::commands::validate::what_if::simulator_named;
use crate::failure::Failure;
use crate::options::clocks::ClocksArgs;
use crate::output::{Output, check_file, width};

/// Run a trace again with changes, and see what they gain
///
/// Each location does what its events say, in virtual time. Without changes the replay ends where the trace ends; by how
/// much it does not is the error of every answer. WHAT selects a part of the run: regions by name (`*` and `?` match any
/// text and character), between:halo.c:31..norm.c:12 (code between two calls, whatever regions are in it; `begin` and `end` are
/// those of the run, and nothing is any call), rank:0-3, thread:1, time:1.5-2, or several of these between semicolons.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats what-if trace --speed 'solve=2'
  ats what-if trace --balance solve --network ideal
  ats what-if trace --speed 'rank:3=1.1' --speed 'init*;rank:0=4'
  ats what-if trace --remove 'MPI_Barrier'
  ats what-if trace --reorder MPI_Recv
  ats what-if trace --balance between:..norm.c:12
  ats what-if trace --network latency=1us,bandwidth=10GB/s,eager=64KiB
  ats what-if trace --network latency=10us,bandwidth=1GB/s --simulator smpi
  ats what-if trace --each
  ats what-if trace --sweep 'solve=1..8'
  ats what-if trace --balance solve -o balanced; ats explain balanced
  ats what-if trace --balance solve --html page.html")]
pub(crate) struct WhatIfOf {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; or a Paraver trace's .prv file.
    trace: PathBuf,
    /// Make work faster by a factor; below 1, slower.
    #[arg(long, value_name = "WHAT=FACTOR")]
    speed: Vec<Speed>,
    /// Share the work in these regions evenly between all that visit them, visit by visit.
    #[arg(long, value_name = "WHAT")]
    balance: Vec<Selection>,
    /// Leave out these regions, with all that is done in them.
    #[arg(long, value_name = "WHAT")]
    remove: Vec<Selection>,
    /// Complete blocking receives in these regions no sooner than at the next call, as if what follows needed nothing of them:
    /// other work, or a part that came earlier.
    #[arg(long, value_name = "WHAT")]
    overlap: Vec<Selection>,
    /// Receive messages in these regions in the order in which they arrive, each with the work behind it.
    #[arg(long, value_name = "WHAT")]
    reorder: Vec<Selection>,
    /// Give locks and critical sections to the thread that has them in the trace next, or, if they are free, to the one that
    /// asks first.
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    locks: Locks,
    /// Put another network in the place of the recorded one: `ideal`, where calls take no time beside waiting, or a model, as
    /// latency=1us,bandwidth=10GB/s,overhead=200ns,eager=64KiB; with other links within a node, as
    /// node=4,node-latency=200ns,node-bandwidth=50GB/s (without `node`, nodes are those of the trace), and an algorithm of
    /// collective operations, as collectives=ring.
    #[arg(long, value_name = "NETWORK", value_parser = network_of_replay)]
    network: Option<Network>,
    /// Send standard messages up to this size without waiting for their receives.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    eager: Option<usize>,
    /// The network that the trace was recorded on: the largest standard message that did not wait, and whether others
    /// moved only inside of calls, as eager=64KiB,progress=calls [default: as found in the trace].
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = network_of_trace)]
    network_of_trace: Option<NetworkOfTrace>,
    /// Let ranks share processors: the number of processors that they take in turn, as 4, or the processor of each rank, as
    /// 0,1,1,2.
    #[arg(long, value_name = "NUMBERS", value_parser = processors)]
    place: Option<Processors>,
    /// Try a change for each problem that `ats explain` names, the one that gains most first. What gains less than 1 % of the
    /// run is left out.
    #[arg(long)]
    each: bool,
    /// Vary the factor of a speed from one value to another, always twice as much.
    #[arg(long, value_name = "WHAT=FROM..TO")]
    sweep: Option<String>,
    /// Show, too, what a simulator of networks predicts for the trace on the network of --network: its name (loggopsim, smpi),
    /// or the path of a description with a table [simulator] (`ats schema ats-tool/1`).
    #[arg(long, value_name = "NAME")]
    simulator: Option<String>,
    /// Write the trace with all changes into this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    clocks: ClocksArgs,
    /// The folder of temporary files, which hold records that do not fit into memory [default: the system's].
    #[arg(long, value_name = "DIR")]
    temp: Option<PathBuf>,
    /// Write a page, too: the gains, both timelines, one above the other, and the differences of the recorded run and of the
    /// last row.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// The order in which threads get locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Locks {
    /// As in the trace.
    #[default]
    Recorded,
    /// As they ask for them.
    Free,
}

fn network_of_replay(text: &str) -> Result<Network, String> {
    if text == "ideal" {
        return Ok(Network::default());
    }
    network_on_known_nodes(text).map_err(|error| error.to_string())
}

fn network_of_trace(text: &str) -> Result<NetworkOfTrace, NetworkError> {
    let told = NetworkOfTrace::from(network(text)?);
    let has_limit = text.split(',').any(|part| part.trim_start().starts_with("eager"));
    Ok(NetworkOfTrace { eager_limit: told.eager_limit.filter(|_| has_limit), ..told })
}

fn bytes(text: &str) -> Result<usize, String> {
    let bytes = Bytes::parse(text)?.exactly();
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    bytes.ok_or_else(|| format!("`{text}` is no size; give a number of bytes, as 64KiB"))
}

impl WhatIfOf {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let anchor = trace_file(&self.trace).map_err(Failure::input)?;
        if let Some(html) = &self.html {
            let files = export::Trace::files(&anchor);
            check_file(html, &files.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        }
        let trace = Trace::open(&anchor).map_err(Failure::input)?;
        let name = anchor.display().to_string();
        let options = ReplayOptions {
            temp: self.temp.clone(),
            clocks: self.clocks.clocks(),
            network: self.network_of_trace.unwrap_or_default(),
        };
        let failed = |error: NoAnswer<TraceError>| failure(&name, error);
        let mut replays = Replays::new(&trace, &name, options).map_err(failed)?;
        for changes in &self.questions()? {
            replays.ask(changes).map_err(failed)?;
        }
        if self.each {
            replays.ask_each();
        }
        if let Some(dir) = &self.output {
            write(&replays, &replays.last().changes, dir, &name)?;
        }
        let runs = self.html.is_some().then(|| self.both_runs(&trace, &replays, &name)).transpose()?;
        let simulated = self.simulator.as_deref().map(|name| self.simulated(&replays, name)).transpose()?;
        let document = WhatIf { simulated, ..replays.into_document() };
        output.document(&document, || text::what_if(&document, width()))?;
        if let (Some(html), Some((compared, seen))) = (&self.html, runs) {
            let above = Comparison::LEAST_SHARE;
            let runs = RunsOfPage { document: &compared, above, seen: Some(seen) };
            runs.write(html, "What if", Some(&document), None)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The recorded run beside the one with the changes of the last row.
    fn both_runs(
        &self,
        trace: &Trace,
        replays: &Replays<'_, Trace>,
        name: &str,
    ) -> Result<(Comparison, (Seen, Seen)), Failure> {
        let AskedChanges { words, changes } = replays.last();
        let (_, changed) = replays.changed(changes).map_err(|error| failure(name, error))?;
        let options = Options { clocks: self.clocks.clocks(), temp: self.temp.clone(), ..Options::default() };
        let (a, seen_a) = seen_run(trace, name, &options)?;
        let of_changed = Options { clocks: Clocks::default(), ..options };
        let (b, seen_b) = seen_run(&changed, &format!("{name} {}", words.join(" ")), &of_changed)?;
        Ok((compare(&[a], &[b], Measure::Seconds), (seen_a, seen_b)))
    }

    /// The prediction of a simulator beside that of a replay.
    fn simulated(&self, replays: &Replays<'_, Trace>, name: &str) -> Result<SimulatedRun, Failure> {
        let (tool, simulator) = simulator_named(name)?;
        let network = self.network.unwrap_or_default();
        let cancelled = cancel::on_signal()?;
        let program = replays.program();
        let (predicted, losses) =
            simulated(program, (&tool, &simulator), &network, &cancelled).map_err(Failure::Failed)?;
        let changes = Changes { network: NetworkOfReplay::Model(network), ..Changes::default() };
        let replayed = program.run(&changes, &mut ()).map_err(|error| failure(name, error.into()))?;
        Ok(SimulatedRun {
            simulator: tool.title.clone(),
            version: tool.version(),
            network: ats_truth::network_in_words(&network).unwrap_or_else(|| "ideal".to_owned()),
            seconds: predicted.seconds,
            replayed: replayed.wall as f64 / TICKS_PER_SECOND as f64,
            losses,
        })
    }

    /// Each change alone, and all together if there are several; then those of the sweep.
    fn questions(&self) -> Result<Vec<AskedChanges>, Failure> {
        let mut asked = self.alone();
        if asked.len() > 1 {
            let words = asked.iter().flat_map(|one| one.words.clone()).collect();
            asked.push(AskedChanges { words, changes: self.changes() });
        }
        if let Some(sweep) = &self.sweep {
            asked.extend(swept(sweep)?);
        }
        Ok(asked)
    }

    fn changes(&self) -> Changes {
        Changes {
            speeds: self.speed.clone(),
            removals: self.remove.clone(),
            balances: self.balance.clone(),
            overlaps: self.overlap.clone(),
            reorders: self.reorder.clone(),
            has_free_locks: self.locks == Locks::Free,
            network: self.network.map_or(NetworkOfReplay::Recorded, NetworkOfReplay::Model),
            eager_limit: self.eager,
            processors: self.place.clone(),
        }
    }

    fn alone(&self) -> Vec<AskedChanges> {
        let none = Changes::default;
        let one = |option: &str, value: String, changes: Changes| AskedChanges {
            words: vec![format!("--{option}"), value],
            changes,
        };
        let all = self.changes();
        let speeds = self
            .speed
            .iter()
            .map(|speed| one("speed", speed.to_string(), Changes { speeds: vec![speed.clone()], ..none() }));
        let balances = self.balance.iter().map(|selection| {
            one("balance", selection.to_string(), Changes { balances: vec![selection.clone()], ..none() })
        });
        let removals = self.remove.iter().map(|selection| {
            one("remove", selection.to_string(), Changes { removals: vec![selection.clone()], ..none() })
        });
        let overlaps = self.overlap.iter().map(|selection| {
            one("overlap", selection.to_string(), Changes { overlaps: vec![selection.clone()], ..none() })
        });
        let reorders = self.reorder.iter().map(|selection| {
            one("reorder", selection.to_string(), Changes { reorders: vec![selection.clone()], ..none() })
        });
        let locks = (self.locks == Locks::Free)
            .then(|| one("locks", "free".to_owned(), Changes { has_free_locks: true, ..none() }));
        let network = self.network.map(|network| {
            let words = ats_truth::network_in_words(&network).unwrap_or_else(|| "ideal".to_owned());
            one("network", words, Changes { network: all.network, ..none() })
        });
        let eager = self
            .eager
            .map(|limit| one("eager", limit.to_string(), Changes { eager_limit: Some(limit), ..none() }));
        let place = self.place.as_ref().map(|processors| {
            let words = ats_truth::processors_in_words(processors);
            one("place", words, Changes { processors: Some(processors.clone()), ..none() })
        });
        speeds
            .chain(balances)
            .chain(removals)
            .chain(overlaps)
            .chain(reorders)
            .chain(locks)
            .chain(network)
            .chain(eager)
            .chain(place)
            .collect()
    }
}

/// The changes of a sweep, such as `solve=1..8`.
fn swept(text: &str) -> Result<Vec<AskedChanges>, Failure> {
    let wrong = || {
        Failure::Input(format!(
            "--sweep: `{text}` is no range of factors; write WHAT=FROM..TO, such as solve=1..8"
        ))
    };
    let (what, range) = text.rsplit_once('=').ok_or_else(wrong)?;
    let (from, to) = range.split_once("..").ok_or_else(wrong)?;
    let number =
        |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    let (from, to) = number(from).zip(number(to)).filter(|(from, to)| from <= to).ok_or_else(wrong)?;
    let factors =
        std::iter::successors(Some(from), |factor| Some(factor * 2.0)).take_while(|factor| *factor <= to);
    let changes = factors.map(|factor| {
        let words = format!("{what}={factor}");
        let speed: Speed = words.parse().map_err(Failure::input)?;
        let changes = Changes { speeds: vec![speed], ..Changes::default() };
        Ok(AskedChanges { words: vec!["--speed".to_owned(), words], changes })
    });
    changes.collect()
}

/// Writes the changed trace.
fn write(
    replays: &Replays<'_, Trace>,
    changes: &Changes,
    dir: &std::path::Path,
    name: &str,
) -> Result<(), Failure> {
    struct Archive {
        writer: ArchiveWriter,
        failure: Option<TraceError>,
    }
    impl Destination for Archive {
        fn take(&mut self, location: usize, events: Vec<(u64, Event)>) {
            for (time, event) in events {
                if self.failure.is_none() {
                    self.failure = self.writer.event(location, time, &event).err();
                }
            }
        }
    }
    let mut writer = ArchiveWriter::create(dir).map_err(Failure::input)?.common_clock();
    let mut definitions = replays.program().definitions();
    for location in &definitions.locations {
        writer.add_location(location.id);
    }
    let mut archive = Archive { writer, failure: None };
    let replayed =
        replays.program().run(changes, &mut archive).map_err(|error| failure(name, error.into()))?;
    if let Some(failure) = archive.failure {
        return Err(Failure::input(failure));
    }
    definitions.clock.length = replayed.wall;
    let properties = ArchiveProperties {
        creator: concat!("ATS ", env!("CARGO_PKG_VERSION")).to_owned(),
        description: format!("{name}, run again with changes"),
        ..ArchiveProperties::default()
    };
    archive.writer.finish(&definitions, &properties).map_err(Failure::input).map(drop)
}

fn failure(name: &str, error: NoAnswer<TraceError>) -> Failure {
    match error {
        NoAnswer::Replay(WhatIfError::Simulation(error)) => {
            Failure::Failed(format!("{name}: the changed program does not come to its end: {error}"))
        }
        error => Failure::Input(format!("{name}: {error}")),
    }
}
