//! Beginning and end of MPI.

use std::ffi::{c_char, c_int};

use ats_model::Event;
use ats_model::event::CollectiveOperation;
use ats_model::mpi::Function;
use mpi::ffi::MPI_Comm;

use crate::call::Call;
use crate::call_site::entry;
use crate::calls::calls;
use crate::collective::Part;
use crate::communicator::WORLD;
use crate::jumps::stack_pointer;
use crate::pmpi;
use crate::region::MpiRegion;
use crate::status::SUCCESS;
use crate::wrappers::completion;
use crate::{clock, finalizing, library, session, track};

fn initialise(call: &mut Call, make: impl FnOnce() -> c_int) -> c_int {
    let and_start = || {
        library::refuse_foreign();
        let code = make();
        if code == SUCCESS {
            session::start();
            finalizing::announce();
        }
        code
    };
    call.takes_part(and_start, || Part::empty(CollectiveOperation::CreateHandle, WORLD).end())
}

calls! {
    fn MPI_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) |call| {
        initialise(&mut call, || pmpi::PMPI_Init(argc, argv))
    }

    fn MPI_Init_thread(argc: *mut c_int, argv: *mut *mut *mut c_char, required: c_int, provided: *mut c_int) |call| {
        initialise(&mut call, || pmpi::PMPI_Init_thread(argc, argv, required, provided))
    }

    fn MPI_Abort(comm: MPI_Comm, code: c_int) |call| {
        call.make(|| {
            session::abandon(&format!("the program called MPI_Abort with {code}"));
            pmpi::PMPI_Abort(comm, code)
        })
    }
}

entry! { MPI_Finalize(), finalize }

/// By hand, since its own leaving is to be written too.
unsafe extern "C-unwind" fn finalize() -> c_int {
    static REGION: MpiRegion = MpiRegion::new(Function::Finalize.name());
    // The last values of counters: behind the call nothing is recorded.
    track::mine().into_iter().for_each(|mut track| _ = track.metered(clock::now()));
    let mut call = Call::enter(&REGION, None, stack_pointer());
    let code = call.make(|| {
        finalizing::after_callbacks(unify);
        // SAFETY: the program finalizes MPI.
        unsafe { pmpi::PMPI_Finalize() }
    });
    call.leave_sealed(Part::empty(CollectiveOperation::DestroyHandle, WORLD).end());
    session::write();
    code
}

/// Takes part in the end of MPI, with all ranks.
fn unify() {
    if let Some(mut track) = track::mine().filter(|track| track.is_in_call()) {
        track.buffer.push(clock::now(), Event::MpiCollectiveBegin);
    }
    session::unify(completion::settle_all);
}
