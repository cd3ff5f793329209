#![allow(unsafe_code, reason = "asks the system for its size through libc")]
//! The machine that the process runs on.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Once;

use serde::{Deserialize, Serialize};

/// The features that distinguish machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The host's name.
    pub host: String,
    /// The processor's model, as the system calls it.
    pub cpu_model: String,
    /// The number of cores online.
    pub cores: usize,
}

impl Machine {
    /// The machine that this process runs on.
    pub fn this() -> Self {
        Machine { host: host(), cpu_model: cpu_model(), cores: cores() }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({}, {} cores)", self.host, self.cpu_model, self.cores)
    }
}

/// The exit code of a program that the machine is unfit for; `EX_UNAVAILABLE` of `sysexits.h`.
pub const UNFIT_EXIT_CODE: i32 = 69;

/// Ends the process because the machine lacks what its work needs. The first of its threads says so.
pub(crate) fn unfit(reason: &str) -> ! {
    static SAID: Once = Once::new();
    SAID.call_once(|| crate::say(format_args!("{reason}: this program is unsupported here")));
    std::process::exit(UNFIT_EXIT_CODE)
}

/// The number of cores that the machine has online, whether or not this process may use them all.
pub fn cores() -> usize {
    system_value(libc::_SC_NPROCESSORS_ONLN).max(1) as usize
}

/// The memory of the machine, in bytes.
pub fn memory_bytes() -> u64 {
    system_value(libc::_SC_PHYS_PAGES).saturating_mul(system_value(libc::_SC_PAGESIZE))
}

/// A variable of the environment; `None` if it is empty.
pub fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The folder in which the user's programs keep data that they can make again, given the environment's variables, by
/// the XDG base directory specification; `None` if neither `XDG_CACHE_HOME` nor `HOME` is set.
pub fn user_cache(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    match variable("XDG_CACHE_HOME").map(PathBuf::from) {
        Some(cache) if cache.is_absolute() => Some(cache.join("ats")),
        _ => Some(Path::new(&variable("HOME")?).join(".cache/ats")),
    }
}

fn system_value(name: libc::c_int) -> u64 {
    // SAFETY: takes and returns plain numbers; an unknown name gives -1.
    let value = unsafe { libc::sysconf(name) };
    u64::try_from(value).unwrap_or(0)
}

fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the pointer and the length are those of `name`.
    let status = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len()) };
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    if status == 0 && end > 0 {
        String::from_utf8_lossy(&name[..end]).into_owned()
    } else {
        "unknown".to_owned()
    }
}

/// The first `model name` of `/proc/cpuinfo`; without one, the architecture.
fn cpu_model() -> String {
    File::open("/proc/cpuinfo")
        .ok()
        .and_then(|file| {
            BufReader::new(file).lines().map_while(Result::ok).find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == "model name").then(|| value.trim().to_owned())
            })
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
