//! Try.
use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let trace = match ats_trace::Trace::open(std::path::Path::new(&path)) { Ok(t) => t, Err(e) => { println!("{path}: {e}"); continue } };
        let t = Instant::now();
        let analysis = match ats_analyzer::analyze(&trace, "x", &Default::default()) { Ok(a) => a, Err(e) => { println!("{path}: {e}"); continue } };
        let a = t.elapsed();
        let t = Instant::now();
        match ats_whatif::Program::new(&trace, &analysis.clock_correction.as_ref().map(|c| c.processes.clone()).unwrap_or_default(), 4096) {
            Err(e) => println!("{path}: ERROR {e}"),
            Ok(p) => {
                let (r, u) = (p.recorded(), p.unchanged());
                let worst = r.ends.iter().zip(&u.ends).filter_map(|(a, b)| Some((*b)? as i64 - (*a)? as i64)).map(|d| d.abs()).max();
                println!("{path}: recorded {:.6} unchanged {:.6} diff {:+.4} % worst end {:?} us unreached {} unknown {:.6} analysis {:?} replay {:?} {:?}", r.wall as f64/1e12, u.wall as f64/1e12, 100.0*(u.wall as f64/r.wall as f64-1.0), worst.map(|w| w/1_000_000), u.unreached, u.unknown as f64/1e12, a, t.elapsed(), p.remarks());
            }
        }
    }
}
