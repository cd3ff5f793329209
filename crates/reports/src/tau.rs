//! TAU's profiles: a file `profile.N.C.T` for each node (rank), context and thread, in one folder, or in one folder
//! `MULTI__METRIC` for each metric.
//!
//! ```text
//! 3 templated_functions_MULTI_TIME
//! # Name Calls Subrs Excl Incl ProfileCalls # <metadata>…</metadata>
//! ".TAU application" 1 2 1000 2000500 0 GROUP="TAU_USER"
//! "MPI_Recv()" 10 0 500000 500000 0 GROUP="MPI"
//! ".TAU application => MPI_Recv()" 10 0 500000 500000 0 GROUP="MPI|TAU_CALLPATH"
//! 0 aggregates
//! ```
//!
//! Times are microseconds. If call paths were recorded (`TAU_CALLPATH=1`), a function has a row of its own and one for
//! each of its call paths (or their last few frames, `TAU_CALLPATH_DEPTH`), which share its time: then only the latter
//! are calls. Called functions have rows of their own: one that no call path begins with has its own time alone, and so
//! does the program itself.
//!
//! APEX writes one such file for all threads of a process.
//!
//! Behind the rows are events, with the messages sent and received at a call path if `TAU_COMM_MATRIX=1` is set:
//!
//! ```text
//! 1 userevents
//! # eventname numevents max min mean sumsqr
//! "Message size sent to node 1 : .TAU application => MPI_Send()" 10 8 8 8 640
//! ```
//!
//! From the readers of TAU's analysis tools (`tau_profile_parser.py` of tau2) and of Hatchet, and a profile that TAU
//! 2.30 wrote (among Hatchet's test data); the names of OpenMP's timers from TAU's OMPT adapter.

mod counts;
mod messages;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use ats_documents::Report;
use ats_documents::report::CallShare;
use ats_model::hardware::is_counter;
use ats_model::openmp::Construct;

use crate::draft::Draft;
use crate::error::{At, Origin};
use crate::input::{File, Input};
use crate::profiles::location;
use crate::reader::Reader;
use crate::{ReportError, limits, names, number};
use counts::Counts;
use messages::{Event, Messages};

/// The tool's name.
const TOOL: &str = "tau";

/// The metrics that measure wall-clock time, in microseconds.
const TIMES: [&str; 4] = ["TIME", "GET_TIME_OF_DAY", "LINUX_TIMERS", "P_WALL_CLOCK_TIME"];

/// Their ticks.
const PER_SECOND: f64 = 1e6;

/// The constructs that TAU's timers of OpenMP stand for.
const CONSTRUCTS: [(&str, Construct); 24] = [
    ("OpenMP_Parallel_Region", Construct::Parallel),
    ("OpenMP_Work_Loop", Construct::For),
    ("OpenMP_Work_Sections", Construct::Sections),
    ("OpenMP_Work_Single_Executor", Construct::Single),
    ("OpenMP_Work_Single_Other", Construct::Single),
    ("OpenMP_Master", Construct::Master),
    ("OpenMP_Task", Construct::Task),
    ("OpenMP_Sync_Region_Barrier", Construct::Barrier),
    ("OpenMP_Sync_Region_Barrier_Explicit", Construct::Barrier),
    ("OpenMP_Sync_Region_Barrier_Implicit", Construct::ImplicitBarrier),
    ("OpenMP_Sync_Region_Barrier_Implementation", Construct::ImplicitBarrier),
    ("OpenMP_Sync_Region_Taskwait", Construct::TaskWait),
    ("OpenMP_Sync_Region_Reduction", Construct::Reduction),
    ("OpenMP_Mutex_Waiting_Critical", Construct::Critical),
    ("OpenMP_Mutex_Acquired_Critical", Construct::CriticalBlock),
    ("OpenMP_Mutex_Waiting_Ordered", Construct::Ordered),
    ("OpenMP_Mutex_Acquired_Ordered", Construct::OrderedBlock),
    ("OpenMP_Mutex_Waiting_Atomic", Construct::Atomic),
    ("OpenMP_Mutex_Waiting_Lock", Construct::SetLock),
    ("OpenMP_Mutex_Waiting_Nest_Lock", Construct::SetNestLock),
    ("OpenMP_Mutex_Waiting_Test_Lock", Construct::TestLock),
    ("OpenMP_Mutex_Waiting_Test_Nest_Lock", Construct::TestNestLock),
    ("OpenMP_Flush", Construct::Flush),
    ("OpenMP_Work_Section", Construct::Section),
];

