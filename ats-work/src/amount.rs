//! Work described by its amount instead of its time: a number of operations, however long they take.
//!
//! The report names this as the other way to specify work (section 3.1.1).

use thiserror::Error;

use crate::machine;

/// An amount of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Floating-point operations.
    Flops(u64),
    /// Integer operations.
    IntOps(u64),
    /// Loads and stores.
    Memory(MemoryWork),
}

/// Loads and stores of 8 bytes each, walking through memory.
///
/// Load and store take turns at the same word as long as there are both; then the walk goes `stride_bytes` on, and
/// starts again where it leaves the working set. Both sizes count in whole words, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryWork {
    /// The number of loads.
    pub loads: u64,
    /// The number of stores.
    pub stores: u64,
    /// The memory that the walk covers, in bytes.
    pub working_set_bytes: u64,
    /// The length of a step, in bytes.
    pub stride_bytes: u64,
}

impl MemoryWork {
    /// Checks that this machine can do it.
    ///
    /// # Errors
    /// The working set is larger than the machine's memory.
    pub fn check(&self) -> Result<(), MemoryWorkError> {
        let memory_bytes = machine::memory_bytes();
        if self.working_set_bytes > memory_bytes {
            return Err(MemoryWorkError { asked_bytes: self.working_set_bytes, memory_bytes });
        }
        Ok(())
    }
}

/// A working set that does not fit into the machine.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "a working set of {asked_bytes} bytes does not fit into this machine's {memory_bytes} bytes of memory; use less"
)]
pub struct MemoryWorkError {
    /// The memory asked for, in bytes.
    pub asked_bytes: u64,
    /// The memory of the machine, in bytes.
    pub memory_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_set_larger_than_the_machine_is_refused() {
        let fits = MemoryWork { loads: 1, stores: 1, working_set_bytes: 4096, stride_bytes: 64 };
        assert_eq!(fits.check(), Ok(()));
        let refused = MemoryWork { working_set_bytes: u64::MAX, ..fits }.check().unwrap_err();
        assert_eq!(refused.asked_bytes, u64::MAX);
        assert!(refused.to_string().contains("does not fit into this machine's"), "{refused}");
    }
}
