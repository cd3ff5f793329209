//! Errors in a file are reported with their place and what would be right.

use ats_compose::{Composition, CompositionError, Subject};
use ats_props::Catalogue;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const HEAD: &str = "schema = \"ats-composition/1\"\nname = \"it\"\nranks = 4\n";

fn parse(body: &str) -> Result<Composition, CompositionError> {
    Composition::parse(&format!("{HEAD}{body}"), "it.toml", &Catalogue::builtin())
}

fn message(body: &str) -> String {
    parse(body).expect_err(body).to_string()
}

/// The message about one property, whose table begins in line 5.
fn about(property: &str) -> String {
    message(&format!("[[phase]]\nproperty = [{property}]\n"))
}

#[test]
fn a_program_of_its_own_is_no_part_of_another() {
    let said = "it.toml:5:22: wait_at_mpi_finalize initialises and finalizes MPI itself";
    let message = about("{ name = \"wait_at_mpi_finalize\" }");
    assert!(message.starts_with(said), "{message}");
}

#[test]
fn an_eager_limit_is_the_limit_or_some_bytes_more() {
    let of = |bytes: &str| {
        about(&format!("{{ name = \"big_message\", repeat = 2, parameters = {{ bytes = {bytes} }} }}"))
    };
    let wrong = of("\"limit+x\"");
    assert!(
        wrong
            .starts_with("it.toml:5:72: bytes: `limit+x` is not a valid amount of data; give a whole number"),
        "{wrong}"
    );
    assert!(wrong.contains("or limit, limit+1"), "{wrong}");
    let grows = of("{ first = \"limit\", step = 1 }");
    assert!(grows.contains("bytes in run 0: `limit` does not grow; give a list"), "{grows}");
    let body = "[[phase]]\nproperty = [{ name = \"big_message\", parameters = { bytes = \"limit+1\" } }]\n";
    assert!(Subject::from(&parse(body).unwrap()).is_probed());
    assert!(!Subject::from(&parse(&body.replace("limit+1", "4KiB")).unwrap()).is_probed());
}

#[test]
fn mistakes_are_named_with_their_place() {
    let cases = [
        ("[[phase]\n", "it.toml:4:9: "),
        ("[[phase]]\nalgn = false\n", "it.toml:5:1: unknown field `algn`"),
        ("[[phase]]\nrepeat = \"x\"\n", "it.toml:5:10: invalid type: string \"x\", expected usize"),
        ("[[phase]]\nrepeat = -1\n", "it.toml:5:10: invalid value: integer `-1`"),
        ("[[phase]]\nrepeat = 0\n", "it.toml:5:10: 0 is too few; use 1 or more"),
        ("", "it.toml:1:1: missing field `phase`"),
        ("phase = []\n", "it.toml:1:1: there is no phase; begin one with [[phase]]"),
        ("[[phase]]\n", "it.toml:4:1: nothing is run here; add a property"),
        (
            "[[phase]]\ngroup = [{ ranks = \"0-\", property = [] }]\n",
            "it.toml:5:20: `0-` names no ranks; write 3, 0-7, 0-14:2 or 1%3, joined by commas",
        ),
        ("[[phase]]\ngroup = [{ ranks = \"0\" }]\n", "it.toml:5:20: nothing is run here; add a property"),
        (
            "[[phase]]\ngroup = [{ ranks = \"0\" }]\nproperty = [{ name = \"late_sender\" }]\n",
            "it.toml:4:1: the phase has groups beside properties or teams; move these into a phase of their own",
        ),
    ];
    for (body, expected) in cases {
        let message = message(body);
        assert!(message.starts_with(expected), "{message}\n{expected}");
    }
}

#[test]
fn names_that_the_catalogue_does_not_know_get_its_answer() {
    let unknown = about("{ name = \"late_sendr\" }");
    let expected =
        "it.toml:5:22: there is no property `late_sendr`; did you mean late_sender? `ats list` shows all";
    assert_eq!(unknown, expected);
    assert_eq!(
        about("{ name = \"late_sender\", parameters.extrawrk = 1 }"),
        "it.toml:5:48: late_sender has no parameter `extrawrk`; it has basework, extrawork, r; did you mean extrawork?"
    );
}

