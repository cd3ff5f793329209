//! When a library moves data.

use serde::{Deserialize, Serialize};

use super::{Form, Function, Kind};
use crate::named;

named! {
    /// When transfers proceed that need a process to act: the data of a send that is not eager, once its receive is
    /// posted, and the answer of a posted receive.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Progress {
        /// By themselves, whatever the process does.
        #[default]
        Always = "always",
        /// Only while the process is in a call of MPI.
        Calls = "calls",
    }
}

impl Function {
    /// Whether a library acts on open requests in it. In calls that are local to a process it does not, nor in those that
    /// only start an operation: those of Open MPI put it on a queue, and look at the network in the next call that waits or
    /// tests.
    ///
    /// ```
    /// use ats_model::mpi::Function;
    /// assert!(Function::Wait.makes_progress() && Function::Test.makes_progress());
    /// assert!(!Function::Comm_rank.makes_progress() && !Function::Isend.makes_progress());
    /// ```
    pub fn makes_progress(self) -> bool {
        self.form() == Form::Blocking
            && matches!(
                self.kind(),
                Kind::Send(_)
                    | Kind::Receive
                    | Kind::SendReceive
                    | Kind::Probe
                    | Kind::Completion { .. }
                    | Kind::Request
                    | Kind::Collective(_)
                    | Kind::Neighborhood(_)
                    | Kind::Communicator(Some(_))
                    | Kind::Finalize
                    | Kind::OneSided
                    | Kind::Window
                    | Kind::WindowSynchronisation
                    | Kind::Process
            )
    }
}
