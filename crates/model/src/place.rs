//! Call paths as tools report them, and whether one is the place that the truth names.

use crate::mpi::Function;
use crate::openmp::{Construct, without_place};

/// The first frame of a call path in a report that says which call it is, and not where.
pub const ANYWHERE: &str = "…";

/// A frame's plain name: demangled, without crate and module paths, generic arguments, hashes, the `P` of the
/// profiling interface, and where in the source an OpenMP construct stands.
pub fn plain(frame: &str) -> String {
    if Construct::of_region(frame).is_some() {
        return without_place(frame).to_owned();
    }
    let demangled = format!("{:#}", rustc_demangle::demangle(frame));
    let no_arguments = demangled.split(['<', '(']).next().unwrap_or_default();
    let name = no_arguments.trim_end_matches("::").rsplit("::").next().unwrap_or_default();
    Function::of_spelling(name).map_or(name, |function| function.name()).to_owned()
}

/// Whether `path` is the place `expected`: the same call at its end, and the frames above it in the same order,
/// whatever frames lie between them.
///
/// Frames below the last MPI call are the library's own and do not count. A construct in a team that is nested deeper than
/// the expected one is at another place.
///
/// ```
/// use ats_model::place::is_at;
/// assert!(is_at(&["barrier", "!$omp barrier"], &["main", "barrier", "!$omp parallel @a.rs:7", "!$omp barrier @a.rs:9"]));
/// ```
pub fn is_at(expected: &[impl AsRef<str>], path: &[impl AsRef<str>]) -> bool {
    let expected: Vec<String> = expected.iter().map(|frame| plain(frame.as_ref())).collect();
    let mut path: Vec<String> = path.iter().map(|frame| plain(frame.as_ref())).collect();
    if let Some(call) = path.iter().rposition(|frame| Function::of_spelling(frame).is_some()) {
        path.truncate(call + 1);
    }
    if expected.last() != path.last() || (1..teams(&path)).contains(&teams(&expected)) {
        return false;
    }
    let mut frames = path.iter();
    expected.iter().all(|wanted| frames.any(|frame| frame == wanted))
}

/// The number of teams that a plain path is in.
fn teams(path: &[String]) -> usize {
    path.iter().filter(|frame| *frame == Construct::Parallel.region()).count()
}

/// Whether `path` is the place `expected` of a barrier at the end of a loop, sections or a single, shown beside the construct:
/// for OMPT the construct ends before it, while OPARI2 has it inside.
///
/// What lies at exactly `expected` in the same report goes before it: the team may meet in such a barrier of its own.
pub fn is_beside(expected: &[impl AsRef<str>], path: &[impl AsRef<str>]) -> bool {
    let Some((construct, outer)) = worksharing_of_barrier(expected) else { return false };
    let mut beside: Vec<&str> = expected[..outer].iter().map(AsRef::as_ref).collect();
    beside.push(construct);
    worksharing_of_barrier(path).is_none() && is_at(&beside, path)
}

/// Of a path that ends in an implicit barrier directly below a worksharing construct: the barrier, and how many frames the
/// construct lies below.
fn worksharing_of_barrier(path: &[impl AsRef<str>]) -> Option<(&str, usize)> {
    use Construct::{For, ImplicitBarrier, Sections, Single};
    let [outer @ .., construct, barrier] = path else { return None };
    let of = |frame: &str| Construct::of_region(frame);
    let is_it = of(barrier.as_ref()) == Some(ImplicitBarrier)
        && matches!(of(construct.as_ref()), Some(For | Sections | Single));
    is_it.then_some((barrier.as_ref(), outer.len()))
}

/// The same as [`is_at`], with nothing below the call: for times that hold those of all frames below.
pub fn is_exactly_at(expected: &[String], path: &[String]) -> bool {
    let last = |path: &[String]| path.last().map(|frame| plain(frame));
    last(expected) == last(path) && is_at(expected, path)
}

/// Whether a frame is this call or construct.
pub fn is_call(call: &str, frame: &str) -> bool {
    plain(call) == plain(frame)
}

