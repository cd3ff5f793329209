//! The runs of a plan, resolved: the program or command of each is there, and its experiment has a name.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use crate::plan::{Combination, PlannedEngine, Template, What};
use crate::{Given, Plan, by_one_unit, id, source_files};
use ats_compose::Composition;
use ats_documents::experiment::{Engine, Run, Version};
use ats_generator::GenerateError;
use ats_model::mistakes::Mistakes;
use ats_props::{ArgumentError, Catalogue};
use ats_work::Kind;

use super::{NotCarriedOut, named_after, simulated};
use ats_launch::launch::{LaunchError, Launched, parse_command};
use ats_launch::mpi::Mpi;
use ats_launch::ready::{NotReady, recorded_library};
use ats_truth::{GivenSize, Planned, PlannedError, SizeError, TruthOptions, network};

/// A run of a plan.
pub(super) struct Job {
    /// That of its experiment.
    pub(super) id: String,
    pub(super) given: Given,
    /// The parameters in its name.
    pub(super) told: Vec<String>,
    pub(super) action: Action,
}

/// The action of a run.
pub(super) enum Action {
    /// In virtual time. If the flag (sequential) is set, one unit does all the work.
    Simulate(Planned, Box<TruthOptions>, bool),
    Program(Planned),
    /// With the library of the recorder; none where the command leaves a report.
    Command(Combination, Option<Mpi>),
}

impl Job {
    /// Whether it takes time.
    pub(super) fn is_real(&self) -> bool {
        !matches!(self.action, Action::Simulate(..))
    }
}

/// A plan, and what is wrong with it.
struct Resolver<'a> {
    plan: &'a Plan,
    catalogue: &'a Catalogue,
    mistakes: Mistakes,
    /// The mistakes reported so far, each key and text once, as many runs share a mistake.
    said: BTreeSet<(String, String)>,
}

/// All runs of a plan.
pub(super) fn jobs(plan: &Plan, catalogue: &Catalogue) -> Result<Vec<Job>, NotCarriedOut> {
    let mut resolver = Resolver { plan, catalogue, mistakes: Mistakes::default(), said: BTreeSet::new() };
    let version = Version { name: plan.version.clone(), files: source_files(&plan.files)? };
    let actions = match &plan.what {
        What::Command { words, report, .. } => resolver.commands(words, report.is_none())?,
        What::Program { name, engine } => resolver.programs(name, engine),
    };
    let mut jobs = Vec::new();
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    for (combination, (action, of_action)) in plan.combinations.iter().zip(actions) {
        let mut told = plan.told.clone();
        if matches!(action, Action::Simulate(.., true)) {
            told.extend(Run::SEQUENTIAL_OF.map(str::to_owned));
        }
        let given = Given { version: version.clone(), ..given(plan, combination, of_action) };
        match id(&given, &told) {
            Ok(id) => {
                if ids.insert(id.clone(), jobs.len()).is_some() {
                    resolver
                        .wrong("values", format!("two runs would be kept as {id}; give them other values"));
                }
                jobs.push(Job { id, given, told, action });
            }
            Err(error) => resolver.wrong("application", error.to_string()),
        }
    }
    Ok(resolver.mistakes.none_in(jobs).map_err(crate::PlanError::from)?)
}

/// The facts known about a run before it begins; `of_action` holds those of its program or command.
fn given(plan: &Plan, combination: &Combination, of_action: Given) -> Given {
    let Given { application, run, machine, .. } = of_action;
    let application = plan.application.clone().unwrap_or(application);
    let name = plan.name.clone().unwrap_or_else(|| application.clone());
    let mut parameters = combination.parameters.clone();
    parameters.extend(run.parameters);
    let nodes = combination.nodes.filter(|_| !combination.sequential);
    let [nodes, units_per_node] = nodes.map_or([None; 2], |nodes| nodes.map(Some));
    let told = plan.machine.clone();
    let machine = ats_documents::experiment::VirtualMachine {
        part_of: told.part_of.or(machine.part_of),
        cpu: told.cpu,
        network: machine.network.or(told.network),
        nodes,
        units_per_node,
        ..machine
    };
    let run = Run { name, parameters, repeat: combination.repeat, ..run };
    let run = Run { size: run.problem_size(), ..run };
    Given { application, run, machine, ..Given::default() }
}

/// The action of a run, and the facts known about it.
type Known = (Action, Given);

