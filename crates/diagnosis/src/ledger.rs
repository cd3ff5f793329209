//! Seconds of all units in a region by class of overhead.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::overheads::OverheadClass;
use ats_model::definitions::RegionRole;
use ats_model::region_class::{Class, RegionClass};

use crate::losses::Lost;
use crate::spending::{Code, Path, Spending};

/// Seconds of all units by class; each second is in one class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// By class and part.
    pub(crate) parts: BTreeMap<(OverheadClass, String), f64>,
    /// Work of the program.
    pub(crate) work: f64,
    /// The parts of loss that contain an estimate.
    pub(crate) estimated: BTreeSet<&'static str>,
    /// Losses that may show as waits.
    lost: Lost,
    /// Losses that do show as waits, by root cause: at barriers of MPI, and of OpenMP.
    caused: [Lost; 2],
}

/// The parts of synchronisation that are waits at barriers: of MPI, and of OpenMP.
const BARRIERS: [&[&str]; 2] = [&[RegionClass::MPI_BARRIER.sub], &["barrier", "implicit_barrier"]];

/// Rounding, as a share of an amount.
pub(crate) const TINY: f64 = 1e-12;

/// The part of synchronisation between tests for a message.
pub(crate) const TESTING: &str = "between_tests";
/// The part of synchronisation between tests in vain.
pub(crate) const POLLING: &str = "polling";
/// The part of control in which the recorder was off or wrote its buffers.
pub(crate) const RECORDER: &str = "recorder";
/// The part of loss in which units had no processor.
pub(crate) const NOT_RUNNING: &str = "not_running";
/// The part of loss by work of a single unit.
pub(crate) const UNPARALLELISED: &str = "unparallelised";
/// The part of loss by work of some units.
pub(crate) const PARTIAL: &str = "partial";
/// The part of loss by work that all units repeat.
pub(crate) const REPLICATED: &str = "replicated";

impl Ledger {
    /// The seconds in some call paths.
    pub(crate) fn new(spending: &Spending, paths: &[usize]) -> Self {
        let mut ledger = Ledger::default();
        for path in paths.iter().map(|&path| &spending.paths[path]) {
            ledger.add(path, spending);
        }
        ledger.withhold(&spending.code_of_units(paths));
        ledger.move_losses();
        ledger
    }

    /// Moves the time in which code does not compute out of the work.
    fn withhold(&mut self, code: &[Code]) {
        let sum = |seconds: fn(&Code) -> f64| code.iter().map(seconds).fold(0.0, |sum, of| sum + of);
        let parts = [
            (OverheadClass::Synchronisation, TESTING, sum(|code| code.testing)),
            (OverheadClass::Synchronisation, POLLING, sum(|code| code.polling)),
            (OverheadClass::Loss, NOT_RUNNING, sum(|code| code.not_running)),
        ];
        for (class, part, seconds) in parts {
            self.work -= seconds;
            self.book(class, part, seconds);
        }
    }

    fn add(&mut self, path: &Path, spending: &Spending) {
        self.book(OverheadClass::Control, RegionClass::FORK_JOIN.sub, path.forks_and_joins());
        self.work += path.code();
        self.book(OverheadClass::Loss, PARTIAL, path.limited);
        let lost = Lost::estimate(path, spending);
        if spending.knows_causes {
            for (caused, seconds) in self.caused.iter_mut().zip(path.delays) {
                *caused += lost.scaled_to(seconds);
            }
        } else {
            self.lost += lost;
        }
        // Outside parallel regions the other threads have nothing to do meanwhile.
        if path.is_code() {
            self.book(OverheadClass::Loss, UNPARALLELISED, path.idle);
            if path.idle > 0.0 && !spending.knows_idle {
                self.estimated.insert(UNPARALLELISED);
            }
            return;
        }
        let (class, part) = match path.class {
            _ if path.is_of_recorder => (OverheadClass::Control, RECORDER),
            None => (OverheadClass::Movement, ""),
            Some(of_path) => match of_path.class {
                Class::Communication | Class::Computation => (OverheadClass::Movement, of_path.sub),
                Class::Io => (OverheadClass::Movement, Class::Io.name()),
                Class::Synchronisation => (OverheadClass::Synchronisation, of_path.sub),
                _ => (OverheadClass::Control, of_path.sub),
            },
        };
        self.book(class, part, path.seconds() + path.idle);
    }

    fn book(&mut self, class: OverheadClass, part: &str, seconds: f64) {
        if seconds != 0.0 {
            *self.parts.entry((class, part.to_owned())).or_default() += seconds;
        }
    }

    /// Moves waits for units with work that the others lack from synchronisation to loss.
    fn move_losses(&mut self) {
        for (lost, barriers) in self.caused.into_iter().zip(BARRIERS) {
            self.move_loss(lost, |part| barriers.contains(&part));
        }
        let moved = self.move_loss(self.lost, |_| true);
        let parts = [(moved.alone, UNPARALLELISED), (moved.partial, PARTIAL)];
        self.estimated.extend(parts.into_iter().filter(|of| of.0 > 0.0).map(|of| of.1));
    }

    /// Moves these seconds of some parts of synchronisation, as far as they have so many; returns what was moved.
    fn move_loss(&mut self, lost: Lost, is_meant: impl Fn(&str) -> bool) -> Lost {
        let is_wait =
            |class: OverheadClass, part: &str| class == OverheadClass::Synchronisation && is_meant(part);
        let waits: f64 =
            self.parts.iter().filter(|part| is_wait(part.0.0, &part.0.1)).map(|part| part.1).sum();
        if lost.sum() <= 0.0 || waits <= 0.0 {
            return Lost::default();
        }
        let moved = lost.scaled_to(if lost.sum() < waits * (1.0 - TINY) { lost.sum() } else { waits });
        let left = 1.0 - moved.sum() / waits;
        let waits = self.parts.iter_mut().filter(|part| is_wait(part.0.0, &part.0.1));
        waits.for_each(|part| *part.1 = if left > TINY { *part.1 * left } else { 0.0 });
        self.parts.retain(|_, seconds| *seconds != 0.0);
        self.book(OverheadClass::Loss, UNPARALLELISED, moved.alone);
        self.book(OverheadClass::Loss, PARTIAL, moved.partial);
        moved
    }

    /// All its seconds.
    pub(crate) fn counted(&self) -> f64 {
        self.parts.values().sum::<f64>() + self.work
    }

    /// Divides work that the sequential program, which has `sequential` seconds of it, does not have: `replicated`
    /// seconds of it are repeated by all units. Returns what is less than in the sequential program, below 0.
    pub(crate) fn compare_work(&mut self, sequential: f64, replicated: f64) -> f64 {
        let extra = self.work - sequential;
        let tiny = TINY * self.work.max(sequential);
        if extra < -tiny {
            return extra;
        }
        let replicated = replicated.min(extra.max(0.0));
        self.book(OverheadClass::Loss, REPLICATED, replicated);
        if replicated > 0.0 {
            self.estimated.insert(REPLICATED);
        }
        if extra - replicated > tiny {
            self.book(OverheadClass::Additional, "computation", extra - replicated);
        }
        0.0
    }
}

/// Whether a region of this role divides work among threads.
pub(crate) fn divides_work(role: RegionRole) -> bool {
    matches!(role, RegionRole::Loop | RegionRole::Sections | RegionRole::Workshare | RegionRole::Parallel)
}
