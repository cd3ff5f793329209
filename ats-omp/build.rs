//! Finds LLVM's OpenMP runtime for the engine over it.
//!
//! The build script of a crate that depends on this one gets the folder as `DEP_OMP_LIBRARY_FOLDER`.

use std::env;
use std::path::{Path, PathBuf};

const LIBRARY: &str = "libomp.so";
const OLDEST: u32 = 14;

fn main() {
    println!("cargo::rerun-if-env-changed=LIBOMP_DIR");
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_OPENMP").is_none() {
        return;
    }
    match folder() {
        Ok(folder) => {
            let folder = folder.display();
            println!("cargo::rustc-link-search=native={folder}");
            println!("cargo::rustc-link-lib=dylib=omp");
            println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
            println!("cargo::metadata=library_folder={folder}");
        }
        Err(problem) => println!(
            "cargo::error=no OpenMP runtime: {problem}. Install LLVM's (Debian: libomp-dev), version {OLDEST} or \
             newer, or set LIBOMP_DIR to the folder that has {LIBRARY}"
        ),
    }
}

/// The folder of the library: the one that is asked for, else LLVM's newest, else the linker's.
fn folder() -> Result<PathBuf, String> {
    let has_library = |folder: &PathBuf| folder.join(LIBRARY).is_file();
    if let Some(folder) = env::var_os("LIBOMP_DIR").map(PathBuf::from) {
        let problem = format!("LIBOMP_DIR is {}, which has no {LIBRARY}", folder.display());
        return if has_library(&folder) { Ok(folder) } else { Err(problem) };
    }
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let linker = [&*format!("/usr/lib/{arch}-linux-gnu"), "/usr/lib64", "/usr/lib", "/usr/local/lib"];
    llvm()
        .into_iter()
        .chain(linker.map(PathBuf::from))
        .find(has_library)
        .ok_or_else(|| format!("{LIBRARY} is neither in /usr/lib/llvm-*/lib nor in {}", linker.join(", ")))
}

/// The library folders of the LLVMs of this machine, newest first.
fn llvm() -> Vec<PathBuf> {
    let entries = Path::new("/usr/lib").read_dir().into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.strip_prefix("llvm-")?.parse().ok()?;
            (version >= OLDEST).then(|| (version, entry.path().join("lib")))
        })
        .collect();
    versions.sort();
    versions.into_iter().rev().map(|(_, folder)| folder).collect()
}