impl Resolver<'_> {
    fn wrong(&mut self, key: &str, what: String) {
        if self.said.insert((key.to_owned(), what.clone())) {
            self.plan.mistake(&mut self.mistakes, key, what);
        }
    }

    fn programs(&mut self, name: &str, engine: &PlannedEngine) -> Vec<Known> {
        let options = match engine {
            PlannedEngine::Virtual => self.network(),
            PlannedEngine::Mpi { work, .. } => {
                if let Some(Err(error)) = work.as_ref().map(|work| work.parse::<Kind>()) {
                    self.wrong("work", error.to_string());
                }
                TruthOptions::default()
            }
        };
        let mut known = Vec::new();
        for combination in &self.plan.combinations {
            match self.program(name, combination) {
                Ok(planned) if *engine != PlannedEngine::Virtual && planned.subject.is_trace_only() => {
                    self.wrong(
                        "program",
                        GenerateError::TraceOnly(planned.subject.name().to_owned()).to_string(),
                    );
                }
                Ok(planned) => {
                    known.push(of_program(planned, combination.sequential, engine, options.clone()))
                }
                Err(wrong) => wrong.into_iter().for_each(|(key, what)| self.wrong(&key, what)),
            }
        }
        known
    }

    fn network(&mut self) -> TruthOptions {
        match self.plan.machine.network.as_deref().map(network) {
            Some(Err(error)) => self.wrong("network", error.to_string()),
            Some(Ok(network)) => return TruthOptions { network, ..TruthOptions::default() },
            None => {}
        }
        TruthOptions::default()
    }

    /// The program of a run, or all its mistakes, each with its key.
    fn program(&self, name: &str, combination: &Combination) -> Result<Planned, Vec<(String, String)>> {
        let of_machine = |name: &str| combination.nodes.is_some() && ["nodes", "units"].contains(&name);
        let parameters = combination.parameters.iter().filter(|(name, _)| !of_machine(name));
        let words: Vec<String> = parameters.map(|(name, value)| format!("{name}={value}")).collect();
        let number = |number: Option<u32>| number.map(|number| number as usize);
        let size = GivenSize { ranks: number(combination.ranks), threads: number(combination.threads) };
        for (key, number, most) in [
            ("ranks", size.ranks, Composition::MOST_RANKS),
            ("threads", size.threads, Composition::MOST_THREADS),
        ] {
            if number.is_some_and(|number| number > most) {
                let place = if combination.nodes.is_some() { "nodes" } else { key };
                return Err(vec![(format!("values.{place}"), format!("use at most {most} {key}"))]);
            }
        }
        Planned::named(name, &words, size, self.catalogue).map_err(|error| {
            let PlannedError::Argument(ArgumentError::Unknown { .. } | ArgumentError::Value { .. }) = error
            else {
                return vec![placed(error, combination)];
            };
            let alone = |word: &String| {
                let alone = Planned::named(name, std::slice::from_ref(word), size, self.catalogue);
                alone.err().filter(|error| matches!(error, PlannedError::Argument(_)))
            };
            words.iter().filter_map(alone).map(|error| placed(error, combination)).collect()
        })
    }

    /// The runs of a command, which has to be there; `recorded` says whether it is recorded.
    fn commands(&mut self, words: &[Template], recorded: bool) -> Result<Vec<Known>, NotCarriedOut> {
        let mut there: BTreeMap<(bool, [OsString; 2]), There> = BTreeMap::new();
        // Where the program stands in the words, as the first run says.
        let mut place = 0;
        let mut known = Vec::new();
        for combination in &self.plan.combinations {
            let words = filled(words, combination, "{dir}");
            let key = |place: usize| (combination.sequential, [0, place].map(|at| words[at].clone()));
            let found = match there.get(&key(place)).filter(|_| !known.is_empty()) {
                Some(found) => found.clone(),
                None => {
                    let found = self.there(&words, combination.sequential, recorded)?;
                    place = found.place;
                    there.insert(key(place), found.clone());
                    found
                }
            };
            let without = if combination.sequential { found.place } else { 0 };
            let text: Vec<_> = words[without..].iter().map(|word| word.to_string_lossy()).collect();
            let run = Run {
                command: Some(text.join(" ")),
                ranks: combination.ranks.unwrap_or(1),
                threads: combination.threads.unwrap_or(1),
                sequential: combination.sequential,
                source: found.program,
                ..Run::default()
            };
            let action = Action::Command(combination.clone(), found.mpi);
            known.push((action, Given { run, ..Given::default() }));
        }
        Ok(known)
    }

    /// The program of a command, which is there and can be recorded if it is to be.
    fn there(&mut self, words: &[OsString], alone: bool, recorded: bool) -> Result<There, NotCarriedOut> {
        let launched = match command(words, alone) {
            Ok(launched) => launched,
            Err(error) => {
                self.wrong("command", error.to_string());
                return Ok(There::default());
            }
        };
        let program = launched.program.to_string_lossy().into_owned();
        if which::which(&launched.program).is_err() {
            self.wrong("command", LaunchError::NoSuchProgram(launched.program.into()).to_string());
            return Ok(There::default());
        }
        let mpi = match recorded.then(|| recorded_library(&launched)).transpose() {
            Ok(mpi) => mpi,
            Err(error @ (NotReady::Unrecordable(_) | NotReady::Silent(_) | NotReady::Unloadable { .. })) => {
                self.wrong("command", format!("{error}; or say with `report` what it leaves itself"));
                None
            }
            Err(error @ NotReady::Launch(_)) => {
                self.wrong("command", error.to_string());
                None
            }
            Err(error) => return Err(error.into()),
        };
        Ok(There { program, place: launched.place, mpi })
    }
}

