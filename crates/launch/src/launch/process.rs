//! One run: started, watched, ended, and everything of it gone.

#![allow(unsafe_code, reason = "a child asks to be ended with its parent between fork and exec")]

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::blame::blame;
use super::session::SessionFolder;
use super::tree::Mark;

/// The longest time that a run may take, and the most that it may write.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Until then it must have ended.
    pub time: Duration,
    /// Bytes that each of its output streams may have.
    pub output: u64,
    /// Set from elsewhere (a signal handler), it ends the run.
    pub cancelled: &'a AtomicBool,
}

/// The way a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With exit code 0.
    Success,
    /// With another exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It was killed, for its time was up.
    TimedOut(Duration),
    /// It was killed, for it wrote too much.
    TooMuchOutput(u64),
    /// It was killed, for the user wanted so.
    Cancelled,
}

/// A run that has ended, and what it wrote.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The way it ended.
    pub ending: Ending,
    /// File of its standard output.
    pub stdout: PathBuf,
    /// File of its standard error.
    pub stderr: PathBuf,
    /// The number of processes left behind when it ended by itself; all of them have been ended since.
    pub left_behind: usize,
    /// Whether a process of a run that was ended was stopped, as one is that wants a terminal in the background.
    pub stopped: bool,
}

/// File of a run's standard output, in its folder.
pub const STDOUT: &str = "stdout.txt";
/// File of its standard error.
pub const STDERR: &str = "stderr.txt";

/// The time that a launcher may take to clean up after itself when it is asked to end.
const GRACE: Duration = Duration::from_secs(1);

/// The time that processes which outlive their command may take to write what they have recorded.
const GRACE_OF_PROCESSES: Duration = Duration::from_secs(5);

/// Runs a command to its end; its output goes to [`STDOUT`] and [`STDERR`] in `dir`, which exists.
///
/// When this returns, no process of the run is left, whatever it started and ignored.
///
/// # Errors
/// It could not be started, or the folder does not take its output.
pub fn run(command: Command, dir: &Path, limits: Limits<'_>) -> io::Result<Ended> {
    run_watched(command, dir, limits, |_| {})
}

/// The same, with a look at its standard error from time to time.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_watched(
    mut command: Command,
    dir: &Path,
    limits: Limits<'_>,
    mut look: impl FnMut(&Path),
) -> io::Result<Ended> {
    let (stdout, stderr) = (dir.join(STDOUT), dir.join(STDERR));
    let mark = Mark::new();
    command.env(Mark::VARIABLE, mark.value());
    let _session = SessionFolder::for_command(&mut command)?;
    command.stdin(Stdio::null()).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
    command.process_group(0);
    end_with_parent(&mut command);
    let mut child = command.spawn()?;
    let ending = watch(&mut child, &[&stdout, &stderr], limits, || look(&stderr));
    let by_itself = matches!(ending, Ok(Ending::Success | Ending::Exit(_) | Ending::Signal(_)));
    let stopped = !by_itself && mark.any_stopped(child.id());
    if !by_itself {
        end(&mut child);
    }
    let still_there = child.try_wait().is_ok_and(|status| status.is_none()).then_some(child.id());
    let killed = mark.kill_all(still_there);
    child.wait()?;
    Ok(Ended { ending: ending?, stdout, stderr, left_behind: if by_itself { killed } else { 0 }, stopped })
}

/// Runs a command in the foreground, with the caller's input and output, until it ends by itself.
///
/// When `cancelled` is set, it is asked to end. When this returns, no process of the run is left: those that outlive the
/// command are asked to end, and killed if they do not do so soon.
///
/// # Errors
/// It could not be started.
pub fn wait(mut command: Command, cancelled: &AtomicBool) -> io::Result<ExitStatus> {
    let mark = Mark::new();
    let _session = SessionFolder::for_command(&mut command)?;
    end_with_parent(&mut command);
    let mut child = command.env(Mark::VARIABLE, mark.value()).spawn()?;
    let mut asked = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if cancelled.load(Ordering::Relaxed) && !asked {
            asked = true;
            if let Some(pid) = Pid::from_raw(child.id() as i32) {
                // It may just have ended.
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        thread::sleep(Duration::from_millis(20));
    };
    mark.end_all(GRACE_OF_PROCESSES);
    Ok(status)
}

fn watch(
    child: &mut Child,
    outputs: &[&Path],
    limits: Limits<'_>,
    mut look: impl FnMut(),
) -> io::Result<Ending> {
    let begin = Instant::now();
    let mut nap = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ending::from_status(status));
        }
        if limits.cancelled.load(Ordering::Relaxed) {
            return Ok(Ending::Cancelled);
        }
        if begin.elapsed() >= limits.time {
            return Ok(Ending::TimedOut(limits.time));
        }
        if outputs.iter().any(|file| fs::metadata(file).is_ok_and(|file| file.len() > limits.output)) {
            return Ok(Ending::TooMuchOutput(limits.output));
        }
        look();
        thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(50));
    }
}

