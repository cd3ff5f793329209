//! Places where time is spent, and the bases that call paths there continue.

use ats_model::CallPathId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The number of a visit that is no stop.
pub(crate) const NO_STOP: u32 = u32::MAX;

/// A place where time is spent: a location of the trace, and a path in that location's call tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) location: u32,
    pub(crate) path: CallPathId,
    /// The base that the path continues.
    pub(crate) base: Base,
}

/// For each location, the bases of its memberships ([`crate::records::threads::Threads::memberships`]), once known.
pub(crate) type BasesByLocation = FxHashMap<u32, Vec<Base>>;

impl Place {
    /// Gives it the base that is known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        if self.base.membership().is_some()
            && let Some(bases) = known.get(&self.location)
        {
            self.base = self.base.renumbered(bases);
        }
    }
}

/// The base of a location's call paths: none, in one of the phases of its run; a place, the entry of
/// [`crate::scan::Paths::bases`]; or, as long as the start of the team is not known, the location's part in that, an
/// entry of [`crate::records::threads::Threads::memberships`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Base(u32);

/// The first base that is a place; those before are phases.
const PLACES: u32 = 3;

/// Bases from here on are memberships.
const MEMBERSHIPS: u32 = 1 << 31;

impl Base {
    /// No base, between `MPI_Init` and `MPI_Finalize`, or in a trace without them.
    pub(crate) const NOTHING: Base = Base(0);

    /// No base, before the location leaves `MPI_Init`, if it ever does.
    pub(crate) const BEFORE_INIT: Base = Base(1);

    /// No base, from the location's entry into `MPI_Finalize` on.
    pub(crate) const AFTER_FINALIZE: Base = Base(2);

    pub(crate) fn of_place(place: u32) -> Self {
        Base(place + PLACES)
    }

    pub(crate) fn of_membership(membership: u32) -> Self {
        Base(MEMBERSHIPS | membership)
    }

    pub(crate) fn is_nothing(self) -> bool {
        self == Self::NOTHING
    }

    /// Whether it is nothing, in whichever phase: the location is in no team that another one started.
    pub(crate) fn is_phase(self) -> bool {
        self.0 < PLACES
    }

    /// An index into [`crate::scan::Paths::bases`].
    pub(crate) fn place(self) -> Option<usize> {
        if self.0 < MEMBERSHIPS { self.0.checked_sub(PLACES).map(|place| place as usize) } else { None }
    }

    /// An index into [`crate::records::threads::Threads::memberships`].
    pub(crate) fn membership(self) -> Option<usize> {
        self.0.checked_sub(MEMBERSHIPS).map(|membership| membership as usize)
    }

    /// The base, or none if the start of the team is not known.
    pub(crate) fn or_nothing(self) -> Self {
        if self.membership().is_some() { Base::NOTHING } else { self }
    }

    /// The base once more is known: by membership.
    pub(crate) fn renumbered(self, bases: &[Base]) -> Self {
        self.membership().map_or(self, |membership| bases[membership])
    }
}
