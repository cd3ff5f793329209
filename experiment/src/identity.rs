//! The path of an experiment in its repository: `APPLICATION/VERSION/NAME.Ranks4.threads2.size100.r1`.
//!
//! The last name is as Extra-P takes it apart: a name up to the first dot, parameters with their values up to the first
//! `.r`, and the number of the repetition. So a parameter whose name begins with r has a capital there, a decimal point
//! is a comma, and values other than numbers stand before the first dot.

use std::cmp::Ordering;
use std::fmt::Write;

use ats_documents::Experiment;
use ats_documents::experiment::{Engine, Run};

use crate::RepositoryError;

/// The suffix for the name of a run in virtual time.
const VIRTUAL: &str = "-virtual";

/// The suffix for the name of a sequential run, on any engine.
const SEQUENTIAL: &str = "-sequential";

/// The folders of an experiment below its repository; `told` are the parameters that distinguish it from others of its
/// name.
pub(crate) fn folders<S>(
    experiment: &Experiment<S>,
    told: &[String],
) -> Result<[String; 3], RepositoryError> {
    let run = &experiment.experiment;
    let named = |what: &str, name: &str| {
        let safe = encoded(name, ".-_+@=:");
        if name.is_empty() {
            let what = format!("the {what} has no name");
            return Err(RepositoryError::Name { what, fix: "give it one" });
        }
        Ok(safe)
    };
    let application = named("application", &experiment.application)?;
    let version = named("version", &experiment.version.name)?;
    named("experiment", &run.name)?;
    let mut name = before_the_dot(&run.name);
    if run.engine == Some(Engine::Virtual) {
        name += VIRTUAL;
    }
    if run.sequential {
        name += SEQUENTIAL;
    }
    let mut numbers = format!(".Ranks{}.threads{}", run.ranks, run.threads);
    for (parameter, value) in run.parameters.iter().filter(|(name, _)| told.contains(name)) {
        match number(parameter, value) {
            Some(number) => numbers.push_str(&number),
            None => {
                let _ = write!(name, "-{}={}", before_the_dot(parameter), before_the_dot(value));
            }
        }
    }
    Ok([application, version, format!("{name}{numbers}.r{}", run.repeat)])
}

/// `.size100`, of a parameter that is a number under a name of letters.
fn number(parameter: &str, value: &str) -> Option<String> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '-';
    let (whole, part) = value.split_once('.').unwrap_or((value, "0"));
    let is_number = [whole, part]
        .iter()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    let is_name = !parameter.is_empty() && parameter.chars().all(is_letter);
    let name = parameter.strip_prefix('r').map_or(parameter.to_owned(), |rest| format!("R{rest}"));
    (is_name && is_number).then(|| format!(".{name}{}", value.replace('.', ",")))
}

/// A text without the characters that may not stand before the first dot.
fn before_the_dot(text: &str) -> String {
    encoded(text, ".-_+@=:").replace('.', ",")
}

/// The run that a table calls `NAME.ranks4.threads2.size100.r1`, as far as its name describes it; 1 may be omitted.
pub(crate) fn run(text: &str) -> Result<Run, String> {
    let wrong = |part: &str| {
        format!(
            "`{}` is not a valid part of an experiment's name; write NAME.ranks4.threads2.size100.r1",
            shortened(part)
        )
    };
    let mut parts = text.split('.');
    let name = parts.next().filter(|name| !name.is_empty()).ok_or_else(|| wrong(text))?;
    let sequential = name.strip_suffix(SEQUENTIAL);
    let name = sequential.unwrap_or(name);
    let simulated = name.strip_suffix(VIRTUAL);
    let mut run = Run { name: simulated.unwrap_or(name).to_owned(), repeat: 1, ..Run::default() };
    run.sequential = sequential.is_some();
    run.engine = simulated.map(|_| Engine::Virtual);
    for part in parts {
        let (name, number) =
            part.split_at(part.find(|c: char| c.is_ascii_digit()).ok_or_else(|| wrong(part))?);
        let number = number.replace(',', ".");
        let whole = || number.parse().ok().filter(|number| *number > 0).ok_or_else(|| wrong(part));
        match name {
            "" => return Err(wrong(part)),
            "r" => run.repeat = whole()?,
            "ranks" | "Ranks" => run.ranks = whole()?,
            "threads" => run.threads = whole()?,
            _ => {
                number.parse::<f64>().map_err(|_| wrong(part))?;
                let name = name.strip_prefix('R').map_or(name.to_owned(), |rest| format!("r{rest}"));
                run.parameters.insert(name, number);
            }
        }
    }
    Ok(run)
}

