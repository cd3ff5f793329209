//! The phases of a program.

use std::collections::BTreeMap;

use ats_model::witness::{ClockOffset, Span};
use ats_mpi::real::{self, MpiCommunicator};
use ats_mpi::{Communicator, SendMode};
use ats_props::{Arguments, Context, ParameterType, Program, Property};
use ats_work::calibration::{self, Rates};
use ats_work::log::{self, Log};
use ats_work::{Config, Kind, do_work, machine, region};

use crate::calls;
use crate::launcher::Launcher;
use crate::options::Options;

/// Constructs that the log has room for before it grows.
const LOGGED: usize = 1 << 14;

/// A program with MPI up, that walks through its phases.
pub struct Harness<'a> {
    pub(crate) property: &'static Property,
    pub(crate) options: &'a Options,
    pub(crate) world: &'a MpiCommunicator,
    pub(crate) work: Kind,
    pub(crate) eager_held: Option<bool>,
    pub(crate) clock: ClockOffset,
}

/// A program whose measured part is over; only [`Harness::measure`] makes one.
pub struct Measured<'a> {
    pub(crate) harness: Harness<'a>,
    pub(crate) span: Span,
    pub(crate) log: Log,
}

impl<'a> Harness<'a> {
    /// Configures work, probes eager sends where the property needs them, and compares clocks.
    pub(crate) fn set_up(
        property: &'static Property,
        options: &'a Options,
        world: &'a MpiCommunicator,
    ) -> Self {
        let _region = region("ats_setup");
        let work = configure_work(options, world);
        world.set_base_comm(options.base_comm);
        let eager_held = (property.send_mode == Some(SendMode::Standard)).then(|| {
            let c: &dyn Communicator = world;
            let held = real::eager_held(world, &c.base_buf());
            if !held && c.rank() == 0 {
                eprintln!(
                    "warning: {}: standard sends of this size wait for their receive; what shows is not what is meant. \
                     Use a smaller --base-comm",
                    property.name
                );
            }
            held
        });
        Harness { property, options, world, work, eager_held, clock: clock_offset(world) }
    }

    /// The value of a parameter, from the command line or its default.
    ///
    /// # Panics
    /// The property has no such parameter of this type.
    pub fn argument<T: ParameterType>(&self, name: &str) -> T {
        self.options.arguments.get(name)
    }

    /// All ranks wait for each other: by `PMPI_Barrier` on a duplicate of `MPI_COMM_WORLD`, which tools do not see, or
    /// with `--harness=mpi` by `MPI_Barrier`.
    pub fn align(&self) {
        let _region = region("ats_align");
        if self.options.visible {
            let c: &dyn Communicator = self.world;
            c.barrier();
        } else {
            real::align(self.world);
        }
    }

    /// Repeats the balanced twin `--warmup` times, so that what only the first time costs is over.
    pub fn warm_up(&self) {
        let _region = region("ats_warmup");
        let (arguments, times) = self.warm_up_arguments();
        for _ in 0..times {
            (self.property.run_balanced)(&self.context(), &arguments);
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
    pub fn measure(self, property: impl FnOnce(&dyn Communicator)) -> Measured<'a> {
        let _region = region("ats_measured");
        calls::pcontrol(1);
        log::start(LOGGED);
        let enter_ns = log::now_ns();
        if self.options.balanced {
            (self.property.run_balanced)(&self.context(), &self.options.arguments);
        } else {
            property(self.world);
        }
        let leave_ns = log::now_ns();
        let log = log::stop();
        calls::pcontrol(0);
        Measured { harness: self, span: Span { enter_ns, leave_ns }, log }
    }

    fn context(&self) -> Context<'a> {
        Context::new(self.world)
    }

    pub(crate) fn program(&self) -> Program {
        Program { property: self.property, balanced: self.options.balanced }
    }
}

/// This rank's clock against rank 0's, now.
pub(crate) fn clock_offset(world: &MpiCommunicator) -> ClockOffset {
    let real::clock::ClockOffset { at_ns, offset_ns } = real::clock::offset_to_rank0(world);
    ClockOffset { at_ns, offset_ns }
}

/// Without a word on it, the kind that suits the ranks of this machine.
fn configure_work(options: &Options, world: &MpiCommunicator) -> Kind {
    let ranks_here = Launcher::find().and_then(|launcher| launcher.ranks_here).unwrap_or(world.size());
    let kind = options.work.unwrap_or_else(|| Kind::default_for(ranks_here, machine::cores()));
    // Ranks with one seed would all make the same accesses.
    let seed = options.seed.wrapping_add(world.rank() as u64);
    let rates = (kind == Kind::Counted).then(|| calibrated(world));
    ats_work::configure(Config { kind, seed, rates });
    // The first work measures what it has to know; a run without warm-up must not do that in its measured part.
    do_work(1e-6);
    kind
}

/// Rank 0 calibrates its machine, if nobody has, before the others look for the result.
fn calibrated(world: &MpiCommunicator) -> Rates {
    if world.rank() != 0 {
        real::align(world);
    }
    let (calibration, notices) = calibration::obtain();
    if world.rank() == 0 {
        notices.iter().for_each(|notice| eprintln!("note: {notice}"));
        real::align(world);
    }
    calibration.rates
}
