//! The form in which the wrappers are written.

/// Defines functions of MPI. Each runs its body, which calls MPI's own function (`pmpi::PMPI_…`) by [`Call::make`],
/// and leaves its region. One that `completes` requests says where they are, and how many; its body has them as
/// [`Watched`](crate::watched::Watched).
macro_rules! calls {
    ($(
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(completes $requests:ident[$count:expr])?
        |$call:ident $(, $watched:ident)?| $body:block
    )*) => {$(
        const _: () = {
            crate::call_site::entry! { $name($($argument: $type),*), wrapper }

            #[allow(clippy::too_many_arguments, reason = "as in mpi.h")]
            unsafe extern "C-unwind" fn wrapper($($argument: $type),*) -> std::ffi::c_int {
                static REGION: crate::region::MpiRegion = crate::region::MpiRegion::new(stringify!($name));
                // SAFETY: these are the requests that the program hands to MPI.
                $(#[allow(unused_mut, reason = "some calls only look")] let mut $watched = unsafe { crate::watched::Watched::new($requests, $count) };)?
                let mut $call = crate::call::Call::enter(&REGION, None$(.or($watched.role))?, crate::jumps::stack_pointer());
                // SAFETY: the arguments are those that the program hands to MPI.
                let code = unsafe { $body };
                $call.leave();
                code
            }
        };
    )*};
}
pub(crate) use calls;
