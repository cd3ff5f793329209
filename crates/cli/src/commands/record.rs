//! `ats record`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::atomic::AtomicBool;

use ats_documents::answer::Done;
use ats_launch::build::{self, Watch};
use ats_launch::claim::Claim;
use ats_launch::launch::{Launch, LaunchError, StandIns, parse_command, wait, without_recording};
use ats_launch::mpi::Mpi;
use ats_launch::ready::{NotReady, any_recorder, recorded_library, usual_library};
use ats_launch::{FULL_STACKS, METRICS, STACKS, names, recording};
use ats_model::machine_counter::MachineCounter;
use ats_reports::source::opening::anchor;
use ats_reports::source::opening::{has_begun, recorded};
use ats_trace::parts::Part;
use clap::{Args, ValueEnum};

use crate::cancel;
use crate::commands::run::{BuildArgs, absolute};
use crate::environment::{RECORDER, section};
use crate::failure::Failure;
use crate::output::progress::Line;
use crate::output::{Format, Output, remark};

/// Record an MPI or OpenMP program into an OTF2 trace.
///
/// Any program can be recorded. The recorder is preloaded; the program is neither changed nor rebuilt. Its output goes
/// where it always goes (with `--format json`, to standard error), and its exit code is kept. If Ctrl-C, SIGTERM or
/// `timeout` ends the run, the trace has what was recorded until then and is marked as incomplete.
///
/// If it is compiled with -finstrument-functions, its functions are regions of the trace, except those that are short and
/// called often.
#[derive(Args, Debug)]
#[command(after_help = section("Environment", RECORDER) + "
Examples:
  ats record -o trace -- mpirun -np 4 ./any_program args
  ats record -o trace -- mpirun.mpich -n 4 ./solver input.dat
  ats record -o trace -- ./threads_alone
  ats record -o trace --stacks off -- mpirun -np 4 ./any_program
  ats record -o trace --sample 200 -- mpirun -np 4 ./any_program
  ats record -o trace --metrics page_faults,ru_stime -- mpirun -np 4 ./any_program
  ats record -o trace -- ./job_script
  ats analyze trace/traces.otf2")]
pub(crate) struct Record {
    /// The folder of the archive; its anchor is DIR/traces.otf2. A former recording in it is overwritten.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Record where calls of MPI stand in the program.
    ///
    /// Lines come from debugging information (-g); without it, a place in the code is shown.
    #[arg(long, value_enum, value_name = "WHAT", default_value = FULL_STACKS)]
    stacks: Stacks,
    /// Sample where in the program its threads are, so many times per second of their processor time.
    ///
    /// The time between two calls is then divided by function. 200 is a good number; the kernel looks at the timers
    /// as often as its clock ticks, 100 to 1000 times a second. Time within MPI is not sampled.
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    sample: Option<u32>,
    /// Record these counters of the system and the hardware, by thread, where regions begin and end: names with commas between
    /// them.
    ///
    /// They are read at regions that the program marks, at parallel regions, and at the program's begin and end.
    /// `ats doctor` lists the counters, and says which this machine refuses.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = MachineCounter::named)]
    metrics: Vec<MachineCounter>,
    /// The calls and regions where counters are read
    #[arg(long, value_enum, value_name = "WHERE", default_value = "regions", requires = "metrics")]
    metrics_at: MeteredPlaces,
    #[command(flatten)]
    build: BuildArgs,
    /// Record what is launched, once, and note it in this folder: what stand-ins for launchers ask for.
    #[arg(long, value_name = "FOLDER", hide = true)]
    stand_in: Option<PathBuf>,
    /// The command line: launcher, its flags, program, its arguments; or a script that starts one of them. Options of
    /// `ats record` go before it.
    #[arg(trailing_var_arg = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The places where counters are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MeteredPlaces {
    /// Regions of the program and of OpenMP
    Regions,
    /// Calls of MPI, too
    Calls,
}

impl MeteredPlaces {
    fn word(self) -> &'static str {
        match self {
            MeteredPlaces::Regions => "regions",
            MeteredPlaces::Calls => "calls",
        }
    }
}

/// The part of the program's stack that is recorded with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stacks {
    /// The functions from `main` to the call, with the line of each
    Full,
    /// The function that makes the call, and the line
    Sites,
    /// Nothing: calls of a function are one, wherever they stand
    Off,
}

