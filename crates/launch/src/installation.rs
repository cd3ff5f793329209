//! The layout of an installation below a folder PREFIX.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::mpi::Mpi;

/// The file name of the recorder.
pub const RECORDER: &str = "libats_recorder.so";

/// `libats`, the suite for C and Fortran programs, as Cargo has built it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The MPI library that it is for; none for programs of threads alone.
    pub mpi: Option<Mpi>,
    version: String,
    /// The folder of the shared and the static library.
    release: PathBuf,
}

impl Library {
    const SHARED: &str = "libats.so";

    /// The library that a build has left in the target folder, by Cargo's messages (`--message-format json`).
    pub(crate) fn of_build(mpi: Option<Mpi>, target: &Path, messages: &str) -> Option<Library> {
        let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut scripts = messages.filter(|message| message["reason"] == "build-script-executed");
        scripts.find_map(|script| {
            let (_, version) = script["package_id"].as_str()?.split_once("#ats-capi@")?;
            Some(Library { mpi, version: version.to_owned(), release: target.join("release") })
        })
    }

    /// The name that programs are linked with.
    fn soname(&self) -> String {
        format!("{}.{}", Self::SHARED, self.version.split('.').next().unwrap_or_default())
    }
}

/// The part of folder and package names that stands for the MPI library of their content, or for none.
pub(crate) fn key(mpi: Option<Mpi>) -> &'static str {
    mpi.map_or("without-mpi", Mpi::key)
}

/// The folder that holds what belongs to an MPI library, or to none.
pub fn library_folder(prefix: &Path, mpi: impl Into<Option<Mpi>>) -> PathBuf {
    prefix.join("lib").join(key(mpi.into()))
}

/// Installs these `libats`: libraries, header, source of the Fortran module, pkg-config files and CMake package, made
/// from files and templates in `suite`. The first library is the default of programs that do not name one.
///
/// # Errors
/// A file cannot be read or written.
pub fn install_libraries(prefix: &Path, suite: &Path, libraries: &[Library]) -> io::Result<()> {
    let Some(first) = libraries.first() else { return Ok(()) };
    let (pkg_config, cmake) = (prefix.join("lib/pkgconfig"), prefix.join("lib/cmake/ats"));
    let include = prefix.join("include");
    for folder in [&pkg_config, &cmake, &include] {
        fs::create_dir_all(folder)?;
    }
    for name in ["ats.h", "ats.f90"] {
        copy(&suite.join("crates/capi/generated").join(name), &include.join(name))?;
    }
    for library in libraries {
        let folder = library_folder(prefix, library.mpi);
        fs::create_dir_all(&folder)?;
        let versioned = format!("{}.{}", Library::SHARED, library.version);
        copy(&library.release.join("libats.a"), &folder.join("libats.a"))?;
        copy(&library.release.join(Library::SHARED), &folder.join(&versioned))?;
        link(&versioned, &folder.join(library.soname()))?;
        link(&library.soname(), &folder.join(Library::SHARED))?;
        let name = format!("ats-{}.pc", key(library.mpi));
        fill_in(library, &suite.join("crates/capi/templates/ats.pc"), &pkg_config.join(name))?;
    }
    link(&format!("ats-{}.pc", key(first.mpi)), &pkg_config.join("ats.pc"))?;
    ["ats-config.cmake", "ats-config-version.cmake"].iter().try_for_each(|name| {
        fill_in(first, &suite.join("crates/capi/templates").join(name), &cmake.join(name))
    })
}

/// Installs the recorder for an MPI library.
///
/// # Errors
/// A file cannot be read or written.
pub fn install_recorder(prefix: &Path, mpi: Mpi, recorder: &Path) -> io::Result<()> {
    let folder = library_folder(prefix, mpi);
    fs::create_dir_all(&folder)?;
    copy(recorder, &folder.join(RECORDER))
}

/// Installs the module file of this version, which says where `prefix` is.
///
/// # Errors
/// A file cannot be read or written.
pub fn install_module(folder: &Path, suite: &Path, prefix: &Path, version: &str) -> io::Result<()> {
    let modules = folder.join("share/modulefiles/ats");
    fs::create_dir_all(&modules)?;
    let text = read(&suite.join("share/modulefile.tcl"))?;
    let text = text.replace("@VERSION@", version).replace("@PREFIX@", &prefix.display().to_string());
    fs::write(modules.join(version), text)
}

fn fill_in(library: &Library, template: &Path, file: &Path) -> io::Result<()> {
    let text = read(template)?;
    let text = text.replace("@VERSION@", &library.version).replace("@SONAME@", &library.soname());
    let definition = if library.mpi.is_none() { " -DATS_WITHOUT_MPI" } else { "" };
    let text = text.replace("@DEFINITION@", definition).replace("@MPI@", key(library.mpi));
    replace(file, |fresh| fs::write(fresh, text))
}

/// Copies a file over another, which may be in use.
///
/// # Errors
/// It cannot be read, or not be written.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    replace(to, |fresh| fs::copy(from, fresh).map(drop).map_err(|error| named(from, error)))
}

fn read(file: &Path) -> io::Result<String> {
    fs::read_to_string(file).map_err(|error| named(file, error))
}

