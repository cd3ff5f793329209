//! OpenMP runtimes: which one a program uses, and whether there is one for ours.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::linked::linked;

/// An OpenMP runtime that programs are linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMp {
    /// LLVM's, which Intel's is, too: it tells tools what happens (OMPT).
    Llvm,
    /// GNU's, which does not.
    Gnu,
}

/// The packages of LLVM's to install on Debian and its like.
pub const PACKAGES: &str = "libomp-dev";

impl OpenMp {
    /// The runtime that an executable is linked with, directly or through another shared library.
    pub fn of_program(program: &Path) -> Option<OpenMp> {
        linked(program, OpenMp::of_library)
    }

    /// The runtime among libraries that are preloaded, which programs find before the one they are linked with.
    pub(crate) fn of_preloaded(libraries: &OsStr) -> Option<OpenMp> {
        let names = std::env::split_paths(libraries);
        names.filter_map(|path| OpenMp::of_library(path.file_name()?.to_str()?)).next()
    }

    fn of_library(soname: &str) -> Option<OpenMp> {
        let named = |stem: &str| soname.starts_with(stem);
        if named("libomp.so") || named("libomp5.so") || named("libiomp5.so") {
            return Some(OpenMp::Llvm);
        }
        named("libgomp.so").then_some(OpenMp::Gnu)
    }
}

/// LLVM's runtime as programs can be linked with it: `$LIBOMP_DIR`'s, or that of the newest LLVM.
pub fn installed() -> Option<PathBuf> {
    let named = std::env::var_os("LIBOMP_DIR").map(PathBuf::from);
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.strip_prefix("llvm-")?.parse().ok()?;
            Some((version, entry.path().join("lib")))
        })
        .collect();
    versions.sort();
    let folders = named.into_iter().chain(versions.into_iter().rev().map(|(_, folder)| folder));
    folders.map(|folder| folder.join("libomp.so")).find(|library| library.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtimes_by_their_file_names() {
        for (soname, runtime) in [
            ("libomp.so.5", Some(OpenMp::Llvm)),
            ("libomp5.so", Some(OpenMp::Llvm)),
            ("libiomp5.so", Some(OpenMp::Llvm)),
            ("libgomp.so.1", Some(OpenMp::Gnu)),
            ("libompt_tool.so", None),
            ("libm.so.6", None),
        ] {
            assert_eq!(OpenMp::of_library(soname), runtime, "{soname}");
        }
    }
}
