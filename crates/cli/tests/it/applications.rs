//! Real applications of the distribution, recorded and analyzed: what the trace and its analysis say agrees with each
//! other, with what `otf2-print` reads, and with what the application says of itself. `docs/applications/` describes
//! them.

mod explained;
mod solvers;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::common::{answer, ats_in};
use ats_documents::explanation::CauseKind;
use ats_documents::{Analysis, Explanation};
use ats_model::definitions::Members;
use ats_model::event::{CommunicatorRef, RegionRef};
use ats_model::{Event, EventSource, WaitState};
use ats_trace::Archive;
use tempfile::TempDir;

/// An application that was recorded.
struct Recorded {
    dir: TempDir,
    /// Its standard output.
    said: String,
    /// Seconds from the start of the command to its end.
    elapsed: f64,
    archive: Archive,
    analysis: Analysis,
    /// All of its problems, however small.
    explanation: Explanation,
}

/// Records an application in a folder that holds these files, one at a time, and checks what holds of every recording.
fn recorded(files: &[(&str, &str)], ranks: usize, command: &[&str]) -> Recorded {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let dir = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let ranks_text = ranks.to_string();
    // What is compared are calls, wherever they stand.
    let recorder = ["record", "--stacks", "off", "-o", "trace", "--"];
    let words = [&recorder[..], &["mpirun.openmpi", "--timeout", "300", "-np", &ranks_text]].concat();
    let begin = Instant::now();
    let output = ats_in(dir.path(), &[&words, command].concat());
    let elapsed = begin.elapsed().as_secs_f64();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {errors}(`scripts/install-missing all` installs the applications)"
    );
    let analysis = answer(dir.path(), &["analyze", "trace", "--format", "json"]);
    let all = ["--above", "0", "--top", "100000", "--format", "json"];
    let explanation = answer(dir.path(), &[&["explain", "trace"], &all[..]].concat());
    let recorded = Recorded {
        said: String::from_utf8(output.stdout).unwrap(),
        elapsed,
        archive: Archive::open(&dir.path().join("trace/traces.otf2")).unwrap(),
        analysis: serde_json::from_str(&analysis).unwrap(),
        explanation: serde_json::from_str(&explanation).unwrap(),
        dir,
    };
    assert_eq!(recorded.archive.definitions().locations.len(), ranks);
    recorded.is_analyzed_without_trouble();
    recorded.is_read_alike_by_otf2_print();
    recorded.has_consistent_sums();
    recorded.has_all_messages();
    recorded.is_explained_by_what_is_recorded();
    recorded
}

impl Recorded {
    fn is_analyzed_without_trouble(&self) {
        assert_eq!(self.analysis.warnings, [] as [String; 0]);
        assert_eq!(self.analysis.clock_correction, None, "the clocks agree");
        assert!(!self.analysis.findings.is_empty(), "processes that talk to each other wait for each other");
    }