/// Compares two ids; numbers in them go by their value, so `Ranks2` comes before `Ranks16`.
pub(crate) fn in_order(one: &str, other: &str) -> Ordering {
    let by_value = parts(one).partial_cmp(parts(other));
    by_value.unwrap_or(Ordering::Equal).then_with(|| one.cmp(other))
}

/// The parts of an id: texts, each with the number behind it; −1 if the id, or the name of a folder, ends there.
fn parts(id: &str) -> impl Iterator<Item = (&str, f64)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = id;
    std::iter::from_fn(move || {
        let first = rest.find(|c: char| c.is_ascii_digit() || c == '/').unwrap_or(rest.len());
        let (text, behind) = rest.split_at(first);
        let whole = digits(behind);
        let part = behind[whole..].strip_prefix(',').map_or(0, digits);
        let length = if whole > 0 && part > 0 { whole + 1 + part } else { whole };
        let (number, left) = behind.split_at(length);
        let is_over = rest.is_empty();
        rest = if whole > 0 { left } else { left.strip_prefix('/').unwrap_or(left) };
        (!is_over).then(|| (text, number.replace(',', ".").parse().unwrap_or(-1.0)))
    })
}

/// The beginning of a text, short enough for a message on one line.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Letters and digits of ASCII, and these others; all else by its bytes, as `%2F`, and so a dot that would hide it.
fn encoded(text: &str, others: &str) -> String {
    let mut name = String::new();
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphanumeric() || others.contains(c) && !(at == 0 && c == '.') {
            name.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(name, "%{byte:02X}");
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ats_documents::Experiment;
    use ats_documents::experiment::{Engine, Run, Version};

    use super::{folders, in_order};

    fn experiment(name: &str, parameters: &[(&str, &str)]) -> Experiment<()> {
        let text = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let parameters: BTreeMap<_, _> = parameters.iter().map(text).collect();
        let run =
            Run { name: name.to_owned(), parameters, ranks: 4, threads: 2, repeat: 3, ..Run::default() };
        let version = Version { name: "1.0".to_owned(), files: Vec::new() };
        Experiment { application: "heat".to_owned(), version, experiment: run, ..Experiment::default() }
    }

    fn folder(name: &str, parameters: &[(&str, &str)]) -> String {
        let told: Vec<String> = parameters.iter().map(|(name, _)| (*name).to_owned()).collect();
        folders(&experiment(name, parameters), &told).unwrap()[2].clone()
    }

    #[test]
    fn names_are_those_that_extra_p_takes_apart() {
        assert_eq!(folder("heat", &[("size", "100")]), "heat.Ranks4.threads2.size100.r3");
        assert_eq!(folder("heat", &[("r", "10"), ("work", "0.25")]), "heat.Ranks4.threads2.R10.work0,25.r3");
        // Neither of these is a number for it.
        assert_eq!(
            folder("a.out", &[("d", "block2:0.1:0.5"), ("e", "1e-3"), ("x2", "7")]),
            "a,out-d=block2:0,1:0,5-e=1e-3-x2=7.Ranks4.threads2.r3"
        );
    }

    #[test]
    fn a_name_says_how_it_was_run() {
        let run = super::run("heat-sequential.Ranks4.threads2.work0,25.R10.size100.r3").unwrap();
        assert_eq!(
            (run.name.as_str(), run.ranks, run.threads, run.repeat, run.sequential),
            ("heat", 4, 2, 3, true)
        );
        let parameters: Vec<_> =
            run.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(parameters, ["r=10", "size=100", "work=0.25"]);
        let run = super::run("heat-virtual-sequential.r2").unwrap();
        assert_eq!((&*run.name, run.engine, run.sequential), ("heat", Some(Engine::Virtual), true));
        let run = super::run("md.ranks2").unwrap();
        assert_eq!((run.ranks, run.threads, run.repeat, run.sequential), (2, 0, 1, false));
        for wrong in ["", ".ranks4", "md.ranks", "md.4", "md.ranks0", "md.ranks4,5", "md.size1e", "md..r1"] {
            let said = super::run(wrong).unwrap_err();
            assert!(
                said.contains("is not a valid part of an experiment's name; write NAME.ranks4"),
                "{wrong}: {said}"
            );
        }
    }

    #[test]
    fn numbers_are_in_order_of_their_values() {
        let sorted = [
            "heat/1.9/a.Ranks2.threads1.r1",
            "heat/1.9/a.Ranks2.threads1.work0.r1",
            "heat/1.9/a.Ranks2.threads1.work0,25.r1",
            "heat/1.9/a.Ranks2.threads1.work0,5.r1",
            "heat/1.9/a.Ranks2.threads1.work3.r1",
            "heat/1.9/a.Ranks016.threads1.r2",
            "heat/1.9/a.Ranks16.threads1.r2",
            "heat/1.9/a.Ranks16.threads1.r10",
            "heat/1.10/a.Ranks2.threads1.r1",
            "heat/main/a.Ranks2.threads1.r1",
            "heat2/1.0/a.Ranks2.threads1.r1",
            "heat10/1.0/a.Ranks2.threads1.r1",
        ];
        let mut ids = sorted;
        ids.sort_by(|one, other| in_order(one, other));
        assert_eq!(ids, sorted);
        ids.reverse();
        ids.sort_by(|one, other| in_order(one, other));
        assert_eq!(ids, sorted);
    }

    #[test]
    fn nothing_leaves_its_folder_or_hides_in_it() {
        let of = |application: &str, version: &str, name: &str| {
            let mut experiment = experiment(name, &[]);
            (experiment.application, experiment.version.name) = (application.to_owned(), version.to_owned());
            folders(&experiment, &[]).map(|folders| folders.join("/")).map_err(|error| error.to_string())
        };
        assert_eq!(of("..", "a/b", ".x\0 ü").unwrap(), "%2E./a%2Fb/%2Ex%00%20%C3%BC.Ranks4.threads2.r3");
        assert_eq!(of("", "1", "x").unwrap_err(), "the application has no name; give it one");
        assert_eq!(of("a", "", "x").unwrap_err(), "the version has no name; give it one");
    }

    #[test]
    fn only_what_was_told_and_no_two_are_alike() {
        let mut experiment = experiment("heat", &[("a", "1"), ("b", "x,y"), ("c", "x.y")]);
        let name = |experiment: &Experiment<()>, told: &[&str]| {
            let told: Vec<String> = told.iter().map(|&name| name.to_owned()).collect();
            folders(experiment, &told).unwrap()[2].clone()
        };
        assert_eq!(name(&experiment, &["b"]), "heat-b=x%2Cy.Ranks4.threads2.r3");
        assert_eq!(name(&experiment, &["c"]), "heat-c=x,y.Ranks4.threads2.r3");
        experiment.experiment.sequential = true;
        assert_eq!(name(&experiment, &["a"]), "heat-sequential.Ranks4.threads2.a1.r3");
        experiment.experiment.engine = Some(Engine::Mpi);
        assert_eq!(name(&experiment, &["a"]), "heat-sequential.Ranks4.threads2.a1.r3");
        experiment.experiment.engine = Some(Engine::Virtual);
        assert_eq!(name(&experiment, &["a"]), "heat-virtual-sequential.Ranks4.threads2.a1.r3");
    }
}
