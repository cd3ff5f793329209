//! Regions: those of MPI, by function and call site, those that the program marks, by name, functions
//! that the compiler has instrumented, and those of OpenMP, by
//! construct and place in the code.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ats_model::definitions::RegionRole;
use ats_model::event::RegionRef;
use ats_model::mpi::standard_name;
use ats_model::openmp::Construct;
use ats_model::regions;
use ats_trace::parts::{LocalContext, LocalRegion, Owner};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Code;
use crate::lock::lock;
use crate::outlined;
use crate::place::{self, Places};

/// The definition of the region that is known by a key.
fn define(key: &Key, places: &mut Places) -> LocalRegion {
    let region = |name: &str, owner: Owner| {
        let file = regions::source_file(owner.paradigm()).into();
        LocalRegion { name: name.into(), owner, role: None, file, line: 0, call_site: None }
    };
    match key {
        Key::Mpi(name, code, role) => {
            let call_site = code.map(|code| places.find(code).call_site());
            LocalRegion { role: *role, call_site, ..region(&standard_name(name), Owner::Mpi) }
        }
        Key::Program(name) => region(name, Owner::Program),
        Key::Function(code) => {
            let LocalContext { function, file, line, .. } = places.function(*code);
            LocalRegion { file, line, ..region(&function, Owner::Function) }
        }
        Key::OpenMp(construct, None) => region(construct.region(), Owner::OpenMp),
        Key::OpenMp(construct, Some(code)) => {
            let place = places.find(*code);
            let name = format!("{} @{place}", construct.region());
            LocalRegion { line: place.line, file: place.file, ..region(&name, Owner::OpenMp) }
        }
    }
}

/// A function of MPI. Its region is defined when it is entered first, and one more with each of its call sites, and with
/// each role that the requests give it that it completes.
#[derive(Debug)]
pub(crate) struct MpiRegion {
    name: &'static str,
    /// The regions without call sites, by role, beginning with that of its name; plus 1, and 0 if not defined.
    ids: [AtomicU32; 1 + RegionRole::ALL.len()],
}

impl MpiRegion {
    pub(crate) const fn new(name: &'static str) -> Self {
        MpiRegion { name, ids: [const { AtomicU32::new(0) }; 1 + RegionRole::ALL.len()] }
    }

    /// Its region where the call site is unknown; in a `role`, if that is not the one of its name.
    #[inline]
    pub(crate) fn reference(&self, role: Option<RegionRole>) -> RegionRef {
        let id = &self.ids[role.map_or(0, |role| 1 + role as usize)];
        match id.load(Ordering::Relaxed) {
            0 => self.define(id, role),
            defined => RegionRef(defined - 1),
        }
    }

    #[cold]
    fn define(&self, id: &AtomicU32, role: Option<RegionRole>) -> RegionRef {
        let region = self.called_at(0, role);
        id.store(region.0 + 1, Ordering::Relaxed);
        region
    }

    /// As [`MpiRegion::reference`], where a call of it returns to this address.
    #[cold]
    pub(crate) fn called_at(&self, address: usize, role: Option<RegionRole>) -> RegionRef {
        defined(Key::Mpi(self.name, Code::of_call(address), role))
    }
}

/// The key of a region in its process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// With its call, where that is known, and its role, if that is not the one of its name.
    Mpi(&'static str, Option<Code>, Option<RegionRole>),
    Program(Box<str>),
    /// With its begin.
    Function(Code),
    /// With the call of the runtime; none for those that have one region wherever they stand.
    OpenMp(Construct, Option<Code>),
}

