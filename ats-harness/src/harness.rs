//! The phases of a program.

use std::collections::BTreeMap;

use ats_model::witness::{ClockOffset, Span};
use ats_mpi::{Communicator, SendMode};
use ats_props::{Arguments, Context, ParameterType, Program, Property};
use ats_work::calibration::{self, Rates};
use ats_work::log::{self, Log};
use ats_work::{Config, Kind, do_work, machine, region};

use crate::launcher::Launcher;
use crate::options::Options;
use crate::team::{self, Engine};
use crate::world::World;

/// Constructs that the log has room for before it grows.
const LOGGED: usize = 1 << 14;

/// Every thread's first work, in seconds: it measures what it has to know, and a run without warm-up must not do that in
/// its measured part.
const START: f64 = 1e-6;

/// A program with MPI and its team up, that walks through its phases.
pub struct Harness<'a> {
    pub(crate) property: &'static Property,
    pub(crate) options: &'a Options,
    pub(crate) world: &'a dyn World,
    pub(crate) team: Option<&'a Engine>,
    pub(crate) work: Kind,
    pub(crate) eager_held: Option<bool>,
    pub(crate) clock: ClockOffset,
}

/// What the property runs on.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    world: &'a dyn World,
    team: Option<&'a Engine>,
}

impl<'a> Run<'a> {
    /// `MPI_COMM_WORLD`.
    ///
    /// # Panics
    /// The property is of a paradigm without MPI.
    pub fn communicator(&self) -> &'a dyn Communicator {
        self.world.communicator().expect("a property with a communicator is one of MPI")
    }

    /// The process' threads.
    ///
    /// # Panics
    /// The property is of a paradigm without threads.
    pub fn team(&self) -> &'a Engine {
        self.team.expect("a property with a team is one of OpenMP")
    }

    fn context(&self) -> Context<'a> {
        match (self.world.communicator(), self.team) {
            (Some(communicator), Some(team)) => Context::hybrid(communicator, team),
            (Some(communicator), None) => Context::new(communicator),
            (None, _) => Context::openmp(self.team()),
        }
    }
}

/// A program whose measured part is over; only [`Harness::measure`] makes one.
pub struct Measured<'a> {
    pub(crate) harness: Harness<'a>,
    pub(crate) span: Span,
    pub(crate) log: Log,
}

impl<'a> Harness<'a> {
    /// Configures work, starts all threads, probes eager sends where the property needs them, and compares clocks.
    pub(crate) fn set_up(
        property: &'static Property,
        options: &'a Options,
        world: &'a dyn World,
        team: Option<&'a Engine>,
    ) -> Self {
        let _region = region("ats_setup");
        let work = configure_work(options, world);
        match team {
            Some(team) => team::start(team, || do_work(START)),
            None => do_work(START),
        }
        if let Some(c) = world.communicator() {
            c.set_base_comm(options.base_comm);
        }
        let probed = property.send_mode == Some(SendMode::Standard);
        let eager_held = if probed { world.eager_held() } else { None };
        if eager_held == Some(false) && world.rank() == 0 {
            eprintln!(
                "warning: {}: standard sends of this size wait for their receive; what shows is not what is meant. \
                 Use a smaller --base-comm",
                property.name
            );
        }
        Harness { property, options, world, team, work, eager_held, clock: world.clock_offset() }
    }

    /// The value of a parameter, from the command line or its default.
    ///
    /// # Panics
    /// The property has no such parameter of this type.
    pub fn argument<T: ParameterType>(&self, name: &str) -> T {
        self.options.arguments.get(name)
    }

    /// All ranks wait for each other, where there are more than one: by `PMPI_Barrier` on a duplicate of `MPI_COMM_WORLD`, which tools do not see, or
    /// with `--harness=mpi` by `MPI_Barrier`.
    pub fn align(&self) {
        let _region = region("ats_align");
        match self.world.communicator() {
            Some(c) if self.options.visible => c.barrier(),
            _ => self.world.align(),
        }
    }

    /// Repeats the balanced twin `--warmup` times, so that what only the first time costs is over.
    pub fn warm_up(&self) {
        let _region = region("ats_warmup");
        let (arguments, times) = self.warm_up_arguments();
        for _ in 0..times {
            (self.property.run_balanced)(&self.run().context(), &arguments);
        }
    }

    /// Where the property has a parameter for its repetitions, it repeats by itself.
    fn warm_up_arguments(&self) -> (Arguments, usize) {
        let Options { arguments, warm_up, .. } = self.options;
        if !self.property.parameters.iter().any(|parameter| parameter.name == "r") {
            return (arguments.clone(), *warm_up);
        }
        let mut given: BTreeMap<String, String> = arguments.to_map();
        given.insert("r".to_owned(), warm_up.to_string());
        let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        (self.property.arguments(given).expect("these are checked, and a count is one"), 1)
    }

    /// Runs the property, or with `--balanced` its twin in its place: the part in which there is something to find.
    pub fn measure(self, property: impl FnOnce(Run<'a>)) -> Measured<'a> {
        let _region = region("ats_measured");
        let run = self.run();
        self.world.pcontrol(1);
        log::start(LOGGED);
        let enter_ns = log::now_ns();
        if self.options.balanced {
            (self.property.run_balanced)(&run.context(), &self.options.arguments);
        } else {
            property(run);
        }
        let leave_ns = log::now_ns();
        let log = log::stop();
        self.world.pcontrol(0);
        Measured { harness: self, span: Span { enter_ns, leave_ns }, log }
    }

    fn run(&self) -> Run<'a> {
        Run { world: self.world, team: self.team }
    }

    pub(crate) fn program(&self) -> Program {
        Program { property: self.property, balanced: self.options.balanced }
    }
}

/// Without a word on it, the kind that suits the ranks and threads of this machine.
fn configure_work(options: &Options, world: &dyn World) -> Kind {
    let ranks_here = Launcher::find().map_or(world.size(), |launcher| launcher.ranks_here);
    let default = || Kind::default_for(ranks_here * options.threads, machine::cores());
    let kind = options.work.unwrap_or_else(default);
    // Ranks with one seed would all make the same accesses.
    let seed = options.seed.wrapping_add(world.rank() as u64);
    let rates = (kind == Kind::Counted).then(|| calibrated(world));
    ats_work::configure(Config { kind, seed, rates });
    kind
}

/// Rank 0 calibrates its machine, if nobody has, before the others look for the result.
fn calibrated(world: &dyn World) -> Rates {
    if world.rank() != 0 {
        world.align();
    }
    let (calibration, notices) = calibration::obtain();
    if world.rank() == 0 {
        notices.iter().for_each(|notice| eprintln!("note: {notice}"));
        world.align();
    }
    calibration.rates
}
