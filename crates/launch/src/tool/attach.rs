//! Commands made from the texts of a description.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_generator::Language;
use ats_props::Needs;
use thiserror::Error;

use super::description::{After, CallPaths, Tool};
use crate::build::BuildOptions;
use crate::launch::{Job, Launcher};
use crate::mpi::Mpi;
use ats_truth::{Planned, Size};

/// Why a tool cannot be used here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{title} cannot be used: {reason}{}", how(.install))]
pub struct Unfit {
    title: String,
    reason: String,
    install: String,
}

fn how(install: &str) -> String {
    if install.is_empty() { String::new() } else { format!("; to install it: {install}") }
}

/// The values of the places in a description's texts.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    /// The folder of the run.
    pub dir: &'a Path,
    /// The folder of the description.
    pub here: &'a Path,
    /// Our recorder, where the description asks for it.
    pub recorder: Option<&'a Path>,
    /// The executable.
    pub program: &'a Path,
    /// The number of ranks and threads.
    pub size: Size,
    /// The MPI library; none where the program has no ranks.
    pub mpi: Option<Mpi>,
}

impl Places<'_> {
    /// The text with every place filled.
    ///
    /// # Errors
    /// A place is unknown, or its variable not set; in words.
    pub fn fill(&self, text: &str) -> Result<OsString, String> {
        fill(text, |place| match place {
            "dir" => Some(self.dir.into()),
            "here" => Some(self.here.into()),
            "recorder" => self.recorder.map(Into::into),
            "program" => Some(self.program.into()),
            "ranks" => Some(self.size.ranks.to_string().into()),
            "threads" => Some(self.size.threads.to_string().into()),
            "mpi" => Some(self.mpi.map_or("", Mpi::key).into()),
            _ => None,
        })
    }

    fn fill_all(&self, texts: &[String]) -> Result<Vec<OsString>, String> {
        texts.iter().map(|text| self.fill(text)).collect()
    }
}

/// The text with every place filled; variables of the environment are looked up.
pub(super) fn fill(text: &str, place: impl Fn(&str) -> Option<OsString>) -> Result<OsString, String> {
    let mut filled = OsString::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or_else(|| format!("`{{` without `}}` in `{text}`"))?;
        filled.push(before);
        filled.push(match name.strip_prefix("env:") {
            Some(variable) => std::env::var_os(variable)
                .filter(|value| !value.is_empty())
                .ok_or_else(|| format!("the variable {variable} is not set"))?,
            None => place(name).ok_or_else(|| format!("there is no placeholder `{{{name}}}`"))?,
        });
        rest = after;
    }
    filled.push(rest);
    Ok(filled)
}

impl Tool {
    /// The compiler and flags that it wants programs to be built with.
    pub fn build_options(&self) -> BuildOptions {
        let language = self.language();
        let usual = self.build == Default::default() && language == Language::Rust;
        BuildOptions {
            language,
            key: (!usual).then(|| self.name.clone()),
            mpicc: self.build.mpicc.clone(),
            rustflags: self.build.rustflags.clone(),
        }
    }

    /// Why it needs more cores for a program of this size; none where there are enough.
    pub fn is_too_large(&self, planned: &Planned) -> Option<String> {
        let most = self.needs.ranks_per_core?;
        let (locations, cores) = (planned.size.locations(), ats_work::machine::cores());
        (locations as f64 > most * cores as f64).then(|| {
            format!(
                "{} needs a core for every {most} ranks × threads, and {} are too many for {cores} cores; use fewer",
                self.title, planned.size
            )
        })
    }

    fn unfit(&self, reason: String) -> Unfit {
        Unfit { title: self.title.clone(), reason, install: self.needs.install.clone() }
    }