impl Stacks {
    /// The variable that tells the recorder.
    fn variable(self) -> (String, OsString) {
        (STACKS.to_owned(), self.word().into())
    }

    fn word(self) -> &'static str {
        match self {
            Stacks::Full => FULL_STACKS,
            Stacks::Sites => "sites",
            Stacks::Off => "off",
        }
    }
}

impl Record {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        match &self.stand_in {
            Some(stand_ins) => self.launch(stand_ins, output),
            None => self.record(output),
        }
    }

    fn record(&self, output: Output) -> Result<ExitCode, Failure> {
        let launched = parse_command(&self.command)?;
        let (mpi, is_known) = match recorded_library(&launched) {
            // It may start what can be recorded by itself, as scripts do, or load it later.
            Err(NotReady::Unrecordable(_)) => (usual_library()?, false),
            mpi => (mpi?, true),
        };
        let dir = absolute(&self.output)?;
        let _claim = Claim::acquire(&dir, "ats-record")?;
        let cancelled = cancel::on_signal()?;
        let launch = self.ready(mpi, output, &cancelled)?;
        let cannot_record = |error: io::Error| {
            Failure::Failed(format!(
                "cannot record into {}: {error}; choose a folder that you may write to",
                dir.display()
            ))
        };
        clear(&dir).map_err(cannot_record)?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own_words = |stand_ins: &Path| self.own_words(&dir, stand_ins, output);
        let stand_ins = if is_known { StandIns::none(&dir) } else { StandIns::new(&path, &dir, own_words) };
        let stand_ins = stand_ins.map_err(cannot_record)?;
        let mut variables = self.variables(&launch, &dir);
        if launched.launcher.is_none() {
            let other = Mpi::ALL.into_iter().filter(|other| *other != mpi).find_map(build::find_recorder);
            variables.extend(stand_ins.variables(other));
        }
        let mut command = launched.with_environment(&variables);
        stand_ins.offer(&mut command);
        if output.format == Format::Json {
            command.stdout(io::stderr());
        }
        let exit_code = self.wait(command, &cancelled)?;
        let begun = stand_ins.launch();
        if begun.is_none() && !is_known && !has_begun(&dir) {
            return nothing_recorded(&launched.program, exit_code);
        }
        let Launch { mpi, recorder } = begun.unwrap_or(launch);
        let trace = anchor(&dir);
        let refused = stand_ins.have_refused().then(|| SEVERAL.to_owned());
        let problem = recorded(&trace).err().or(refused);
        if output.format == Format::Json {
            let document = Done {
                schema: Done::SCHEMA,
                trace: Some(trace.clone()),
                mpi: vec![mpi.key()],
                recorder: Some(recorder),
                exit_code: Some(exit_code),
                problem: problem.clone(),
                ..Done::default()
            };
            output.document(&document, String::new)?;
        }
        ended(&trace, exit_code, problem)
    }

    /// Records what one of the stand-ins was started for, with the launcher's exit code.
    fn launch(&self, stand_ins: &Path, output: Output) -> Result<ExitCode, Failure> {
        let cancelled = cancel::on_signal()?;
        let launched = match parse_command(&self.command) {
            // As `mpirun --version`.
            Err(LaunchError::NoProgram(_)) => {
                let mut command = Command::new(&self.command[0]);
                command.args(&self.command[1..]);
                without_recording(&mut command);
                return self.wait(command, &cancelled).map(ExitCode::from);
            }
            launched => launched?,
        };
        let launch = self.ready(recorded_library(&launched)?, output, &cancelled)?;
        let is_first = launch.begin(stand_ins);
        if !is_first.map_err(|error| Failure::Failed(format!("{}: {error}", stand_ins.display())))? {
            let line = self.command.join(OsStr::new(" "));
            return Err(Failure::Failed(format!("`{}` was not started: {SEVERAL}", line.display())));
        }
        let command = launched.with_environment(&self.variables(&launch, &self.output));
        let ended = self.wait(command, &cancelled);
        if !has_begun(&self.output) {
            let program = launched.program.display();
            remark(&format!("{program} used neither MPI nor OpenMP such that the recorder could see it"));
            Launch::forget(stand_ins);
        }
        ended.map(ExitCode::from)
    }

    /// The recorder for a library, found or built.
    fn ready(&self, mpi: Mpi, output: Output, cancelled: &AtomicBool) -> Result<Launch, Failure> {
        if build::find_recorder(mpi).is_none() {
            remark(&format!("building the recorder for {}, once", mpi.name()));
        }
        let mut line = Line::new(output);
        let found = any_recorder(
            mpi,
            &mut Watch { logs: None, progress: &mut line, time: self.build.time(), cancelled },
        );
        line.done();
        Ok(Launch { mpi, recorder: found? })
    }

    /// The environment variables of the ranks in a recorded launch.
    fn variables(&self, launch: &Launch, dir: &Path) -> Vec<(String, OsString)> {
        let mut variables = recording(&launch.recorder, dir);
        variables.push(self.stacks.variable());
        variables.extend(self.sample.map(|hz| ("ATS_RECORDER_SAMPLE".to_owned(), hz.to_string().into())));
        if !self.metrics.is_empty() {
            variables.push((METRICS.to_owned(), names(&self.metrics).into()));
            variables.push(("ATS_RECORDER_METRICS_AT".to_owned(), self.metrics_at.word().into()));
        }
        variables
    }

    /// The words of the command that a stand-in records its launch with.
    fn own_words(&self, dir: &Path, stand_ins: &Path, output: Output) -> Vec<OsString> {
        let itself = std::env::current_exe().unwrap_or_else(|_| "ats".into());
        let mut words = vec![itself.into_os_string(), "record".into(), "--output".into(), dir.into()];
        words.extend(["--stacks".into(), self.stacks.word().into()]);
        words.extend(self.sample.iter().flat_map(|hz| ["--sample".into(), hz.to_string().into()]));
        if !self.metrics.is_empty() {
            words.extend(["--metrics".into(), names(&self.metrics).into()]);
            words.extend(["--metrics-at".into(), self.metrics_at.word().into()]);
        }
        let build_timeout = self.build.time().as_secs().to_string();
        words.extend(["--build-timeout".into(), build_timeout.into()]);
        words.extend(["--stand-in".into(), stand_ins.into()]);
        words.extend(output.is_quiet.then(|| "--quiet".into()));
        words.push("--".into());
        words
    }

    /// Waits for a command that is like the given one; returns its exit code.
    fn wait(&self, command: Command, cancelled: &AtomicBool) -> Result<u8, Failure> {
        let ended = wait(command, cancelled);
        ended.map(exit_code).map_err(|error| {
            Failure::Input(format!("cannot start {}: {error}", self.command[0].to_string_lossy()))
        })
    }
}

