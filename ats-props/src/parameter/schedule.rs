//! Schedules of a loop's iterations: in C the two numbers that `omp_set_schedule` takes.

use ats_omp::Schedule;

use super::{CPart, CType, CValue, ParameterType};

/// OpenMP's numbers of kinds (`omp_sched_t`, OpenMP 5.2, 18.2.11) and their words in `OMP_SCHEDULE`.
const STATIC: (i32, &str) = (1, "static");
const DYNAMIC: (i32, &str) = (MONOTONIC | 2, "dynamic");
const NONMONOTONIC: (i32, &str) = (2, "nonmonotonic:dynamic");
const GUIDED: (i32, &str) = (3, "guided");
const MONOTONIC: i32 = i32::MIN;

/// Kind, and chunk; 0 if none is given.
fn parts(schedule: Schedule) -> ((i32, &'static str), usize) {
    match schedule {
        Schedule::Static => (STATIC, 0),
        Schedule::StaticChunk(chunk) => (STATIC, chunk),
        Schedule::Dynamic(chunk) => (DYNAMIC, chunk),
        Schedule::DynamicNonmonotonic(chunk) => (NONMONOTONIC, chunk),
        Schedule::Guided(chunk) => (GUIDED, chunk),
    }
}

/// Of a kind, by how many iterations a chunk has.
fn schedule(kind: (i32, &str), chunk: Option<usize>) -> Schedule {
    match (kind, chunk) {
        (STATIC, None) => Schedule::Static,
        (STATIC, Some(chunk)) => Schedule::StaticChunk(chunk),
        (DYNAMIC, chunk) => Schedule::Dynamic(chunk.unwrap_or(1)),
        (NONMONOTONIC, chunk) => Schedule::DynamicNonmonotonic(chunk.unwrap_or(1)),
        (_, chunk) => Schedule::Guided(chunk.unwrap_or(1)),
    }
}

impl ParameterType for Schedule {
    const KIND: &'static str = "schedule";
    const RANGE: &'static str = "static, dynamic, nonmonotonic:dynamic or guided, and a chunk: dynamic,4";
    const IN_C: &'static [CPart] = &[
        CPart { suffix: "", ctype: CType::Int, getter: "ats_schedule", doc: "a schedule: its `omp_sched_t`" },
        CPart {
            suffix: "_chunk",
            ctype: CType::Int,
            getter: "ats_schedule_chunk",
            doc: "a schedule: the length of its chunks, 0 where none is given",
        },
    ];

    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a valid schedule; give {}", Self::RANGE);
        let (word, chunk) = match text.split_once(',') {
            Some((word, chunk)) => {
                (word, Some(usize::parse(chunk).ok().filter(|chunk| *chunk > 0).ok_or_else(wrong)?))
            }
            None => (text, None),
        };
        let kinds = [STATIC, DYNAMIC, NONMONOTONIC, GUIDED];
        let kind = kinds.into_iter().find(|(_, name)| *name == word.trim()).ok_or_else(wrong)?;
        Ok(schedule(kind, chunk))
    }

    fn text(&self) -> String {
        match parts(*self) {
            ((_, word), 0) => word.to_owned(),
            ((_, word), chunk) => format!("{word},{chunk}"),
        }
    }

    fn to_c(&self) -> Vec<CValue> {
        let ((kind, _), chunk) = parts(*self);
        vec![CValue::Int(kind), CValue::Int(i32::try_from(chunk).unwrap_or(i32::MAX))]
    }

    fn from_c(values: &[CValue]) -> Result<Self, String> {
        let [CValue::Int(kind), CValue::Int(chunk)] = *values else {
            unreachable!("IN_C says what is passed")
        };
        let kinds = [STATIC, DYNAMIC, NONMONOTONIC, GUIDED];
        let known = kinds.into_iter().find(|(number, _)| *number == kind);
        match (known, usize::try_from(chunk)) {
            (Some(kind), Ok(chunk)) => Ok(schedule(kind, (chunk > 0).then_some(chunk))),
            _ => Err("a schedule is static, dynamic or guided, with a chunk of 0 or more".to_owned()),
        }
    }
}
