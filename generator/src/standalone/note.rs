//! Runs a property on the virtual engine, and notes the steps of each rank.

mod columns;
mod communicator;
mod partitions;
mod polling;
mod topology;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use ats_model::mpi::{Form, Function};
use ats_mpi::{Communicator, How, Op, Process, Request, Source};
use ats_props::{Arguments, Context, Entry, Program};
use ats_virtual::{Outcome, Simulation, SimulationError};
use ats_work::{Amount, Executor};

use communicator::{Noted, NotedProcess};

use super::amounts;
use super::arguments::{Passed, WORLD, arguments};
use super::step::{Argument, Buffers, Role, Shape, Step, Value, picoseconds};

/// The steps of all ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// For each rank the steps in each visit to each region. A step that enters a region has the number of its visit.
    pub(crate) ranks: Vec<BTreeMap<&'static str, Vec<Vec<Step>>>>,
    pub(crate) buffers: Buffers,
    /// Most requests that a rank has open at the same time.
    pub(crate) requests: usize,
    /// Whether ranks do something before they initialise MPI.
    pub(crate) begins_early: bool,
}

/// Notes the steps of each of `ranks` ranks.
///
/// If a rank takes a message from any source, the run is made a second time with another order: the notes must not
/// depend on it.
///
/// # Errors
/// The error names the step that cannot be noted, or the reason why the run has failed.
pub(crate) fn note(program: &Program, given: &Arguments, ranks: usize) -> Result<Notes, String> {
    if program.property.entry == Entry::Program {
        let body = |process: &dyn Process| {
            begin(process.rank());
            program.run(&Context::before_mpi(&NotedProcess(process)), given);
        };
        return noted(&|way| run(ranks, way, |simulation| simulation.run_processes(body)));
    }
    note_ranks(ranks, &|c| program.run(&Context::new(Some(c), None), given))
}

/// The same of any function of ranks.
///
/// # Errors
/// As for [`note`].
pub(crate) fn note_ranks(ranks: usize, body: &dyn Fn(&dyn Communicator)) -> Result<Notes, String> {
    let body = |c: &dyn Communicator| {
        begin(c.rank());
        body(&Noted::world(c));
    };
    noted(&|way| run(ranks, way, |simulation| simulation.run(body)))
}

/// The notes of the first way of noting whose result does not depend on the order of the ranks.
fn noted(run: &dyn Fn(Way) -> Result<(Notes, bool), String>) -> Result<Notes, String> {
    for answers in [true, false] {
        let run = |disturbed| run(Way { answers, disturbed });
        let (notes, has_choices) = run(false)?;
        if !has_choices || run(true)?.0 == notes {
            return Ok(notes);
        }
    }
    Err("the steps of its ranks depend on the order of messages, in more than the rank that they answer"
        .to_owned())
}

/// The place of the communicator that a program has made, and not freed yet.
pub(super) const MADE: &str = "&made";
/// The place of a group.
pub(super) const GROUP: &str = "&group";
/// The message that a probe has matched.
pub(super) const MESSAGE: &str = "&message";
/// The type of a column, where one is made.
pub(super) const COLUMN: &str = "&column";
/// Whether a test has completed its request. A step with it is repeated until that is so.
pub(super) const FLAG: &str = "&flag";
const NO_STATUS: &str = "MPI_STATUS_IGNORE";

/// A way to note a run.
#[derive(Clone, Copy, Default)]
struct Way {
    /// Whether a message to the rank that the last message from any source came from is an answer.
    answers: bool,
    /// The highest ranks come to their calls first.
    disturbed: bool,
}

/// A run in the making.
#[derive(Default)]
struct Noting {
    way: Way,
    here: usize,
    ranks: Vec<Rank>,
    buffers: Buffers,
    requests: usize,
    has_choices: bool,
    begins_early: bool,
    unfit: Option<String>,
    engine: Option<&'static dyn Executor>,
    /// Whether a call is made on the communicator that the program has made.
    on_made: bool,
}