/// The frame that stands for the program.
const ROOT: &str = ".TAU application";

/// Frames that are samples, or sums of them: their time is in other rows too.
const SAMPLES: [&str; 4] = ["[SAMPLE]", "[CONTEXT]", "[SUMMARY]", "[UNWIND]"];

pub(crate) const READER: Reader = Reader { name: "tau", tools: &[TOOL], recognises, read };

fn recognises(input: &Input) -> bool {
    input.files.iter().any(|file| header(&file.bytes).is_some())
}

/// The number of rows of a profile, and its metric.
fn header(bytes: &[u8]) -> Option<(usize, &str)> {
    let first = bytes.split(|&byte| byte == b'\n').next()?;
    let (rows, title) = std::str::from_utf8(first).ok()?.trim().split_once(' ')?;
    let metric = title.strip_prefix("templated_functions")?;
    let metric = metric.strip_prefix("_MULTI").unwrap_or(metric).strip_prefix('_').unwrap_or(TIMES[0]);
    Some((rows.parse().ok()?, metric))
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let has =
        |metric: &str| input.files.iter().any(|file| header(&file.bytes).is_some_and(|(_, of)| of == metric));
    let origin = Origin::file(&input.path);
    let Some(metric) = TIMES.into_iter().find(|metric| has(metric)) else {
        let fix = "have TAU measure TAU_METRICS=TIME";
        return Err(origin.unsupported(At::Whole, "has no metric of wall-clock time", fix));
    };
    let mut draft = Draft::new(TOOL, origin, &input.path);
    let mut calls = Calls::new();
    let mut threads = BTreeMap::<u32, u32>::new();
    let mut seen = HashSet::new();
    let (mut wall_time, mut added_up) = (0.0_f64, 0);
    let (mut messages, mut counts) = (Messages::default(), Counts::default());
    for file in &input.files {
        let header = header(&file.bytes);
        let (rows, of) = header.ok_or_else(|| {
            file.origin().damaged(At::Line(1), "it does not begin with \"… templated_functions…\"")
        })?;
        if of != metric {
            if is_counter(of) {
                let text = file.text()?;
                counts.add(of, &read_lines(file, &text, rows)?.0, &mut draft)?;
            }
            continue;
        }
        let (rank, thread) = place(file)?;
        if !seen.insert((rank, thread)) {
            return Err(file
                .origin()
                .damaged(At::Whole, format!("thread {thread} of rank {rank} is there twice")));
        }
        *threads.entry(rank).or_default() += 1;
        let text = file.text()?;
        let (rows, events) = read_lines(file, &text, rows)?;
        for event in &events {
            messages.add(event, &mut draft, plain_name)?;
        }
        wall_time = rows.iter().map(|row| row.inclusive_time).fold(wall_time, f64::max);
        added_up += usize::from(add_up_threads(&rows));
        add_calls(&mut calls, &rows, (rank, thread), &mut draft)?;
    }
    if added_up > 0 {
        draft.warn(format!("profiles that add up several threads, as those of APEX do: {added_up}"));
    }
    // A single file may be one that was asked for.
    if let Some(missing) = missing(&threads).filter(|_| input.single().is_none()) {
        draft.warn(missing);
    }
    draft.shape(Some(threads.len() as u32), threads.values().copied().max());
    draft.version(input.files.first().and_then(version));
    for (path, shares) in calls {
        draft.call(path, shares)?;
    }
    messages.count(&mut draft)?;
    counts.report(&mut draft)?;
    draft.basis(wall_time, seen.len());
    Ok(draft.finish())
}

/// The words for ranks below the highest that have no profile; `None` if all have.
fn missing(threads: &BTreeMap<u32, u32>) -> Option<String> {
    let (&highest, _) = threads.last_key_value()?;
    let missing = u64::from(highest) + 1 - threads.len() as u64;
    let (first, _) = (0..).zip(threads.keys()).find(|(expected, rank)| expected != *rank)?;
    let ranks = if missing == 1 { "a rank" } else { "ranks" };
    Some(format!(
        "profiles of {ranks} below {highest} are missing, the first is profile.{first}.0.0 (copy the whole folder): {missing}"
    ))
}

