//! A folder of experiments: `REPO/APPLICATION/VERSION/NAME.Ranks4.threads2.size100.r1/{experiment.json,
//! profile.cubex}`.
//!
//! An experiment is written aside, into a hidden folder, and moved to its place when it is whole, and nothing else is
//! touched. A folder never replaces another: so there may be many writers, on network file systems, too, without locks.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ats_documents::experiment::Listed;
use ats_documents::{Experiment, Profile};
use ats_model::files::read_document;
use ats_model::mistakes::not_json;
use ats_reports::{Stored, cubex};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::identity::folders;
use crate::whole::{DOCUMENT, PROFILE, check};
use crate::{RepositoryError, leftovers};

/// The file that makes a folder a repository.
const MARK: &str = "repository.json";

/// The folder of its trace.
const TRACE: &str = "trace";

/// The number of attempts to make a folder that another process removes.
pub(crate) const ATTEMPTS: usize = 16;

/// The mark that holds the version of a repository.
#[derive(Serialize, Deserialize)]
struct Mark {
    schema: String,
}

/// A repository of experiments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    pub(crate) dir: PathBuf,
}

/// The number of an experiment among runs with equal parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The given number, from 1 on.
    Number(u32),
    /// The first that is not there yet.
    Next,
}

/// The files kept beside the document of an experiment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// Its profile, if call paths are known.
    pub profile: Option<&'a Profile>,
    /// The folder of its trace, which is moved into the repository and so must be on the same file system.
    pub trace: Option<&'a Path>,
}

impl<'a> Beside<'a> {
    /// A profile alone.
    pub fn profile(profile: &'a Profile) -> Self {
        Beside { profile: Some(profile), trace: None }
    }
}

impl Repository {
    /// The version in the mark of a repository.
    const SCHEMA: &str = "ats-repository/1";

