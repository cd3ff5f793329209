//! Whole programs in C and Fortran, as they are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_compose::Composition;
use ats_generator::{GenerateError, Language, Options, SuiteSource, generate, generate_set};
use ats_props::{Catalogue, Entry, Origin, Property, Shown, WaitState, What};
use ats_testing::required;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn options(language: Language) -> Options {
    Options { language, ..Options::new(SuiteSource::find().unwrap()) }
}

fn property(name: &str) -> &'static Property {
    Catalogue::builtin().program(name).unwrap().property
}

/// Every file below a folder with its text.
fn contents(dir: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(
                contents(&path)
                    .into_iter()
                    .map(|(name, text)| (Path::new(path.file_name().unwrap()).join(name), text)),
            );
        } else {
            all.insert(path.file_name().unwrap().into(), fs::read_to_string(&path).unwrap());
        }
    }
    all
}

fn listed(dir: &Path) -> String {
    contents(dir).iter().map(|(path, text)| format!("==> {} <==\n{text}\n", path.display())).collect()
}

#[test]
fn a_program_of_each_kind() {
    for (name, language) in [
        ("late_sender", Language::C),
        ("imbalance_at_omp_barrier", Language::C),
        ("late_sender_hybrid", Language::C),
        ("late_sender", Language::Fortran),
        ("imbalance_at_omp_barrier", Language::Fortran),
        ("late_sender_hybrid", Language::Fortran),
    ] {
        let dir = folder();
        generate(property(name), dir.path(), &options(language)).unwrap();
        insta::assert_snapshot!(format!("{name}_{}", language.name()), listed(dir.path()));
    }
}

/// Groups, teams, regions, and values that vary in every way.
const COMPOSITION: &str = r#"
schema = "ats-composition/1"
name = "everything"
description = "All that a composition can say."
ranks = 8
threads = 4

[[phase]]
repeat = 2
group = [
    { ranks = "0-2,7", property = [{ name = "late_sender", regions = ["outer", "inner"], repeat = 2, parameters = { extrawork = ["1ms", "2ms", "3ms", "4ms"], r = { first = 1, step = 1 } } }] },
    { ranks = "3-5:2,4", property = [{ name = "imbalance_at_mpi_barrier", balanced = true, parameters.distribution = ["block2:1ms:2ms", "peak:1ms:2ms:1"] }] },
]

[[phase]]
align = false
repeat = 2
team = [
    { threads = 2, property = [{ name = "imbalance_at_omp_barrier", parameters.distribution = { first = "cyclic3:1ms:2ms:3ms", factor = 2.0 } }] },
    { threads = 2, property = [{ name = "critical_section_contention", regions = ["solver"] }] },
]

[[phase]]
group = [{ ranks = "0%2", property = [{ name = "late_sender_hybrid" }] }]
"#;

fn composition(text: &str) -> Composition {
    Composition::parse(text, "everything.toml", &Catalogue::builtin()).unwrap()
}

#[test]
fn a_composition_is_written_out() {
    let composition = composition(COMPOSITION);
    composition.plan(8, 4).unwrap();
    for language in [Language::C, Language::Fortran] {
        let dir = folder();
        let generated = generate(&composition, dir.path(), &options(language)).unwrap();
        assert_eq!(generated.programs().collect::<Vec<_>>(), ["everything"]);
        insta::assert_snapshot!(format!("everything_{}", language.name()), listed(dir.path()));
    }
}

#[test]
fn a_set_has_a_folder_for_each_paradigm() {
    let dir = folder();
    let catalogue = Catalogue::builtin().filter(Entry::is_function);
    let generated = generate_set(catalogue.properties(), dir.path(), &options(Language::C)).unwrap();
    assert_eq!(generated.programs().count(), catalogue.properties().count());
    for workspace in &generated.workspaces {
        let makefile = fs::read_to_string(workspace.dir.join("Makefile")).unwrap();
        for program in &workspace.programs {
            assert!(makefile.contains(program) && workspace.dir.join(program).join("main.c").is_file());
        }
    }
}

#[test]
fn a_set_says_what_is_in_it() {
    let dir = folder();
    let some = ["late_sender", "imbalance_at_omp_barrier", "late_sender_hybrid"].map(property);
    generate_set(some, dir.path(), &options(Language::C)).unwrap();
    insta::assert_snapshot!(fs::read_to_string(dir.path().join("README.md")).unwrap());
}

/// Compiles a file that needs no header of a library.
fn compiles(compiler: &str, arguments: &[&str], source: &Path) {
    if required(compiler) {
        let output =
            Command::new(compiler).args(arguments).arg("-fsyntax-only").arg(source).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Texts that would be code in one language or another.
const HOSTILE: [&str; 9] = [
    "\"); system(\"true",
    "*/ int escaped; /*",
    "??/\" ??/\n*/ int escaped;",
    "one\nint escaped;\rcall exit()\u{2028}",
    "\\\" %s%n \\",
    "*\\\n/ int escaped;",
    "' // & ! $omp parallel",
    "$(touch escaped) `touch escaped`",
    "{{ 1 + 1 }}{% if %} ../../escaped",
];

/// The source without texts and comments, so that their content is not taken for code.
fn without_texts_and_comments(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/']) {
        code += &rest[..at];
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = &comment[comment.find("*/").unwrap() + 2..];
        } else if let Some(text) = rest.strip_prefix('"') {
            let mut escaped = false;
            let end = text.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            rest = &text[end.unwrap() + 1..];
        } else {
            code.push('/');
            rest = &rest[1..];
        }
    }
    code + rest
}

