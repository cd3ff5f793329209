//! The MPI libraries of this machine, the recorder built for each, and programs run under it.

#![allow(dead_code, reason = "each test file uses its part")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

use ats_generator::{SuiteLibrary, SuiteSource, library_command, share_crates_of_programs, turn};
use ats_model::attribute::AttributeType;
use ats_model::definitions::Members;
use ats_model::event::{MetricRef, RegionRef};
use ats_model::own_attribute::Own;
use ats_model::own_metric::OwnMetric;
use ats_model::{Definitions, Event, EventSource};
use ats_trace::Archive;

/// Seconds after which a run counts as hung.
const TIME_LIMIT: &str = "120";

/// One of the MPI libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mpi {
    Open,
    Mpich,
}

impl Mpi {
    pub(crate) const ALL: [Mpi; 2] = [Mpi::Open, Mpi::Mpich];

    /// Those that are to be tested.
    pub(crate) fn tested() -> impl Iterator<Item = Mpi> {
        let tested = ats_testing::tested_mpi();
        Mpi::ALL
            .into_iter()
            .filter(move |mpi| tested.contains(&mpi.suffix()) && ats_testing::required(mpi.compiler()))
    }

    pub(crate) fn compiler(self) -> &'static str {
        match self {
            Mpi::Open => "mpicc.openmpi",
            Mpi::Mpich => "mpicc.mpich",
        }
    }

    fn suffix(self) -> &'static str {
        self.compiler().trim_start_matches("mpicc.")
    }

    /// The target folder of builds for this library, which the command uses, too.
    pub(crate) fn target(self) -> PathBuf {
        let suite =
            Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in the suite");
        suite.join("target").join(self.suffix())
    }

    /// The folder `release` of a build for this library.
    pub(crate) fn build(self, arguments: &[&str]) -> PathBuf {
        let target = self.target();
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--release", "--quiet", "--manifest-path"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .args(arguments)
            .env("MPICC", self.compiler())
            .env("CARGO_TARGET_DIR", &target);
        share_crates_of_programs(&mut cargo, &target);
        self.succeed(cargo)
    }

    fn build_recorder(self) -> PathBuf {
        let mpi = ats_generator::Mpi { compiler: self.compiler().to_owned() };
        let suite = SuiteSource::find().expect("the suite is there");
        let _turn = turn(&self.target().join("ats-libraries")).expect("the folder can be written");
        let cargo = library_command(&suite, SuiteLibrary::Recorder, Some(&mpi), &self.target());
        let mut cargo = cargo.unwrap_or_else(|error| panic!("{error}"));
        cargo.arg("--quiet");
        self.succeed(cargo).join("libats_recorder.so")
    }

    fn succeed(self, mut cargo: Command) -> PathBuf {
        let status = cargo.status().expect("cargo runs");
        assert!(status.success(), "the build for {self:?} fails");
        self.target().join("release")
    }

    /// The recorder for this library.
    pub(crate) fn recorder(self) -> &'static Path {
        static BUILT: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
        BUILT[self as usize].get_or_init(|| self.build_recorder())
    }

    /// Compiles a C program into `folder`.
    pub(crate) fn compile(self, source: &Path, folder: &Path) -> PathBuf {
        self.compile_with(self.compiler(), source, folder)
    }

    pub(crate) fn compile_with(self, compiler: &str, source: &Path, folder: &Path) -> PathBuf {
        self.compile_with_options(compiler, &["-fopenmp"], source, folder)
    }

    pub(crate) fn compile_with_options(
        self,
        compiler: &str,
        options: &[&str],
        source: &Path,
        folder: &Path,
    ) -> PathBuf {
        compile(Command::new(compiler), source, folder, options)
    }

    /// Compiles a C program with clang's OpenMP into `folder`.
    pub(crate) fn compile_with_clang(self, source: &Path, folder: &Path) -> PathBuf {
        let mut compiler = Command::new(self.compiler());
        compiler.envs([("OMPI_CC", "clang"), ("MPICH_CC", "clang")]);
        compile(compiler, source, folder, &["-fopenmp"])
    }

    /// Runs a program with these variables set, one run at a time, since the machine has few cores.
    pub(crate) fn run(
        self,
        ranks: u32,
        variables: &[(&str, &OsStr)],
        program: &Path,
        arguments: &[&str],
    ) -> Output {
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        ats_testing::before_others(ats_testing::Priority::OfRunsWithLongWaits);
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", TIME_LIMIT]).arg(format!("mpirun.{}", self.suffix()));
        command.args(["-n", &ranks.to_string()]);
        let _session = ats_testing::ready_for_open_mpi(&mut command);
        match self {
            Mpi::Open => {
                command.args(["--bind-to", "none"]);
                for (name, value) in variables {
                    let mut pair = std::ffi::OsString::from(format!("{name}="));
                    pair.push(value);
                    command.arg("-x").arg(pair);
                }
            }
            Mpi::Mpich => {
                for (name, value) in variables {
                    command.args(["-env", name]).arg(value);
                }
            }
        }
        command.arg(program).args(arguments).output().expect("timeout and mpirun run")
    }

    /// Records a program into `folder`.
    pub(crate) fn record(self, ranks: u32, folder: &Path, program: &Path, arguments: &[&str]) -> Output {
        self.record_by(self.recorder(), "off", ranks, folder, program, arguments)
    }

    /// As [`Mpi::record`], with the places of calls.
    pub(crate) fn record_with_stacks(
        self,
        ranks: u32,
        folder: &Path,
        program: &Path,
        arguments: &[&str],
    ) -> Output {
        self.record_by(self.recorder(), "full", ranks, folder, program, arguments)
    }

    /// As [`Mpi::record`], by this recorder, which takes these stacks.
    pub(crate) fn record_by(
        self,
        recorder: &Path,
        stacks: &str,
        ranks: u32,
        folder: &Path,
        program: &Path,
        arguments: &[&str],
    ) -> Output {
        let variables = [
            ("ATS_RECORDER_STACKS", OsStr::new(stacks)),
            ("LD_PRELOAD", recorder.as_os_str()),
            ("ATS_RECORDER_DIR", folder.as_os_str()),
            ("OMP_NUM_THREADS", OsStr::new("2")),
        ];
        self.run(ranks, &variables, program, arguments)
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Fails unless the run ended well.
#[track_caller]
pub(crate) fn succeeded(output: &Output) {
    assert!(output.status.success(), "{:?}: {}", output.status, stderr(output));
}

/// Compiles a program, or whatever the options say, into `folder`.
pub(crate) fn compile(mut compiler: Command, source: &Path, folder: &Path, options: &[&str]) -> PathBuf {
    let program = folder.join(source.file_stem().expect("a source has a name")).with_extension("out");
    let output = compiler
        .args(["-O1", "-g", "-w", "-o"])
        .args([&program, source])
        .args(options)
        .arg("-ldl")
        .output()
        .expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// The source of a program of these tests.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

/// Whether an event notes the calls that lead to the next.
fn is_context(event: &Event) -> bool {
    matches!(event, Event::Attribute { attribute, .. } if *attribute == Own::CallingContext.reference())
}

/// Checks samples of a location with these events: totals never fall, no time passes faster on a processor than by the
/// clock, and there are not many more than two in a millisecond.
#[track_caller]
fn samples_are_sound(samples: &[Sample], events: &[(u64, Event)]) {
    assert!(samples.is_sorted_by_key(|(time, _)| *time));
    let [first, .., last] = samples else { panic!("there are two: {samples:?}") };
    assert!(samples.windows(2).all(|two| (0..4).all(|metric| two[0].1[metric] <= two[1].1[metric])));
    // A counter is read a little after the time stamp that it is recorded with.
    const LATE: u64 = 2_000_000;
    let (elapsed, ran) = (last.0 - first.0, last.1[0] - first.1[0]);
    assert!(ran <= elapsed + LATE, "{ran} of {elapsed} ns");
    assert!(first.0 <= events[1].0 && samples.len() as u64 <= 4 + 2 * elapsed / 900_000, "{}", samples.len());
}

/// A recorded trace.
pub(crate) struct Trace {
    pub(crate) definitions: Definitions,
    /// By location, without samples.
    pub(crate) events: Vec<Vec<(u64, Event)>>,
    /// By location, the samples of the machine's counters.
    pub(crate) samples: Vec<Vec<Sample>>,
}

/// The time of a sample, and the values of the metrics.
pub(crate) type Sample = (u64, [u64; OwnMetric::ALL.len()]);

/// Takes the samples out of events; each has all metrics, in their order, at one time.
#[track_caller]
fn take_samples(events: &mut Vec<(u64, Event)>) -> Vec<Sample> {
    let is_sampled = |(_, event): &mut (u64, Event)| matches!(event, Event::Metric { metric: MetricRef(of), .. } if (*of as usize) < OwnMetric::ALL.len());
    let all: Vec<_> = events.extract_if(.., is_sampled).collect();
    let sample = |of_one: &[(u64, Event)]| {
        let time = of_one[0].0;
        let mut values = [0; OwnMetric::ALL.len()];
        for (metric, (at, event)) in OwnMetric::ALL.into_iter().zip(of_one) {
            let &Event::Metric { value, .. } = event else { unreachable!("they are metrics") };
            assert_eq!((*at, *event), (time, metric.sampled(value.bits)));
            values[metric as usize] = value.bits;
        }
        (time, values)
    };
    assert_eq!(all.len() % OwnMetric::ALL.len(), 0, "samples are whole");
    all.chunks(OwnMetric::ALL.len()).map(sample).collect()
}

impl Trace {
    /// Reads the trace in `folder`, after `otf2-print` has found nothing to complain about.
    #[track_caller]
    pub(crate) fn read(folder: &Path) -> Self {
        let anchor = folder.join("traces.otf2");
        let otf2_print = ats_testing::find("otf2-print");
        for (otf2_print, option) in otf2_print.iter().flat_map(|tool| [(tool, "-G"), (tool, "-A")]) {
            let judged = Command::new(otf2_print).arg(option).arg(&anchor).output().expect("it runs");
            assert!(judged.status.success() && judged.stderr.is_empty(), "{}", stderr(&judged));
            let text = String::from_utf8_lossy(&judged.stdout);
            assert!(!text.contains("INVALID") && !text.contains("warning"), "{text}");
        }
        let archive = Archive::open(&anchor).expect("the archive opens");
        let mut events: Vec<_> = (0..archive.definitions().locations.len())
            .map(|index| {
                let mut events = Vec::new();
                archive.read_location(index, |time, event| events.push((time, event))).expect("it reads");
                events
            })
            .collect();
        let samples = events.iter_mut().map(take_samples).collect();
        Trace { definitions: archive.definitions().clone(), events, samples }
    }

    /// Checks properties of every trace: times rise within the clock's span, regions nest, numbers of events are as
    /// defined, and all events of a process's first thread lie inside its program.
    #[track_caller]
    pub(crate) fn is_sound(&self) {
        let clock = self.definitions.clock;
        let all = self.definitions.locations.iter().zip(&self.events).zip(&self.samples);
        for ((location, events), samples) in all {
            let counted = events.iter().filter(|(_, event)| !matches!(event, Event::Attribute { .. }));
            let counted = counted.count() + samples.len() * OwnMetric::ALL.len();
            assert_eq!(location.events, counted as u64, "events of rank {}", location.rank);
            samples_are_sound(samples, events);
            assert!(events.is_sorted_by_key(|(time, _)| *time));
            assert!(
                events.iter().all(|(time, _)| (clock.offset..=clock.offset + clock.length).contains(time))
            );
            let mut program = Vec::new();
            let mut stack = Vec::new();
            for (index, (_, event)) in events.iter().enumerate() {
                match event {
                    Event::ProgramBegin { .. } | Event::ProgramEnd { .. } => program.push(index),
                    Event::Enter { region } => stack.push(region),
                    Event::Leave { region } => {
                        let is_left = |entered: &RegionRef| self.definitions.is_left_as(*entered, *region);
                        assert!(stack.pop().is_some_and(is_left), "regions nest");
                    }
                    Event::ThreadFork { .. }
                    | Event::ThreadJoin
                    | Event::ThreadTeamBegin { .. }
                    | Event::ThreadTeamEnd { .. }
                    | Event::MeasurementOnOff { .. }
                    | Event::CallingContextSample { .. }
                    | Event::Metric { .. }
                    | Event::BufferFlush { .. } => {}
                    event if is_context(event) => {}
                    _ => assert!(!stack.is_empty(), "{event:?} is inside a call"),
                }
            }
            assert!(stack.is_empty(), "all regions are left");
            let expected = if location.thread == 0 { vec![0, events.len() - 1] } else { Vec::new() };
            assert_eq!(program, expected, "the program of rank {} thread {}", location.rank, location.thread);
        }
    }

    /// The number of events of a location that `select` accepts.
    pub(crate) fn count(&self, location: usize, select: impl Fn(&Event) -> bool) -> usize {
        self.events[location].iter().filter(|(_, event)| select(event)).count()
    }

    /// The events of a location in words, one a line, indented by depth; without those of the program.
    pub(crate) fn listing(&self, location: usize) -> String {
        let mut depth = 0;
        let mut lines = String::new();
        for (_, event) in &self.events[location] {
            match event {
                Event::ProgramBegin { .. } | Event::ProgramEnd { .. } => continue,
                event if is_context(event) => continue,
                Event::Leave { .. } => {
                    depth -= 1;
                    continue;
                }
                _ => {}
            }
            lines += &format!("{:indent$}{}\n", "", self.words(event), indent = 2 * depth);
            depth += usize::from(matches!(event, Event::Enter { .. }));
        }
        lines
    }

    fn words(&self, event: &Event) -> String {
        let communicator = |reference: ats_model::event::CommunicatorRef| {
            let communicator = &self.definitions.communicators[reference.0 as usize];
            match &communicator.members {
                Members::Ranks(ranks) if communicator.name.is_empty() => format!("{ranks:?}"),
                _ => communicator.name.replace("MPI_COMM_", ""),
            }
        };
        match *event {
            Event::Enter { region } => self.definitions.regions[region.0 as usize].name.clone(),
            Event::MpiSend { receiver, communicator: c, tag, bytes } => {
                format!("send to {receiver} tag {tag} bytes {bytes} on {}", communicator(c))
            }
            Event::MpiRecv { sender, communicator: c, tag, bytes } => {
                format!("receive from {sender} tag {tag} bytes {bytes} on {}", communicator(c))
            }
            Event::MpiIsend { receiver, communicator: c, tag, bytes, request } => {
                format!("start {request}: send to {receiver} tag {tag} bytes {bytes} on {}", communicator(c))
            }
            Event::MpiIrecvRequest { request } => format!("start {request}: receive"),
            Event::MpiIsendComplete { request } => format!("complete {request}: sent"),
            Event::MpiIrecv { sender, communicator: c, tag, bytes, request } => format!(
                "complete {request}: receive from {sender} tag {tag} bytes {bytes} on {}",
                communicator(c)
            ),
            Event::MpiRequestCancelled { request } => format!("cancelled {request}"),
            Event::MpiCollectiveBegin => "begin".into(),
            Event::MpiCollectiveEnd { operation, communicator: c, root, sent, received } => {
                let root = root.map_or(String::new(), |root| format!(" root {root}"));
                format!("{operation:?}{root} sent {sent} received {received} on {}", communicator(c))
            }
            Event::MpiRequestTest { request } => format!("in vain {request}"),
            Event::Attribute { attribute, value } => {
                let name = &self.definitions.attributes[attribute.0 as usize].name;
                match value.of {
                    AttributeType::Comm => {
                        let reference = ats_model::event::CommunicatorRef(value.bits as u32);
                        format!("with {name} {}", communicator(reference))
                    }
                    _ => format!("with {name} {}", value.bits),
                }
            }
            Event::Metric { metric, value } => {
                format!("{} {}", self.definitions.metrics[metric.0 as usize].name, value.number())
            }
            Event::NonBlockingCollectiveRequest { request } => format!("start {request}: collective"),
            Event::NonBlockingCollectiveComplete {
                operation,
                communicator: c,
                root,
                sent,
                received,
                request,
            } => {
                let end = Event::MpiCollectiveEnd {
                    operation,
                    communicator: c,
                    root: root.rank(),
                    sent: sent.into(),
                    received: received.into(),
                };
                format!("complete {request}: {}", self.words(&end))
            }
            ref other => format!("{other:?}"),
        }
    }
}
