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
