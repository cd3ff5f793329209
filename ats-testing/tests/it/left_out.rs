//! Tests that a plain `cargo test` leaves out: each names the target that runs it, and a target of the Makefile really
//! does.

use std::collections::BTreeMap;

use ats_testing::suite;

use crate::house::{members, read, walk};

/// A test that is left out.
#[derive(Debug)]
struct LeftOut {
    /// Its executable: `it`, or `None` if it lies in the crate itself.
    executable: Option<String>,
    /// As the executable knows it: `scores::a_flipped_bit_of_a_message_is_noticed`.
    name: String,
    /// The reason, and the target that runs it.
    reason: String,
}

/// All of the workspace.
fn left_out() -> Vec<LeftOut> {
    let mut all = Vec::new();
    for member in members() {
        walk(&suite().join(&member), "rs", &mut |file| {
            let place = file.strip_prefix(suite().join(&member)).unwrap().with_extension("");
            let parts: Vec<&str> = place.iter().map(|part| part.to_str().unwrap()).collect();
            let (executable, modules) = match parts[..] {
                ["tests", executable, ref modules @ ..] => (Some(executable.to_owned()), modules.to_vec()),
                _ => (None, parts),
            };
            all.extend(in_source(&read(file)).map(|(name, reason)| LeftOut {
                executable: executable.clone(),
                name: modules.iter().copied().chain([name.as_str()]).collect::<Vec<_>>().join("::"),
                reason,
            }));
        });
    }
    all
}

/// The tests of a source that are left out, as rustfmt writes them: name and reason.
fn in_source(text: &str) -> impl Iterator<Item = (String, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let test = |at: usize| {
        let mark = lines[at].strip_prefix("#[ignore")?.strip_suffix(']')?;
        let reason = mark.trim_start_matches([' ', '=']).trim_matches('"').to_owned();
        let name = lines[at..].iter().find_map(|line| line.strip_prefix("fn "))?.split('(').next()?;
        Some((name.to_owned(), reason))
    };
    (0..lines.len()).filter_map(test).collect::<Vec<_>>().into_iter()
}

/// A command of the Makefile that runs tests that are left out otherwise.
#[derive(Debug)]
struct Run {
    executables: Vec<String>,
    /// Parts of names; all tests if there are none.
    filters: Vec<String>,
    skipped: Vec<String>,
}

impl Run {
    fn parse(command: &str) -> Option<Run> {
        let (cargo, tests) = command.split_once(" -- ")?;
        let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        let after = |words: &[String], option: &str| -> Vec<String> {
            words.windows(2).filter(|pair| pair[0] == option).map(|pair| pair[1].clone()).collect()
        };
        let tests = words(tests);
        let skipped = after(&tests, "--skip");
        let is_filter = |word: &&String| !word.starts_with("--") && !skipped.contains(word);
        let filters = tests.iter().filter(is_filter).cloned().collect();
        let is_run = cargo.contains("cargo test") && tests.iter().any(|word| word == "--ignored");
        is_run.then(|| Run { executables: after(&words(cargo), "--test"), filters, skipped })
    }

    fn runs(&self, test: &LeftOut) -> bool {
        let has = |parts: &[String]| parts.iter().any(|part| test.name.contains(part));
        test.executable.as_ref().is_some_and(|executable| self.executables.contains(executable))
            && (self.filters.is_empty() || has(&self.filters))
            && !has(&self.skipped)
    }
}

/// The runs of each target of a Makefile.
fn targets(makefile: &str) -> BTreeMap<String, Vec<Run>> {
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    let mut targets: BTreeMap<String, Vec<Run>> = BTreeMap::new();
    let mut target = String::new();
    for line in makefile.lines() {
        if let Some(command) = line.strip_prefix('\t') {
            let mut command = command.to_owned();
            for (name, value) in &variables {
                command = command.replace(&format!("$({name})"), value);
            }
            targets.entry(target.clone()).or_default().extend(Run::parse(&command));
        } else if let Some((name, value)) = line.split_once(" := ") {
            variables.insert(name.to_owned(), value.to_owned());
        } else if let Some(name) = line.strip_suffix(':') {
            target = name.to_owned();
        }
    }
    targets
}

/// The target that a reason names.
fn named(reason: &str) -> Option<&str> {
    reason.split_once("`make ")?.1.strip_suffix("` runs it")
}

#[test]
fn each_is_run_by_the_target_that_it_names() {
    let targets = targets(&read(&suite().join("Makefile")));
    let all = left_out();
    assert!(all.iter().any(|test| named(&test.reason).is_some()), "{all:#?}");
    for test in &all {
        let runs = match named(&test.reason) {
            Some(target) => targets.get(target).is_some_and(|runs| runs.iter().any(|run| run.runs(test))),
            // It is run by another test.
            None => ["a part of", "run it", "runs it"].iter().any(|words| test.reason.contains(words)),
        };
        assert!(runs, "nobody runs {test:?}; name the target of the Makefile that does");
    }
}

#[test]
fn a_test_that_nobody_runs_is_noticed() {
    let makefile =
        "LONG := a:: --skip slow\ntest:\n\tcargo test --test it -- --ignored $(LONG)\n\tcargo test\n";
    let runs = &targets(makefile)["test"];
    let test = |executable: Option<&str>, name: &str| LeftOut {
        executable: executable.map(str::to_owned),
        name: name.to_owned(),
        reason: String::new(),
    };
    assert_eq!(runs.len(), 1);
    assert!(runs[0].runs(&test(Some("it"), "a::quick")));
    for other in [test(Some("it"), "b::quick"), test(Some("showing"), "a::quick"), test(None, "a::quick")] {
        assert!(!runs[0].runs(&other), "{other:?}");
    }
    assert!(!runs[0].runs(&test(Some("it"), "a::slow")));
    let source =
        "#[test]\n#[ignore = \"needs it: `make test` runs it\"]\nfn one() {\n}\n#[ignore]\nfn two() {}\n";
    let found: Vec<_> = in_source(source).collect();
    assert_eq!(found[0].0, "one");
    assert_eq!((named(&found[0].1), found[1].1.as_str()), (Some("test"), ""));
}
