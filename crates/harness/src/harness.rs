//! The phases of a program.

use std::rc::Rc;

use ats_model::witness::{ClockOffset, Span};
use ats_mpi::{Communicator, Process};
use ats_props::{Context, ParameterType, Property, Value};
use ats_work::calibration::{self, Rates};
use ats_work::log::{self, Log};
use ats_work::{Config, Kind, Region, checksum, do_work, machine, region};

use crate::Outline;
use crate::launcher::Launcher;
use crate::options::Options;
use crate::team::{self, Engine};
use crate::world::World;

/// Constructs that the log has room for before it grows.
const LOGGED: usize = 1 << 14;

/// Every thread's first work, in seconds: it measures the speeds that work needs, and a run without warm-up must not
/// do that in its measured part.
const START: f64 = 1e-6;

/// A program with MPI and its team up, that walks through its phases. MPI ends when it is dropped.
pub struct Harness {
    pub(crate) outline: Outline,
    pub(crate) options: Options,
    pub(crate) world: Rc<dyn World>,
    pub(crate) team: Option<Rc<Engine>>,
    pub(crate) work: Kind,
    pub(crate) eager_held: Option<bool>,
    pub(crate) eager_limit: Option<usize>,
    pub(crate) clock: ClockOffset,
}

/// The processes and threads that the property runs on.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    world: &'a dyn World,
    team: Option<&'a Engine>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(world: &'a dyn World, team: Option<&'a Engine>) -> Self {
        Run { world, team }
    }

    /// `MPI_COMM_WORLD`.
    ///
    /// # Panics
    /// The property is one without ranks.
    pub fn communicator(&self) -> &'a dyn Communicator {
        self.world.communicator().expect("a property with a communicator is one of MPI")
    }

    /// The process before the start of MPI.
    ///
    /// # Panics
    /// The property does not initialise MPI itself.
    pub fn process(&self) -> &'a dyn Process {
        self.world.process().expect("a property with a process is a program of its own")
    }

    /// The process' threads.
    ///
    /// # Panics
    /// The property is one without a team.
    pub fn team(&self) -> &'a Engine {
        self.team.expect("a property with a team is one of OpenMP")
    }

    pub(crate) fn context(&self) -> Context<'a> {
        match self.world.process() {
            Some(process) => Context::before_mpi(process),
            None => Context::new(self.world.communicator(), self.team.map(|team| team as _)),
        }
    }
}

/// A program in its measured part; only [`Harness::begin_measured`] makes one.
pub struct Measuring {
    harness: Harness,
    region: Region,
    enter_ns: u64,
}

/// A program whose measured part is over; only [`Harness::measure`] and [`Measuring::end`] make one.
pub struct Measured {
    pub(crate) harness: Harness,
    pub(crate) span: Span,
    pub(crate) log: Log,
}

impl Harness {
    /// Configures work, starts all threads, probes eager sends and their limit where the property needs them, and compares
    /// clocks.
    pub(crate) fn set_up(
        outline: Outline,
        options: Options,
        world: Rc<dyn World>,
        team: Option<Engine>,
    ) -> Self {
        let _region = region("ats_setup");
        let work = configure_work(&options, &*world);
        match &team {
            Some(team) => team::start(team, || do_work(START)),
            None => do_work(START),
        }
        world.set_base_comm(options.base_comm);
        let eager_held = if outline.sends_eagerly { world.eager_held() } else { None };
        if eager_held == Some(false) && world.rank() == 0 {
            ats_work::say(format_args!(
                "warning: {}: standard sends of this size wait for their receive; what shows is not what is meant. \
                 Use a smaller --base-comm",
                outline.name
            ));
        }
        let eager_limit = if options.needs_limit(&outline) { world.eager_limit() } else { None };
        let clock = world.clock_offset();
        Harness { outline, options, world, team: team.map(Rc::new), work, eager_held, eager_limit, clock }
    }

    /// The name of the program: the property, its twin, or the composition.
    pub(crate) fn name(&self) -> &'static str {
        let twin = self.outline.property.filter(|_| self.options.balanced);
        twin.map_or(self.outline.name, |property| property.twin)
    }

    /// The property that this is a program of.
    ///
    /// # Panics
    /// There are several.
    fn property(&self) -> &'static Property {
        self.outline.property.expect("a program of one property")
    }

    /// Whether the twin is to be measured in place of the property.
    pub fn balanced(&self) -> bool {
        self.options.balanced
    }

    /// The number of times that the balanced twin is to be repeated before the measured part.
    pub fn warm_ups(&self) -> usize {
        self.options.warm_up
    }

    /// The value of a parameter, from the command line or its default.
    ///
    /// # Panics
    /// The property has no such parameter of this type.
    pub fn argument<T: ParameterType>(&self, name: &str) -> T {
        self.options.arguments.get(name)
    }

    /// The value of a parameter, of any type; `None` if there is no such parameter.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.options.arguments.value(name)
    }

    /// Lets all ranks wait for each other, if there are more than one: by `PMPI_Barrier` on a duplicate of
    /// `MPI_COMM_WORLD`, which tools do not see, or with `--harness=mpi` by `MPI_Barrier`.
    pub fn align(&self) {
        let _region = region("ats_align");
        match self.world.communicator() {
            Some(c) if self.options.visible => c.barrier(),
            _ => self.world.align(),
        }
    }

    /// Repeats the balanced twin `--warmup` times, so that costs of the first time are over.
    pub fn warm_up(&self) {
        let _region = region("ats_warmup");
        self.property().repeat_balanced(&self.run().context(), &self.options.arguments, self.options.warm_up);
    }

    /// Runs the property, or with `--balanced` its twin in its place: the part that has something to find.
    pub fn measure(self, property: impl FnOnce(Run<'_>)) -> Measured {
        let measuring = self.begin_measured();
        let harness = &measuring.harness;
        if harness.options.balanced {
            (harness.property().run_balanced)(&harness.run().context(), &harness.options.arguments);
        } else {
            property(harness.run());
        }
        measuring.end()
    }

    /// From here on there is something to find, and everything is in the checksum.
    pub fn begin_measured(self) -> Measuring {
        // What the thread needs for its work is there then, and none of the memory that is measured.
        ats_work::do_flops(0);
        checksum::start();
        let region = region("ats_measured");
        self.world.pcontrol(1);
        log::measure(self.outline.measured.clone());
        log::start(LOGGED);
        Measuring { harness: self, region, enter_ns: log::now_ns() }
    }

    fn run(&self) -> Run<'_> {
        Run::new(&*self.world, self.team.as_deref())
    }
}

impl Measuring {
    /// The program.
    pub fn harness(&self) -> &Harness {
        &self.harness
    }

    /// All is shown.
    pub fn end(self) -> Measured {
        let leave_ns = log::now_ns();
        let log = log::stop();
        let Measuring { harness, region, enter_ns } = self;
        harness.world.pcontrol(0);
        drop(region);
        Measured { harness, span: Span { enter_ns, leave_ns }, log }
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

/// Rank 0 calibrates its machine, if that has not been done, before the others look for the result.
fn calibrated(world: &dyn World) -> Rates {
    if world.rank() != 0 {
        world.align();
    }
    let (calibration, notices) = calibration::obtain();
    if world.rank() == 0 {
        notices.iter().for_each(|notice| ats_work::say(format_args!("note: {notice}")));
        world.align();
    }
    calibration.rates
}
