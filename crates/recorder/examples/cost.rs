#![allow(
    unsafe_code,
    reason = "makes MPI calls through mpi::ffi, and calls the recorder as an OpenMP runtime does"
)]
//! The cost of recording: calls of MPI with the recorder, which is linked in here, and past it, and the callbacks of an
//! OpenMP runtime, in one run.
//!
//! ```text
//! cargo build --release -p ats-recorder --example cost
//! ATS_RECORDER_DIR=/tmp/cost mpirun -n 1 target/release/examples/cost
//! ```

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use ats_recorder::ompt_start_tool;
use ats_recorder::user::{ats_region_enter, ats_region_leave};
use mpi::ffi::{self, MPI_Comm, MPI_Request};

const CALLS: u32 = 20_000;
const ROUNDS: usize = 15;

fn main() {
    let _mpi = ats_mpi::real::Universe::init().expect("MPI starts");
    println!("nanoseconds of an event   fastest  median   of {ROUNDS} rounds");
    let report = |what: &str, mut costs: Vec<f64>| {
        costs.sort_by(f64::total_cmp);
        println!("{what:24} {:8.1} {:8.1}", costs[0], costs[ROUNDS / 2]);
    };
    let name: *const c_char = c"region".as_ptr();
    // SAFETY: a C string.
    let region = || unsafe {
        ats_region_enter(name);
        ats_region_leave(name);
    };
    report("region of the program", costs(2, region, || ()));
    report("cheap call of MPI", costs(2, || ask(ffi::MPI_Comm_rank), || ask(ffi::PMPI_Comm_rank)));
    report("MPI_Sendrecv", costs(4, || exchange(ffi::MPI_Sendrecv), || exchange(ffi::PMPI_Sendrecv)));
    let recorded = || start_and_wait(ffi::MPI_Isend, ffi::MPI_Irecv, ffi::MPI_Waitall);
    let direct = || start_and_wait(ffi::PMPI_Isend, ffi::PMPI_Irecv, ffi::PMPI_Waitall);
    report("MPI_Isend, Irecv, Waitall", costs(10, recorded, direct));
    let runtime = Runtime::new();
    runtime.in_a_team(|| {
        report("barrier of OpenMP", costs(2, || runtime.barrier(), || ()));
        report("loop with its barrier", costs(4, || runtime.looped(), || ()));
        report("critical", costs(3, || runtime.critical(), || ()));
        report("task", costs(3, || runtime.task(), || ()));
    });
    report("parallel region", costs(6, || runtime.in_a_team(|| ()), || ()));
}

/// By how much one of many calls takes longer than another, each divided by its events, in each round.
fn costs(events: u32, recorded: impl Fn(), direct: impl Fn()) -> Vec<f64> {
    let each = |call: &dyn Fn()| {
        let start = own_ns();
        (0..CALLS).for_each(|_| call());
        (own_ns() - start) as f64 / f64::from(CALLS)
    };
    (0..ROUNDS).map(|_| (each(&recorded) - each(&direct)) / f64::from(events)).collect()
}

/// The processor time that this thread has used, in nanoseconds: other processes on the machine hardly affect it.
fn own_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the result is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn ask(call: unsafe extern "C" fn(MPI_Comm, *mut c_int) -> c_int) {
    let mut rank = 0;
    // SAFETY: MPI is initialised; the result is ours.
    unsafe { call(ffi::RSMPI_COMM_WORLD, &mut rank) };
}

type Sendrecv = unsafe extern "C" fn(
    *const c_void,
    c_int,
    ffi::MPI_Datatype,
    c_int,
    c_int,
    *mut c_void,
    c_int,
    ffi::MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut ffi::MPI_Status,
) -> c_int;

/// A message to this rank itself.
fn exchange(call: Sendrecv) {
    let (out, mut back) = (1, 0);
    // SAFETY: one integer each, ours; there is a rank 0.
    unsafe {
        let (int, world) = (ffi::RSMPI_INT32_T, ffi::RSMPI_COMM_WORLD);
        let (from, to) = ((&raw const out).cast(), (&raw mut back).cast());
        call(from, 1, int, 0, 0, to, 1, int, 0, 0, world, ffi::RSMPI_STATUS_IGNORE);
    }
}