/// The error, with the name of the file.
fn named(file: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

fn link(target: &str, link: &Path) -> io::Result<()> {
    replace(link, |fresh| symlink(target, fresh))
}

fn replace(file: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let mut fresh = file.as_os_str().to_owned();
    fresh.push(format!(".{}", std::process::id()));
    let fresh = PathBuf::from(fresh);
    write(&fresh)?;
    fs::rename(&fresh, file)
}

/// A folder in which everything is put together before anything of it is installed.
#[derive(Debug)]
pub struct Stage {
    prefix: PathBuf,
    folder: TempDir,
}

impl Stage {
    /// For what goes into this folder, which is made if it is not there, and in which the stage lies.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn new(prefix: &Path) -> io::Result<Stage> {
        fs::create_dir_all(prefix)?;
        let folder = TempDir::with_prefix_in(".ats-install-", prefix)?;
        fs::create_dir(folder.path().join("new"))?;
        Ok(Stage { prefix: prefix.to_owned(), folder })
    }

    /// The folder of the stage, laid out like the installation folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("new")
    }

    /// Installs all of it: these folders (relative paths) as a whole, in the place of what is there; else file by file,
    /// each of them at once. Returns the files' paths in the folder, sorted.
    ///
    /// # Errors
    /// What cannot be put where; what came before it stays.
    pub fn install(self, whole: &[&str]) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        let mut files = Vec::new();
        for folder in whole {
            let (from, to) = (self.path().join(folder), self.prefix.join(folder));
            let moved = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
                if to.is_dir() {
                    fs::rename(&to, self.folder.path().join(folder.replace('/', "-")))?;
                }
                fs::rename(&from, &to)
            });
            moved.map_err(|error| (to, error))?;
        }
        self.merge(Path::new(""), &mut files)?;
        files.sort();
        Ok(files)
    }

    fn merge(&self, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
        let from = self.path().join(folder);
        let failed = |error| (self.prefix.join(folder), error);
        fs::create_dir_all(self.prefix.join(folder)).map_err(failed)?;
        for entry in fs::read_dir(&from).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = folder.join(entry.file_name());
            if entry.file_type().map_err(failed)?.is_dir() {
                self.merge(&path, files)?;
            } else {
                let to = self.prefix.join(&path);
                fs::rename(entry.path(), &to).map_err(|error| (to, error))?;
                files.push(path);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(file: &Path, text: &str) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    #[test]
    fn a_stage_replaces_its_own_files_and_leaves_those_of_others() {
        let dir = tempfile::tempdir().unwrap();
        let prefix = dir.path().join("new/prefix");
        let stage = Stage::new(&prefix).unwrap();
        for file in ["bin/ats", "bin/other", "share/ats/suite/old"] {
            write(&prefix.join(file), "before");
        }
        write(&stage.path().join("bin/ats"), "after");
        write(&stage.path().join("share/ats/suite/fresh"), "after");
        write(&stage.path().join("share/man/man1/ats.1"), "after");
        let files = stage.install(&["share/ats/suite"]).unwrap();
        assert_eq!(files, ["bin/ats", "share/man/man1/ats.1"].map(PathBuf::from));
        assert_eq!(
            (read(&prefix.join("bin/ats")).unwrap(), read(&prefix.join("bin/other")).unwrap()),
            ("after".into(), "before".into())
        );
        assert!(
            prefix.join("share/ats/suite/fresh").exists() && !prefix.join("share/ats/suite/old").exists()
        );
        let hidden = fs::read_dir(&prefix)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
        assert_eq!(hidden.count(), 0);
    }

    #[test]
    fn obstacles_are_named_and_stay() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("bin/ats/a-folder"), "before");
        let stage = Stage::new(dir.path()).unwrap();
        write(&stage.path().join("bin/ats"), "after");
        let (path, _) = stage.install(&[]).unwrap_err();
        assert_eq!(path, dir.path().join("bin/ats"));
        assert_eq!(read(&dir.path().join("bin/ats/a-folder")).unwrap(), "before");
        assert!(Stage::new(&dir.path().join("bin/ats/a-folder/prefix")).is_err());
    }

    #[test]
    fn each_mpi_library_and_none_has_its_own_libats_and_the_first_is_the_usual_one() {
        let dir = tempfile::tempdir().unwrap();
        let (suite, prefix) = (ats_testing::suite(), dir.path().join("prefix"));
        let built = |mpi: Option<Mpi>| {
            let target = dir.path().join(key(mpi));
            for file in ["libats.so", "libats.a"] {
                write(&target.join("release").join(file), key(mpi));
            }
            let messages = "{\"reason\":\"compiler-artifact\",\"package_id\":\"x#ats-capi@9\"}\nnot JSON\n\
                 {\"reason\":\"build-script-executed\",\"package_id\":\"path+file:///x#ats-capi@1.2.3\"}\n";
            Library::of_build(mpi, &target, messages).unwrap()
        };
        let libraries = [Some(Mpi::Mpich), Some(Mpi::OpenMpi), None].map(built);
        for _again in 0..2 {
            install_libraries(&prefix, suite, &libraries).unwrap();
        }
        for mpi in libraries.map(|library| library.mpi) {
            let folder = library_folder(&prefix, mpi);
            for name in ["libats.so", "libats.so.1", "libats.so.1.2.3", "libats.a"] {
                assert_eq!(read(&folder.join(name)).unwrap(), key(mpi), "{name}");
            }
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
            let description = read(&prefix.join(format!("lib/pkgconfig/ats-{}.pc", key(mpi)))).unwrap();
            assert!(
                description.contains("\nVersion: 1.2.3\n") && !description.contains('@'),
                "{description}"
            );
            assert!(description.contains(&format!("/lib/{}\n", key(mpi))), "{description}");
            assert_eq!(description.contains("} -DATS_WITHOUT_MPI\n"), mpi.is_none(), "{description}");
        }
        assert_eq!(fs::read_link(prefix.join("lib/pkgconfig/ats.pc")).unwrap(), Path::new("ats-mpich.pc"));
        let package = read(&prefix.join("lib/cmake/ats/ats-config.cmake")).unwrap();
        assert!(
            package.contains("\"mpich\"") && package.contains("libats.so.1") && !package.contains('@'),
            "{package}"
        );
    }
}