#[test]
fn values_that_do_not_fit_say_what_would() {
    let of = |value: &str| {
        about(&format!("{{ name = \"late_sender\", repeat = 3, parameters.extrawork = {value} }}"))
    };
    let cases = [
        ("\"5kg\"", "extrawork: `5kg` has the unknown unit `kg`; units are ns, us, ms, s, min and h"),
        ("true", "extrawork: `true` is not a number; write for example 0.05, 50ms or 20us"),
        ("-1", "extrawork: `-1` is out of range; a duration is finite and not negative"),
        (
            "[1, 2]",
            "extrawork: the list has 2 values, and the property is run 3 times; give one for each run",
        ),
        (
            "{ first = 1, step = -0.6 }",
            "extrawork in run 2: `-0.19999999999999996` is out of range; a duration is finite and not negative",
        ),
        ("{ step = 1 }", "extrawork: `first` is missing; give one value, "),
        ("{ first = 1, step = 1, factor = 2 }", "extrawork: `first` needs either `step` or `factor`; "),
        ("{ first = 1, factor = \"x\" }", "extrawork: `x` is not a number; "),
        ("[[1], 2, 3]", "extrawork: a list in a list is not allowed here; give a number or a text"),
    ];
    for (value, expected) in cases {
        let (message, expected) = (of(value), format!("it.toml:5:72: {expected}"));
        assert!(message.starts_with(&expected), "{message}\n{expected}");
    }
    let grown = "{ name = \"imbalance_at_mpi_barrier\", repeat = 2, \
                 parameters.distribution = { first = \"same:1\", step = 1 } }";
    assert!(about(grown).ends_with(
        "distribution in run 0: a distribution does not grow by steps; use { first = …, factor = … } or a list"
    ));
    let often =
        "{ name = \"late_sender\", repeat = 1000000000, parameters.extrawork = { first = 1, step = 1 } }";
    assert!(
        about(often).ends_with("varies over 1000000000 runs; vary it over at most 100000"),
        "{}",
        about(often)
    );
}

#[test]
fn names_cannot_inject_anything() {
    for name in ["a/../../b", "x\\\"); evil(\\\"", "", "late_sender"] {
        let text = format!("schema = \"ats-composition/1\"\nname = \"{name}\"\nphase = []\n");
        let error = Composition::parse(&text, "it.toml", &Catalogue::builtin()).unwrap_err();
        assert_eq!(error.place.map(|place| (place.line, place.column)), Some((2, 8)), "{error}");
    }
    let long = "a".repeat(65);
    for region in
        ["a b", "MPI_Send", "ats_align", "x\\\"y", "", "2d", "a\\\"); system(\\\"", "../x", "é", &long]
    {
        let message = about(&format!("{{ name = \"late_sender\", regions = [\"{region}\"] }}"));
        assert!(message.starts_with("it.toml:5:48: `"), "{message}");
    }
}

#[test]
fn a_description_reads_as_it_is_written() {
    let of = |description: &str| {
        let text = format!(
            "schema = \"ats-composition/1\"\nname = \"it\"\ndescription = {description}\n\
             ranks = 4\n[[phase]]\nproperty = [{{ name = \"late_sender\" }}]\n"
        );
        Composition::parse(&text, "it.toml", &Catalogue::builtin()).map_err(|error| error.to_string())
    };
    for (description, character) in [
        ("\"a \u{202e}b\"", "U+202E"),
        ("\"a \\u2066b\"", "U+2066"),
        ("\"\\u001B[31m\"", "U+001B"),
        ("\"a\\rb\"", "U+000D"),
    ] {
        let error = of(description).unwrap_err();
        assert!(error.starts_with("it.toml:3:15: the description contains the character "), "{error}");
        assert!(error.contains(character), "{error}");
    }
    assert_eq!(of("\"\"\"\none\r\n\ttwo, µs\"\"\"").unwrap().description().lines().nth(1), Some("\ttwo, µs"));
}

#[test]
fn another_schema_is_refused() {
    let text = "schema = \"ats-truth/1\"\nname = \"it\"\nphase = []\n";
    let error = Composition::parse(text, "it.toml", &Catalogue::builtin()).unwrap_err();
    assert_eq!(error.to_string(), "it.toml:1:10: the schema is `ats-truth/1`; use \"ats-composition/1\"");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Composition::read("no/such.toml".as_ref(), &Catalogue::builtin()).unwrap_err();
    assert!(error.to_string().starts_with("no/such.toml: "), "{error}");
}

