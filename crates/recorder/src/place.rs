//! From a call in the code to its place in the source.
//!
//! A construct of OpenMP is a call of the runtime.

use std::fmt;

use addr2line::{Loader, demangle_auto};
use ats_model::CallSite;
use ats_trace::parts::LocalContext;
use rustc_hash::FxHashMap;

use crate::code::{Code, Module};
use crate::debug_file;

/// The crates whose functions are not where a call stands: they are inlined into the function that calls them.
const WRAPPERS: [&str; 2] = ["ats-mpi", "ats-omp"];
/// The bindings of MPI for Rust, which come from a registry: a folder `mpi` may be that of a program.
const BINDINGS: &str = "mpi";

/// A place in the source; without debugging information one in the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The source file; empty where unknown.
    pub(crate) file: String,
    /// 0 where unknown.
    pub(crate) line: u32,
    /// The function in the source, if there is a line.
    function: Option<String>,
    /// The function in the code, and the distance from its beginning.
    symbol: Option<(String, u64)>,
    /// The executable or library, and the distance from its beginning.
    module: String,
    offset: usize,
}

impl Place {
    /// The place as that of a call.
    pub(crate) fn call_site(self) -> CallSite {
        let Place { file, line, function, symbol, module, offset } = self;
        let function = match (line, function, symbol) {
            (1.., Some(function), _) => function,
            (1.., None, Some((symbol, _))) => symbol,
            (0, _, Some((symbol, offset))) => format!("{symbol}+{offset:#x}"),
            (_, _, None) => format!("{module}+{offset:#x}"),
        };
        CallSite { function, file, line }
    }
}

/// `heat.c:17`, or `heat+0x1150`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}+{:#x}", self.module, self.offset)
        } else {
            write!(f, "{}:{}", name(&self.file), self.line)
        }
    }
}

/// A path's last part.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Finds places; keeps what it has read of executables and libraries.
#[derive(Default)]
pub(crate) struct Places(FxHashMap<Module, Option<Loader>>);

impl Places {
    /// The name of a module, and its functions and lines, if its file can still be read.
    fn read(&mut self, module: Module) -> (String, Option<&Loader>) {
        let name = module.name();
        let read = |module: &Module| {
            module.is_there().then(|| Loader::new(debug_file::path(&module.path)).ok()).flatten()
        };
        (name, self.0.entry(module).or_insert_with_key(read).as_ref())
    }

    /// The place of a call.
    pub(crate) fn find(&mut self, code: Code) -> Place {
        let offset = code.offset;
        let Some(module) = code.module() else { return Place { offset, ..Place::default() } };
        let (module, loader) = self.read(module);
        let place = Place { module, offset, ..Place::default() };
        let Some(loader) = loader else { return place };
        let symbol = loader.find_symbol_info(offset as u64);
        let symbol = symbol.map(|symbol| (demangled(symbol.name()), offset as u64 - symbol.address()));
        let (file, line, function) = source(loader, offset as u64).unwrap_or_default();
        Place { file, line, function, symbol, ..place }
    }

    /// The functions that a call stands in, with the places of the calls: the outermost first, with those inlined into
    /// it. None if it is of a library that programs run on, or of a wrapper.
    pub(crate) fn frames(&mut self, code: Code) -> Vec<LocalContext> {
        let Some(module) = code.module() else { return Vec::new() };
        if is_below_programs(&module.name()) {
            return Vec::new();
        }
        let mut lines = self.lines(module, code.offset);
        lines.retain(|frame| {
            let is_start = frame.line == 0 && frame.function == START;
            !is_start && !is_of_wrappers(&frame.file) && !is_of_language(&frame.file)
        });
        lines
    }

    /// The function that begins here, with its place.
    pub(crate) fn function(&mut self, code: Code) -> LocalContext {
        match code.module() {
            Some(module) => self.lines(module, code.offset).swap_remove(0),
            None => context(format!("{:#x}", code.offset), "", 0),
        }
    }

    /// The function at this place, with those inlined into it, the outermost first; without debugging information the function
    /// alone.
    fn lines(&mut self, module: Module, offset: usize) -> Vec<LocalContext> {
        let (module, loader) = self.read(module);
        let symbol = loader.and_then(|loader| loader.find_symbol(offset as u64)).map(demangled);
        let mut lines = Vec::new();
        let mut found = loader.and_then(|loader| loader.find_frames(offset as u64).ok());
        while let Some(Ok(Some(frame))) = found.as_mut().map(|found| found.next()) {
            let function = frame.function.and_then(|function| Some(of_module(&function.demangle().ok()?)));
            let place = frame.location.and_then(|place| Some((place.file?, place.line?)));
            if let (Some(function), Some((file, line))) = (function.or_else(|| symbol.clone()), place) {
                lines.push(context(function, file, line));
            }
        }
        if lines.is_empty() {
            lines.push(context(symbol.unwrap_or_else(|| format!("{module}+{offset:#x}")), "", 0));
        }
        lines.reverse();
        lines
    }
}

