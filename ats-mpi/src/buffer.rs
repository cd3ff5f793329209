#![allow(unsafe_code, reason = "message memory is shared with MPI while a call is pending")]
//! Message buffers: the report's `mpi_buf_t` and `mpi_vbuf_t` (section 3.1.3).

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use crate::{Column, Counts, Datatype, DerivedType};

/// The default type and count of messages, `set_base_comm` in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseComm {
    /// Type of an element.
    pub datatype: Datatype,
    /// The number of elements of a message.
    pub count: usize,
}

impl Default for BaseComm {
    /// One `MPI_INT`.
    fn default() -> Self {
        BaseComm { datatype: Datatype::Int, count: 1 }
    }
}

/// Memory of a message, shared between the program and pending calls. Made by [`crate::Communicator::allocate`], or
/// borrowed.
///
/// Every thread may read and write it at any time: its bytes are accessed atomically, one by one. A read while a
/// pending call receives into it yields any mixture of old and new bytes, and it is left open whether a pending call
/// sends bytes that are written meanwhile, as MPI has it. For borrowed memory all of this is the promise of
/// [`Memory::borrowed`]'s caller.
#[derive(Clone, Debug)]
pub struct Memory {
    bytes: usize,
    data: Option<Arc<Data>>,
}

#[derive(Debug)]
enum Data {
    /// With the number of pending calls that use it.
    Owned(Box<[UnsafeCell<u64>]>, AtomicUsize),
    /// The same.
    Lent(*mut u8, AtomicUsize),
    Borrowed(*mut u8),
}

// SAFETY: all that Rust does with the memory is atomic (`Memory::cells`). MPI, which is beyond Rust, gets its address
// alone.
unsafe impl Sync for Data {}
// SAFETY: plain memory.
unsafe impl Send for Data {}

impl Memory {
    /// A length without memory behind it, for an engine that moves no data.
    pub fn length_only(bytes: usize) -> Self {
        Memory { bytes, data: None }
    }

    /// Zeroed memory, aligned to eight bytes.
    pub fn zeroed(bytes: usize) -> Self {
        let words = (0..bytes.div_ceil(8)).map(|_| UnsafeCell::new(0)).collect();
        Memory { bytes, data: Some(Arc::new(Data::Owned(words, AtomicUsize::new(0)))) }
    }

    /// Borrowed memory: a buffer of a program in another language.
    ///
    /// # Safety
    /// At `at` are `bytes` initialised bytes, for as long as this or a copy of it lives. No other code touches them
    /// while a call on them is pending, or one of the functions of this or of a buffer over it is run.
    pub unsafe fn borrowed(at: *mut u8, bytes: usize) -> Self {
        Memory { bytes, data: Some(Arc::new(Data::Borrowed(at))) }
    }

