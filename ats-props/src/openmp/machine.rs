//! Threads that disturb each other, or the machine: memory, caches, files.

pub mod bandwidth_saturation;
pub mod concurrent_page_faults;
pub mod false_sharing;
pub mod firstprivate_copy_overhead;
pub mod io_in_sequential_loop;
pub mod numa_first_touch;
pub mod reduction_overhead;
pub mod unbalanced_io;
