//! What the analysis needs to know of a region, looked up once per region and never per event.

use ats_model::{Definitions, event::RegionRef};

/// A region, as far as the analysis tells regions apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RegionTraits {
    pub(crate) call: CallKind,
    /// Whether it is the region that severities are relative to.
    pub(crate) is_basis: bool,
}

/// Which rules hold for the messages that a call completes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// Waits for late senders and for late receivers.
    #[default]
    Plain,
    /// `MPI_Sendrecv`, buffered and ready sends: never waits for a late receiver.
    NoLateReceiver,
    /// The `MPI_Test` family: never waits.
    Test,
    /// `MPI_Init`, `MPI_Init_thread`.
    Init,
    /// `MPI_Finalize`.
    Finalize,
}

impl CallKind {
    /// The kind of a region by its name, as C, Fortran (`mpi_recv_`) and the profiling interface spell it.
    pub(crate) fn of(region: &str) -> Self {
        let name = region.trim_end_matches('_').to_ascii_lowercase();
        match name.strip_prefix('p').unwrap_or(&name) {
            "mpi_init" | "mpi_init_thread" => CallKind::Init,
            "mpi_finalize" => CallKind::Finalize,
            "mpi_test" | "mpi_testany" | "mpi_testall" | "mpi_testsome" => CallKind::Test,
            "mpi_sendrecv" | "mpi_sendrecv_replace" | "mpi_bsend" | "mpi_rsend" => CallKind::NoLateReceiver,
            _ => CallKind::Plain,
        }
    }
}

/// The traits of every region of a trace.
pub(crate) struct Regions(Vec<RegionTraits>);

impl Regions {
    pub(crate) fn new(definitions: &Definitions, basis: Option<&str>) -> Self {
        let traits = |region: &ats_model::definitions::Region| RegionTraits {
            call: CallKind::of(&region.name),
            is_basis: basis == Some(region.name.as_str()),
        };
        Regions(definitions.regions.iter().map(traits).collect())
    }

    /// The traits of a region; those of a plain function where it is not defined.
    pub(crate) fn traits(&self, region: RegionRef) -> RegionTraits {
        self.0.get(region.0 as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::CallKind;

    #[test]
    fn every_spelling_of_a_call_is_the_same_call() {
        for name in ["MPI_Init", "PMPI_Init", "mpi_init_", "mpi_init__", "MPI_INIT", "MPI_Init_thread"] {
            assert_eq!(CallKind::of(name), CallKind::Init, "{name}");
        }
        for name in ["MPI_Testsome", "pmpi_testany_"] {
            assert_eq!(CallKind::of(name), CallKind::Test, "{name}");
        }
        for name in ["MPI_Wait", "main", "p", "", "____", "MPI_Initialized", "MPI_Ssend"] {
            assert_eq!(CallKind::of(name), CallKind::Plain, "{name}");
        }
    }
}
