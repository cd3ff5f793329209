//! The changes of a program, each with the program that is its truth.

use ats_compose::{Group, Subject};
use ats_documents::what_if_score::KindOfChange;
use ats_props::{Arguments, Program, Property};
use ats_truth::{Planned, TruthOptions, network_in_words, network_of, processors_in_words};
use ats_whatif::{Changes, NetworkOfReplay, Selection, Speed};

use super::undefined::{POLLING, UNDIVIDED};
use super::{Machines, region_of_even_work, undefined};

/// A change of a program, or the reason that there is no truth for it.
pub(super) struct Case {
    pub(super) kind: KindOfChange,
    /// As options of `ats what-if`.
    pub(super) options: Vec<String>,
    pub(super) change: Result<Change, String>,
}

/// A change, and the changed program.
pub(super) struct Change {
    /// The machine of the trace.
    pub(super) before: TruthOptions,
    pub(super) changes: Changes,
    pub(super) after: (Planned, TruthOptions),
}

/// The factor of the change of speed.
const FASTER: f64 = 2.0;

/// All changes of a program.
pub(super) fn cases(planned: &Planned, machines: &Machines) -> Vec<Case> {
    let mut cases = vec![speed(planned, machines), network(planned, machines), processors(planned, machines)];
    cases.extend(even_work(planned, machines));
    cases
}

fn speed(planned: &Planned, machines: &Machines) -> Case {
    let kind = KindOfChange::Speed;
    let options = words("--speed", FASTER.to_string());
    let has_times = planned.subject.properties().iter().any(|property| times_of(property).next().is_some());
    let change = if has_times { defined(kind, &planned.subject) } else { Err("it has no times".to_owned()) };
    let change = change.map(|()| {
        let before = machine(machines);
        let subject = planned.subject.changed(&|program, arguments| halve(program.property, arguments));
        let speed = Speed { selection: Selection::default(), factor: FASTER };
        let changes = Changes { speeds: vec![speed], ..Changes::default() };
        Change { after: (Planned { subject, size: planned.size }, before.clone()), before, changes }
    });
    Case { kind, options, change }
}

/// The names of the parameters of a property that are times.
fn times_of(property: &Property) -> impl Iterator<Item = &'static str> + use<> {
    let is_time = |kind: &str| matches!(kind, "seconds" | "distribution");
    let names: Vec<_> =
        property.parameters.iter().filter(|one| is_time(one.kind.name)).map(|one| one.name).collect();
    names.into_iter()
}

fn halve(property: &Property, arguments: &mut Arguments) {
    for name in times_of(property) {
        let halved = arguments.value(name).and_then(|value| value.scaled(1.0 / FASTER).ok());
        if let Some(halved) = halved {
            *arguments = arguments.clone().with(name, halved);
        }
    }
}

fn network(planned: &Planned, machines: &Machines) -> Case {
    let kind = KindOfChange::Network;
    let options =
        words("--network", network_in_words(&machines.network).unwrap_or_else(|| "ideal".to_owned()));
    let depends =
        machines.network.eager_limit != machines.recorded.eager_limit && planned.subject.is_probed();
    let change = if depends {
        Err("the size of its messages depends on the eager limit".to_owned())
    } else {
        defined(kind, &planned.subject)
    };
    let change = change.map(|()| {
        let on = |network| TruthOptions { network, ..machine(machines) };
        let after = on(machines.network);
        let network = network_of(&planned.subject, &after);
        let changes = Changes { network: NetworkOfReplay::Model(network), ..Changes::default() };
        Change { before: on(machines.recorded), changes, after: (planned.clone(), after) }
    });
    Case { kind, options, change }
}

fn processors(planned: &Planned, machines: &Machines) -> Case {
    let kind = KindOfChange::Processors;
    let options = words("--place", machines.processors.as_ref().map(processors_in_words).unwrap_or_default());
    let change = match planned.subject {
        // By chance, these matter with the defaults of few properties alone, but with other arguments with many.
        Subject::Composition(_) => Err(UNDIVIDED.to_owned()),
        Subject::Property { .. } => defined(kind, &planned.subject),
    };
    let change = change.map(|()| {
        let (before, processors) = (machine(machines), machines.processors.clone());
        let after = TruthOptions { processors: processors.clone(), ..before.clone() };
        Change {
            before,
            changes: Changes { processors, ..Changes::default() },
            after: (planned.clone(), after),
        }
    });
    Case { kind, options, change }
}

/// Even work for each property that is not balanced.
fn even_work(planned: &Planned, machines: &Machines) -> Vec<Case> {
    let programs = planned.subject.programs().into_values();
    let mut properties: Vec<_> =
        programs.filter(|program| !program.balanced).map(|one| one.property).collect();
    properties.retain(|property| Program { property, balanced: false }.twin().is_some());
    properties.into_iter().map(|property| even_work_of(property, planned, machines)).collect()
}

fn even_work_of(property: &'static Property, planned: &Planned, machines: &Machines) -> Case {
    let kind = KindOfChange::EvenWork;
    let region = region_of_even_work(property.name);
    let change = match &region {
        None => Err("its twin differs in more than who does the work of one region".to_owned()),
        Some(region) if region == property.name && is_of_some_ranks(&planned.subject, property) => {
            Err("ranks that do not communicate in it visit it in groups, and no trace tells these apart"
                .to_owned())
        }
        Some(_) if polls(&planned.subject) => Err(POLLING.to_owned()),
        Some(region) => region.parse::<Selection>().map_err(|error| error.to_string()).map(|selection| {
            let before = machine(machines);
            let subject = planned
                .subject
                .changed(&|program, _| program.balanced |= program.property.name == property.name);
            let changes = Changes { balances: vec![selection], ..Changes::default() };
            Change { after: (Planned { subject, size: planned.size }, before.clone()), before, changes }
        }),
    };
    let options = words("--balance", region.unwrap_or_else(|| property.name.to_owned()));
    Case { kind, options, change }
}

/// Whether some ranks of a composition run a property that lets no rank wait for another.
fn is_of_some_ranks(subject: &Subject, property: &Property) -> bool {
    let Subject::Composition(composition) = subject else { return false };
    let mut groups = composition.phases().iter().flat_map(|phase| &phase.groups);
    let is_apart = |group: &Group| {
        let mut steps = group.all_steps();
        group.ranks.is_some() && steps.any(|step| step.program.property.name == property.name)
    };
    !property.needs.ranks && groups.any(is_apart)
}

/// Whether messages are tested for in a composition.
fn polls(subject: &Subject) -> bool {
    let is_reason = |property: &Property| undefined(KindOfChange::Speed, property.name) == Some(POLLING);
    matches!(subject, Subject::Composition(_)) && subject.properties().into_iter().any(is_reason)
}

fn words(option: &str, value: String) -> Vec<String> {
    vec![option.to_owned(), value]
}

/// A machine without costs of communication.
fn machine(machines: &Machines) -> TruthOptions {
    TruthOptions { costs: machines.costs, ..TruthOptions::default() }
}

/// # Errors
/// The change is undefined for a property of the program.
fn defined(kind: KindOfChange, subject: &Subject) -> Result<(), String> {
    let is_composed = matches!(subject, Subject::Composition(_));
    let reason = subject.properties().into_iter().find_map(|property| {
        let reason = undefined(kind, property.name)?;
        Some(if is_composed { format!("{}: {reason}", property.name) } else { reason.to_owned() })
    });
    reason.map_or(Ok(()), Err)
}
