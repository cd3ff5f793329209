//! Traces with one damaged process: the others show no wait that the whole trace does not show there.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use ats_compose::Subject;
use ats_documents::Analysis;
use ats_model::{Definitions, Event, EventSource, WaitState};
use ats_props::Catalogue;
use ats_testing::peer;
use ats_trace::{Archive, TraceError};
use ats_truth::{Size, TruthOptions, ideal_trace};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Traces of Score-P with measured clocks. Without any, times of different processes are estimated from all that the
/// trace has of them, and what is lost changes the estimate.
const PEERS: [&str; 3] = ["scorep-patterns-4ranks", "scorep-7props-4ranks", "scorep-clocks-4ranks"];

/// Properties whose ideal traces are damaged: messages, collective operations, and non-blocking ones of both.
const PROPERTIES: [&str; 22] = [
    "late_sender",
    "late_receiver",
    "wrong_order",
    "late_sender_waitall",
    "late_sender_test_polling",
    "late_receiver_isend_wait",
    "rendezvous_without_progress",
    "ping_pong",
    "imbalance_at_shift",
    "imbalance_at_mpi_barrier",
    "barrier_completion",
    "imbalance_at_mpi_allreduce",
    "nxn_completion",
    "late_broadcast",
    "early_reduce",
    "early_ireduce",
    "early_scan",
    "late_ibcast",
    "imbalance_at_iallreduce",
    "imbalance_at_ibarrier_wait",
    "imbalance_at_comm_split",
    "heat_solver_barrier",
];

const RANKS: usize = 4;

/// Kind, call path, rank and thread of a wait.
type Key = (Option<WaitState>, Vec<String>, u32, u32);

/// The seconds of waits.
type Waits = BTreeMap<Key, f64>;

/// A trace, and what it shows.
struct Whole {
    name: String,
    anchor: Vec<u8>,
    definitions: Vec<u8>,
    locations: Vec<(u64, Vec<u8>, Vec<u8>)>,
    waits: Waits,
}

impl Whole {
    fn read(name: &str, anchor: &Path) -> Self {
        let archive = Archive::open(anchor).unwrap();
        let read = |path: &Path| std::fs::read(path).unwrap();
        let analysis = analysis(&archive).unwrap();
        let folder = anchor.with_extension("");
        let of =
            |id: u64| (id, read(&folder.join(format!("{id}.evt"))), read(&folder.join(format!("{id}.def"))));
        Whole {
            name: name.to_owned(),
            anchor: read(anchor),
            definitions: read(&anchor.with_extension("def")),
            locations: archive.definitions().locations.iter().map(|location| of(location.id)).collect(),
            waits: waits(&analysis),
        }
    }

    fn open(&self, locations: Vec<(u64, Vec<u8>, Vec<u8>)>) -> Archive {
        Archive::from_parts(&self.anchor, &self.definitions, locations).unwrap()
    }
}

static WHOLE: LazyLock<Vec<Whole>> = LazyLock::new(|| {
    let of_peer = |name: &&str| Whole::read(name, &peer(name).join("traces.otf2"));
    let ideal = |name: &&str| {
        let program = Catalogue::builtin().program(name).unwrap();
        let arguments = program.property.arguments(program.property.repeated("6")).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let subject = Subject::Property { program, arguments };
        let written = ideal_trace::write(&subject, Size::ranks(RANKS), dir.path(), &TruthOptions::default());
        Whole::read(name, &written.unwrap())
    };
    PEERS.iter().map(of_peer).chain(PROPERTIES.iter().map(ideal)).collect()
});

fn analysis(source: &impl EventSource<Error = TraceError>) -> Option<Analysis> {
    ats_analyzer::analyze(source, "damaged", &ats_analyzer::Options::default()).ok()
}

fn waits(analysis: &Analysis) -> Waits {
    let mut waits = Waits::new();
    for finding in &analysis.findings {
        for share in &finding.locations {
            let key = (finding.property, finding.call_path.clone(), share.rank, share.thread);
            *waits.entry(key).or_default() += share.waiting_time;
        }
    }
    waits
}

/// An archive that lacks a share of the events of a rank.
struct Dropped {
    archive: Archive,
    rank: u32,
    seed: u64,
}

impl EventSource for Dropped {
    type Error = TraceError;

    fn definitions(&self) -> &Definitions {
        self.archive.definitions()
    }

