//! Recordings of the corpus that are kept: what is said of them does not depend on the machine that runs the tests.

use std::fmt::Write;

use insta::assert_snapshot;

use super::{commands, table};

/// The programs whose recordings beside eight busy loops, on two cores, are in `peers/corpus`.
const RECORDED: usize = 32;

#[test]
fn explanations_beside_a_load() {
    let (mut texts, mut faults, mut recorded) = (String::new(), String::new(), 0);
    for program in table() {
        let folder = ats_testing::peer("corpus").join(program.name());
        if !folder.exists() {
            continue;
        }
        recorded += 1;
        let said = commands::answers(&folder);
        faults.extend(program.difference(&said));
        writeln!(texts, "# {}: {}\n\n{}", program.name(), program.problem, said.text).unwrap();
    }
    assert_eq!(recorded, RECORDED);
    assert!(faults.is_empty(), "{faults}");
    assert_snapshot!(texts);
}