    /// The repository in a folder.
    ///
    /// # Errors
    /// There is none, or one of another version.
    pub fn open(dir: &Path) -> Result<Self, RepositoryError> {
        let none = |why: &str| {
            let fix = "name one, or make one with `ats experiment add`";
            Err(RepositoryError::None { dir: dir.to_owned(), why: why.to_owned(), fix })
        };
        let file = dir.join(MARK);
        let bytes = match read_document(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound && dir.is_dir() => {
                return none(&format!("it has no {MARK}"));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return none("there is no such folder"),
            Err(error) if error.kind() == ErrorKind::NotADirectory => return none("it is a file, or in one"),
            Err(error) => return Err(RepositoryError::io("read", &file, error)),
        };
        match serde_json::from_slice::<Mark>(&bytes) {
            Ok(mark) if mark.schema == Self::SCHEMA => Ok(Repository { dir: dir.to_owned() }),
            Ok(mark) => Err(RepositoryError::Version { file, found: mark.schema, known: Self::SCHEMA }),
            Err(error) => none(&format!("its {MARK} says nothing: {}", not_json(&error))),
        }
    }

    /// The repository that a path is in, and the rest of the path; that is empty for the repository itself.
    ///
    /// # Errors
    /// There is none around it, or one of another version.
    pub fn around(path: &Path) -> Result<(Self, PathBuf), RepositoryError> {
        let around = path.ancestors().find(|dir| dir.join(MARK).exists()).unwrap_or(path);
        let rest = path.strip_prefix(around).unwrap_or(Path::new(""));
        Ok((Repository::open(around)?, rest.to_owned()))
    }

    /// The same; none in a folder that is not there, or empty.
    ///
    /// # Errors
    /// As for [`Repository::open`].
    pub fn open_if_there(dir: &Path) -> Result<Option<Self>, RepositoryError> {
        if Self::is_missing(dir)? { Ok(None) } else { Self::open(dir).map(Some) }
    }

    /// Whether a folder is to become one.
    fn is_missing(dir: &Path) -> Result<bool, RepositoryError> {
        Ok(!dir.join(MARK).exists() && is_empty(dir)?)
    }

    /// The same; a folder that is not there, or empty, becomes one. What killed writers have left is removed after a day.
    ///
    /// # Errors
    /// As for [`Repository::open`], or the folder cannot be written to.
    pub fn create(dir: &Path) -> Result<Self, RepositoryError> {
        let mark = dir.join(MARK);
        if Self::is_missing(dir)? {
            fs::create_dir_all(dir).map_err(|error| RepositoryError::io("make", dir, error))?;
            let failed = |error| RepositoryError::io("write", &mark, error);
            let mut file = aside(".making-", 0o666).tempfile_in(dir).map_err(failed)?;
            let says = Mark { schema: Self::SCHEMA.to_owned() };
            serde_json::to_writer(&mut file, &says).map_err(|error| failed(error.into()))?;
            file.write_all(b"\n").map_err(failed)?;
            file.persist(&mark).map_err(|error| failed(error.error))?;
        }
        let repository = Self::open(dir)?;
        leftovers::remove(dir);
        Ok(repository)
    }

    /// Adds an experiment, and the files beside it; returns its entry in a list. Its name has the parameters in `told`.
    ///
    /// # Errors
    /// It exists already, or cannot be written; then nothing of it is kept.
    pub fn add<S: Serialize>(
        &self,
        mut experiment: Experiment<S>,
        beside: Beside<'_>,
        told: &[String],
        repeat: Repeat,
    ) -> Result<Listed, RepositoryError> {
        let first = if let Repeat::Number(number) = repeat { number } else { 1 };
        for number in first..=u32::MAX {
            experiment.experiment.repeat = number;
            let folders = folders(&experiment, told)?;
            let id = folders.join("/");
            let place = self.dir.join(&id);
            if !place.exists() && self.write(&place, &mut experiment, beside)? {
                self.forget(&id)?;
                return Ok(experiment.listed(&id));
            }
            if repeat != Repeat::Next {
                let free = self.free(&mut experiment, told)?;
                return Err(RepositoryError::There { dir: self.dir.clone(), id, free });
            }
        }
        Err(RepositoryError::Name { what: "all numbers are taken".to_owned(), fix: "remove some" })
    }

    /// Adds experiments without call paths, all of them or none.
    ///
    /// # Errors
    /// As for [`Repository::add`].
    pub fn add_all(&self, experiments: Vec<Experiment>) -> Result<Vec<Listed>, RepositoryError> {
        let mut added: Vec<Listed> = Vec::new();
        for experiment in experiments {
            let told: Vec<String> = experiment.experiment.parameters.keys().cloned().collect();
            let repeat = Repeat::Number(experiment.experiment.repeat);
            match self.add(experiment, Beside::default(), &told, repeat) {
                Ok(one) => added.push(one),
                Err(error) => {
                    added.iter().try_for_each(|one| self.remove(&one.id))?;
                    return Err(error);
                }
            }
        }
        Ok(added)
    }

    /// The lowest number that no equal run has.
    fn free<S>(&self, experiment: &mut Experiment<S>, told: &[String]) -> Result<u32, RepositoryError> {
        loop {
            experiment.experiment.repeat += 1;
            if !self.dir.join(folders(experiment, told)?.join("/")).exists() {
                return Ok(experiment.experiment.repeat);
            }
        }
    }

    /// Writes an experiment aside and moves it to its place; returns whether the place was free.
    fn write<S: Serialize>(
        &self,
        place: &Path,
        experiment: &mut Experiment<S>,
        Beside { profile, trace }: Beside<'_>,
    ) -> Result<bool, RepositoryError> {
        let aside = aside(".adding-", 0o777).tempdir_in(&self.dir);
        let aside = aside.map_err(|error| RepositoryError::io("write into", &self.dir, error))?;
        let file = |name: &str, write: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
            let written = File::create(aside.path().join(name)).and_then(|file| {
                let mut out = BufWriter::new(file);
                write(&mut out)?;
                out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
            });
            written.map_err(|error| RepositoryError::io("write", &place.join(name), error))
        };
        experiment.profile_bytes = None;
        if let Some(profile) = profile {
            file(PROFILE, &|out| cubex(profile, Stored::Compressed, out))?;
            experiment.profile_bytes = fs::metadata(aside.path().join(PROFILE)).ok().map(|file| file.len());
        }
        file(DOCUMENT, &|out| {
            serde_json::to_writer(&mut *out, experiment)?;
            out.write_all(b"\n")
        })?;
        let kept = aside.path().join(TRACE);
        let moved = trace.map_or(Ok(()), |trace| fs::rename(trace, &kept));
        moved.map_err(|error| RepositoryError::io("write", &place.join(TRACE), error))?;
        let moved = self.move_to(aside.path(), place);
        if let (Ok(false), Some(trace)) = (&moved, trace) {
            fs::rename(&kept, trace).map_err(|error| RepositoryError::io("write", trace, error))?;
        }
        moved.map_err(|error| RepositoryError::io("write", place, error))
    }

