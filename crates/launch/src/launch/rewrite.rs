//! Command lines of users: the program that they start, and the same command line with variables added.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::template::{assignment, assignments};
use super::{LaunchError, Launcher, Template};
use crate::installation::RECORDER;
use crate::mpi::Mpi;
use crate::openmp::OpenMp;

/// A command line, taken apart.
#[derive(Clone, Debug)]
pub struct Launched {
    /// The launcher; none where the program is started by itself.
    pub launcher: Option<Launcher>,
    /// The program that is started, as it was written.
    pub program: PathBuf,
    /// The index of the program in the command line, as that was written.
    pub place: usize,
    words: Vec<OsString>,
    /// The index in `words` of the launcher, or without one of the program: after `env`, `nice` and the like.
    start: usize,
}

/// Names under which launchers are installed, with or without a suffix (`mpirun.mpich`).
const LAUNCHERS: [&str; 5] = ["mpirun", "mpiexec", "orterun", "prterun", "srun"];

/// Commands that become the command that they are given, or run it and end with its exit code.
const PREFIXES: [&str; 11] =
    ["env", "nice", "ionice", "chrt", "taskset", "numactl", "timeout", "time", "stdbuf", "nohup", "setsid"];

/// Takes a command line apart: `mpirun -np 4 ./program arguments`, after any number of `env`, `nice` and the like.
///
/// # Errors
/// The launcher is missing or unknown, or no program follows it; or, without a launcher, there is no such program.
pub fn parse_command(words: &[OsString]) -> Result<Launched, LaunchError> {
    let written = || words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let start = after_prefixes(words);
    let first = words.get(start).ok_or_else(|| LaunchError::NoProgram(written()))?;
    let (launcher, place) = if is_launcher(first) {
        let launcher = Launcher::named(first)?;
        let place = program_of(launcher.template, &words[start..]);
        (Some(launcher), start + place.ok_or_else(|| LaunchError::NoProgram(written()))?)
    } else if which::which(first).is_ok() {
        (None, start)
    } else {
        return Err(LaunchError::NoSuchProgram(first.clone()));
    };
    Ok(Launched { launcher, program: words[place].clone().into(), words: words.to_vec(), place, start })
}

impl Launched {
    /// The same without its launcher, as a single process.
    ///
    /// # Errors
    /// The launcher starts several programs.
    pub fn alone(self) -> Result<Self, LaunchError> {
        if self.launcher.is_none() {
            return Ok(self);
        }
        if self.words[self.place..].iter().any(|word| word == ":") {
            return Err(LaunchError::Several(self.program.into()));
        }
        let words = [&self.words[..self.start], &self.words[self.place..]].concat();
        Ok(Launched { launcher: None, words, ..self })
    }

    /// The library that the program needs: its own, where that can be seen, else the launcher's.
    ///
    /// # Errors
    /// The launcher starts programs of another library.
    pub fn mpi(&self) -> Result<Option<Mpi>, LaunchError> {
        let own = which::which(&self.program).ok().and_then(|program| Mpi::of_program(&program));
        let Some(launcher) = &self.launcher else { return Ok(own) };
        if let Some(mpi) = own {
            launcher.check(mpi)?;
        }
        Ok(own.or(launcher.template.mpi))
    }

    /// The OpenMP runtime that the program uses, where that can be seen: one that is preloaded, or what it is linked with.
    pub fn openmp(&self) -> Option<OpenMp> {
        let preloaded = self.preloaded().and_then(|libraries| OpenMp::of_preloaded(&libraries));
        let linked = || which::which(&self.program).ok().and_then(|program| OpenMp::of_program(&program));
        preloaded.or_else(linked)
    }

    /// The libraries that the program is to be preloaded with anyway, by a flag, an assignment or the environment.
    fn preloaded(&self) -> Option<OsString> {
        let before = self.before_program();
        // `-x LD_PRELOAD=…` and `env LD_PRELOAD=…`; `-genv LD_PRELOAD …`.
        let of_line = (0..before.len()).rev().find_map(|place| {
            let is_behind_name = place > 0 && before[place - 1] == PRELOAD;
            assigned(&before[place]).or_else(|| is_behind_name.then(|| before[place].clone()))
        });
        of_line.or_else(|| std::env::var_os(PRELOAD)).and_then(|libraries| without_recorder(&libraries))
    }

    /// The words before the program; also `env` and the like that the launcher starts.
    fn before_program(&self) -> &[OsString] {
        let launched = || self.place + after_prefixes(&self.words[self.place..]);
        &self.words[..if self.launcher.is_some() { launched() } else { self.start }]
    }

