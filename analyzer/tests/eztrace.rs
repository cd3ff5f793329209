//! EZTrace.

use std::path::Path;
use ats_analyzer::{Options, analyze};
use ats_trace::Archive;
#[test]
fn look() {
    let p = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ats-trace/tests/data/eztrace-7props-4ranks/eztrace_log.otf2");
    let a = Archive::open(&p).unwrap();
    let analysis = analyze(&a, "x", &Options::default()).unwrap();
    println!("{:#?} {:#?} {:?}", analysis.warnings, analysis.clock_correction, analysis.basis);
    for f in &analysis.findings { println!("{} {:.6} n={} {:?}", f.id, f.waiting_time, f.instances, f.locations.iter().map(|l| (l.rank, l.waiting_time)).collect::<Vec<_>>()); }
}