/// The calls of all locations, by path.
type Calls = BTreeMap<Vec<String>, Vec<CallShare>>;

/// Adds the times of a location.
fn add_calls(
    calls: &mut Calls,
    rows: &[Row<'_>],
    (rank, thread): (u32, u32),
    draft: &mut Draft<'_>,
) -> Result<(), ReportError> {
    let leaves: HashSet<&str> = rows.iter().filter_map(Row::innermost).collect();
    let outermost: HashSet<&str> = rows.iter().filter_map(Row::outermost).collect();
    let mut plain = HashMap::new();
    for row in rows {
        if row.is_repeated(&leaves) || row.is_sample() {
            continue;
        }
        let frames = || row.frames.iter().filter(|frame| **frame != ROOT);
        for frame in frames() {
            if let Entry::Vacant(entry) = plain.entry(*frame) {
                let name = plain_name(frame);
                draft.take(name.len())?;
                entry.insert(name);
            }
        }
        let path = draft.path(frames().filter_map(|frame| plain.get(frame)).map(String::as_str))?;
        let is_whole = path.len() > 1 || frames().next().is_some_and(|frame| outermost.contains(frame));
        let path = if path.is_empty() { draft.path([ROOT].into_iter())? } else { path };
        let inclusive_time = if is_whole { row.inclusive_time } else { row.own_time };
        let share = CallShare { rank, thread, inclusive_time, visits: Some(row.calls) };
        let shares = calls.entry(path).or_default();
        match shares.last_mut().filter(|last| (last.rank, last.thread) == (rank, thread)) {
            // The same name in two files, say.
            Some(last) => {
                last.inclusive_time += share.inclusive_time;
                last.visits = Some(last.visits.unwrap_or(0).saturating_add(row.calls));
            }
            None => shares.push(share),
        }
    }
    Ok(())
}

/// TAU's version, of the metadata behind the column titles.
fn version(file: &File) -> Option<String> {
    let titles = file.bytes.split(|&byte| byte == b'\n').nth(1)?;
    let (_, rest) = std::str::from_utf8(titles).ok()?.split_once("<name>TAU Version</name><value>")?;
    rest.split_once('<').map(|(version, _)| version.to_owned())
}

/// The rank and thread of a file.
fn place(file: &File) -> Result<(u32, u32), ReportError> {
    match location(&file.path) {
        Some((node, 0, thread)) => Ok((node, thread)),
        Some((_, context, _)) => {
            let fix = "measure without TAU's contexts";
            Err(file.origin().unsupported(At::Whole, format!("is of context {context}"), fix))
        }
        None => {
            let fix = "name it profile.N.C.T, of node, context and thread, as TAU does";
            Err(file.origin().unsupported(
                At::Whole,
                "has a name that does not show the rank and thread of the profile",
                fix,
            ))
        }
    }
}

struct Row<'a> {
    frames: Vec<&'a str>,
    calls: u64,
    own_time: f64,
    inclusive_time: f64,
}

impl<'a> Row<'a> {
    fn is_sample(&self) -> bool {
        self.frames.iter().any(|frame| SAMPLES.iter().any(|tag| frame.starts_with(tag)))
    }

    /// The last frame of a call path.
    fn innermost(&self) -> Option<&'a str> {
        self.frames.last().copied().filter(|_| self.frames.len() > 1)
    }

    /// Whether it is the sum of the call paths with these last frames.
    fn is_repeated(&self, leaves: &HashSet<&str>) -> bool {
        self.frames.len() == 1 && leaves.contains(self.frames[0])
    }

    /// The number in a profile of a counter.
    fn own_count(&self) -> u64 {
        (self.own_time * PER_SECOND).round() as u64
    }

    /// The first frame of a call path.
    fn outermost(&self) -> Option<&'a str> {
        let mut frames = self.frames.iter().filter(|frame| **frame != ROOT);
        frames.next().copied().filter(|_| frames.next().is_some())
    }
}