type Isend = unsafe extern "C" fn(
    *const c_void,
    c_int,
    ffi::MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;
type Irecv = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    ffi::MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;
type Waitall = unsafe extern "C" fn(c_int, *mut MPI_Request, *mut ffi::MPI_Status) -> c_int;

/// A message to this rank itself.
fn start_and_wait(isend: Isend, irecv: Irecv, waitall: Waitall) {
    let (out, mut back) = (1, 0);
    // SAFETY: one integer each, ours; there is a rank 0; both requests are complete before they end.
    unsafe {
        let (int, world) = (ffi::RSMPI_INT32_T, ffi::RSMPI_COMM_WORLD);
        let mut requests = [ffi::RSMPI_REQUEST_NULL; 2];
        irecv((&raw mut back).cast(), 1, int, 0, 0, world, &mut requests[0]);
        isend((&raw const out).cast(), 1, int, 0, 0, world, &mut requests[1]);
        waitall(2, requests.as_mut_ptr(), ffi::RSMPI_STATUSES_IGNORE);
    }
}

type Data = *mut u64;
type Place = *const c_void;
const BEGIN: c_int = 1;
const END: c_int = 2;

/// Stands for an OpenMP runtime: it calls what the recorder has asked it to call, from this thread alone.
struct Runtime {
    place: Place,
}

/// The callbacks that the recorder has asked for, by OMPT's numbers.
static mut CALLBACKS: [*const c_void; 64] = [std::ptr::null(); 64];

unsafe extern "C" fn set_callback(number: c_int, callback: *const c_void) -> c_int {
    const ALWAYS: c_int = 5;
    // SAFETY: called from one thread, with numbers of OMPT.
    unsafe { CALLBACKS[number as usize] = callback };
    ALWAYS
}

unsafe extern "C" fn lookup(name: *const c_char) -> *const c_void {
    // SAFETY: a C string.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"ompt_set_callback" => set_callback as *const c_void,
        _ => std::ptr::null(),
    }
}

/// The callback of this number, with its arguments.
macro_rules! call {
    ($number:literal: $($argument:expr => $type:ty),*) => {
        // SAFETY: the recorder's function of this number has this type.
        unsafe {
            std::mem::transmute::<*const c_void, unsafe extern "C" fn($($type),*)>(CALLBACKS[$number])($($argument),*)
        }
    };
}

impl Runtime {
    fn new() -> Self {
        type Initialize =
            unsafe extern "C" fn(unsafe extern "C" fn(*const c_char) -> *const c_void, c_int, Data) -> c_int;
        // SAFETY: the recorder's answer begins with its function to initialize, as OMPT has it.
        unsafe {
            let tool = ompt_start_tool(0, c"a runtime for measuring".as_ptr());
            let initialize = *tool.cast::<Initialize>();
            initialize(lookup, 0, std::ptr::null_mut());
        }
        const INITIAL: c_int = 1;
        call!(1: INITIAL => c_int, std::ptr::null_mut() => Data);
        Runtime { place: main as fn() as *const c_void }
    }

    fn in_a_team(&self, body: impl FnOnce()) {
        let none: Data = std::ptr::null_mut();
        let (mut team, mut task) = (0, 0);
        let (team, task): (Data, Data) = (&mut team, &mut task);
        call!(3: none => Data, self.place => Place, team => Data, 1 => c_uint, 0 => c_int, self.place => Place);
        call!(7: BEGIN => c_int, team => Data, task => Data, 1 => c_uint, 0 => c_uint, 2 => c_int);
        body();
        for endpoint in [BEGIN, END] {
            self.sync(9, endpoint);
        }
        call!(7: END => c_int, none => Data, task => Data, 1 => c_uint, 0 => c_uint, 2 => c_int);
        call!(4: team => Data, none => Data, 0 => c_int, self.place => Place);
    }

    fn sync(&self, kind: c_int, endpoint: c_int) {
        let none: Data = std::ptr::null_mut();
        call!(23: kind => c_int, endpoint => c_int, none => Data, none => Data, self.place => Place);
    }

    fn barrier(&self) {
        self.sync(3, BEGIN);
        self.sync(3, END);
    }

    fn looped(&self) {
        let none: Data = std::ptr::null_mut();
        for endpoint in [BEGIN, END] {
            call!(20: 1 => c_int, endpoint => c_int, none => Data, none => Data, 1 => u64, self.place => Place);
        }
        self.sync(8, BEGIN);
        self.sync(8, END);
    }

    fn critical(&self) {
        call!(26: 5 => c_int, 0 => c_uint, 0 => c_uint, 1 => u64, self.place => Place);
        call!(27: 5 => c_int, 1 => u64, self.place => Place);
        call!(17: 5 => c_int, 1 => u64, self.place => Place);
    }

    fn task(&self) {
        let none: Data = std::ptr::null_mut();
        let (mut implicit, mut task) = (1, 0);
        let (implicit, task): (Data, Data) = (&mut implicit, &mut task);
        call!(5: none => Data, self.place => Place, task => Data, 4 => c_int, 0 => c_int, self.place => Place);
        call!(6: implicit => Data, 7 => c_int, task => Data);
        call!(6: task => Data, 1 => c_int, implicit => Data);
    }
}
