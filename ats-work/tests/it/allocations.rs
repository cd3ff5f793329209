#![allow(unsafe_code, reason = "stands before the allocator to count")]
//! Memory that the suite itself takes in a region whose allocations are counted: none.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ats_work::amount::{Allocations, Amount};
use ats_work::{cause, checksum, do_amount, do_flops, log, region};

thread_local! {
    static OWN: Cell<u64> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
struct Counting;

// SAFETY: it hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        OWN.set(OWN.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn notes_of_a_region_allocate_nothing_in_it() {
    let _turn = crate::turn();
    do_flops(0);
    checksum::start();
    log::measure(vec!["allocate"]);
    log::start(16);
    let in_a_region = |number| {
        let _region = region("allocate");
        let before = OWN.get();
        do_amount(&Amount::Allocations(Allocations { number, bytes: 64 }));
        cause("allocations", number);
        OWN.get() - before
    };
    assert_eq!([10, 7].map(in_a_region), [10, 7]);
    assert_eq!(log::stop().regions.sums()["allocate"].counts["allocations"], 17);
}
