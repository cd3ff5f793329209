//! Finds LLVM's OpenMP runtime where the engine over it is wanted.
//!
//! A crate that depends on this one is told the folder as `DEP_OMP_LIBRARY_FOLDER` in its own build script.

use std::env;
use std::path::{Path, PathBuf};

const LIBRARY: &str = "libomp.so";

fn main() {
    println!("cargo::rerun-if-env-changed=LIBOMP_DIR");
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_OPENMP").is_none() {
        return;
    }
    let Some(folder) = folder() else {
        println!(
            "cargo::error=no OpenMP runtime: {LIBRARY} is neither in LIBOMP_DIR nor in /usr/lib/llvm-*/lib nor \
             where the linker looks. Install LLVM's (Debian: libomp-dev), version 14 or newer, or set LIBOMP_DIR to \
             its folder"
        );
        return;
    };
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=dylib=omp");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
    println!("cargo::metadata=library_folder={}", folder.display());
}

/// The folder of the library: the one that is asked for, else LLVM's newest, else the linker's.
fn folder() -> Option<PathBuf> {
    let has_library = |folder: &PathBuf| folder.join(LIBRARY).is_file();
    if let Some(folder) = env::var_os("LIBOMP_DIR") {
        return Some(PathBuf::from(folder)).filter(has_library);
    }
    let mut versions: Vec<(u32, PathBuf)> = Path::new("/usr/lib")
        .read_dir()
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let version = path.file_name()?.to_str()?.strip_prefix("llvm-")?.parse().ok()?;
            Some((version, path.join("lib")))
        })
        .collect();
    versions.sort();
    let llvm = versions.into_iter().rev().map(|(_, folder)| folder);
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let linker = [
        format!("/usr/lib/{arch}-linux-gnu"),
        "/usr/lib64".into(),
        "/usr/lib".into(),
        "/usr/local/lib".into(),
    ];
    llvm.chain(linker.map(PathBuf::from)).find(has_library)
}
