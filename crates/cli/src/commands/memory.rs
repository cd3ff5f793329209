//! `ats memory`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_documents::Memory;
use ats_documents::memory::{Cache, Penalty, References};
use ats_launch::launch::parse_command;
use ats_prediction::memory::{MemoryError, Options, Symbols, SymbolsError, Traced, ValgrindError, analyze};
use ats_presentation::text;
use ats_props::{Bytes, ParameterType, Seconds};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::output::{Output, remark, width};

/// Count the misses of caches of every size, by stack distances
///
/// The trace is the text of valgrind's lackey. The number of other lines between two references to a line, its stack
/// distance, says in which caches the second one misses.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats memory -- ./program arguments
  valgrind --tool=lackey --trace-mem=yes --log-file=trace ./program; ats memory trace
  ats memory trace --symbols ./program
  ats memory trace --cache 32KiB,8,64 --cache 1MiB,16,64
  ats memory trace --penalty 32KiB=4ns,1MiB=15ns,32MiB=80ns --format json
  mpirun -np 4 valgrind --tool=lackey --trace-mem=yes --log-file=trace.%p ./program")]
pub(crate) struct MemoryOf {
    /// The trace, a text by `valgrind --tool=lackey --trace-mem=yes --log-file=TRACE`.
    #[arg(value_name = "TRACE", required_unless_present = "command", conflicts_with = "command")]
    trace: Option<PathBuf>,
    /// A cache with sets, such as 32KiB,8,64: capacity, lines of a set, bytes of a line. Several caches have lines of one size
    /// [default: lines of 64 bytes].
    #[arg(long, value_name = "BYTES,WAYS,LINE", value_parser = cache)]
    cache: Vec<(Cache, u64)>,
    /// The costs of misses, such as 32KiB=4ns,1MiB=15ns: the time that each miss of a capacity adds. It is that of a `--cache`,
    /// or of a fully associative cache.
    #[arg(long, value_name = "BYTES=TIME", value_delimiter = ',', value_parser = penalty)]
    penalty: Vec<Penalty>,
    /// The references that are counted.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "data")]
    references: Counted,
    /// The traced program. Its symbols divide the references by function [default: the program of COMMAND].
    #[arg(long, value_name = "PROGRAM")]
    symbols: Option<PathBuf>,
    /// The memory for lines of the trace; if there are more, they are sampled.
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = bytes)]
    memory: u64,
    /// A program and its arguments, which runs under valgrind's lackey. Its output goes to standard error.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The references that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Counted {
    /// Loads and stores
    Data,
    /// Fetches of instructions
    Instructions,
    /// Both, as caches for both see them
    All,
}

/// The largest simulated cache: its lines take 2 GiB.
const LARGEST_CACHE: u64 = 16 << 30;

/// The smallest line: the largest usual operand of an instruction, which is 8 bytes.
const SMALLEST_LINE: u64 = 8;

fn bytes(text: &str) -> Result<u64, String> {
    let bytes = Bytes::parse(text)?.exactly().filter(|bytes| *bytes > 0);
    bytes.ok_or_else(|| format!("`{text}` is no size; give a number of bytes, as 32KiB"))
}

fn cache(text: &str) -> Result<(Cache, u64), String> {
    let parts: Vec<&str> = text.split(',').collect();
    let [capacity, ways, line] = parts[..] else {
        return Err("give capacity, lines of a set and bytes of a line, as 32KiB,8,64".to_owned());
    };
    let (bytes, line) = (bytes(capacity)?, bytes(line)?);
    let ways: u64 =
        ways.trim().parse().map_err(|_| format!("`{ways}` is no number of lines of a set, as 8"))?;
    if !line.is_power_of_two() || line < SMALLEST_LINE {
        return Err(format!(
            "a line has a power of two of bytes, from {SMALLEST_LINE} on, such as 64; not {line}"
        ));
    }
    if bytes > LARGEST_CACHE {
        return Err(format!("{capacity} is more than 16GiB, the largest cache; give a smaller one"));
    }
    let set = ways.checked_mul(line).filter(|set| *set > 0 && bytes % set == 0);
    let set =
        set.ok_or_else(|| format!("{capacity} is not a number of sets of {ways} lines of {line} bytes"))?;
    Ok((Cache { bytes, ways, sets: bytes / set }, line))
}

