#![allow(
    unsafe_code,
    reason = "asks the kernel for events of the hardware, and reads the page that it shares of each"
)]
//! Events of the hardware that this thread causes, as Linux counts them for it: `perf_event_open(2)`.
//!
//! The kernel's interface is fixed, and needs a record of 64 bytes and a page of which nine fields are read. So it stands here,
//! without a crate: those that there are allocate at each reading of a group, and would be built wherever a recorder is.

mod group;
mod page;
mod refusal;

use std::fmt::Debug;
use std::io;
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

pub use group::{Group, Share};
use page::Page;
pub use refusal::Refusal;

/// An event, by the kernel's numbers of its type and of it among those of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfEvent {
    /// `PERF_TYPE_HARDWARE` and others.
    pub kind: u32,
    /// `PERF_COUNT_HW_INSTRUCTIONS` and others.
    pub config: u64,
}

/// The kernel, as a group of events needs it. Tests put others in its place.
pub trait Kernel: Debug {
    /// Opens an event of this thread that counts in the program, not in the kernel: in the group of a leader, or as the leader of
    /// a new one, which does not count before it is [started](Kernel::start).
    ///
    /// # Errors
    /// It is refused.
    fn open(&self, event: PerfEvent, leader: Option<RawFd>) -> io::Result<OwnedFd>;

    /// Starts all events of a group.
    fn start(&self, leader: RawFd);

    /// Reads a group: the number of its events, the time that it was to count, the time that it did, and the values.
    ///
    /// # Errors
    /// The system says so, or has less to say.
    fn read(&self, leader: RawFd, words: &mut [u64]) -> io::Result<()>;
}

/// The kernel that runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linux;

/// The first version of the record that describes an event, which every kernel takes.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    breakpoint_address: u64,
}

impl Kernel for Linux {
    fn open(&self, event: PerfEvent, leader: Option<RawFd>) -> io::Result<OwnedFd> {
        const DISABLED: u64 = 1;
        /// Without it, a kernel whose `perf_event_paranoid` is 2, as is usual, refuses the event.
        const EXCLUDE_KERNEL: u64 = 1 << 5;
        const TIMES_AND_GROUP: u64 = 1 | 1 << 1 | 1 << 3;
        const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;
        const THIS_THREAD: libc::pid_t = 0;
        const ANY_PROCESSOR: libc::c_int = -1;
        let attributes = Attributes {
            kind: event.kind,
            size: size_of::<Attributes>() as u32,
            config: event.config,
            read_format: TIMES_AND_GROUP,
            flags: EXCLUDE_KERNEL | if leader.is_none() { DISABLED } else { 0 },
            ..Attributes::default()
        };
        // SAFETY: the record is of the size that it says, and the kernel only reads it.
        let file = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                THIS_THREAD,
                ANY_PROCESSOR,
                leader.unwrap_or(-1),
                CLOSE_ON_EXEC,
            )
        };
        match RawFd::try_from(file) {
            // SAFETY: the kernel has just opened it for us.
            Ok(file) if file >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(file) }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    fn start(&self, leader: RawFd) {
        const ENABLE: libc::c_ulong = 0x2400;
        const GROUP: libc::c_ulong = 1;
        // SAFETY: takes a number. If it fails, the group reads as one that never counted.
        unsafe { libc::ioctl(leader, ENABLE as _, GROUP) };
    }

    fn read(&self, leader: RawFd, words: &mut [u64]) -> io::Result<()> {
        // SAFETY: the memory is ours.
        let length = unsafe { libc::read(leader, words.as_mut_ptr().cast(), size_of_val(words)) };
        match usize::try_from(length) {
            Ok(length) if length == size_of_val(words) => Ok(()),
            Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(_) => Err(io::Error::last_os_error()),
        }
    }
}

/// The page that the kernel shares of an event, if it does.
fn page(file: &OwnedFd) -> Option<Page> {
    Page::map(file.as_raw_fd())
}