    /// Whether nothing was there.
    fn move_to(&self, from: &Path, place: &Path) -> io::Result<bool> {
        let parent = place.parent().unwrap_or(&self.dir);
        let mut left = ATTEMPTS;
        loop {
            fs::create_dir_all(parent)?;
            left -= 1;
            match fs::rename(from, place) {
                Ok(()) => return Ok(true),
                Err(error)
                    if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) =>
                {
                    return Ok(false);
                }
                // Who removes the last experiment of a version removes its folder.
                Err(error) if error.kind() == ErrorKind::NotFound && left > 0 => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The experiment of an id.
    ///
    /// # Errors
    /// It is not there, or damaged.
    pub fn read(&self, id: &str) -> Result<Experiment, RepositoryError> {
        let experiment: Experiment = self.document(id)?;
        let checked = experiment.summaries.iter().collect();
        check(&self.dir.join(id), &experiment, checked)?;
        Ok(experiment)
    }

    /// The path of its profile, a report of CUBE 4; an experiment made from a table has none.
    pub fn profile(&self, id: &str) -> Option<PathBuf> {
        Some(self.dir.join(id).join(PROFILE)).filter(|path| path.is_file())
    }

    /// The folder of an experiment.
    pub fn folder(&self, id: &str) -> PathBuf {
        self.dir.join(id)
    }

    /// The folder of its trace, if that was kept.
    pub fn trace(&self, id: &str) -> Option<PathBuf> {
        Some(self.dir.join(id).join(TRACE)).filter(|path| path.is_dir())
    }

    /// The document of an experiment.
    pub(crate) fn document<S: DeserializeOwned>(&self, id: &str) -> Result<Experiment<S>, RepositoryError> {
        let file = self.dir.join(id).join(DOCUMENT);
        let bytes = match read_document(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(RepositoryError::Damaged { file, what: "it is not there".to_owned() });
            }
            Err(error) => return Err(RepositoryError::io("read", &file, error)),
        };
        parse(&file, &bytes)
    }

    /// Removes an experiment, and folders that are empty then; or the record of a failed run.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(&self, id: &str) -> Result<(), RepositoryError> {
        self.forget(id)?;
        if !self.dir.join(id).exists() {
            return Ok(());
        }
        let place = self.dir.join(id);
        let failed = |error| RepositoryError::io("remove", &place, error);
        // Whoever lists meanwhile sees all of it or nothing.
        let aside = aside(".removing-", 0o700).tempdir_in(&self.dir).map_err(failed)?;
        fs::rename(&place, aside.path().join("experiment")).map_err(failed)?;
        aside.close().map_err(failed)?;
        for folder in place.ancestors().skip(1).take(2) {
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// A builder of hidden files or folders in a folder, with permissions `mode` less the user's mask.
pub(crate) fn aside(prefix: &'static str, mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).permissions(Permissions::from_mode(mode));
    builder
}

/// Reads an experiment's document, `ats-experiment/1`, which was in `file`: with its summaries, or as far as it is
/// wanted.
///
/// # Errors
/// It is damaged, or of another version.
pub fn parse<S: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<Experiment<S>, RepositoryError> {
    let known = Experiment::SCHEMA;
    let file = || file.to_owned();
    match serde_json::from_slice::<Experiment<S>>(bytes) {
        Ok(experiment) if experiment.schema == known => Ok(experiment),
        read => match (read, serde_json::from_slice::<Mark>(bytes)) {
            (_, Ok(Mark { schema: found })) if found != known => {
                Err(RepositoryError::Version { file: file(), found, known })
            }
            (Err(error), _) if error.is_data() => {
                Err(RepositoryError::Damaged { file: file(), what: error.to_string() })
            }
            (Err(error), _) => Err(RepositoryError::Damaged { file: file(), what: not_json(&error) }),
            (Ok(experiment), _) => Ok(experiment),
        },
    }
}

/// Whether a folder has only hidden entries, or does not exist.
fn is_empty(dir: &Path) -> Result<bool, RepositoryError> {
    match fs::read_dir(dir) {
        Ok(entries) => {
            let is_hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
            Ok(entries.flatten().all(|entry| is_hidden(&entry.file_name())))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(RepositoryError::io("list", dir, error)),
    }
}
