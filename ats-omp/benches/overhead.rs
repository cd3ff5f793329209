#![allow(unsafe_code, reason = "calls the same program in C")]
//! Cost of a region, which reads a variable of the function around it, and of a barrier, beside the same program in C
//! that clang compiled: both in this process, on the same runtime and the same threads, in turn. Needs `clang` (or
//! `$CLANG`).

use std::ffi::{CStr, CString};
use std::hint::black_box;
use std::process::{Command, exit};
use std::time::Instant;

use ats_omp::openmp::OpenMp;
use ats_omp::{Team, Thread};

const BAR: f64 = 1.20;
const ROUNDS: usize = 4000;
const COUNT: usize = 20;

type InC = extern "C" fn(threads: i32, count: i64);

fn main() {
    let library = compile();
    println!("{:>9} {:>7} {:>9} {:>9} {:>6}", "", "threads", "C ns", "Rust ns", "ratio");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut within = true;
    for threads in [1, 2, 4, 8].into_iter().filter(|&threads| threads <= cores) {
        within &= compare("region", threads, library.function(c"regions"), || {
            (0..COUNT).for_each(|i| OpenMp.parallel(threads, |_| _ = black_box(i)));
        });
        within &= compare("barrier", threads, library.function(c"barriers"), || {
            OpenMp.parallel(threads, |t| (0..COUNT).for_each(|_| t.barrier()));
        });
    }
    println!("within {:.0} %: {}", (BAR - 1.0) * 100.0, if within { "yes" } else { "no" });
}

/// Measures the undisturbed cost of one of them (the fifth percentile), and returns whether ours is within the bar.
fn compare(what: &str, threads: usize, in_c: InC, in_rust: impl Fn()) -> bool {
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        costs[0].push(nanoseconds(|| in_c(threads as i32, COUNT as i64)));
        costs[1].push(nanoseconds(&in_rust));
    }
    let [c, rust] = costs.map(|mut costs| {
        costs.sort_by(f64::total_cmp);
        costs[ROUNDS / 20]
    });
    println!("{what:>9} {threads:>7} {c:>9.1} {rust:>9.1} {:>6.2}", rust / c);
    rust <= BAR * c
}

fn nanoseconds(run: impl Fn()) -> f64 {
    let begin = Instant::now();
    run();
    begin.elapsed().as_nanos() as f64 / COUNT as f64
}

struct Library(*mut libc::c_void);

fn compile() -> Library {
    let (folder, clang) = (env!("CARGO_TARGET_TMPDIR"), std::env::var("CLANG").unwrap_or("clang".into()));
    let (source, library) =
        (concat!(env!("CARGO_MANIFEST_DIR"), "/benches/overhead.c"), format!("{folder}/overhead.so"));
    let compiled =
        Command::new(&clang).args(["-O2", "-fopenmp", "-shared", "-fPIC", source, "-o", &library]).status();
    match compiled {
        Ok(status) if status.success() => {}
        Ok(status) => end(&format!("{clang}: {status}")),
        Err(error) => {
            end(&format!("{clang}: {error}. Install clang (Debian: clang libomp-dev) or set CLANG"))
        }
    }
    let path = CString::new(library).unwrap_or_else(|_| end("the target folder's name has a zero in it"));
    // SAFETY: the library runs nothing when it is loaded.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    if handle.is_null() {
        end("what clang made cannot be loaded");
    }
    Library(handle)
}

impl Library {
    fn function(&self, name: &CStr) -> InC {
        // SAFETY: the name is one of the functions in overhead.c, which have this type.
        unsafe { std::mem::transmute::<*mut libc::c_void, InC>(libc::dlsym(self.0, name.as_ptr())) }
    }
}

fn end(problem: &str) -> ! {
    eprintln!("error: {problem}");
    exit(1)
}
