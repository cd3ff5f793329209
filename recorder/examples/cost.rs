#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! What recording costs: a cheap call of MPI with the recorder, which is linked in here, and past it, in one run.
//!
//! ```text
//! cargo build --release -p ats-recorder --example cost
//! ATS_RECORDER_DIR=/tmp/cost mpirun -n 1 target/release/examples/cost
//! ```

use std::ffi::{c_char, c_int};
use std::time::Instant;

use ats_recorder::user::{ats_region_enter, ats_region_leave};
use mpi::ffi::{self, MPI_Comm};

const CALLS: u32 = 1_000_000;
const ROUNDS: usize = 7;

/// Nanoseconds of one of many calls.
fn each(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn ask(call: unsafe extern "C" fn(MPI_Comm, *mut c_int) -> c_int) {
    let mut rank = 0;
    // SAFETY: MPI is initialised; the result is ours.
    unsafe { call(ffi::RSMPI_COMM_WORLD, &mut rank) };
}

fn main() {
    let _mpi = ats_mpi::real::Universe::init().expect("MPI starts");
    let name: *const c_char = c"region".as_ptr();
    let (mut direct, mut recorded, mut region) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        direct = direct.min(each(|| ask(ffi::PMPI_Comm_rank)));
        recorded = recorded.min(each(|| ask(ffi::MPI_Comm_rank)));
        // SAFETY: a C string.
        region = region.min(each(|| unsafe {
            ats_region_enter(name);
            ats_region_leave(name);
        }));
    }
    println!(
        "an event costs {:.1} ns in a call of MPI, {:.1} ns in a region of the program (fastest of {ROUNDS} rounds)",
        (recorded - direct) / 2.0,
        region / 2.0
    );
}
