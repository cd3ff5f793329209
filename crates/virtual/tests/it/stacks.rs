#![allow(unsafe_code, reason = "looks at memory below the own stack, with and without guards")]
//! Guard pages between the stacks of ranks.

use std::io::pipe;
use std::os::fd::AsRawFd;

use ats_mpi::Communicator;
use ats_virtual::Simulation;

/// The number of pages below here that can be read, up to those of two stacks. The system reads them: it returns
/// an error instead of a fault.
fn readable_pages() -> usize {
    // SAFETY: asks for a constant of the system.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let here = 0_u8;
    let (_reader, writer) = pipe().unwrap();
    let readable = |pages: &usize| {
        let address = (&raw const here).wrapping_byte_sub(pages * page_bytes);
        // SAFETY: the system checks the address.
        unsafe { libc::write(writer.as_raw_fd(), address.cast(), 1) == 1 }
    };
    (1..40).take_while(readable).count()
}

#[test]
fn no_body_reaches_the_stack_of_another() {
    // With one rank less, even `unguarded` has guards.
    let last = 16_384;
    let look = |c: &dyn Communicator| {
        if c.rank() == last {
            assert!(readable_pages() <= 16);
        }
    };
    Simulation::new(last + 1).run(look).unwrap();
    let look = |c: &dyn Communicator| {
        if c.rank() == last {
            assert!(readable_pages() > 17);
        }
    };
    // SAFETY: it uses little of its stack.
    unsafe { Simulation::new(last + 1).unguarded() }.run(look).unwrap();
}