    /// The same command line, such that the ranks find these variables in their environment, and the launcher its own:
    /// it may run as root and start more ranks than there are cores. Libraries that are preloaded anyway stay so.
    pub fn with_environment(&self, variables: &[(String, OsString)]) -> Command {
        let variables = &self.with_preloaded(variables);
        let mut command = Command::new(&self.words[0]);
        let Some(launcher) = &self.launcher else {
            self.add_alone(&mut command, variables);
            return command;
        };
        without_recording(&mut command);
        let added = launcher.template.environment.arguments(variables);
        command.envs(launcher.template.own_environment.iter().copied());
        let before_program = self.before_program().len();
        let preload = variables.iter().find(|(name, _)| name == PRELOAD).map(|(_, value)| value);
        for (place, word) in self.words.iter().enumerate() {
            if place > 0 {
                // The flag of the user's counts beside the one that is added.
                let is_flag = (self.start..before_program).contains(&place) && assigned(word).is_some();
                match preload.filter(|_| is_flag) {
                    Some(libraries) => command.arg(assignment(PRELOAD, libraries)),
                    None => command.arg(word),
                };
            }
            // Each part of `mpirun … : …` has an environment of its own.
            if place == self.start || place > self.start && word == ":" {
                command.args(&added);
            }
        }
        command
    }

    /// The variables, with the libraries that are preloaded anyway behind the recorder.
    fn with_preloaded(&self, variables: &[(String, OsString)]) -> Vec<(String, OsString)> {
        let mut variables = variables.to_vec();
        if let Some((_, value)) = variables.iter_mut().find(|(name, _)| name == PRELOAD)
            && let Some(own) = self.preloaded()
        {
            value.push(":");
            value.push(own);
        }
        variables
    }

    /// Adds the words after the first, and the variables for the program only: not for what comes before it.
    fn add_alone(&self, command: &mut Command, variables: &[(String, OsString)]) {
        if self.start == 0 {
            command.args(&self.words[1..]).envs(variables.iter().map(|(name, value)| (name, value)));
            return;
        }
        command.args(&self.words[1..self.start]).arg("env").args(assignments(variables));
        command.args(&self.words[self.start..]);
    }
}

/// The variable that tells a recorder the file to note its run in, unless there is another run's.
pub(super) const CLAIM: &str = "ATS_RECORDER_CLAIM";
/// The variable with a recorder for another MPI library, for processes that use that one.
pub(super) const OTHER_RECORDER: &str = "ATS_RECORDER_OTHER";
/// The variable with the libraries that are loaded into every program.
const PRELOAD: &str = "LD_PRELOAD";

/// The value that a word assigns to it.
fn assigned(word: &OsStr) -> Option<OsString> {
    let value = word.as_bytes().strip_prefix(PRELOAD.as_bytes())?.strip_prefix(b"=")?;
    Some(OsStr::from_bytes(value).to_owned())
}

/// The libraries of a list but for the recorder, which a script's launcher finds there; none if there are no others.
fn without_recorder(libraries: &OsStr) -> Option<OsString> {
    let is_other = |library: &&[u8]| !library.is_empty() && !library.ends_with(RECORDER.as_bytes());
    let others: Vec<&[u8]> =
        libraries.as_bytes().split(|&byte| byte == b':' || byte == b' ').filter(is_other).collect();
    (!others.is_empty()).then(|| OsString::from_vec(others.join(&b':')))
}

/// Takes from a launcher what has the processes of a script recorded: its ranks have variables of their own.
pub fn without_recording(command: &mut Command) {
    match std::env::var_os(PRELOAD).map(|libraries| without_recorder(&libraries)) {
        Some(Some(others)) => command.env(PRELOAD, others),
        Some(None) => command.env_remove(PRELOAD),
        None => command,
    };
    [CLAIM, OTHER_RECORDER].into_iter().for_each(|name| _ = command.env_remove(name));
}

/// The index of the first word that is neither a prefix nor an argument of one: the first after the prefixes that can
/// be run; the last prefix if there is none.
fn after_prefixes(words: &[OsString]) -> usize {
    let mut start = 0;
    while words.get(start).is_some_and(|word| has_name(word, &PREFIXES)) {
        let next = (start + 1..words.len()).find(|&place| which::which(&words[place]).is_ok());
        match next {
            Some(next) => start = next,
            None => break,
        }
    }
    start
}

fn has_name(word: &OsStr, names: &[&str]) -> bool {
    names.iter().any(|name| Path::new(word).file_name() == Some(OsStr::new(name)))
}

/// Whether a word is the name of a launcher.
pub(super) fn is_launcher(word: &OsStr) -> bool {
    let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
    LAUNCHERS.contains(&name.split('.').next().unwrap_or_default())
}

/// The index of the first word after the launcher that is neither a flag nor a flag's value. A word that can be run is
/// preferred to one that cannot: the latter may be the value of an unknown flag.
fn program_of(template: &Template, words: &[OsString]) -> Option<usize> {
    let mut candidates = Vec::new();
    let mut left = words.iter().enumerate().skip(1);
    while let Some((place, word)) = left.next() {
        let text = word.to_string_lossy();
        let values = if template.flags_with_two_values.contains(&&*text) {
            2
        } else {
            usize::from(template.flags_with_value.contains(&&*text))
        };
        if values > 0 {
            left.nth(values - 1);
        } else if !text.starts_with('-') {
            candidates.push(place);
        }
    }
    candidates.iter().find(|&&place| which::which(&words[place]).is_ok()).or(candidates.first()).copied()
}
