//! Misses are those that valgrind's cachegrind simulates.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_documents::memory::{Cache, CacheMisses};
use ats_prediction::memory::{Options, Symbols, Traced, analyze};
use ats_testing::required;

/// The last argument of each program.
const ROUNDS: &str = "1";

/// A product of matrices; the argument is the number of rounds.
const MATRIX: &str = "
#include <stdlib.h>
enum { N = 90 };
static double a[N][N], b[N][N], c[N][N];
int main(int argc, char **argv) {
    int rounds = atoi(argv[argc - 1]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = b[i][j] = i + j;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
    return c[1][1] == 0;
}";

const STENCIL: &str = "
#include <stdlib.h>
enum { N = 300 };
static double u[N][N], v[N][N];
int main(int argc, char **argv) {
    int rounds = atoi(argv[argc - 1]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) u[i][j] = i + j;
    for (int r = 0; r < rounds; r++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    return v[1][1] == 0;
}";

/// A walk to a line that the line before names, in a random order.
const CHASE: &str = "
#include <stdlib.h>
enum { N = 8192 };
static struct line { struct line *next; char rest[56]; } lines[N];
int main(int argc, char **argv) {
    static int order[N];
    int references = 8 * N * atoi(argv[argc - 1]);
    for (int i = 0; i < N; i++) order[i] = i;
    for (int i = N - 1; i > 0; i--) {
        int j = rand() % i, other = order[i];
        order[i] = order[j], order[j] = other;
    }
    for (int i = 0; i < N; i++) lines[order[i]].next = &lines[order[(i + 1) % N]];
    struct line *at = lines;
    for (int i = 0; i < references; i++) at = at->next;
    return at == 0;
}";

/// Compiles a program without shared libraries, so that all of its code is where its symbols say.
fn compiled(folder: &Path, name: &str, source: &str) -> PathBuf {
    let (file, program) = (folder.join(name).with_extension("c"), folder.join(name));
    fs::write(&file, source).unwrap();
    let status = Command::new("gcc").args(["-O1", "-static", "-o"]).args([&program, &file]).status();
    assert!(status.unwrap().success());
    program
}

/// The misses of data that cachegrind simulates in caches of this description: the first ones, and the last ones.
fn simulated(program: &Path, first: &str) -> [f64; 2] {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null"])
        .args([&format!("--D1={first}"), "--LL=262144,16,64"])
        .args([program.as_os_str(), ROUNDS.as_ref()])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    ["D1  misses:", "LLd misses:"].map(|name| {
        let number = text.split_once(name).expect(&text).1.split_whitespace().next().unwrap();
        number.replace(',', "").parse().unwrap()
    })
}

/// Our counts for caches of data.
fn counted(program: &Path, caches: [Cache; 3]) -> [CacheMisses; 3] {
    let symbols = Symbols::read(program).unwrap();
    let mut traced = Traced::start(&[program.as_os_str().to_owned(), OsString::from(ROUNDS)]).unwrap();
    let trace = traced.trace().unwrap();
    let options = Options { caches: caches.to_vec(), ..Options::default() };
    let memory = analyze("trace", trace, &options, Some(&symbols)).unwrap();
    assert!(traced.wait().unwrap().success());
    assert!(memory.is_complete && memory.warnings.is_empty(), "{:?}", memory.warnings);
    assert_eq!(memory.regions[0].name, "main");
    let references: u64 = memory.regions.iter().map(|region| region.references).sum();
    assert_eq!(references, memory.total.references);
    memory.total.caches.try_into().unwrap()
}

/// Asserts that misses are those of cachegrind within 2 %.
fn assert_near(name: &str, misses: f64, of_cachegrind: f64) {
    assert!((misses / of_cachegrind - 1.0).abs() < 0.02, "{name}: {misses}, by cachegrind {of_cachegrind}");
}

#[test]
fn misses_are_those_of_cachegrind() {
    if !required("valgrind") || !required("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = |bytes: u64, ways| Cache { bytes, ways, sets: bytes / 64 / ways };
    for (name, source) in [("matrix", MATRIX), ("stencil", STENCIL), ("chase", CHASE)] {
        let program = compiled(folder.path(), name, source);
        let [first, whole, last] =
            counted(&program, [cache(32 << 10, 8), cache(32 << 10, 512), cache(256 << 10, 16)]);
        let [of_first, of_last] = simulated(&program, "32768,8,64");
        let [of_whole, _] = simulated(&program, "32768,512,64");
        assert!(of_first > 30_000.0, "{name} misses");
        assert_eq!((first.simulated as f64, whole.fully_associative.value), (of_first, of_whole), "{name}");
        assert_near(name, first.set_associative.value, of_first);
        // There, the misses of instructions come between, and of data those alone that the first cache has missed.
        assert_near(name, last.set_associative.value, of_last);
    }
}