    /// The needs of the tool on this machine, in words, each with its path, or the reason why it is missing.
    pub fn needed(&self) -> Vec<(String, Result<String, String>)> {
        let command = |command: &String| {
            let found = which::which(command).map(|path| path.display().to_string());
            (format!("command {command}"), found.map_err(|_| format!("`{command}` is not on the PATH")))
        };
        let file = |file: &String| {
            let here = |place: &str| (place == "here").then(|| self.here.clone().into());
            let there = fill(file, here).map(PathBuf::from).and_then(|path| match path.exists() {
                true => Ok(path.display().to_string()),
                false => Err(format!("{} does not exist", path.display())),
            });
            (format!("file {file}"), there)
        };
        let variable = |text: &String| {
            let set = fill(text, |_| Some(OsString::new()));
            (format!("value {text}"), set.map(|value| value.to_string_lossy().into_owned()))
        };
        let of_environment = |text: &&String| text.contains("{env:");
        let needs = &self.needs;
        let commands = needs.commands.iter().map(command);
        let files = needs.files.iter().map(file);
        commands
            .chain(files)
            .chain(self.attach.environment.values().filter(of_environment).map(variable))
            .collect()
    }

    /// Whether what it needs of this machine is there, for programs of this library.
    ///
    /// # Errors
    /// Something is missing; the error says how to install the tool.
    pub fn check(&self, mpi: Option<Mpi>) -> Result<(), Unfit> {
        for (_, found) in self.needed() {
            found.map_err(|reason| self.unfit(reason))?;
        }
        let known = &self.needs.mpi;
        if let Some(mpi) =
            mpi.filter(|mpi| !known.is_empty() && !known.iter().any(|known| known == mpi.key()))
        {
            let reason = format!("it does not work with {}; use {}", mpi.name(), known.join(", "));
            return Err(Unfit { install: String::new(), ..self.unfit(reason) });
        }
        Ok(())
    }

    /// The language of programs for it: Rust, unless it needs another.
    pub fn language(&self) -> Language {
        let works_with =
            |language: &Language| self.needs.languages.iter().any(|name| name == language.name());
        Language::ALL.into_iter().find(works_with).unwrap_or_default()
    }

    /// Whether it can be used with programs in this language.
    ///
    /// # Errors
    /// It needs programs in another.
    pub fn check_language(&self, language: Language) -> Result<(), Unfit> {
        let known = &self.needs.languages;
        if known.is_empty() || known.iter().any(|name| name == language.name()) {
            return Ok(());
        }
        let reason = format!("it needs programs in {}, not in {}", known.join(" or "), language.name());
        Err(Unfit { install: String::new(), ..self.unfit(reason) })
    }

    /// The words that programs are given under it and without it: those that are asked for, and what it needs besides. One
    /// that shows no call paths could not tell calls of the warm-up from those to be found; so nothing is warmed up.
    pub fn program_options(&self, mut asked_for: Vec<OsString>) -> Vec<OsString> {
        let without_warm_up = (self.shows.call_paths == CallPaths::None).then_some("0");
        for (name, value) in [("--work", self.needs.work.as_deref()), ("--warmup", without_warm_up)] {
            if let Some(value) = value
                && !asked_for.iter().any(|word| word == name)
            {
                asked_for.extend([name.into(), value.into()]);
            }
        }
        asked_for
    }

    /// Why it knows nothing of programs with such needs; none where it does.
    pub fn does_not_know(&self, needs: Needs) -> Option<String> {
        let known = &self.needs.paradigms;
        if !known.is_empty() && !known.iter().any(|known| known == needs.paradigm()) {
            return Some(format!("{} does not support the paradigm {}", self.title, needs.paradigm()));
        }
        let single = self.needs.thread_level.as_deref() == Some("single");
        (single && needs == Needs::RANKS_AND_TEAM)
            .then(|| format!("{} does not support threads in MPI programs", self.title))
    }

    /// Whether any of its texts, for whatever programs, has this place.
    pub fn has_place(&self, name: &str) -> bool {
        let has = |tool: &Tool| tool.texts().any(|text| text.contains(&format!("{{{name}}}")));
        Needs::ALL.into_iter().any(|needs| has(self.for_programs(needs)))
    }