    fn has_common_clock(&self) -> bool {
        self.archive.has_common_clock()
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), TraceError> {
        if self.definitions().locations[index].rank != self.rank {
            return self.archive.read_location(index, visit);
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let share = [200, 50, 10][random.next_u64() as usize % 3];
        self.archive.read_location(index, |time, event| {
            if !random.next_u64().is_multiple_of(share) {
                visit(time, event);
            }
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Truncated,
    Flipped,
    Dropped,
    EventsMissing,
    DefinitionsMissing,
    DefinitionsUnreadable,
}

const KINDS: [Kind; 6] = [
    Kind::Truncated,
    Kind::Flipped,
    Kind::Dropped,
    Kind::EventsMissing,
    Kind::DefinitionsMissing,
    Kind::DefinitionsUnreadable,
];

/// The findings in a trace with a damaged rank.
enum Shown {
    /// Nothing: no location can be read.
    Nothing,
    /// The waits of another run: a time has become another that its neighbours allow, so nothing in the trace is wrong.
    OtherRun,
    Waits(Waits),
}

/// Damages a rank of a trace.
fn damaged(whole: &Whole, rank: u32, kind: Kind, random: &mut Xoshiro256PlusPlus) -> Shown {
    let mut locations = whole.locations.clone();
    let (_, events, local) = &mut locations[rank as usize];
    let below = |random: &mut Xoshiro256PlusPlus, end: usize| random.next_u64() as usize % end;
    match kind {
        Kind::Truncated => events.truncate(below(random, events.len())),
        Kind::Flipped => {
            for _ in 0..[1, 1, 8][below(random, 3)] {
                let at = below(random, events.len());
                events[at] ^= 1 << below(random, 8);
            }
        }
        Kind::Dropped => {}
        // A missing file of events reads as an empty one does.
        Kind::EventsMissing => events.clear(),
        Kind::DefinitionsMissing => local.clear(),
        Kind::DefinitionsUnreadable => local.truncate(8),
    }
    let archive = whole.open(locations);
    let analysis = match kind {
        Kind::Dropped => analysis(&Dropped { archive, rank, seed: random.next_u64() }),
        Kind::Flipped if has_other_times(whole, &archive, rank) => return Shown::OtherRun,
        _ => analysis(&archive),
    };
    analysis.map_or(Shown::Nothing, |analysis| Shown::Waits(waits(&analysis)))
}

/// Whether an event of a damaged rank has another time than in the whole trace, and is still between its neighbours.
fn has_other_times(whole: &Whole, damaged: &Archive, rank: u32) -> bool {
    let [whole, damaged] = [&whole.open(whole.locations.clone()), damaged].map(|archive| {
        let mut events = Vec::new();
        // What comes before the damage is handed over.
        _ = archive.read_location(rank as usize, |time, event| events.push((time, event)));
        events
    });
    let times: Vec<u64> = damaged.iter().map(|(time, _)| *time).collect();
    let is_between = |at: usize| times[at.saturating_sub(1)..times.len().min(at + 2)].is_sorted();
    let both = whole.iter().zip(&damaged).enumerate();
    both.take_while(|(_, (whole, damaged))| whole.1 == damaged.1)
        .any(|(at, (whole, damaged))| whole.0 != damaged.0 && is_between(at))
}

/// The seconds that a whole trace has for a wait of a damaged one. A late sender in the wrong order is a late sender, too:
/// that another message had come before is not known where that one is lost.
fn known(whole: &Waits, (state, path, rank, thread): &Key) -> f64 {
    use WaitState::{LateSender, LateSenderWrongOrderDifferentSources, LateSenderWrongOrderSameSource};
    let states = match state {
        Some(LateSender) => {
            vec![LateSender, LateSenderWrongOrderSameSource, LateSenderWrongOrderDifferentSources]
        }
        state => state.iter().copied().collect(),
    };
    let of = |state| whole.get(&(Some(state), path.clone(), *rank, *thread)).copied().unwrap_or(0.0);
    states.into_iter().map(of).sum()
}

/// Nothing may grow: a wait is known from both of its sides, so one that is not whole is left out. What is left out may be
/// the wait that others are shorter than, in a call that waits for several; none of the traces here has such.
#[test]
fn one_damaged_process_lets_no_other_wait_more() {
    let (mut more, mut judged, mut of_another_run) = (Vec::new(), 0, 0);
    for seed in ats_testing::seeds(500) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let whole = &WHOLE[seed as usize % WHOLE.len()];
        let kind = KINDS[seed as usize / WHOLE.len() % KINDS.len()];
        let rank = random.next_u64() as u32 % RANKS as u32;
        let waits = match damaged(whole, rank, kind, &mut random) {
            Shown::Nothing => continue,
            Shown::OtherRun => {
                of_another_run += 1;
                continue;
            }
            Shown::Waits(waits) => waits,
        };
        judged += 1;
        for (key, seconds) in waits.into_iter().filter(|(key, _)| key.2 != rank) {
            let known = known(&whole.waits, &key);
            // Sums of the same waits, in another order.
            if seconds > known + 1e-12 + 1e-9 * known {
                more.push(format!(
                    "seed {seed}, {}, {kind:?} on rank {rank}: {key:?}: {seconds} s instead of {known} s",
                    whole.name
                ));
            }
        }
    }
    assert!(more.is_empty(), "{}", more.join("\n"));
    assert!(judged > 10 * of_another_run, "{judged} {of_another_run}");
}