/// Whether functions together took longer than the program.
fn add_up_threads(rows: &[Row<'_>]) -> bool {
    let functions = || rows.iter().filter(|row| row.frames.len() == 1 && !row.is_sample());
    let program = functions().find(|row| row.frames[0] == ROOT);
    let sum: f64 = functions().map(|row| row.own_time).sum();
    // Numbers may be written with six digits only.
    program.is_some_and(|program| sum > program.inclusive_time * 1.001)
}

/// The rows of a profile, and its events about messages.
fn read_lines<'a>(
    file: &File,
    text: &'a str,
    rows: usize,
) -> Result<(Vec<Row<'a>>, Vec<Event<'a>>), ReportError> {
    let damaged = |line: usize, what: String| file.origin().damaged(At::Line(line), what);
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line)).skip(2);
    let mut read = Vec::new();
    for found in 0..rows {
        let Some((at, line)) = lines.next() else {
            return Err(damaged(2 + found, format!("it ends after {found} of {rows} rows")));
        };
        read.push(row(line).map_err(|what| damaged(at, what))?);
    }
    let Some((at, many)) = lines.find_map(|(at, line)| Some((at, line.strip_suffix(" userevents")?))) else {
        return Ok((read, Vec::new()));
    };
    let many: usize = number::parse(many.trim(), "count").map_err(|what| damaged(at, what))?;
    let mut lines = lines.skip(1);
    let mut events = Vec::new();
    for found in 0..many {
        let Some((at, line)) = lines.next() else {
            return Err(damaged(at + 2 + found, format!("it ends after {found} of {many} events")));
        };
        events.extend(messages::event(line).map_err(|what| damaged(at, what))?);
    }
    Ok((read, events))
}

/// `"name" calls subroutines exclusive inclusive profile-calls GROUP="…"`.
fn row(line: &str) -> Result<Row<'_>, String> {
    let numbers = line.rsplit_once(" GROUP=").map_or(line, |(before, _)| before);
    let parts = numbers.strip_prefix('"').and_then(|rest| rest.rsplit_once('"'));
    let (name, numbers) = parts.ok_or("a row does not begin with a name in quotes")?;
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    let &[calls, _subroutines, own, inclusive, ..] = &numbers[..] else {
        return Err("a row is cut short".to_owned());
    };
    let calls = number::count(number::parse(calls, "count")?)?;
    let seconds = |text| Ok::<f64, String>(number::parse::<f64>(text, "time")? / PER_SECOND);
    let inclusive_time = number::seconds(seconds(inclusive)?)?;
    // What TAU takes for its own overhead may be more than there was; in APEX, what all threads did.
    let own_time = match seconds(own)? {
        time if time < 0.0 => 0.0,
        time => number::seconds(time)?,
    };
    let frames: Vec<&str> = name.split(" => ").map(str::trim).collect();
    match frames.len() {
        0..=limits::DEPTH => Ok(Row { frames, calls, own_time, inclusive_time }),
        depth => Err(format!("a call path has {depth} frames")),
    }
}

/// `int main(int, char **) C [{heat.c} {17,1}-{40,1}]` is `main`.
fn plain_name(frame: &str) -> String {
    let (name, source) = frame.split_once(" [{").map_or((frame, None), |(name, source)| (name, Some(source)));
    let timer = name.split_whitespace().next().unwrap_or_default();
    if let Some((_, construct)) = CONSTRUCTS.iter().find(|(known, _)| *known == timer) {
        return names::construct_region(*construct, source.and_then(place_in).as_deref());
    }
    let name = name.strip_suffix(" C").unwrap_or(name).trim();
    let name = match name.split_once('(') {
        Some((before, _)) if !before.is_empty() => last_word(before.trim_end()),
        _ => name,
    };
    names::region(name)
}

/// The word behind the result's type; the spaces of generic arguments part no words.
fn last_word(name: &str) -> &str {
    let mut depth = 0_usize;
    let begin = name.char_indices().rev().find(|&(_, character)| {
        match character {
            '>' => depth += 1,
            '<' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ' ' && depth == 0
    });
    begin.map_or(name, |(space, _)| &name[space + 1..])
}

/// `/home/heat.c} {17,1}-{40,1}]` is `heat.c:17`.
fn place_in(source: &str) -> Option<String> {
    let (file, rest) = source.split_once("} {")?;
    let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let file = file.rsplit('/').next()?;
    (!line.is_empty()).then(|| format!("{file}:{line}"))
}
