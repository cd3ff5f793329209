//! All processes that a run has started, however they are related by now.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Marks every process of a run by a variable in its environment.
///
/// Launchers put ranks into sessions of their own and orphans change their parents; the environment stays.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) const VARIABLE: &str = "ATS_RUN";

    pub(super) fn new() -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        Mark(format!("{}.{}", process::id(), RUNS.fetch_add(1, Ordering::Relaxed)))
    }

    pub(super) fn value(&self) -> &str {
        &self.0
    }

    /// Kills every process that bears the mark, and the descendants of `root` where that still runs; how many there were.
    pub(super) fn kill_all(&self, root: Option<u32>) -> usize {
        let mut killed: BTreeSet<u32> = BTreeSet::new();
        // A process may fork while it is looked for, and shows no environment while it becomes another program: until none
        // is left twice in turn, but not for ever.
        let mut found_none = false;
        for _ in 0..200 {
            let processes = self.processes(root);
            if processes.is_empty() && std::mem::replace(&mut found_none, true) {
                break;
            }
            found_none = processes.is_empty();
            killed.extend(&processes);
            processes.into_iter().for_each(|pid| signal(pid, Signal::KILL));
            thread::sleep(Duration::from_millis(5));
        }
        killed.len()
    }

    /// Asks every process that bears the mark to end, and kills those that have not done so after `grace`.
    pub(super) fn end_all(&self, grace: Duration) {
        let asked = Instant::now();
        self.processes(None).into_iter().for_each(|pid| signal(pid, Signal::TERM));
        while asked.elapsed() < grace && !self.processes(None).is_empty() {
            thread::sleep(Duration::from_millis(10));
        }
        self.kill_all(None);
    }

    /// Whether a process of it is stopped: the system does that to one in the background that wants to read from a terminal.
    pub(super) fn any_stopped(&self, root: u32) -> bool {
        self.processes(Some(root)).into_iter().any(|pid| stat(pid).is_some_and(|(state, _)| state == "T"))
    }

    fn processes(&self, root: Option<u32>) -> BTreeSet<u32> {
        let assignment = format!("{}={}", Self::VARIABLE, self.0);
        let alive = alive();
        let marked = |pid: &u32| {
            fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
                environment.split(|&byte| byte == 0).any(|v| v == assignment.as_bytes())
            })
        };
        let mut found: BTreeSet<u32> = alive.keys().copied().filter(marked).collect();
        found.extend(root.filter(|root| alive.contains_key(root)));
        loop {
            let children = alive.iter().filter(|(_, parent)| found.contains(parent)).map(|(&pid, _)| pid);
            let more: Vec<u32> = children.filter(|pid| !found.contains(pid)).collect();
            if more.is_empty() {
                found.remove(&process::id());
                return found;
            }
            found.extend(more);
        }
    }
}

fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid as i32) {
        // It may be gone already; nothing else can be wrong with a process of our own.
        let _ = kill_process(pid, signal);
    }
}

/// Every process that is not a zombie, and its parent.
fn alive() -> BTreeMap<u32, u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return BTreeMap::new() };
    let process = |entry: fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let (state, parent) = stat(pid)?;
        (state != "Z").then_some((pid, parent))
    };
    entries.flatten().filter_map(process).collect()
}

/// A process's state and parent.
fn stat(pid: u32) -> Option<(String, u32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // `pid (name) state parent …`, and the name may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
}