    /// The same, where its contents mean nothing to the program: an engine may write into it.
    ///
    /// # Safety
    /// As for [`Memory::borrowed`].
    pub unsafe fn lent(at: *mut u8, bytes: usize) -> Self {
        Memory { bytes, data: Some(Arc::new(Data::Lent(at, AtomicUsize::new(0)))) }
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Its address; null for a length only.
    pub fn as_ptr(&self) -> *mut u8 {
        match self.data.as_deref() {
            Some(Data::Owned(words, _)) => UnsafeCell::raw_get(words.as_ptr()).cast(),
            Some(Data::Lent(at, _) | Data::Borrowed(at)) => *at,
            None => std::ptr::null_mut(),
        }
    }

    /// The number of its owners.
    #[cfg(all(test, feature = "real"))]
    pub(crate) fn owners(&self) -> usize {
        self.data.as_ref().map_or(0, Arc::strong_count)
    }

    /// Whether an engine may write into it: it is the engine's own or lent to it, and no pending call uses it.
    pub fn is_free(&self) -> bool {
        self.pending().is_some_and(|pending| pending.load(Ordering::Relaxed) == 0)
    }

    /// A call on it becomes pending.
    pub fn hold(&self) {
        if let Some(pending) = self.pending() {
            pending.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A pending call on it is complete.
    pub fn release(&self) {
        if let Some(pending) = self.pending() {
            pending.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn pending(&self) -> Option<&AtomicUsize> {
        match self.data.as_deref()? {
            Data::Owned(_, pending) | Data::Lent(_, pending) => Some(pending),
            Data::Borrowed(_) => None,
        }
    }

    /// Its bytes; none for a length only.
    fn cells(&self) -> &[AtomicU8] {
        match self.as_ptr() {
            at if at.is_null() => &[],
            // SAFETY: there are `bytes` initialised bytes as long as `self` lives, which nobody has as plain ones.
            at => unsafe { std::slice::from_raw_parts(at.cast(), self.bytes) },
        }
    }

    /// A copy of its bytes; empty for a length only.
    pub fn to_vec(&self) -> Vec<u8> {
        self.cells().iter().map(|cell| cell.load(Ordering::Relaxed)).collect()
    }

    /// Fills it with `bytes`, repeated; does nothing for a length only.
    pub fn fill(&self, bytes: &[u8]) {
        self.cells()
            .iter()
            .zip(bytes.iter().cycle())
            .for_each(|(cell, &byte)| cell.store(byte, Ordering::Relaxed));
    }
}

/// A buffer of `count` elements (`mpi_buf_t`).
///
/// Its fields are private and stay valid, because an engine hands them to MPI.
/// ```compile_fail,E0616
/// # use ats_mpi::{Datatype, Memory, MpiBuf};
/// let mut buf = MpiBuf::new(Memory::zeroed(4), Datatype::Int, 1);
/// buf.count = 1_000_000;
/// ```
#[derive(Clone, Debug)]
pub struct MpiBuf {
    memory: Memory,
    datatype: Datatype,
    count: usize,
    column: Option<Arc<(Column, DerivedType)>>,
}

impl MpiBuf {
    /// A buffer over memory that is large enough.
    ///
    /// # Panics
    /// The memory is too small.
    pub fn new(memory: Memory, datatype: Datatype, count: usize) -> Self {
        let bytes = datatype.bytes(count);
        assert!(
            memory.len() >= bytes,
            "a buffer of {count} {} needs {bytes} bytes, its memory has {}",
            datatype.name(),
            memory.len()
        );
        MpiBuf { memory, datatype, count, column: None }
    }

    /// A buffer over a column in memory that is large enough, with the type that the engine has made for it.
    ///
    /// # Panics
    /// The memory is too small.
    pub(crate) fn of_column(memory: Memory, column: Column, derived: DerivedType) -> Self {
        let Column { datatype, count, .. } = column;
        let (needs, has) = (column.extent_bytes(), memory.len());
        assert!(has >= needs, "a column needs {needs} bytes, its memory has {has}");
        MpiBuf { memory, datatype, count, column: Some(Arc::new((column, derived))) }
    }

    /// The column that it is, if messages from and into it are of a derived type.
    pub fn column(&self) -> Option<&Column> {
        self.column.as_deref().map(|(column, _)| column)
    }

    /// The derived type of its column.
    #[cfg(feature = "real")]
    pub(crate) fn derived(&self) -> Option<&DerivedType> {
        self.column.as_deref().map(|(_, derived)| derived)
    }

    /// Its memory, which may be larger.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Type of an element.
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Bytes of its elements.
    pub fn bytes(&self) -> usize {
        self.count * self.datatype.size()
    }

    /// Writes an element: the number, or its lowest bits into a byte. Does nothing to a length only.
    ///
    /// # Panics
    /// There is no such element.
    pub fn set(&self, at: usize, number: u64) {
        match self.datatype {
            Datatype::Byte => self.write(at, (number as u8).to_ne_bytes()),
            Datatype::Int => self.write(at, (number as i32).to_ne_bytes()),
            Datatype::Double => self.write(at, (number as f64).to_ne_bytes()),
        }
    }

    /// The bits of an element; 0 of a length only.
    ///
    /// # Panics
    /// There is no such element.
    pub fn get(&self, at: usize) -> u64 {
        match self.datatype {
            Datatype::Byte => u8::from_ne_bytes(self.read(at)).into(),
            Datatype::Int => u32::from_ne_bytes(self.read(at)).into(),
            Datatype::Double => u64::from_ne_bytes(self.read(at)),
        }
    }

    fn write<const N: usize>(&self, at: usize, element: [u8; N]) {
        self.element(at).iter().zip(element).for_each(|(cell, byte)| cell.store(byte, Ordering::Relaxed));
    }

    fn read<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut element = [0; N];
        element
            .iter_mut()
            .zip(self.element(at))
            .for_each(|(byte, cell)| *byte = cell.load(Ordering::Relaxed));
        element
    }

    /// The bytes of an element; none of a length only.
    fn element(&self, at: usize) -> &[AtomicU8] {
        assert!(at < self.count, "element {at} of a buffer of {}", self.count);
        let (size, stride) = (self.datatype.size(), self.column().map_or(1, |column| column.stride));
        match self.memory.cells() {
            [] => &[],
            cells => &cells[at * stride * size..][..size],
        }
    }
}

/// A buffer for the irregular collectives (`mpi_vbuf_t`): a part of its own size for every rank, all of them at the root.
#[derive(Clone, Debug)]
pub struct MpiVBuf {
    /// This rank's own part.
    pub own: MpiBuf,
    /// All parts, in rank order; at the root only.
    pub all: Option<MpiBuf>,
    /// Elements of every rank's part.
    pub counts: Counts,
    root: usize,
}

impl MpiVBuf {
    pub(crate) fn new(
        datatype: Datatype,
        rank: usize,
        size: usize,
        root: usize,
        count: impl Fn(usize) -> usize,
        allocate: impl Fn(usize) -> Memory,
    ) -> Self {
        let buffer = |count: usize| MpiBuf::new(allocate(datatype.bytes(count)), datatype, count);
        let root = root % size;
        // Only the root needs the others' counts; an O(ranks) table on each of many ranks would not fit.
        let counts: Counts = if rank == root { (0..size).map(&count).collect() } else { Counts::default() };
        MpiVBuf { own: buffer(count(rank)), all: (rank == root).then(|| buffer(counts.sum())), counts, root }
    }

    /// The root's rank.
    pub fn root(&self) -> usize {
        self.root
    }

    /// The start of every rank's part, in elements; at the root only, empty elsewhere.
    pub fn displacements(&self) -> Vec<usize> {
        self.counts
            .iter()
            .scan(0, |next, count| {
                let at = *next;
                *next += count;
                Some(at)
            })
            .collect()
    }
}
