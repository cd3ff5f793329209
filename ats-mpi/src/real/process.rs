//! A process that initialises and finalizes MPI itself.

use std::cell::RefCell;

use ats_model::mpi::Function;
use ats_work::log;

use super::failure::fatal;
use super::universe::Universe;
use crate::{Communicator, Process};

/// A process as its launcher has started it. Both calls are logged, like those of a communicator.
pub struct LaunchedProcess {
    rank: usize,
    size: usize,
    universe: RefCell<Option<Universe>>,
}

impl LaunchedProcess {
    /// A process of this rank, among `size`.
    pub fn new(rank: usize, size: usize) -> Self {
        LaunchedProcess { rank, size, universe: RefCell::new(None) }
    }
}

impl Process for LaunchedProcess {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn init(&self) -> Box<dyn Communicator> {
        let function = Function::Init_thread;
        let universe = log::construct(function.name(), Universe::init);
        let universe = universe.unwrap_or_else(|error| fatal(function, &error.to_string()));
        let world = universe.world();
        self.universe.replace(Some(universe));
        let (rank, size) = (world.rank(), world.size());
        if (rank, size) != (self.rank, self.size) {
            let Self { rank: launched, size: of, .. } = self;
            fatal(
                function,
                &format!(
                    "makes this rank {rank} of {size}, and the launcher started it as rank {launched} of {of}; \
                     use the launcher of the MPI library that the program is linked with"
                ),
            );
        }
        Box::new(world)
    }

    fn finalize(&self, world: Box<dyn Communicator>) {
        drop(world);
        let universe = self.universe.take();
        log::construct(Function::Finalize.name(), || drop(universe));
    }
}
