#![allow(unsafe_code, reason = "message memory is shared with MPI while a call is pending")]
//! Message buffers: the report's `mpi_buf_t` and `mpi_vbuf_t` (section 3.1.3).

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An elementary MPI type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datatype {
    /// `MPI_BYTE`.
    Byte,
    /// `MPI_INT`.
    Int,
    /// `MPI_DOUBLE`.
    Double,
}

impl Datatype {
    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            Datatype::Byte => 1,
            Datatype::Int => 4,
            Datatype::Double => 8,
        }
    }

    /// The name in MPI.
    pub fn name(self) -> &'static str {
        match self {
            Datatype::Byte => "MPI_BYTE",
            Datatype::Int => "MPI_INT",
            Datatype::Double => "MPI_DOUBLE",
        }
    }
}

/// The default type and count of messages, `set_base_comm` in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseComm {
    /// Type of an element.
    pub datatype: Datatype,
    /// How many elements a message has.
    pub count: usize,
}

impl Default for BaseComm {
    /// One `MPI_INT`.
    fn default() -> Self {
        BaseComm { datatype: Datatype::Int, count: 1 }
    }
}

/// Memory of a message, shared between the program and pending calls, made by [`crate::Communicator::allocate`] or
/// somebody else's.
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

// SAFETY: the memory is only touched by MPI, between a call and its completion, and by `Memory`'s accessors, which
// the owner of the buffer calls outside pending calls, as MPI demands of every program.
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

    /// Memory of somebody else: a buffer of a program in another language.
    ///
    /// # Safety
    /// At `at` are `bytes` initialised bytes, for as long as this or a copy of it lives, and nobody else touches them
    /// while a call on them is pending.
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

    /// Bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Where it is; null for a length only.
    pub fn as_ptr(&self) -> *mut u8 {
        match self.data.as_deref() {
            Some(Data::Owned(words, _)) => UnsafeCell::raw_get(words.as_ptr()).cast(),
            Some(Data::Lent(at, _) | Data::Borrowed(at)) => *at,
            None => std::ptr::null_mut(),
        }
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

    /// A copy of its bytes; empty for a length only. Not to be called while a call on it is pending.
    pub fn to_vec(&self) -> Vec<u8> {
        if self.data.is_none() {
            return Vec::new();
        }
        // SAFETY: the memory has `bytes` initialised bytes, and nobody writes outside pending calls.
        unsafe { std::slice::from_raw_parts(self.as_ptr(), self.bytes) }.to_vec()
    }

    /// Fills it with `bytes`, repeated; does nothing for a length only. Not to be called while a call on it is pending.
    pub fn fill(&self, bytes: &[u8]) {
        if self.data.is_none() || bytes.is_empty() {
            return;
        }
        for at in 0..self.bytes {
            // SAFETY: `at` is inside the memory, and nobody else touches it outside pending calls.
            unsafe { self.as_ptr().add(at).write(bytes[at % bytes.len()]) };
        }
    }
}

/// A buffer of `count` elements (`mpi_buf_t`).
#[derive(Clone, Debug)]
pub struct MpiBuf {
    /// Its memory.
    pub memory: Memory,
    /// Type of an element.
    pub datatype: Datatype,
    /// How many elements.
    pub count: usize,
}

impl MpiBuf {
    /// A buffer over memory that is large enough.
    ///
    /// # Panics
    /// The memory is too small.
    pub fn new(memory: Memory, datatype: Datatype, count: usize) -> Self {
        assert!(
            memory.len() >= count * datatype.size(),
            "a buffer of {count} {} needs {} bytes, its memory has {}",
            datatype.name(),
            count * datatype.size(),
            memory.len()
        );
        MpiBuf { memory, datatype, count }
    }

    /// Bytes of its elements.
    pub fn bytes(&self) -> usize {
        self.count * self.datatype.size()
    }

    /// Writes an element: the number, of which a byte holds the lowest bits alone. Does nothing to a length only. Not to
    /// be called while a call on it is pending.
    ///
    /// # Panics
    /// There is no such element.
    pub fn set(&self, at: usize, number: u64) {
        match self.datatype {
            Datatype::Byte => self.write(at, number as u8),
            Datatype::Int => self.write(at, number as i32),
            Datatype::Double => self.write(at, number as f64),
        }
    }

    /// The bits of an element; 0 of a length only. Not to be called while a call on it is pending.
    ///
    /// # Panics
    /// There is no such element.
    pub fn get(&self, at: usize) -> u64 {
        match self.datatype {
            Datatype::Byte => self.read::<u8>(at).into(),
            Datatype::Int => self.read::<u32>(at).into(),
            Datatype::Double => self.read::<u64>(at),
        }
    }

    fn write<T>(&self, at: usize, element: T) {
        if let Some(place) = self.element(at) {
            // SAFETY: `element` has checked the place, and nobody else touches it outside pending calls.
            unsafe { place.cast::<T>().write_unaligned(element) };
        }
    }

    fn read<T: Default>(&self, at: usize) -> T {
        // SAFETY: as above, and whatever its bytes are, they are a number.
        self.element(at).map_or_else(T::default, |place| unsafe { place.cast::<T>().read_unaligned() })
    }

    /// Where an element is; none in a length only.
    fn element(&self, at: usize) -> Option<*mut u8> {
        assert!(at < self.count, "element {at} of a buffer of {}", self.count);
        let memory = self.memory.as_ptr();
        // SAFETY: `new` has checked that the memory holds `count` elements.
        (!memory.is_null()).then(|| unsafe { memory.add(at * self.datatype.size()) })
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
    pub counts: Arc<[usize]>,
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
        let buffer = |count: usize| MpiBuf::new(allocate(count * datatype.size()), datatype, count);
        let root = root % size;
        // Only the root needs the others' counts; an O(ranks) table on each of many ranks would not fit.
        let counts: Arc<[usize]> = if rank == root { (0..size).map(&count).collect() } else { Arc::new([]) };
        MpiVBuf {
            own: buffer(count(rank)),
            all: (rank == root).then(|| buffer(counts.iter().sum())),
            counts,
            root,
        }
    }

    /// The root's rank.
    pub fn root(&self) -> usize {
        self.root
    }

    /// Where every rank's part begins, in elements; at the root only, empty elsewhere.
    pub fn displacements(&self) -> Vec<usize> {
        self.counts
            .iter()
            .scan(0, |next, &count| {
                let at = *next;
                *next += count;
                Some(at)
            })
            .collect()
    }
}