#[test]
fn a_description_is_a_text_and_a_comment_and_nothing_else() {
    let plain = |description: &str, language: Language| {
        let text = format!(
            "schema = \"ats-composition/1\"\nname = \"plain\"\ndescription = {}\nranks = 2\n[[phase]]\nproperty = [{{ name = \"late_sender\" }}]\n",
            toml::Value::String(description.to_owned())
        );
        let dir = folder();
        generate(&composition(&text), dir.path(), &options(language)).unwrap();
        dir
    };
    let code = |dir: &Path| without_texts_and_comments(&fs::read_to_string(dir.join("main.c")).unwrap());
    let harmless = plain("harmless", Language::C);
    // A lone carriage return is refused when the file is read.
    for hostile in HOSTILE.map(|text| text.replace('\r', "\n")) {
        let hostile = hostile.as_str();
        let dir = plain(hostile, Language::C);
        assert_eq!(code(dir.path()), code(harmless.path()), "{hostile:?}");
        assert_eq!(contents(dir.path()).len(), contents(harmless.path()).len());
        for file in ["Makefile", "CMakeLists.txt"] {
            let [given, other] =
                [&dir, &harmless].map(|dir| fs::read_to_string(dir.path().join(file)).unwrap());
            assert_eq!(given, other, "{hostile:?}");
        }
        // The whole file is what a compiler makes of it, trigraphs included.
        let own = dir.path().join("own.c");
        let source = fs::read_to_string(dir.path().join("main.c")).unwrap();
        fs::write(&own, source.replace("#include <ats.h>", STUB)).unwrap();
        compiles(
            "gcc",
            &["-std=c99", "-trigraphs", "-Wall", "-Werror", "-Wno-trigraphs", "-Wno-comment"],
            &own,
        );

        let fortran = plain(hostile, Language::Fortran);
        let source = fs::read_to_string(fortran.path().join("main.f90")).unwrap();
        for code in source.lines().filter(|line| !line.trim_start().starts_with('!')) {
            assert!(code.len() <= 132 && code.matches('"').count() % 2 == 0, "{code}");
            let outside: String = code.split('"').step_by(2).collect();
            assert!(
                !["escaped", "exit", "system", "$omp"].iter().any(|word| outside.contains(word)),
                "{code}"
            );
        }
    }
}

/// As much of the header as a program of late_sender needs.
const STUB: &str = "
typedef int MPI_Comm;
#define MPI_COMM_WORLD 0
enum { ATS_MPI };
void ats_begin_composition(int, char**, const char*, const char*, int, int, int, int, int);
int ats_warm_ups(void), ats_end(void);
void ats_align(void), ats_enter(const char*), ats_leave(const char*), ats_begin_measured(void), ats_end_measured(void);
void late_sender(double, double, int, MPI_Comm), late_sender_balanced(double, double, int, MPI_Comm);
";

#[test]
fn names_of_a_composition_are_not_code_and_not_paths() {
    for hostile in HOSTILE.iter().chain(&["", "../up", "a b", "a;b", "größe", "a/b"]) {
        for (name, region) in [(*hostile, "fine"), ("fine", *hostile)] {
            let [name, region] = [name, region].map(|text| toml::Value::String(text.to_owned()));
            let text = format!(
                "schema = \"ats-composition/1\"\nname = {name}\nranks = 2\n[[phase]]\nproperty = [{{ name = \"late_sender\", regions = [{region}] }}]\n"
            );
            let refused = Composition::parse(&text, "x.toml", &Catalogue::builtin());
            assert!(refused.is_err(), "{hostile:?}");
        }
    }
}

/// A property as a stranger's code might make it.
fn foreign(change: impl FnOnce(&mut Property)) -> &'static Property {
    let mut property = Property { ..*property("imbalance_at_omp_barrier") };
    change(&mut property);
    Box::leak(Box::new(property))
}

#[test]
fn documentation_stays_in_its_comment() {
    for hostile in HOSTILE {
        let property = foreign(|property| {
            property.doc = hostile;
            let what = What::Wait(WaitState::WaitAtBarrier);
            property.finds.shown =
                Box::leak(Box::new([Shown { what, formula: hostile, ..property.finds.shown[0] }]));
        });
        let [dir, harmless] = [folder(), folder()];
        generate(property, dir.path(), &options(Language::C)).unwrap();
        generate(foreign(|_| ()), harmless.path(), &options(Language::C)).unwrap();
        for file in ["main.c", "imbalance_at_omp_barrier.c"] {
            let [given, other] = [&dir, &harmless]
                .map(|dir| without_texts_and_comments(&fs::read_to_string(dir.path().join(file)).unwrap()));
            assert_eq!(given, other, "{hostile:?}");
        }
    }
}

#[test]
fn inexpressible_programs_are_refused() {
    type Change = fn(&mut Property);
    let changes: [(Change, &str); 3] = [
        (|property| property.c_source = None, "it has no source in C beside it"),
        (
            |property| property.origin = Origin { package: "mine", ..property.origin },
            "the suite's own properties",
        ),
        (|property| property.name = "while", "`while`"),
    ];
    for (change, message) in changes {
        let dir = folder();
        let error = generate(foreign(change), dir.path(), &options(Language::C)).unwrap_err();
        assert!(matches!(error, GenerateError::Language { .. } | GenerateError::Name { .. }), "{error}");
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_folder_in_use_stays_as_it_is() {
    let dir = folder();
    let precious = dir.path().join("main.c");
    fs::write(&precious, "mine").unwrap();
    let composition = composition(COMPOSITION);
    let mut options = options(Language::C);
    let error = generate(&composition, dir.path(), &options).unwrap_err();
    assert!(matches!(error, GenerateError::Exists(_)), "{error}");
    assert_eq!(listed(dir.path()), "==> main.c <==\nmine\n");
    options.force = true;
    generate(&composition, dir.path(), &options).unwrap();
    assert_ne!(fs::read_to_string(&precious).unwrap(), "mine");
}