/// Asks the launcher to end, and waits a little: it removes its own files.
fn end(child: &mut Child) {
    if let Some(group) = Pid::from_raw(child.id() as i32) {
        // Nothing is left to do where the group is gone.
        let _ = kill_process_group(group, Signal::TERM);
    }
    let begin = Instant::now();
    while begin.elapsed() < GRACE && child.try_wait().is_ok_and(|status| status.is_none()) {
        thread::sleep(Duration::from_millis(10));
    }
}

/// The child is asked to end when the thread that started it does, even if that is killed.
fn end_with_parent(command: &mut Command) {
    // SAFETY: between fork and exec only the async-signal-safe prctl is called.
    #[cfg(target_os = "linux")]
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
}

impl Ending {
    fn from_status(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(0), _) => Ending::Success,
            (Some(code), _) => Ending::Exit(code),
            (None, signal) => Ending::Signal(signal.unwrap_or_default()),
        }
    }
}

impl Ended {
    /// A description in words: how it ended, the rank that the launcher blames, and the last lines that it wrote.
    pub fn message(&self) -> String {
        let tail = |file: &Path| tail_of(file, 16 * 1024).unwrap_or_default();
        let (errors, output) = (tail(&self.stderr), tail(&self.stdout));
        let how = match self.ending {
            Ending::Success => "it ended well".to_owned(),
            Ending::Exit(code) => format!("it ended with exit code {code}"),
            Ending::Signal(signal) => format!("it was killed by signal {signal}"),
            Ending::TimedOut(limit) => {
                format!("it was still running after {} s and was killed", limit.as_secs_f64())
            }
            Ending::TooMuchOutput(limit) => format!("it wrote more than {limit} bytes and was killed"),
            Ending::Cancelled => "it was cancelled".to_owned(),
        };
        let blamed =
            blame(&errors).or_else(|| blame(&output)).map(|who| format!(" ({who})")).unwrap_or_default();
        let stopped =
            if self.stopped { ", in which a process was stopped that wanted a terminal" } else { "" };
        let last = last_lines(if errors.trim().is_empty() { &output } else { &errors }, 8);
        let last = if last.is_empty() { String::new() } else { format!("; its last lines:\n{last}") };
        format!("{how}{stopped}{blamed}{last}")
    }
}

impl Ended {
    /// Whether something in it wanted a terminal: it was stopped for that, or says so in its last lines.
    pub fn wanted_terminal(&self) -> bool {
        /// As the C library, Python and shells say it.
        const SAID: [&str; 4] = ["/dev/tty", "not a tty", "not a terminal", "Inappropriate ioctl for device"];
        let says = |file: &Path| {
            let text = tail_of(file, 4 * 1024).unwrap_or_default();
            SAID.iter().any(|words| text.contains(words))
        };
        let failed = matches!(self.ending, Ending::Exit(_) | Ending::Signal(_) | Ending::TimedOut(_));
        self.stopped || failed && (says(&self.stderr) || says(&self.stdout))
    }
}

/// The end of a file, at most so many bytes of it.
fn tail_of(file: &Path, bytes: u64) -> io::Result<String> {
    let mut file = File::open(file)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut tail = Vec::new();
    file.take(bytes).read_to_end(&mut tail)?;
    Ok(String::from_utf8_lossy(&tail).into_owned())
}

/// The last line that says something; empty where there is none yet.
pub(crate) fn last_line(file: &Path) -> String {
    last_lines(&tail_of(file, 1024).unwrap_or_default(), 1)
}

fn last_lines(text: &str, count: usize) -> String {
    // Launchers draw rulers.
    let says_something = |line: &&str| line.contains(|c: char| !matches!(c, '-' | '=' | ' '));
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(says_something).collect();
    let clipped = |line: &&str| line.chars().take(300).collect::<String>();
    lines[lines.len().saturating_sub(count)..].iter().map(clipped).collect::<Vec<_>>().join("\n")
}