#[test]
fn too_few_ranks_are_found_before_anything_runs() {
    let plan = |body: &str, ranks, threads| {
        let composition = parse(&format!("[[phase]]\n{body}\n")).unwrap();
        composition.plan(ranks, threads).expect_err(body).to_string()
    };
    let group = |ranks: &str| format!("{{ ranks = \"{ranks}\", property = [{{ name = \"late_sender\" }}] }}");
    let groups = |these: &[&str]| {
        format!("group = [\n{}]", these.iter().map(|ranks| group(ranks) + ",\n").collect::<String>())
    };
    assert_eq!(
        plan("property = [{ name = \"wrong_order\" }]", 2, 1),
        "it.toml:5:22: wrong_order needs at least 3 ranks, and the program has 2"
    );
    assert_eq!(
        plan(&groups(&["0-1", "2"]), 4, 1),
        "it.toml:7:37: late_sender needs at least 2 ranks, and group `2` has 1"
    );
    assert_eq!(
        plan(&groups(&["0-3", "4-7"]), 7, 1),
        "it.toml:7:11: `4-7` names rank 7, and the highest is 6; use --np 8 or more"
    );
    assert_eq!(
        plan(&groups(&["0-3", "0%2"]), 4, 1),
        "it.toml:7:11: rank 0 is in this group and in that of line 6; groups of a phase are disjoint"
    );
    assert_eq!(plan(&groups(&["7%9"]), 4, 1), "it.toml:6:11: group `7%9` has no rank; use more with --np");
    assert_eq!(
        plan("property = [{ name = \"late_sender\" }]", 4, 2),
        "it.toml: it has processes of one thread; omit --threads"
    );
    assert_eq!(
        plan("property = [{ name = \"late_sender\" }]", 0, 1),
        "it.toml: it needs at least 1 rank and 1 thread"
    );
}

#[test]
fn too_large_values_are_refused() {
    let head = |line: &str| {
        let text = format!(
            "{}{line}\n[[phase]]\nproperty = [{{ name = \"late_sender\" }}]\n",
            HEAD.replace("ranks = 4\n", "")
        );
        Composition::parse(&text, "it.toml", &Catalogue::builtin())
            .map(drop)
            .map_err(|error| error.to_string())
    };
    assert_eq!(head("ranks = 16777216"), Ok(()));
    assert_eq!(
        head("ranks = 16777217"),
        Err("it.toml:3:9: 16777217 is too many; use 16777216 or fewer".to_owned())
    );
    assert_eq!(head("threads = 4097"), Err("it.toml:3:11: 4097 is too many; use 4096 or fewer".to_owned()));

    let nested = |depth| {
        let regions = vec!["\"r\""; depth].join(",");
        parse(&format!("[[phase]]\nproperty = [{{ name = \"late_sender\", regions = [{regions}] }}]\n"))
            .map(drop)
    };
    assert_eq!(nested(100), Ok(()));
    let error = nested(1400).unwrap_err().to_string();
    assert_eq!(error, "it.toml:5:448: 1400 nested regions are too many; use 100 or fewer");
}

#[test]
fn random_compositions_fit_their_size_or_are_refused() {
    let catalogue = Catalogue::builtin();
    for seed in ats_testing::seeds(64) {
        let [ranks, threads, phases] = [1 + seed % 4, 1 + seed / 4 % 3, 1 + seed % 5].map(|n| n as usize);
        let random = Composition::random(&catalogue, seed, ranks, threads, phases);
        if (ranks, threads) == (1, 1) {
            let error = random.unwrap_err().to_string();
            let expected = "no property shows anything on 1 rank of 1 thread; use more ranks or threads";
            assert_eq!(error, format!("random composition {seed}: {expected}"));
        } else {
            let composition = random.unwrap();
            composition.plan(composition.ranks(), composition.threads()).unwrap();
        }
    }
}

#[test]
fn a_damaged_file_is_refused_or_read_but_never_a_panic() {
    let catalogue = Catalogue::builtin();
    let mut numbers = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut below = |end: usize| (numbers.next_u64() % end as u64) as usize;
    let pieces =
        ["0", "7", "7", " ", "-", "9223372036854775807", "1e999", "x", "é", "\"", "]]", "{", "=", "\n"];
    let random = |seed| Composition::random(&catalogue, seed, 4, 4, 2).unwrap().to_toml().chars().collect();
    let texts: Vec<Vec<char>> = (0..40).map(random).collect();
    let (mut refused, mut read) = (0, 0);
    for seed in ats_testing::seeds(400) {
        let mut text = texts[seed as usize % texts.len()].clone();
        let at = below(text.len());
        let cut = at..(at + below(3)).min(text.len());
        text.splice(cut, pieces[below(pieces.len())].chars());
        let text: String = text.into_iter().collect();
        match Composition::parse(&text, "it.toml", &catalogue) {
            Ok(composition) => {
                read += 1;
                let _ = composition.plan(composition.ranks().min(64), composition.threads().min(64));
            }
            Err(error) => {
                refused += 1;
                assert!(error.place.is_some_and(|place| place.line <= text.lines().count() + 1), "{error}");
            }
        }
    }
    assert!(refused > 100 && read > 10, "{refused} refused, {read} read");
}