#[derive(Default)]
struct Table {
    regions: Vec<Key>,
    ids: FxHashMap<Key, u32>,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

/// The region that the program marks by this name.
pub(crate) fn of_program(name: &str) -> RegionRef {
    defined(Key::Program(name.into()))
}

/// The region of the function that begins at this address.
pub(crate) fn of_function(address: usize) -> RegionRef {
    defined(Key::Function(Code::from_address(address)))
}

/// The region of a construct of OpenMP that called the runtime at this address; 0 for one that has one region wherever it
/// stands.
pub(crate) fn of_construct(construct: Construct, address: usize) -> RegionRef {
    defined(Key::OpenMp(construct, Code::of_call(address)))
}

fn defined(key: Key) -> RegionRef {
    let mut table = lock(&TABLE);
    let Table { regions, ids } = table.get_or_insert_default();
    RegionRef(*ids.entry(key).or_insert_with_key(|key| {
        regions.push(key.clone());
        regions.len() as u32 - 1
    }))
}

/// By region, whether it stands for calls of a function at one place or for one purpose.
pub(crate) fn are_calls() -> Vec<bool> {
    let is_call = |key: &Key| matches!(key, Key::Mpi(_, code, role) if code.is_some() || role.is_some());
    lock(&TABLE).as_ref().map(|table| table.regions.iter().map(is_call).collect()).unwrap_or_default()
}

/// The functions that compilers have made of blocks of OpenMP's constructs, as the stacks of calls have none of them, either.
///
/// Their names are looked up once.
pub(crate) fn blocks() -> FxHashSet<RegionRef> {
    static KNOWN: Mutex<(usize, Vec<RegionRef>)> = Mutex::new((0, Vec::new()));
    let mut known = lock(&KNOWN);
    let (seen, blocks) = &mut *known;
    let keys = lock(&TABLE).as_ref().map(|table| table.regions[*seen..].to_vec()).unwrap_or_default();
    let functions = (*seen as u32..).zip(&keys);
    let functions: Vec<(RegionRef, Code)> = functions
        .filter_map(|(region, key)| match key {
            Key::Function(code) => Some((RegionRef(region), *code)),
            _ => None,
        })
        .collect();
    if !functions.is_empty() {
        blocks.extend(place::aside(|| {
            let mut places = Places::default();
            let are_blocks =
                functions.iter().map(|&(_, code)| outlined::is_block(&places.function(code).function));
            let are_blocks: Vec<bool> = are_blocks.collect();
            functions
                .iter()
                .zip(are_blocks)
                .filter(|&(_, is_block)| is_block)
                .map(|(&(region, _), _)| region)
                .collect::<Vec<_>>()
        }));
    }
    *seen += keys.len();
    blocks.iter().copied().collect()
}

/// All regions of this process, with their places in the source; a [`RegionRef`] is an index into them.
pub(crate) fn regions() -> Vec<LocalRegion> {
    let keys = lock(&TABLE).as_ref().map(|table| table.regions.clone()).unwrap_or_default();
    let mut places = Places::default();
    keys.iter().map(|key| define(key, &mut places)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_defined_once_and_apart_for_mpi_and_the_program() {
        static REGION: MpiRegion = MpiRegion::new("MPI_Region_of_a_test");
        let mpi = REGION.reference(None);
        assert_eq!(
            (REGION.reference(None), defined(Key::Mpi("MPI_Region_of_a_test", None, None))),
            (mpi, mpi)
        );
        let own = of_program("MPI_Region_of_a_test");
        assert_ne!(own, mpi);
        let [mpi, own] = [mpi, own].map(|region| regions().swap_remove(region.0 as usize));
        assert_eq!((&mpi.name, mpi.owner), (&own.name, Owner::Mpi));
        assert_eq!((own.owner, own.file), (Owner::Program, String::new()));
        let in_role = REGION.reference(Some(RegionRole::FileIo));
        assert_eq!(REGION.reference(Some(RegionRole::FileIo)), in_role);
        let [file, usual] =
            [in_role, REGION.reference(None)].map(|region| regions().swap_remove(region.0 as usize));
        assert_eq!((&file.name, file.definition().role), (&usual.name, RegionRole::FileIo));
        assert_eq!(usual.definition().role, RegionRole::Function);
    }

    #[test]
    fn a_construct_is_defined_per_address_and_named_by_its_place() {
        let here = a_construct_is_defined_per_address_and_named_by_its_place as fn() as usize + 1;
        let region = of_construct(Construct::Barrier, here);
        assert_ne!(region, of_construct(Construct::Barrier, here + 1));
        assert_ne!(region, of_construct(Construct::Master, here));
        let defined = regions().swap_remove(region.0 as usize);
        assert!(defined.name.starts_with("!$omp barrier @region.rs:"), "{}", defined.name);
        assert_eq!(defined.definition().role, RegionRole::Barrier);
        let lock = of_construct(Construct::SetLock, 0);
        let lock = regions().swap_remove(lock.0 as usize);
        assert_eq!((lock.name.as_str(), lock.line), ("omp_set_lock", 0));
    }
}