#[cfg(test)]
mod tests {
    use super::{is_at, is_beside};

    fn is_at_path(expected: &str, path: &str) -> bool {
        let frames = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        is_at(&frames(expected), &frames(path))
    }

    #[test]
    fn frames_between_and_around_do_not_matter() {
        assert!(is_at_path("late_sender/MPI_Recv", "late_sender/MPI_Recv"));
        assert!(is_at_path(
            "late_sender/MPI_Recv",
            "main/ats_measured/late_sender/mpi_commpattern_sendrecv/MPI_Recv"
        ));
        assert!(is_at_path(
            "late_sender/MPI_Recv",
            "main/ats_props::mpi::messages::late_sender::late_sender/PMPI_Recv"
        ));
        assert!(is_at_path("late_sender/MPI_Recv", "late_sender/mpi_recv_/PMPI_Recv/ompi_request_wait"));
        assert!(is_at_path("late_sender/MPI_Recv", "_RNvNtCs1234_7mycrate3mpi11late_sender/MPI_Recv"));
        assert!(is_at_path("late_sender/MPI_Recv", "late_sender/MPI_Recv_c/mpi_exchange_halo"));
        assert!(is_at_path("MPI_Finalize", "main/MPI_Finalize"));
        assert!(is_at_path("mpi_in_master/!$omp barrier", "main/mpi_in_master/!$omp parallel/!$omp barrier"));
        assert!(is_at_path(
            "!$omp parallel/!$omp barrier",
            "main/!$omp parallel @a.rs:7/!$omp barrier @a.rs:9"
        ));
    }

    #[test]
    fn a_barrier_may_lie_beside_its_worksharing_construct() {
        let frames = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        let beside = |expected: &str, path: &str| is_beside(&frames(expected), &frames(path));
        for construct in ["!$omp for", "!$omp sections", "!$omp single"] {
            let known = format!("work/!$omp parallel/{construct}/!$omp implicit barrier");
            let shown = "main/work/!$omp parallel @a.rs:7/!$omp implicit barrier @a.rs:9";
            assert!(beside(&known, shown) && !is_at_path(&known, shown));
            assert!(!beside(&known, &known) && is_at_path(&known, &known));
            assert!(!beside(&known, "main/!$omp parallel/!$omp implicit barrier"), "in other frames");
            assert!(!beside(&known, "work/!$omp parallel/!$omp barrier"));
        }
        let of_another = "work/!$omp parallel/!$omp single/!$omp implicit barrier";
        assert!(!beside("work/!$omp parallel/!$omp for/!$omp implicit barrier", of_another));
        assert!(!beside("work/!$omp parallel/!$omp for/!$omp ordered", "work/!$omp parallel/!$omp ordered"));
        assert!(!beside("work/!$omp parallel/!$omp implicit barrier", "work/!$omp implicit barrier"));
    }

    #[test]
    fn order_names_and_the_last_call_do() {
        assert!(!is_at_path("late_sender/MPI_Recv", "main/MPI_Recv"));
        assert!(!is_at_path("late_sender/MPI_Recv", "MPI_Recv/late_sender"));
        assert!(!is_at_path("late_sender/MPI_Recv", "late_sender/MPI_Recv_init"));
        assert!(!is_at_path("late_sender/MPI_Recv", "late_sender_balanced/MPI_Recv"));
        assert!(!is_at_path("late_sender/MPI_Recv", "late_sender/MPI_Recv/callback/MPI_Send"));
        assert!(!is_at_path("late_sender/mpi_exchange_halo", "late_sender/MPI_Recv/mpi_exchange_halo"));
        assert!(!is_at_path("a/b/MPI_Recv", "b/a/MPI_Recv"));
        assert!(!is_at_path(
            "!$omp parallel/!$omp barrier",
            "!$omp parallel/work/!$omp parallel/!$omp barrier"
        ));
        assert!(!is_at_path("MPI_Recv", ""));
        assert!(!is_at_path("!$omp barrier", "!$omp parallel @a.rs:7/!$omp implicit barrier @a.rs:9"));
    }
}
