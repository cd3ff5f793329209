//! Every kind of parameter, in every language.

use std::fs;

use ats_generator::{GenerateError, Language, Options, SuiteSource, generate};
use ats_props::{
    Bytes, Communicator, Distribution, List, Origin, Property, Schedule, Seconds, Seed, Share, do_work,
    property,
};

/// One parameter of every kind that C has.
#[property(finds = WaitAtBarrier, formula = (P - 1) * r * work)]
#[allow(clippy::too_many_arguments, reason = "one of every kind")]
fn of_every_kind(
    /// What rank 0 does alone.
    #[default(Seconds(0.25))]
    work: Seconds,
    /// Number of repetitions.
    #[default(3)]
    r: usize,
    /// Of a message.
    #[default(Bytes::Exactly(1024))]
    size: Bytes,
    /// How often.
    #[default(Share(0.5))]
    hits: Share,
    /// Or not.
    #[default(false)]
    eager: bool,
    /// Where chance begins.
    #[default(Seed(42))]
    seed: Seed,
    /// Who gets how much.
    #[default(Distribution::cyclic2(1.0, 2.0))]
    amounts: Distribution,
    /// Of a loop.
    #[default(Schedule::Dynamic(2))]
    schedule: Schedule,
    c: &dyn Communicator,
) {
    let _ = (r, size, hits, eager, seed, amounts, schedule);
    do_work(work.0);
    c.barrier();
}

/// The same.
#[allow(clippy::too_many_arguments, reason = "one of every kind")]
fn balanced(
    _: Seconds,
    _: usize,
    _: Bytes,
    _: Share,
    _: bool,
    _: Seed,
    _: Distribution,
    _: Schedule,
    c: &dyn Communicator,
) {
    c.barrier();
}

/// A parameter of a kind that C has not.
mod without_c {
    use super::*;

    /// A list.
    #[property(finds = WaitAtBarrier, formula = 0)]
    fn of_a_list(
        /// One after the other.
        #[default(List(vec![1, 2]))]
        sizes: List,
        c: &dyn Communicator,
    ) {
        let _ = sizes;
        c.barrier();
    }

    /// The same.
    fn balanced(_: List, c: &dyn Communicator) {
        c.barrier();
    }
}

/// As if it were one of the suite's own, which `libats` has.
fn of_the_suite(property: &'static Property) -> &'static Property {
    let origin = Origin { package: "ats-props", ..property.origin };
    Box::leak(Box::new(Property { origin, ..*property }))
}

fn written(property: &'static Property, language: Language, file: &str) -> Result<String, GenerateError> {
    let dir = tempfile::tempdir().unwrap();
    let options = Options { language, ..Options::new(SuiteSource::find().unwrap()) };
    generate(property, dir.path(), &options)?;
    Ok(fs::read_to_string(dir.path().join(file)).unwrap())
}

#[test]
fn c_gets_a_number_for_every_part() {
    let main = written(of_the_suite(&PROPERTY), Language::C, "main.c").unwrap();
    for line in [
        "const double work = ats_seconds(\"work\");",
        "const int r = ats_count(\"r\");",
        "const int64_t size = ats_bytes(\"size\");",
        "const double hits = ats_share(\"hits\");",
        "const int eager = ats_flag(\"eager\");",
        "const int64_t seed = ats_seed(\"seed\");",
        "given_distr_t amounts = {ats_distribution(\"amounts\")};",
        "const int schedule = ats_schedule(\"schedule\");",
        "const int schedule_chunk = ats_schedule_chunk(\"schedule\");",
    ] {
        assert!(main.contains(line), "{line} is not in\n{main}");
    }
    let call =
        "of_every_kind(work, r, size, hits, eager, seed, df_given, &amounts, schedule, schedule_chunk,";
    assert!(main.contains(call), "{main}");
}

#[test]
fn fortran_gets_the_same() {
    let main = written(of_the_suite(&PROPERTY), Language::Fortran, "main.f90").unwrap();
    for line in [
        "real(c_double) :: work\n",
        "integer(c_int) :: eager\n",
        "integer(c_int64_t) :: seed\n",
        "type(given_distr_t) :: amounts\n",
        "integer(c_int) :: schedule_chunk\n",
        "seed = ats_seed(\"seed\" // c_null_char)\n",
        "schedule_chunk = ats_schedule_chunk(\"schedule\" // c_null_char)\n",
    ] {
        assert!(main.contains(line), "{line} is not in\n{main}");
    }
}

#[test]
fn kinds_that_c_lacks_are_refused() {
    let told = written(of_the_suite(&without_c::PROPERTY), Language::C, "main.c").unwrap_err();
    assert!(told.to_string().contains("C has nothing for a list"), "{told}");
    assert!(written(&without_c::PROPERTY, Language::Rust, "src/main.rs").unwrap().contains("sizes"));
}
