#![allow(unsafe_code, reason = "reads the dynamic linker's tables")]
//! The links of an executable or library that is loaded: what it uses of others, by name; and the files of modules.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use libc::{Elf64_Rela, Elf64_Sym};

use crate::loaded::Loaded;

/// An entry of a library's dynamic section.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: usize,
}

/// Tags of dynamic sections, from elf.h.
const DT_NULL: i64 = 0;
const DT_PLTRELSZ: i64 = 2;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
const DT_JMPREL: i64 = 23;

/// Hands every link to `visit`, with the name of what it leads to.
pub(crate) fn each(module: Loaded<'_>, visit: impl FnMut(*mut usize, &CStr)) {
    of_tables(module, &[CALLS, (DT_RELA, DT_RELASZ)], visit);
}

/// Hands every link that is there to be called to `visit`, with the name of what it leads to.
pub(crate) fn calls(module: Loaded<'_>, visit: impl FnMut(*mut usize, &CStr)) {
    of_tables(module, &[CALLS], visit);
}

/// The tags of the table of links that are there to be called, and of its size.
const CALLS: (i64, i64) = (DT_JMPREL, DT_PLTRELSZ);

fn of_tables(module: Loaded<'_>, tables: &[(i64, i64)], mut visit: impl FnMut(*mut usize, &CStr)) {
    let base = module.bias();
    let Some(dynamic) = module.headers().iter().find(|header| header.p_type == libc::PT_DYNAMIC) else {
        return;
    };
    // SAFETY: the headers say where the dynamic section is, which ends with DT_NULL.
    let section = unsafe {
        let mut entry = (base + dynamic.p_vaddr as usize) as *const Dynamic;
        let mut section = Vec::new();
        while (*entry).tag != DT_NULL {
            section.push(((*entry).tag, (*entry).value));
            entry = entry.add(1);
        }
        section
    };
    let value = |wanted| section.iter().find(|(tag, _)| *tag == wanted).map_or(0, |(_, value)| *value);
    let (symbols, strings) = (value(DT_SYMTAB) as *const Elf64_Sym, value(DT_STRTAB) as *const c_char);
    // The kernel's own library has addresses that are not added up.
    if (symbols as usize) < base || (strings as usize) < base {
        return;
    }
    for &(table, bytes) in tables {
        let (table, bytes) = (value(table), value(bytes));
        if table == 0 {
            continue;
        }
        // SAFETY: the section says where the tables are and how long; symbols and strings are those that they refer to.
        unsafe {
            let links =
                std::slice::from_raw_parts(table as *const Elf64_Rela, bytes / size_of::<Elf64_Rela>());
            for link in links {
                let symbol = &*symbols.add((link.r_info >> 32) as usize);
                let name = CStr::from_ptr(strings.add(symbol.st_name as usize));
                visit((base + link.r_offset as usize) as *mut usize, name);
            }
        }
    }
}

/// Makes the link's page writable, as it was while the library was loaded, and changes the link.
///
/// # Safety
/// `link` holds the address of a function, and the new one can be called in its place. The program has not begun.
pub(crate) unsafe fn set(link: *mut usize, address: usize) {
    // SAFETY: the page is the link's, and nobody else uses the link now.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = (link as usize & !(page - 1)) as *mut c_void;
        if libc::mprotect(start, page, libc::PROT_READ | libc::PROT_WRITE) == 0 {
            *link = address;
        }
    }
}

/// The recorder's own file. The function is none that another library may have, too.
pub(crate) fn recorder() -> Option<PathBuf> {
    file_of(recorder as *const c_void)
}

/// The executable or library that an address belongs to.
pub(crate) fn file_of(address: *const c_void) -> Option<PathBuf> {
    // SAFETY: a plain C structure, filled in by the linker, whose names are C strings.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(address, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        Some(OsStr::from_bytes(CStr::from_ptr(info.dli_fname).to_bytes()).into())
    }
}