/// The program and MPI library of a command.
#[derive(Clone, Default)]
struct There {
    program: String,
    /// The index of the program among the words.
    place: usize,
    mpi: Option<Mpi>,
}

/// The command of these words; or its program alone.
pub(super) fn command(words: &[OsString], alone: bool) -> Result<Launched, LaunchError> {
    let launched = parse_command(words)?;
    if alone { launched.alone() } else { Ok(launched) }
}

/// The key of the mistake in a program, and its text.
fn placed(error: PlannedError, combination: &Combination) -> (String, String) {
    let of_size = if combination.ranks.is_some() { "values.ranks" } else { "values.threads" };
    let key = match &error {
        PlannedError::Argument(ArgumentError::Unknown { name, .. }) => format!("values.{name}"),
        PlannedError::Argument(ArgumentError::Value { name, .. }) => format!("values.{name}"),
        PlannedError::Size(SizeError::Unfit { option: "--threads", .. }) => "values.threads".to_owned(),
        PlannedError::Size(_) => of_size.to_owned(),
        PlannedError::Parameter { word, .. } => {
            format!("values.{}", word.split('=').next().unwrap_or_default())
        }
        _ => "program".to_owned(),
    };
    let text = match error {
        PlannedError::Several { program, runs, option } => {
            let name = if option == "--np" { "ranks" } else { "threads" };
            format!(
                "{program} is an experiment of {runs} runs; choose some with {name} = [1, 2, 4] below [values]"
            )
        }
        PlannedError::Size(SizeError::Unfit { property, what, option }) => {
            format!("{property} {what}; omit {}", if option == "--np" { "ranks" } else { "threads" })
        }
        error => error.to_string(),
    };
    (key, text)
}

fn of_program(planned: Planned, alone: bool, engine: &PlannedEngine, options: TruthOptions) -> Known {
    let name = planned.subject.name().to_owned();
    let mut run = Run {
        parameters: planned.subject.parameters(),
        ranks: planned.size.ranks as u32,
        threads: planned.size.threads as u32,
        ..Run::default()
    };
    if alone {
        run.by_one_unit();
    }
    let mut given = Given { run, ..Given::default() };
    match engine {
        PlannedEngine::Virtual => {
            named_after(&mut given, &name, &options);
            given.run.source = simulated::source(&name);
            if alone {
                given.run.source = by_one_unit(&given.run.source);
            }
            (Action::Simulate(planned, Box::new(options), alone), given)
        }
        PlannedEngine::Mpi { seed, .. } => {
            given.application.clone_from(&name);
            given.run.engine = Some(Engine::Mpi);
            (given.run.source, given.run.seed) = (format!("{name}, recorded"), *seed);
            (Action::Program(planned), given)
        }
    }
}

/// The words of a command.
pub(super) fn filled(words: &[Template], combination: &Combination, dir: &str) -> Vec<OsString> {
    words.iter().map(|word| word.fill(|name| combination.value(name, dir)).into()).collect()
}
