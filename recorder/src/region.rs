//! Regions by name: those of MPI, one per function, and those that the program marks.

use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ats_model::definitions::{Paradigm, RegionRole};
use ats_model::event::RegionRef;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::buffer::lock;

/// A region as this process defines it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Defined {
    pub(crate) name: String,
    /// Whether it is a function of MPI, else the program's.
    pub(crate) mpi: bool,
}

impl Defined {
    pub(crate) fn definition(&self) -> ats_model::definitions::Region {
        let (role, paradigm) = match self.mpi {
            true => (role(&self.name), Paradigm::Mpi),
            false => (RegionRole::Function, Paradigm::User),
        };
        let file = if self.mpi { "MPI".to_owned() } else { String::new() };
        ats_model::definitions::Region { name: self.name.clone(), file, line: 0, role, paradigm }
    }
}

/// The region of a function of MPI, defined when it is entered first.
pub(crate) struct MpiRegion {
    name: &'static str,
    id: AtomicU32,
}

const UNDEFINED: u32 = u32::MAX;

impl MpiRegion {
    pub(crate) const fn new(name: &'static str) -> Self {
        MpiRegion { name, id: AtomicU32::new(UNDEFINED) }
    }

    #[inline]
    pub(crate) fn reference(&self) -> RegionRef {
        match self.id.load(Ordering::Relaxed) {
            UNDEFINED => self.define(),
            id => RegionRef(id),
        }
    }

    #[cold]
    fn define(&self) -> RegionRef {
        let region = defined(self.name, true);
        self.id.store(region.0, Ordering::Relaxed);
        region
    }
}

#[derive(Default)]
struct Table {
    regions: Vec<Defined>,
    ids: FxHashMap<(bool, String), u32>,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

/// The region of this name.
pub(crate) fn defined(name: &str, mpi: bool) -> RegionRef {
    let mut table = lock(&TABLE);
    let Table { regions, ids } = table.get_or_insert_default();
    match ids.entry((mpi, name.to_owned())) {
        Entry::Occupied(known) => RegionRef(*known.get()),
        Entry::Vacant(new) => {
            regions.push(Defined { name: name.to_owned(), mpi });
            RegionRef(*new.insert(regions.len() as u32 - 1))
        }
    }
}

/// All regions of this process; a [`RegionRef`] is an index into them.
pub(crate) fn all() -> Vec<Defined> {
    lock(&TABLE).as_ref().map(|table| table.regions.clone()).unwrap_or_default()
}

/// What a function of MPI does.
fn role(name: &str) -> RegionRole {
    let operation = name.strip_prefix("MPI_").unwrap_or(name);
    match operation {
        "Barrier" => RegionRole::Barrier,
        "Bcast" | "Scatter" | "Scatterv" => RegionRole::CollOneToAll,
        "Reduce" | "Gather" | "Gatherv" => RegionRole::CollAllToOne,
        "Allreduce"
        | "Allgather"
        | "Allgatherv"
        | "Alltoall"
        | "Alltoallv"
        | "Alltoallw"
        | "Reduce_scatter"
        | "Reduce_scatter_block" => RegionRole::CollAllToAll,
        "Scan" | "Exscan" => RegionRole::CollOther,
        _ if operation.starts_with("File_") => RegionRole::FileIo,
        _ if operation.starts_with("Win_") => RegionRole::Rma,
        "Put" | "Get" | "Accumulate" | "Get_accumulate" | "Fetch_and_op" | "Compare_and_swap" | "Rput"
        | "Rget" | "Raccumulate" | "Rget_accumulate" => RegionRole::Rma,
        "Send" | "Ssend" | "Bsend" | "Rsend" | "Isend" | "Issend" | "Ibsend" | "Irsend" | "Recv"
        | "Irecv" | "Mrecv" | "Imrecv" | "Probe" | "Iprobe" | "Mprobe" | "Improbe" | "Sendrecv"
        | "Sendrecv_replace" | "Send_init" | "Ssend_init" | "Bsend_init" | "Rsend_init" | "Recv_init" => {
            RegionRole::PointToPoint
        }
        _ => RegionRole::Function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_defined_once_and_apart_for_mpi_and_the_program() {
        static REGION: MpiRegion = MpiRegion::new("MPI_Region_of_a_test");
        let mpi = REGION.reference();
        assert_eq!((REGION.reference(), defined("MPI_Region_of_a_test", true)), (mpi, mpi));
        let own = defined("MPI_Region_of_a_test", false);
        assert_ne!(own, mpi);
        assert_eq!(all()[own.0 as usize], Defined { name: "MPI_Region_of_a_test".into(), mpi: false });
    }

    #[test]
    fn roles_are_those_of_otf2() {
        let expected = [
            ("MPI_Barrier", RegionRole::Barrier),
            ("MPI_Gatherv", RegionRole::CollAllToOne),
            ("MPI_Exscan", RegionRole::CollOther),
            ("MPI_File_open", RegionRole::FileIo),
            ("MPI_Win_fence", RegionRole::Rma),
            ("MPI_Isend", RegionRole::PointToPoint),
            ("MPI_Waitall", RegionRole::Function),
        ];
        for (name, expected) in expected {
            assert_eq!(role(name), expected, "{name}");
        }
    }
}