    /// The command that runs a job under the tool.
    ///
    /// # Errors
    /// A place cannot be filled; in words.
    pub fn command(
        &self,
        job: Job<'_>,
        launcher: Option<&Launcher>,
        places: &Places<'_>,
    ) -> Result<Command, String> {
        let mut job = job;
        for (name, text) in &self.attach.environment {
            job.environment.push((name.clone(), places.fill(text)?));
        }
        let before_program = places.fill_all(&self.attach.before_program)?;
        let program;
        if let [wrapper, words @ ..] = &before_program[..] {
            let mut arguments = words.to_vec();
            arguments.push(job.program.into());
            arguments.append(&mut job.arguments);
            program = PathBuf::from(wrapper);
            job = Job { program: &program, arguments, ..job };
        }
        let command = launcher.map_or_else(|| job.alone(), |launcher| launcher.command(&job));
        Ok(match &places.fill_all(&self.attach.before_launcher)?[..] {
            [] => command,
            [wrapper, words @ ..] => wrapped(wrapper, words, &command),
        })
    }

    /// The commands that make the report of a run.
    ///
    /// # Errors
    /// A place cannot be filled; in words.
    pub fn after(&self, launcher: Option<&Launcher>, places: &Places<'_>) -> Result<Vec<Command>, String> {
        let command = |after: &After| {
            let words = places.fill_all(&after.command)?;
            let [program, arguments @ ..] = &words[..] else {
                return Err("a command is empty".to_owned());
            };
            let job = Job {
                ranks: places.size.ranks,
                environment: Vec::new(),
                program: Path::new(program),
                arguments: arguments.to_vec(),
            };
            let launcher = launcher.filter(|_| after.launched);
            let mut command = launcher.map_or_else(|| job.alone(), |launcher| launcher.command(&job));
            command.current_dir(places.dir);
            Ok(command)
        };
        self.after.iter().map(command).collect()
    }
}

