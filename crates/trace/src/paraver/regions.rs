//! Regions among the events of a trace.

use ats_model::definitions::{Paradigm, Region};
use ats_model::event::RegionRef;
use ats_model::mpi::{Collective, Form, Function, Kind};
use ats_model::openmp::Construct;
use ats_model::regions::definition;
use rustc_hash::FxHashMap;

use super::kind;
use super::labels::Labels;

/// Facts about a region.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The type of its events.
    pub(super) kind: u32,
    pub(super) region: RegionRef,
    /// The function of MPI, if it is a known one.
    pub(super) function: Option<Function>,
    pub(super) is_mpi: bool,
}

impl Known {
    /// Whether it only starts to send.
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
    pub(super) labels: &'a Labels,
    constructs: FxHashMap<Construct, RegionRef>,
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
            constructs: FxHashMap::default(),
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

    /// The region of a construct of OpenMP.
    pub(super) fn construct(&mut self, construct: Construct) -> RegionRef {
        let definitions = &mut self.definitions;
        *self.constructs.entry(construct).or_insert_with(|| {
            definitions.push(definition(construct.region(), Paradigm::OpenMp));
            RegionRef(definitions.len() as u32 - 1)
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
        let known = Known { kind, region, function, is_mpi };
        self.known.insert((kind, value), known);
        known
    }
}
