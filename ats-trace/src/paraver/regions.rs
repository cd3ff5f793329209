//! Which events of a trace are regions, and which.

use ats_model::definitions::{Paradigm, Region};
use ats_model::event::RegionRef;
use ats_model::mpi::{Collective, Form, Function, Kind};
use ats_model::openmp::Construct;
use ats_model::regions::definition;
use rustc_hash::FxHashMap;

use super::labels::Labels;

/// The types of events that Extrae writes, from its `events.h` and `MPI_EventEncoding.h`.
pub(super) mod kind {
    use std::ops::RangeInclusive;

    /// Calls of MPI: messages, collective operations, others, one-sided ones, files.
    pub(in crate::paraver) const MPI: RangeInclusive<u32> = 50_000_001..=50_000_005;
    /// Functions of the program that were instrumented.
    pub(in crate::paraver) const USER_FUNCTION: u32 = 60_000_019;
    /// Of a collective operation: bytes that are sent, and received, whether this is its root, and its communicator.
    pub(in crate::paraver) const SENT: u32 = 50_100_001;
    pub(in crate::paraver) const RECEIVED: u32 = 50_100_002;
    pub(in crate::paraver) const ROOT: u32 = 50_100_003;
    pub(in crate::paraver) const COMMUNICATOR: u32 = 50_100_004;
    /// OpenMP, as Extrae 5 and as those before it have it.
    pub(in crate::paraver) const OPENMP: [RangeInclusive<u32>; 2] =
        [60_000..=60_999, 60_000_001..=60_000_018];
    /// What else is Extrae's own: synchronisation, and all from samples on up to the lines of callers.
    pub(in crate::paraver) const OWN: [RangeInclusive<u32>; 2] = [1_000..=1_001, 30_000_000..=89_999_999];
}

/// What is known of a region.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) region: RegionRef,
    /// Which call of MPI it is, if it is one that is known.
    pub(super) function: Option<Function>,
    pub(super) is_mpi: bool,
}

impl Known {
    /// Whether it only starts what it sends.
    pub(super) fn starts_send(self) -> bool {
        self.function.is_some_and(|function| match function.kind() {
            Kind::Send(_) | Kind::SendReceive => function.form() != Form::Blocking,
            kind => kind == Kind::Start,
        })
    }

    /// The collective operation that it is from beginning to end.
    pub(super) fn collective(self) -> Option<Collective> {
        self.function.filter(|function| function.form() == Form::Blocking)?.collective()
    }
}

/// The regions of a trace.
pub(super) struct Regions<'a> {
    labels: &'a Labels,
    known: FxHashMap<(u32, u64), Known>,
    /// As [`RegionRef`] counts them.
    pub(super) definitions: Vec<Region>,
    /// Calls of MPI that have no name.
    pub(super) unnamed_calls: usize,
    are_regions: FxHashMap<u32, bool>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(labels: &'a Labels) -> Self {
        Regions {
            labels,
            known: FxHashMap::default(),
            definitions: Vec::new(),
            unnamed_calls: 0,
            are_regions: FxHashMap::default(),
        }
    }

    /// Whether events of this type enter and leave regions: calls of MPI, functions, and what the program marks itself, by a
    /// type of its own whose value 0 is called `End`.
    pub(super) fn are_regions(&mut self, kind: u32) -> bool {
        let labels = self.labels;
        *self.are_regions.entry(kind).or_insert_with(|| {
            let is_own = kind::OWN.iter().chain(&kind::OPENMP).any(|own| own.contains(&kind));
            let is_marked = || labels.value(kind, 0).is_some_and(|name| name.eq_ignore_ascii_case("end"));
            kind::MPI.contains(&kind) || kind == kind::USER_FUNCTION || !is_own && is_marked()
        })
    }

    /// The region that a value of such a type stands for.
    pub(super) fn known(&mut self, kind: u32, value: u64) -> Known {
        if let Some(known) = self.known.get(&(kind, value)) {
            return *known;
        }
        let name = self.labels.value(kind, value);
        let is_mpi = kind::MPI.contains(&kind);
        self.unnamed_calls += usize::from(is_mpi && name.is_none());
        let name = name.map_or_else(|| format!("{kind}:{value}"), str::to_owned);
        let paradigm = match Construct::of_region(&name) {
            _ if is_mpi => Paradigm::Mpi,
            Some(_) => Paradigm::OpenMp,
            None => Paradigm::User,
        };
        let function = is_mpi.then(|| Function::of_spelling(&name)).flatten();
        let region = RegionRef(self.definitions.len() as u32);
        self.definitions.push(definition(&name, paradigm));
        let known = Known { region, function, is_mpi };
        self.known.insert((kind, value), known);
        known
    }
}