    /// The C library reads the trace without a word of warning, and counts the calls that the analysis counts.
    fn is_read_alike_by_otf2_print(&self) {
        let mut printing = Command::new("otf2-print")
            .arg(self.dir.path().join("trace/traces.otf2"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut calls: BTreeMap<String, u64> = BTreeMap::new();
        for line in BufReader::new(printing.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            assert!(!line.contains("INVALID"), "{line}");
            if let Some(region) = line.strip_prefix("ENTER ").and_then(|rest| rest.split('"').nth(1)) {
                *calls.entry(region.to_owned()).or_default() += 1;
            }
        }
        let mut complaints = String::new();
        printing.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        assert!(printing.wait().unwrap().success() && complaints.is_empty(), "{complaints}");

        let ranks = self.analysis.locations;
        let init = calls.remove("MPI_Init").or_else(|| calls.remove("MPI_Init_thread"));
        assert_eq!([init, calls.remove("MPI_Finalize")], [Some(ranks); 2]);
        // It may be called before the part that is analyzed begins, too.
        let mut counted = self.analysis.counts.clone();
        for counts in [&mut calls, &mut counted] {
            counts.remove("MPI_Initialized");
        }
        assert_eq!(calls, counted);
    }

    /// No location waits longer at a call path than it is there, or is longer anywhere than the run took.
    fn has_consistent_sums(&self) {
        let mut events = 0;
        for (index, location) in self.archive.definitions().locations.iter().enumerate() {
            let (count, wall_time, seconds) = self.times(index);
            assert_eq!(count, location.events, "rank {}", location.rank);
            assert!(wall_time > 0.0 && wall_time <= self.elapsed, "{wall_time} s of {} s", self.elapsed);
            assert!(self.analysis.basis.wall_time <= self.elapsed);
            events += count;
            let mut waits: BTreeMap<Vec<String>, f64> = BTreeMap::new();
            let mut testing = 0.0;
            for finding in &self.analysis.findings {
                let shares = finding.locations.iter().filter(|share| share.rank == location.rank);
                let wait: f64 = shares.map(|share| share.waiting_time).sum();
                // It counts the loop around the tests, too, and so may be longer than the calls.
                if finding.property == Some(WaitState::LateSenderInTest) {
                    testing += wait;
                } else {
                    *waits.entry(finding.call_path.clone()).or_default() += wait;
                }
            }
            assert!(testing <= wall_time, "rank {}: {testing} s of {wall_time} s", location.rank);
            for (path, wait) in waits.into_iter().filter(|(_, wait)| *wait > 0.0) {
                let there = seconds[&path];
                assert!(wait <= there + 1e-6, "rank {}, {path:?}: {wait} s of {there} s", location.rank);
            }
        }
        assert_eq!(events, self.analysis.events);
    }

    /// The number of events of a location, its seconds from first to last, and its seconds in each call path.
    fn times(&self, location: usize) -> (u64, f64, BTreeMap<Vec<String>, f64>) {
        let definitions = self.archive.definitions();
        let mut stack: Vec<(RegionRef, u64)> = Vec::new();
        let mut ticks: BTreeMap<Vec<RegionRef>, u64> = BTreeMap::new();
        let (mut count, mut first, mut last) = (0, None, 0);
        let visit = |time, event| {
            if matches!(event, Event::Attribute { .. }) {
                return;
            }
            count += 1;
            first.get_or_insert(time);
            last = time;
            match event {
                Event::Enter { region } => stack.push((region, time)),
                Event::Leave { region } => {
                    let path = stack.iter().map(|(region, _)| *region).collect();
                    let (entered, begin) = stack.pop().expect("it was entered");
                    assert_eq!(entered, region, "regions nest");
                    *ticks.entry(path).or_default() += time - begin;
                }
                Event::ProgramBegin { .. } | Event::ProgramEnd { .. } => assert!(stack.is_empty()),
                // Counters are read when the program begins, too.
                Event::Metric { .. } => {}
                _ => assert!(!stack.is_empty(), "{event:?} is in a call"),
            }
        };
        self.archive.read_location(location, visit).unwrap();
        assert!(stack.is_empty(), "every call is left");
        let seconds = |ticks| definitions.clock.seconds(ticks);
        let name = |region: &RegionRef| definitions.regions[region.0 as usize].name.clone();
        // A call has a region for each place that it stands at.
        let mut named: BTreeMap<Vec<String>, f64> = BTreeMap::new();
        for (path, ticks) in ticks {
            *named.entry(path.iter().map(name).collect()).or_default() += seconds(ticks);
        }
        (count, seconds(last - first.expect("it has events")), named)
    }

    /// Every message that was sent was received, once, with all its bytes.
    fn has_all_messages(&self) {
        let (sent, received) = self.messages();
        assert!(!sent.is_empty(), "there are messages");
        assert_eq!(sent, received);
    }

    /// The number of times that each message was sent and received.
    fn messages(&self) -> (BTreeMap<Message, i64>, BTreeMap<Message, i64>) {
        let definitions = self.archive.definitions();
        let (mut sent, mut received) = (BTreeMap::new(), BTreeMap::new());
        for (index, location) in definitions.locations.iter().enumerate() {
            let own = location.rank;
            let world = |communicator: CommunicatorRef, rank: u32| match &definitions.communicators
                [communicator.0 as usize]
                .members
            {
                Members::Ranks(ranks) => ranks[rank as usize],
                Members::SelfOnly => own,
            };
            let visit = |_, event| match event {
                Event::MpiSend { receiver, communicator, tag, bytes }
                | Event::MpiIsend { receiver, communicator, tag, bytes, .. } => {
                    let to = world(communicator, receiver);
                    let message = Message { communicator: communicator.0, from: own, to, tag, bytes };
                    *sent.entry(message).or_default() += 1;
                }
                Event::MpiRecv { sender, communicator, tag, bytes }
                | Event::MpiIrecv { sender, communicator, tag, bytes, .. } => {
                    let from = world(communicator, sender);
                    let message = Message { communicator: communicator.0, from, to: own, tag, bytes };
                    *received.entry(message).or_default() += 1;
                }
                _ => {}
            };
            self.archive.read_location(index, visit).unwrap();
        }
        (sent, received)
    }

    /// The number of messages that a rank sent, as a function of their bytes.
    fn sent_by(&self, rank: u32) -> BTreeMap<u64, i64> {
        let mut by_size = BTreeMap::new();
        for (message, count) in self.messages().0.into_iter().filter(|(message, _)| message.from == rank) {
            *by_size.entry(message.bytes).or_default() += count;
        }
        by_size
    }

    /// The word that follows `before` in what the application said.
    fn word_after(&self, before: &str) -> &str {
        word_after(&self.said, before)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    communicator: u32,
    from: u32,
    to: u32,
    tag: u32,
    bytes: u64,
}

fn word_after<'a>(text: &'a str, before: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no `{before}` in: {text}"));
    rest.split_whitespace().next().unwrap()
}

/// The Lennard-Jones benchmark of LAMMPS, on 4 ranks.
const LENNARD_JONES: &str = "\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 100
";

#[test]
fn lammps() {
    let run = ["-x", "OMP_NUM_THREADS=1", "lmp", "-in", "in.lj", "-log", "none"];
    let recorded = recorded(&[("in.lj", LENNARD_JONES)], 4, &run);

    let loop_time: f64 = recorded.word_after("Loop time of ").parse().unwrap();
    assert!(loop_time <= recorded.analysis.basis.wall_time, "{loop_time} s");

    // Ranks that divide a dimension exchange with two neighbours in it. A step sends forces back, and positions on unless it
    // builds neighbour lists; then atoms move, in one message to the only other rank of the dimension, and borders do.
    let number = |before: &str| recorded.word_after(before).parse::<u64>().unwrap();
    let (steps, builds) = (number(" procs for "), number("Neighbor list builds = "));
    assert_eq!(steps, 100);
    assert!(recorded.said.contains("1 by 2 by 2 MPI processor grid"), "{}", recorded.said);
    let (neighbours, divided) = (4, 2);
    let with_borders = (builds + 1) * (neighbours + divided);
    let messages = (steps - builds) * neighbours + (steps + 1) * neighbours + with_borders;
    for call in ["MPI_Irecv", "MPI_Send", "MPI_Wait"] {
        assert_eq!(recorded.analysis.counts[call], 4 * messages, "{call}");
    }
    assert_eq!(recorded.analysis.counts["MPI_Sendrecv"], 4 * with_borders);

    // A rank that is ahead sends before the others receive.
    match recorded.problem_of(WaitState::LateReceiver) {
        Some(blocked) => {
            assert_eq!(blocked.cause(), CauseKind::LateReceiver, "{blocked:#?}");
            assert_eq!(blocked.effects[0].call_path, ["MPI_Send"]);
        }
        // The ranks share processors, so it may not have run.
        None => {
            let lacking = &recorded.explanation.lacking_processors;
            assert!(lacking.by_call.iter().any(|of| of.call == "MPI_Send"), "{lacking:?}");
        }
    }

    // The same atoms move in the same way without the recorder.
    let mut plain = Command::new("mpirun.openmpi");
    let _session = ats_testing::ready_for_open_mpi(&mut plain);
    plain.args(["--timeout", "300", "-np", "4"]).args(run).current_dir(recorded.dir.path());
    let plain = plain.output().unwrap();
    assert_eq!(thermodynamics(&String::from_utf8(plain.stdout).unwrap()), thermodynamics(&recorded.said));
}

/// Temperature, energies and pressure at the beginning and at the end.
fn thermodynamics(said: &str) -> Vec<&str> {
    let lines = said.lines().skip_while(|line| !line.starts_with("Step Temp"));
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("Loop time")).collect();
    assert_eq!(lines.len(), 3, "{said}");
    lines
}

/// HPCC's example with a smaller matrix.
const HPCC: &str = "\
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
200          Ns
1            # of NBs
32           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
2            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
";

#[test]
fn hpcc() {
    let recorded = recorded(&[("hpccinf.txt", HPCC)], 4, &["-x", "OPENBLAS_NUM_THREADS=1", "hpcc"]);
    let results = fs::read_to_string(recorded.dir.path().join("hpccoutf.txt")).unwrap();

    assert_eq!(word_after(&results, "\nSuccess="), "1");
    assert_eq!(word_after(&results, "\nCommWorldProcs="), "4");
    assert_eq!(word_after(&results, "\nHPL_N="), "200");
    assert!(results.contains("0 tests completed and failed residual checks"), "{results}");
    assert!(!results.contains("FAILED"), "{results}");

    // It writes when it begins and when it ends, in whole seconds.
    let times: Vec<f64> = results
        .match_indices("Current time (")
        .map(|(at, before)| {
            let seconds = results[at + before.len()..].split(')').next();
            seconds.unwrap().parse().unwrap()
        })
        .collect();
    let stated = times.last().unwrap() - times[0];
    let wall_time = recorded.analysis.basis.wall_time;
    assert!(stated <= wall_time + 1.0 && wall_time <= recorded.elapsed, "{stated} s, {wall_time} s");

    // Everything that it measures of MPI has its calls.
    for call in
        ["MPI_Alltoall", "MPI_Allreduce", "MPI_Comm_split", "MPI_Isend", "MPI_Sendrecv", "MPI_Testany"]
    {
        assert!(recorded.analysis.counts[call] > 0, "{call}");
    }

    // RandomAccess tests for messages all the time.
    let tests = recorded.problem_of(WaitState::LateSenderInTest).expect("tests in vain");
    assert_eq!(tests.cause(), CauseKind::Polling, "{tests:#?}");
    assert_eq!(tests.effects[0].call_path, ["MPI_Testany"]);
}

#[test]
fn netpipe() {
    let (repeats, trials) = (20, 3);
    let run = ["NPopenmpi", "-u", "65536", "-n", &repeats.to_string()];
    let recorded = recorded(&[], 2, &run);
    // Bytes, bits per second and seconds of each size.
    let results = fs::read_to_string(recorded.dir.path().join("np.out")).unwrap();
    let rows: Vec<Vec<f64>> = results
        .lines()
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    assert!(rows.len() > 50 && rows.iter().all(|row| row.len() == 3), "{results}");

    // Messages of one byte test the latency before; in four bytes rank 0 says how often each size will come.
    let [there, back] = [0, 1].map(|rank| recorded.sent_by(rank));
    let expected = repeats * trials;
    for row in &rows {
        let bytes = row[0] as u64;
        let sent = [there[&bytes], back[&bytes]];
        match bytes {
            1 => assert!(sent[0] == sent[1] && sent[0] > expected, "{sent:?}"),
            4 => assert_eq!(sent, [expected + rows.len() as i64, expected]),
            _ => assert_eq!(sent, [expected; 2], "{bytes} bytes"),
        }
    }
    assert_eq!(there.len(), rows.len(), "no other sizes");

    // The time of a size is the best trial's, for one way.
    let at_least: f64 = rows.iter().map(|row| row[2] * (2 * repeats * trials) as f64).sum();
    let wall_time = recorded.analysis.basis.wall_time;
    assert!(at_least <= wall_time, "{at_least} s of {wall_time} s");
}