/// A command before which others words stand.
fn wrapped(wrapper: &OsStr, words: &[OsString], command: &Command) -> Command {
    let mut outer = Command::new(wrapper);
    outer.args(words).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::tests::launcher;

    fn tool(text: &str) -> Tool {
        let head = "schema = 'ats-tool/1'\nname = 'mine'\ntitle = 'Mine'\nurl = ''\n";
        let tail =
            "[tested]\nnot = 'mine'\n[report]\npath = 'x'\nformat = 'report'\n[shows]\ncall_paths = 'none'\n";
        Tool::parse(&format!("{head}{text}\n{tail}"), "mine.toml").unwrap()
    }

    fn places() -> Places<'static> {
        Places {
            dir: Path::new("/runs/a b"),
            here: Path::new("/tools"),
            recorder: None,
            program: Path::new("/p"),
            size: Size { ranks: 4, threads: 2 },
            mpi: Some(Mpi::OpenMpi),
        }
    }

    fn words(command: &Command) -> Vec<String> {
        let program = Path::new(command.get_program()).file_name().unwrap_or_default();
        std::iter::once(program)
            .chain(command.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn places_are_filled_and_others_refused() {
        let filled = |text: &str| places().fill(text).map(|text| text.into_string().unwrap());
        assert_eq!(
            filled("{dir}/x-{ranks}x{threads}-{mpi}-{here}").unwrap(),
            "/runs/a b/x-4x2-openmpi-/tools"
        );
        assert_eq!(filled("plain").unwrap(), "plain");
        assert_eq!(filled("{dri}").unwrap_err(), "there is no placeholder `{dri}`");
        assert_eq!(filled("{dir").unwrap_err(), "`{` without `}` in `{dir`");
        assert_eq!(filled("{env:ATS_NOWHERE}").unwrap_err(), "the variable ATS_NOWHERE is not set");
    }

    #[test]
    fn a_tool_is_put_before_launcher_and_program_and_into_the_environment() {
        let dir = tempfile::TempDir::new().unwrap();
        let mpirun = launcher(dir.path(), "mpirun", "mpirun (Open MPI) 4.1.4");
        let tool = tool(
            "[attach]\nbefore_launcher = ['scan', '-t']\nbefore_program = ['wrap', '-o', '{dir}/r']\n\
             [attach.environment]\nOUT = '{dir}/o'\n[[after]]\ncommand = ['scout', '{dir}']\nlaunched = true",
        );
        let job = Job {
            ranks: 4,
            environment: vec![("A".to_owned(), "1".into())],
            program: Path::new("/p"),
            arguments: vec!["r=2".into()],
        };
        let command = tool.command(job.clone(), Some(&mpirun), &places()).unwrap();
        let (path, launched) =
            (mpirun.path.to_string_lossy().into_owned(), "--oversubscribe --bind-to none -n 4");
        let launched = || launched.split(' ').map(str::to_owned);
        let wanted: Vec<String> = ["scan".to_owned(), "-t".to_owned(), path]
            .into_iter()
            .chain(launched())
            .chain(
                ["-x", "A=1", "-x", "OUT=/runs/a b/o", "wrap", "-o", "/runs/a b/r", "/p", "r=2"]
                    .map(str::to_owned),
            )
            .collect();
        assert_eq!(words(&command), wanted);
        let allowed =
            |(name, value): (&OsStr, Option<&OsStr>)| name == "OMPI_ALLOW_RUN_AS_ROOT" && value.is_some();
        assert!(command.get_envs().any(allowed), "the launcher's own environment is kept");

        let after = tool.after(Some(&mpirun), &places()).unwrap();
        let wanted: Vec<String> = ["mpirun".to_owned()]
            .into_iter()
            .chain(launched())
            .chain(["scout", "/runs/a b"].map(str::to_owned))
            .collect();
        assert_eq!(after.iter().map(words).collect::<Vec<_>>(), [wanted]);
        let alone = tool.command(job, None, &places()).unwrap();
        assert_eq!(words(&alone), ["scan", "-t", "wrap", "-o", "/runs/a b/r", "/p", "r=2"]);
    }

    #[test]
    fn missing_parts_are_named_with_their_installation() {
        let check =
            |needs: &str| tool(&format!("[needs]\ninstall = 'by hand'\n{needs}")).check(Some(Mpi::Mpich));
        let error = |needs: &str| check(needs).unwrap_err().to_string();
        assert_eq!(
            error("commands = ['no-such-tool']"),
            "Mine cannot be used: `no-such-tool` is not on the PATH; to install it: by hand"
        );
        assert!(
            error("files = ['{env:ATS_NOWHERE}/x']")
                .contains("ATS_NOWHERE is not set; to install it: by hand")
        );
        assert!(error("files = ['/nowhere/x']").contains("/nowhere/x does not exist"));
        assert!(error("mpi = ['openmpi']").ends_with("it does not work with MPICH; use openmpi"));
        assert_eq!(check("commands = ['sh']\nmpi = ['mpich']\nlanguages = ['c', 'rust']"), Ok(()));
    }

    #[test]
    fn programs_are_given_what_the_tool_needs_and_nobody_asked_for() {
        let options = |tool: &Tool, asked_for: &[&str]| {
            let words = tool.program_options(asked_for.iter().map(OsString::from).collect());
            words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        let mut sampler = tool("[needs]\nwork = 'spin'");
        assert_eq!(options(&sampler, &[]), "--work spin --warmup 0");
        assert_eq!(options(&sampler, &["--work", "cpu", "--warmup", "1"]), "--work cpu --warmup 1");
        sampler.shows.call_paths = CallPaths::Unwound;
        assert_eq!(options(&sampler, &["--seed", "7"]), "--seed 7 --work spin");
        assert_eq!(options(&tool(""), &[]), "--warmup 0");
    }

    #[test]
    fn a_paradigm_that_it_does_not_know_is_said() {
        let mpi_only = tool("[needs]\nparadigms = ['mpi']");
        assert_eq!(mpi_only.does_not_know(Needs::RANKS), None);
        let in_c = tool("[needs]\nlanguages = ['fortran', 'c']");
        assert_eq!((in_c.language(), in_c.does_not_know(Needs::RANKS)), (Language::C, None));
        assert_eq!(in_c.does_not_know(Needs::RANKS_AND_TEAM), None);
        assert!(in_c.check_language(Language::Fortran).is_ok());
        let refused = in_c.check_language(Language::Rust).unwrap_err().to_string();
        assert!(refused.contains("it needs programs in fortran or c, not in rust"), "{refused}");
        assert_eq!(mpi_only.language(), Language::Rust);
        assert_eq!(mpi_only.does_not_know(Needs::TEAM).unwrap(), "Mine does not support the paradigm openmp");
        let single = tool("[needs]\nthread_level = 'single'");
        assert!(
            single.does_not_know(Needs::RANKS_AND_TEAM).is_some()
                && single.does_not_know(Needs::RANKS).is_none()
        );
    }
}