/// A place in a function.
fn context(function: String, file: &str, line: u32) -> LocalContext {
    LocalContext { function, file: file.to_owned(), line, parent: None }
}

/// Whether a file is of the standard library of Rust or C++, as debugging information names them.
fn is_of_language(file: &str) -> bool {
    file.starts_with("/rustc/") || file.contains("/include/c++/")
}

/// The function that the linker lets programs begin with.
const START: &str = "_start";

/// The libraries that programs run on, and interpreters: their functions between those of a program say nothing of it.
const BELOW_PROGRAMS: [&str; 30] = [
    // The module of mpi4py that calls MPI, and that of Python that calls libraries in C, by which it does.
    "MPI.abi3",
    "MPI.cpython-",
    "_ctypes.cpython-",
    "ld-",
    "libats_recorder",
    "libc++",
    "libc-",
    "libc.",
    "libevent",
    "libffi",
    "libgcc_s",
    "libgfortran",
    "libgomp",
    "libhwloc",
    "libiomp",
    "libm-",
    "libm.",
    "libmpi",
    "libmvec",
    "libomp",
    "libopen-pal",
    "libopen-rte",
    "libpmix",
    "libpmpi",
    "libpthread",
    "libpython",
    "libstdc++",
    "linux-vdso",
    // Parts of Open MPI.
    "mca_",
    "python",
];

pub(crate) fn is_below_programs(module: &str) -> bool {
    BELOW_PROGRAMS.iter().any(|library| module.starts_with(library))
}

/// File, line and name of the innermost function that is not a wrapper.
fn source(loader: &Loader, address: u64) -> Option<(String, u32, Option<String>)> {
    let mut frames = loader.find_frames(address).ok()?;
    let mut found = None;
    while let Ok(Some(frame)) = frames.next() {
        if let Some(location) = frame.location
            && let (Some(file), Some(line)) = (location.file, location.line)
        {
            let function = frame.function.and_then(|function| Some(of_module(&function.demangle().ok()?)));
            found = Some((file.to_owned(), line, function));
            if !is_of_wrappers(file) {
                break;
            }
        }
    }
    found
}

fn demangled(symbol: &str) -> String {
    of_module(&demangle_auto(symbol.into(), None))
}

/// The name of a procedure of a Fortran module as it is in C++: gfortran calls it `__steps_MOD_halo`.
fn of_module(symbol: &str) -> String {
    let procedure = symbol.strip_prefix("__").and_then(|name| name.split_once("_MOD_"));
    procedure.map_or_else(|| symbol.to_owned(), |(module, name)| format!("{module}::{name}"))
}

/// Whether a file is of a crate of wrappers: `…/ats-omp/src/…`, or `…/ats-omp-0.1.0/src/…` from a registry. Debugging
/// information may have no names of functions that are inlined, but always their files.
fn is_of_wrappers(file: &str) -> bool {
    let is_a_version = |rest: &str| {
        rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_its_folder = |folder: &str| {
        let is_of = |crate_name| folder.strip_prefix(crate_name).is_some_and(is_a_version);
        WRAPPERS.contains(&folder) || WRAPPERS.into_iter().chain([BINDINGS]).any(is_of)
    };
    file.split('/')
        .zip(file.split('/').skip(1))
        .any(|(folder, inner)| inner == "src" && is_its_folder(folder))
}

/// Bytes of stack for reading debugging information; a thread of the program may have less.
const STACK: usize = 1 << 20;

/// Looks for places on a thread of its own, if there can be one.
pub(crate) fn aside<T: Send>(work: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => work(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers_are_known_by_their_files() {
        for (file, expected) in [
            ("/home/u/ats/ats-omp/src/openmp/thread.rs", true),
            ("ats-omp/src/team.rs", true),
            ("ats-mpi/src/real.rs", true),
            ("/home/u/.cargo/registry/src/index/ats-omp-0.1.0/src/team.rs", true),
            ("/home/u/.cargo/registry/src/index/mpi-0.8.2/src/collective.rs", true),
            ("/home/u/mpi/src/main.rs", false),
            ("/home/u/ats/ats-props/src/openmp/imbalance.rs", false),
            ("/home/u/ats-omp/heat.c", false),
            ("/home/u/ats-omp-heat/src/main.rs", false),
        ] {
            assert_eq!(is_of_wrappers(file), expected, "{file}");
        }
    }

    #[test]
    fn procedures_of_fortran_modules_are_named_as_in_the_source() {
        for (symbol, name) in
            [("__steps_MOD_halo", "steps::halo"), ("halo_", "halo_"), ("MAKE_MOD_X", "MAKE_MOD_X")]
        {
            assert_eq!(demangled(symbol), name);
        }
    }

    #[test]
    fn an_address_that_is_nowhere_is_a_number() {
        assert_eq!(Places::default().find(Code::of_call(0x11).unwrap()).to_string(), "+0x10");
    }
}
