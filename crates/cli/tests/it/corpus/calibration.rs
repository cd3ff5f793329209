//! The number of claims that do not hold, as `scripts/calibrate` needs it.

use std::fs;
use std::path::PathBuf;

use super::{claims, commands, table};

/// Programs are recorded into the folder `ATS_CORPUS` if they are not there.
#[test]
#[ignore = "a part of scripts/calibrate"]
fn claims_that_do_not_hold() {
    let folder = PathBuf::from(std::env::var_os("ATS_CORPUS").expect("the folder of recordings"));
    let mut faults = 0;
    for program in table() {
        let dir = folder.join(program.name());
        if !dir.exists() {
            fs::create_dir_all(&dir).unwrap();
            if !program.record(&dir) {
                return;
            }
        }
        faults += claims::faults(&program, &commands::answers(&dir)).len();
    }
    println!("claims that do not hold: {faults}");
}
