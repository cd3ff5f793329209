//! Files with the debugging information of executables and libraries that have none themselves.
//!
//! Distributions and `objcopy --only-keep-debug` put it into files of their own. An executable names its file by its build
//! id, below the system's folder of such files, or by a link: a name, and the checksum of the file ([GDB's manual],
//! "Debugging Information in Separate Files").
//!
//! [GDB's manual]: https://sourceware.org/gdb/current/onlinedocs/gdb.html/Separate-Debug-Files.html

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSection, ReadCache};

/// The system's folder of such files.
const SYSTEM: &str = "/usr/lib/debug";
/// The folder of such files beside a program.
const BESIDE: &str = ".debug";

/// The file with the debugging information of an executable or library: itself, or another one, if that belongs to it.
pub(crate) fn path(module: &Path) -> PathBuf {
    separate(module).unwrap_or_else(|| module.to_owned())
}

fn separate(module: &Path) -> Option<PathBuf> {
    let cache = ReadCache::new(File::open(module).ok()?);
    let file = object::File::parse(&cache).ok()?;
    if has_lines(&file) {
        return None;
    }
    let id = file.build_id().ok()?;
    let of_id = id.and_then(|id| {
        let digits: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let (first, rest) = digits.split_at_checked(2)?;
        Some(Path::new(SYSTEM).join(".build-id").join(first).join(format!("{rest}.debug")))
    });
    let link = file.gnu_debuglink().ok()?;
    let folder = module.parent()?;
    let linked = link.into_iter().flat_map(|(name, _)| {
        let name = Path::new(OsStr::from_bytes(name));
        let below_root = folder.strip_prefix("/").unwrap_or(folder);
        [folder.join(name), folder.join(BESIDE).join(name), Path::new(SYSTEM).join(below_root).join(name)]
    });
    let belongs = |path: &PathBuf| belongs(path, id, link.map(|(_, checksum)| checksum)).unwrap_or(false);
    of_id.into_iter().chain(linked).filter(|path| path != module).find(belongs)
}

fn has_lines<'data>(file: &impl Object<'data>) -> bool {
    file.section_by_name(".debug_info").is_some_and(|section| section.size() > 0)
}

/// Whether a file has the debugging information of a module with this build id and checksum. An id says more than a
/// checksum, which takes reading the whole file.
fn belongs(path: &Path, id: Option<&[u8]>, checksum: Option<u32>) -> Option<bool> {
    let cache = ReadCache::new(File::open(path).ok()?);
    let file = object::File::parse(&cache).ok()?;
    if !has_lines(&file) {
        return Some(false);
    }
    match (id, file.build_id().ok()?) {
        (Some(of_module), Some(own)) => Some(of_module == own),
        _ => Some(crc32fast::hash(&std::fs::read(path).ok()?) == checksum?),
    }
}
