//! The reasons why a program is not generated.

use std::io;
use std::path::PathBuf;

use ats_truth::TruthError;
use thiserror::Error;

/// The reason why a program is not generated; no existing folder was changed unless `force` was set.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The folder has something in it.
    #[error("{} exists and is not empty; choose another folder, or --force to overwrite the program in it", .0.display())]
    Exists(PathBuf),
    /// A file has the name of the folder.
    #[error("{} is a file; choose a folder, or with --standalone a file that ends in .c", .0.display())]
    NotAFolder(PathBuf),
    /// The amount that a program shows cannot be computed.
    #[error(transparent)]
    Truth(#[from] TruthError),
    /// The virtual engine does things that no real program can do.
    #[error("no program can show {0}: it is an ideal trace alone; write that with `ats trace {0} -o DIR`")]
    TraceOnly(String),
    /// A file or folder cannot be written.
    #[error("cannot write {}: {source}; choose a folder that you may write to", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The suite's crates are not at their place.
    #[error("the suite's sources are not in {} (there is no {missing}); set ATS_SUITE to the folder of the suite", root.display())]
    Suite {
        /// The folder that should contain them.
        root: PathBuf,
        /// A file that is missing there.
        missing: &'static str,
    },
    /// The suite's sources, which the command carries, cannot be unpacked.
    #[error(
        "cannot unpack the suite's sources into {}: {source}; set XDG_CACHE_HOME to a folder that you may write to, or \
         ATS_SUITE to a folder of the suite", path.display()
    )]
    Unpack {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// There is no folder to unpack the sources into.
    #[error(
        "the suite's sources cannot be unpacked: neither XDG_CACHE_HOME nor HOME is set; set one of them, or ATS_SUITE to a \
         folder of the suite"
    )]
    NoCache,
    /// A path cannot be written into a build file.
    #[error("the path {} is not UTF-8, and Cargo's build files are; move the folder", .0.display())]
    NotUtf8(PathBuf),
    /// A name of the catalogue that cannot be used as one in a program.
    #[error(
        "{what} `{name}` is not a plain lower-case name, or is reserved by the language or by Cargo, so it cannot name a program"
    )]
    Name {
        /// The kind of the named thing.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A property that a language cannot express.
    #[error("there is no program of {property} in {language}: {why}; use --lang rust")]
    Language {
        /// The property.
        property: String,
        /// The language.
        language: &'static str,
        /// The reason, in words.
        why: String,
    },
    /// A program that cannot be one file in C.
    #[error("{program} cannot be one file in C: {why}; omit --standalone")]
    Standalone {
        /// The program.
        program: String,
        /// The reason, in words.
        why: String,
    },
    /// Two programs of a set have one name.
    #[error("there are two programs named `{0}`; a set needs different names")]
    Twice(String),
}
