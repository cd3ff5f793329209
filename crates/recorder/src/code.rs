//! Places in the code: a module, which is an executable or library, and an address in its file.
//!
//! Addresses in memory are turned into them when they are first seen, since another module may come to them once theirs
//! is unloaded.

use std::ffi::{CStr, OsStr};
use std::fs;
use std::ops::{ControlFlow, Range};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::loaded;
use crate::lock::lock;

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Code {
    /// An index of the modules that are known; none for an address that belongs to none.
    module: Option<u32>,
    /// The address in the module's file.
    pub(crate) offset: usize,
}

/// The file of an executable or library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Module {
    pub(crate) path: PathBuf,
    /// The file when code of it was first seen; none if it was not there.
    file: Option<File>,
}

/// Properties that tell a file from others of its name: device, inode, and the time of its last change.
type File = (u64, u64, i64, i64);

#[derive(Default)]
struct Known {
    modules: Vec<Module>,
    /// By the address that a call returns to.
    calls: FxHashMap<usize, Code>,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

impl Code {
    /// The place of a call that returns to this address, or will; none for 0.
    pub(crate) fn of_call(address: usize) -> Option<Self> {
        let call = address.checked_sub(1)?;
        let mut known = lock(&KNOWN);
        let Known { modules, calls } = known.get_or_insert_default();
        Some(*calls.entry(address).or_insert_with(|| Self::among(modules, call)))
    }

    /// The place at this address.
    pub(crate) fn from_address(address: usize) -> Self {
        Self::among(&mut lock(&KNOWN).get_or_insert_default().modules, address)
    }

    /// The place at this address, whose module is one of these from now on.
    fn among(modules: &mut Vec<Module>, address: usize) -> Self {
        let Some(Loaded { path, bias, .. }) = Loaded::from_address(address) else {
            return Code { module: None, offset: address };
        };
        let module = Module { file: file(&path), path };
        let index = modules.iter().position(|known| *known == module).unwrap_or_else(|| {
            modules.push(module);
            modules.len() - 1
        });
        Code { module: Some(index as u32), offset: address - bias }
    }

    /// The module that it belongs to.
    pub(crate) fn module(self) -> Option<Module> {
        Some(lock(&KNOWN).as_ref()?.modules[self.module? as usize].clone())
    }
}

/// Forgets the code at all addresses.
pub(crate) fn forget_addresses() {
    lock(&KNOWN).get_or_insert_default().calls.clear();
}

impl Module {
    /// The name of its file.
    pub(crate) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether its file is still the one that the code was loaded from.
    pub(crate) fn is_there(&self) -> bool {
        self.file.is_some() && file(&self.path) == self.file
    }
}

fn file(path: &Path) -> Option<File> {
    let about = fs::metadata(path).ok()?;
    Some((about.dev(), about.ino(), about.mtime(), about.mtime_nsec()))
}

/// The file of the program; also when its first thread, which `/proc/self` stands for, has ended.
pub(crate) fn program() -> PathBuf {
    fs::read_link("/proc/thread-self/exe").or_else(|_| std::env::current_exe()).unwrap_or_default()
}

/// The addresses of the executable or library that an address belongs to.
pub(crate) fn span(address: usize) -> Option<Range<usize>> {
    Some(Loaded::from_address(address)?.span)
}

/// Whether an address belongs to a library of MPI, or to one that it brings: UCX prints stacks as Open MPI does.
pub(crate) fn is_in_mpi(address: usize) -> bool {
    let loaded = Loaded::from_address(address);
    let name =
        loaded.as_ref().and_then(|loaded| loaded.path.file_name()).unwrap_or_default().to_string_lossy();
    ["libmpi", "libpmpi", "libopen-pal", "libopen-rte", "libucs"]
        .iter()
        .any(|library| name.starts_with(library))
}

/// An executable or library in memory.
struct Loaded {
    path: PathBuf,
    /// The difference of its addresses in memory from those in its file.
    bias: usize,
    /// Its addresses in memory.
    span: Range<usize>,
}

impl Loaded {
    fn from_address(address: usize) -> Option<Self> {
        let mut found = None;
        loaded::each(|module| {
            let begin = |header: &libc::Elf64_Phdr| module.bias() + header.p_vaddr as usize;
            let segments = || {
                let of_memory = module.headers().iter().filter(|header| header.p_type == libc::PT_LOAD);
                of_memory.map(|header| begin(header)..begin(header) + header.p_memsz as usize)
            };
            if !segments().any(|segment| segment.contains(&address)) {
                return ControlFlow::Continue(());
            }
            let first = segments().map(|segment| segment.start).min().unwrap_or_default();
            let last = segments().map(|segment| segment.end).max().unwrap_or_default();
            found = Some(Loaded { path: path(module.path()), bias: module.bias(), span: first..last });
            ControlFlow::Break(())
        });
        found
    }
}

fn path(name: &CStr) -> PathBuf {
    // The executable has none.
    if name.is_empty() {
        return program();
    }
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    // The program may change its folder.
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_belongs_to_the_module_that_holds_it() {
        let code = |function: *const ()| Code::of_call(function.addr() + 1).unwrap();
        let own = code(code_belongs_to_the_module_that_holds_it as fn() as *const ()).module().unwrap();
        assert_eq!((&own.path, own.is_there()), (&program(), true));
        assert_ne!(code(libc::getpid as *const ()).module().unwrap(), own);
        assert_eq!(Code::of_call(0x11), Some(Code { module: None, offset: 0x10 }));
        assert_eq!(Code::of_call(0), None);
    }

    #[test]
    fn a_file_that_another_has_replaced_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["library.so", "other.so"].map(|name| folder.path().join(name));
        fs::write(&path, "one").unwrap();
        let module = Module { file: file(&path), path: path.clone() };
        assert!(module.is_there());
        fs::write(&other, "two").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(!module.is_there());
        fs::remove_file(&path).unwrap();
        assert!(!module.is_there() && !Module { path, file: None }.is_there());
    }
}