fn penalty(text: &str) -> Result<Penalty, String> {
    let (capacity, time) = text.split_once('=').ok_or("give capacity and time of a miss, as 32KiB=4ns")?;
    Ok(Penalty { bytes: bytes(capacity)?, seconds: Seconds::parse(time)?.0 })
}

impl MemoryOf {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let options = self.options()?;
        let symbols = self.symbols.as_deref().map(Symbols::read).transpose()?;
        let document = match &self.trace {
            Some(path) => {
                let name = path.display().to_string();
                let opened = File::open(path);
                let file = opened.map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
                analyze(&name, file, &options, symbols.as_ref())?
            }
            None => self.trace(&options, symbols)?,
        };
        document.warnings.iter().for_each(|warning| remark(warning));
        output.document(&document, || text::memory(&document, width()))?;
        Ok(ExitCode::SUCCESS)
    }

    fn options(&self) -> Result<Options, Failure> {
        let usual = Options::default();
        let line = self.cache.first().map_or(usual.line, |(_, line)| *line);
        if let Some((_, other)) = self.cache.iter().find(|(_, other)| *other != line) {
            return Err(Failure::Input(format!(
                "the caches have lines of {line} and {other} bytes; count those of each size by a command of its own"
            )));
        }
        if let Some(small) = self.penalty.iter().find(|penalty| penalty.bytes < line) {
            return Err(Failure::Input(format!(
                "--penalty: a cache of {} bytes holds no line of {line} bytes; give a larger one",
                small.bytes
            )));
        }
        let references = match self.references {
            Counted::Data => References::Data,
            Counted::Instructions => References::Instructions,
            Counted::All => References::All,
        };
        let caches = self.cache.iter().map(|(cache, _)| *cache).collect();
        Ok(Options { references, line, caches, penalties: self.penalty.clone(), memory: self.memory })
    }

    /// Counts the references of the command, while it runs.
    fn trace(&self, options: &Options, symbols: Option<Symbols>) -> Result<Memory, Failure> {
        let launched = parse_command(&self.command)?;
        if launched.launcher.is_some() {
            return Err(Failure::Input(
                "a launcher's processes are not traced; let it start valgrind: mpirun -np 4 valgrind --tool=lackey \
                 --trace-mem=yes --log-file=trace.%p PROGRAM; then `ats memory trace.PID`"
                    .to_owned(),
            ));
        }
        let program = on_path(launched.program.as_os_str());
        let symbols = symbols.or_else(|| Symbols::read(&program?).ok());
        let name = self.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let mut traced = Traced::start(&self.command)?;
        let trace =
            traced.trace().ok_or_else(|| Failure::Failed("valgrind has no output; try again".to_owned()))?;
        let document = analyze(&name, trace, options, symbols.as_ref());
        let status =
            traced.wait().map_err(|error| Failure::Failed(format!("cannot wait for valgrind: {error}")))?;
        if !status.success() {
            remark(&format!("{name} ended with {status}"));
        }
        Ok(document?)
    }
}

/// The file of a program that is named with its folder, or is on the path.
fn on_path(program: &OsStr) -> Option<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Some(program.into());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        Failure::input(error)
    }
}

impl From<SymbolsError> for Failure {
    fn from(error: SymbolsError) -> Self {
        Failure::input(error)
    }
}

impl From<ValgrindError> for Failure {
    fn from(error: ValgrindError) -> Self {
        Failure::Missing(error.to_string())
    }
}