/// Says how a recording ended.
fn ended(trace: &Path, exit_code: u8, problem: Option<String>) -> Result<ExitCode, Failure> {
    match (problem, exit_code) {
        (Some(problem), 0) => return Err(Failure::Failed(problem)),
        (Some(problem), code) => remark(&format!("the command ended with {code}; {problem}")),
        (None, _) => remark(&format!("recorded into {}", trace.display())),
    }
    Ok(ExitCode::from(exit_code))
}

/// Why not all that a command launches is recorded.
const SEVERAL: &str = "a recording is of one run, and the command starts several; record each by itself";

fn nothing_recorded(program: &Path, exit_code: u8) -> Result<ExitCode, Failure> {
    let problem = format!(
        "nothing of {} was recorded: no process that it started used MPI or LLVM's OpenMP runtime such that the recorder \
         could see it; give the program's full command line, as: mpirun -np 4 ./program",
        program.display()
    );
    if exit_code == 0 {
        return Err(Failure::Input(problem));
    }
    remark(&format!("the command ended with {exit_code}; {problem}"));
    Ok(ExitCode::from(exit_code))
}

/// Makes the folder, and removes a former recording from it: it must not pass for the new one.
pub(crate) fn clear(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let is_named = |stem: &str| path.file_stem().is_some_and(|own| own == stem);
        let is_part = Part::is_named_as_one(&path);
        if path.is_dir() && path.ends_with("traces") {
            fs::remove_dir_all(&path)?;
        } else if !path.is_dir() && (is_named("traces") || is_named("incomplete") || is_part) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    u8::try_from(code).unwrap_or(1)
}
