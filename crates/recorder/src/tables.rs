#![allow(unsafe_code, reason = "reads unwind tables that the dynamic linker has loaded")]
//! The unwind tables (`.eh_frame`) of an executable or library in memory.

use std::ops::{Deref, Range};

use framehop::{ExplicitModuleSectionInfo, Module};

use crate::loaded::Loaded;

/// The place of the tables, and what they are about. Addresses are those of the file.
pub(crate) struct Tables {
    /// The difference of the addresses in memory from those in the file.
    bias: u64,
    all: Range<u64>,
    text: Range<u64>,
    /// The index of the frames (`.eh_frame_hdr`).
    index: Range<u64>,
    frames: Range<u64>,
}

impl Tables {
    /// Those of a module; `None` if it has none.
    pub(crate) fn from_module(module: Loaded<'_>) -> Option<Self> {
        let of_kind = |kind| module.headers().iter().filter(move |header| header.p_type == kind);
        let span = |header: &libc::Elf64_Phdr| header.p_vaddr..header.p_vaddr + header.p_memsz;
        let loaded = || of_kind(libc::PT_LOAD).map(span);
        let text = of_kind(libc::PT_LOAD).find(|header| header.p_flags & libc::PF_X != 0).map(span)?;
        let index = span(of_kind(libc::PT_GNU_EH_FRAME).next()?);
        let bias = module.bias() as u64;
        // SAFETY: segments that are loaded can be read.
        let head = unsafe { bytes(bias, index.start..index.start.saturating_add(8).min(index.end)) };
        // The first field is the place of the frames, as linkers write it: four bytes relative to itself.
        const VERSION_AND_ENCODING: [u8; 2] = [1, 0x1b];
        if head.get(..2)? != VERSION_AND_ENCODING {
            return None;
        }
        let distance = i32::from_ne_bytes(head.get(4..8)?.try_into().ok()?);
        let frames = (index.start + 4).checked_add_signed(distance.into())?;
        let segment = loaded().find(|segment| segment.contains(&frames))?;
        let (first, last) = (loaded().map(|of| of.start).min()?, loaded().map(|of| of.end).max()?);
        Some(Tables { bias, all: first..last, text, index, frames: frames..segment.end })
    }

    /// The index of the frames, and the frames; what follows them in their segment, too.
    ///
    /// # Safety
    /// The module stays loaded as long as they are used.
    pub(crate) unsafe fn bytes(&self) -> [&'static [u8]; 2] {
        // SAFETY: segments that are loaded can be read.
        unsafe { [bytes(self.bias, self.index.clone()), bytes(self.bias, self.frames.clone())] }
    }

    /// The module, with its index and its frames.
    pub(crate) fn module<D: Deref<Target = [u8]> + Default>(self, [index, frames]: [D; 2]) -> Module<D> {
        Module::new(
            String::new(),
            self.bias + self.all.start..self.bias + self.all.end,
            self.bias,
            ExplicitModuleSectionInfo {
                base_svma: 0,
                text_svma: Some(self.text),
                eh_frame_svma: Some(self.frames),
                eh_frame: Some(frames),
                eh_frame_hdr_svma: Some(self.index),
                eh_frame_hdr: Some(index),
                ..ExplicitModuleSectionInfo::default()
            },
        )
    }
}

/// # Safety
/// The addresses of the file are loaded, and stay so.
unsafe fn bytes(bias: u64, at: Range<u64>) -> &'static [u8] {
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts((bias + at.start) as *const u8, (at.end - at.start) as usize) }
}