#[derive(Default)]
struct Rank {
    done: BTreeMap<&'static str, Vec<Vec<Step>>>,
    /// The regions that it is in, with their numbers; the outermost is the program.
    inside: Vec<(&'static str, usize, Vec<Step>)>,
    /// The rank of the last message taken from any source.
    matched: Option<usize>,
    /// The requests, by their places.
    open: Vec<Option<Open>>,
    /// The place of the request that it tests until it is complete.
    polls: Option<usize>,
    /// Whether it has a communicator of its own.
    has_made: bool,
    /// Whether it has a derived type of its own.
    has_type: bool,
}

/// A request that is not complete, or persistent.
#[derive(Clone, Copy)]
struct Open {
    /// The engine's number.
    number: u64,
    receives: bool,
    persistent: bool,
}

thread_local! {
    static NOTING: RefCell<Noting> = RefCell::default();
}

fn noting<R>(work: impl FnOnce(&mut Noting) -> R) -> R {
    NOTING.with_borrow_mut(work)
}

/// A rank begins.
fn begin(rank: usize) {
    let engine = ats_work::install(Some(&NOTED));
    noting(|noting| {
        noting.here = rank;
        noting.engine = noting.engine.or(engine);
    });
}

/// The notes of a run, and whether a rank has taken a message from any source.
fn run(
    ranks: usize,
    way: Way,
    simulate: impl FnOnce(Simulation<'_>) -> Result<Outcome, SimulationError>,
) -> Result<(Notes, bool), String> {
    let all = (0..ranks).map(|_| Rank { inside: vec![("", 0, Vec::new())], ..Rank::default() }).collect();
    noting(|noting| *noting = Noting { way, ranks: all, ..Noting::default() });
    let outcome = simulate(Simulation::new(ranks).without_accounts());
    let Noting { ranks, buffers, requests, begins_early, has_choices, unfit, .. } = noting(std::mem::take);
    outcome.map_err(|error| error.to_string())?;
    if let Some(unfit) = unfit {
        return Err(unfit);
    }
    let ranks = ranks.into_iter().map(|rank| rank.done).collect();
    Ok((Notes { ranks, buffers, requests, begins_early }, has_choices))
}

impl Noting {
    fn rank(&mut self) -> &mut Rank {
        &mut self.ranks[self.here]
    }

    fn step(&mut self, shape: Shape, values: Vec<Value>) {
        if self.rank().polls.is_some() {
            self.unfit("it does something between tests of a request");
        }
        let inside = &mut self.rank().inside;
        inside.last_mut().expect("the program is around it").2.push(Step { shape, values });
    }

    fn unfit(&mut self, why: &str) {
        self.unfit.get_or_insert_with(|| why.to_owned());
    }

    fn enter(&mut self, region: &'static str) {
        let done = self.rank().done.entry(region).or_default();
        let number = done.len();
        done.push(Vec::new());
        self.step(Shape::Region(region), vec![Value::Number(number as i64)]);
        self.rank().inside.push((region, number, Vec::new()));
    }

    fn leave(&mut self) {
        let is_outermost = self.rank().inside.len() == 2;
        if is_outermost {
            self.free_persistent();
        }
        let rank = self.rank();
        let (region, number, steps) = rank.inside.pop().expect("a region is left that was entered");
        rank.done.get_mut(region).expect("it was entered")[number] = steps;
    }

    /// A call that is passed this.
    fn call(&mut self, function: &'static str, passed: Passed) {
        let Passed { mut arguments, values, needed } = passed;
        if self.on_made {
            let of_world = |argument: &&mut Argument| **argument == Argument::Word(WORLD);
            arguments.iter_mut().filter(of_world).for_each(|argument| *argument = Argument::Word("made"));
        }
        let place_of = |role: Role, datatype| {
            let mut values = values.iter();
            let place = arguments.iter().find_map(|argument| {
                let value = if argument.takes() { values.next() } else { None };
                (*argument == Argument::Buffer(role, datatype)).then_some(value)
            });
            if let Some(Some(Value::Number(place))) = place { *place as usize } else { 0 }
        };
        for (role, datatype, elements) in needed {
            let places = place_of(role, datatype) + 1;
            let extent = self.buffers.entry((role, datatype.name())).or_default();
            extent.datatype = Some(datatype);
            extent.elements = extent.elements.max(elements);
            extent.places = extent.places.max(places);
        }
        self.step(Shape::Call(function, arguments), values);
    }

    /// The place of a buffer that no open request receives into.
    fn free_place(&mut self) -> usize {
        let open = &self.rank().open;
        open.iter().position(|open| open.is_none_or(|open| !open.receives)).unwrap_or(open.len())
    }

    /// The arguments of an operation of this rank.
    fn passed(&mut self, op: &Op) -> Passed {
        let (here, size, answers) = (self.here, self.ranks.len(), self.way.answers);
        let place = self.free_place();
        let rank = self.rank();
        let (Op::Send { to, .. } | Op::Sendrecv { to, .. }) = op else {
            return arguments(op, here, size, place, false);
        };
        let answers = answers && rank.matched == Some(*to);
        arguments(op, here, size, place, answers)
    }

    fn blocking(&mut self, op: &Op) {
        let passed = self.passed(op);
        let passed = match op {
            Op::Recv { from: Source::Any, .. } | Op::Sendrecv { from: Source::Any, .. } => {
                self.has_choices = true;
                passed.word("&status")
            }
            Op::Recv { .. } | Op::Sendrecv { .. } => passed.word(NO_STATUS),
            _ => passed,
        };
        self.call(op.function().name(), passed);
    }

    /// A call of this form has made a request of an operation.
    fn requested(&mut self, form: Form, op: &Op, request: &Request) {
        let Some(function) = op.function().in_form(form) else { return };
        let mut passed = self.passed(op);
        if form == Form::Persistent && function.collective().is_some() {
            passed = passed.word("MPI_INFO_NULL");
        }
        if matches!(op, Op::Recv { from: Source::Any, .. }) {
            self.unfit("it starts to receive from any source");
        }
        self.opens(function, op, request, passed);
    }

    /// A call that is passed this and a place for a request yields one.
    fn opens(&mut self, function: Function, op: &Op, request: &Request, passed: Passed) {
        let open = &mut self.rank().open;
        let place = open.iter().position(Option::is_none).unwrap_or(open.len());
        let entry = Some(Open {
            number: request.0,
            receives: matches!(op, Op::Recv { .. }),
            persistent: matches!(function.form(), Form::Persistent | Form::Partitioned),
        });
        if place < open.len() {
            open[place] = entry
        } else {
            open.push(entry)
        }
        self.requests = self.requests.max(place + 1);
        self.call(function.name(), passed.request(place));
    }

    /// A persistent request is started.
    fn restarted(&mut self, request: &Request) {
        if let Some(place) = self.place(request) {
            self.call(Function::Start.name(), Passed::default().request(place));
        }
    }

    /// A call makes a communicator of these and a place for it.
    fn makes(&mut self, function: Function, passed: Passed) {
        if std::mem::replace(&mut self.rank().has_made, true) {
            self.unfit("it makes a communicator while it has another");
        }
        self.call(function.name(), passed.word(MADE));
    }

    /// The communicator that was made is freed.
    fn frees(&mut self) {
        self.rank().has_made = false;
        self.call(Function::Comm_free.name(), Passed::default().word(MADE));
    }

    /// A call makes a communicator of a group of all ranks.
    fn creates(&mut self, ranks: &[usize]) {
        if !ranks.iter().copied().eq(0..self.ranks.len()) {
            self.unfit(&format!("it calls {} with a part of the ranks", Function::Comm_create));
        }
        let of_world = || Passed::default().word(WORLD);
        self.call(Function::Comm_group.name(), of_world().word(GROUP));
        self.makes(Function::Comm_create, of_world().word("group"));
        self.call(Function::Group_free.name(), Passed::default().word(GROUP));
    }

    /// The program initialises MPI.
    fn begins_mpi(&mut self) {
        let begins_early = self.rank().inside.last().is_some_and(|(.., steps)| !steps.is_empty());
        self.begins_early |= begins_early;
        self.step(Shape::Init, Vec::new());
    }

    fn place(&mut self, request: &Request) -> Option<usize> {
        self.rank().open.iter().position(|open| open.is_some_and(|open| open.number == request.0))
    }

    /// The program can start its persistent requests no more.
    fn free_persistent(&mut self) {
        for place in 0..self.rank().open.len() {
            if self.rank().open[place].is_some_and(|open| open.persistent) {
                self.rank().open[place] = None;
                self.call(Function::Request_free.name(), Passed::default().request(place));
            }
        }
    }

    /// The places of requests.
    fn places(&mut self, requests: &[Request]) -> Vec<usize> {
        requests.iter().filter_map(|request| self.place(request)).collect()
    }

    fn completes(&mut self, how: How, requests: &[Request]) {
        let places = self.places(requests);
        let open = &mut self.rank().open;
        for &place in &places {
            open[place] = open[place].filter(|open| open.persistent);
        }
        match (how, &places[..]) {
            (How::Wait, &[place]) => {
                let passed = Passed::default().request(place).word("MPI_STATUS_IGNORE");
                self.call(how.name(), passed);
            }
            (How::Waitall, _) if places.iter().copied().eq(0..requests.len()) => {
                let mut passed = Passed { arguments: vec![Argument::Requests], ..Passed::default() };
                passed.values.push(Value::Number(places.len() as i64));
                self.call(how.name(), passed.word("MPI_STATUSES_IGNORE"));
            }
            _ => self.unfit(&format!("it calls {} on some of its requests", how.name())),
        }
    }
}

/// The delay of each lower rank after the next, in seconds, if ranks make their calls in another order.
const LATE: f64 = 1e-4;

/// Hands a call of this rank to the engine, after which others may have run.
fn engine<R>(call: impl FnOnce() -> R) -> R {
    let (here, late, executor) = noting(|noting| {
        let late = if noting.way.disturbed { noting.ranks.len() - noting.here } else { 0 };
        (noting.here, late, noting.engine.expect("an engine runs it"))
    });
    if late > 0 {
        executor.work(LATE * late as f64);
    }
    let result = call();
    noting(|noting| noting.here = here);
    result
}

/// Notes the steps of the program beside MPI.
struct NotedWork;

static NOTED: NotedWork = NotedWork;

/// Notes a step, and has the engine do it.
fn do_step(shape: Shape, values: Vec<Value>, run: impl FnOnce(&dyn Executor)) {
    let (here, engine) = noting(|noting| {
        noting.step(shape, values);
        (noting.here, noting.engine.expect("an engine runs it"))
    });
    run(engine);
    noting(|noting| noting.here = here);
}

impl Executor for NotedWork {
    fn work(&self, seconds: f64) {
        do_step(Shape::Work, vec![Value::Number(picoseconds(seconds))], |engine| engine.work(seconds));
    }

    fn amount(&self, amount: &Amount) {
        do_step(Shape::Amount(amounts::call(amount)), Vec::new(), |engine| engine.amount(amount));
    }

    fn enter(&self, region: &'static str) {
        noting(|noting| noting.enter(region));
    }

    fn leave(&self, _: &'static str) {
        noting(Noting::leave);
    }

    fn now(&self) -> f64 {
        noting(|noting| {
            noting.unfit("it asks for the time");
            noting.engine.expect("an engine runs it").now()
        })
    }

    fn same_for_all(&self, of: &str, make: &dyn Fn() -> Vec<f64>) -> Rc<[f64]> {
        noting(|noting| noting.engine.expect("an engine runs it")).same_for_all(of, make)
    }
}
