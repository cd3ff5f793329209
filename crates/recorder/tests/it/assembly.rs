//! Assembly for processors other than this one.

use std::io::Write;
use std::process::{Command, Stdio};

/// The operands of the assembly, by placeholder; numbers are those of the recorder.
const PLACEHOLDERS: [(&str, &str); 12] = [
    ("{remembers}", "32"),
    ("{bytes}", "48"),
    ("{places}", "1024"),
    ("{wrapper}", "wrapper"),
    ("{targets}", "targets"),
    ("{thread}", "x0"),
    ("{at}", "x1"),
    ("{address}", "x2"),
    ("{stack}", "x3"),
    ("{frame}", "x4"),
    ("{which}", "1"),
    ("{leaves}", "leaves"),
];

/// The blocks of assembly in a source for all processors and for AArch64.
fn blocks(source: &str) -> Vec<String> {
    let text = |block: &str| {
        let lines =
            block.lines().map(str::trim).filter_map(|line| line.strip_prefix('"')?.strip_suffix("\","));
        lines.map(|line| line.replace("\\\"", "\"") + "\n").collect::<String>()
    };
    let blocks = source.split("asm!(").skip(1).map(|rest| text(rest.split(");").next().unwrap()));
    let is_of_x86_64 = |block: &str| ["rip", "rax"].iter().any(|register| block.contains(register));
    blocks.filter(|block| !block.is_empty() && !is_of_x86_64(block)).collect()
}

#[test]
fn the_assembly_for_aarch64_can_be_assembled() {
    if !ats_testing::required("clang") {
        return;
    }
    let sources = [
        include_str!("../../src/call_site.rs"),
        include_str!("../../src/forwarding.rs"),
        include_str!("../../src/jumps.rs"),
    ];
    let blocks: Vec<String> = sources.into_iter().flat_map(blocks).collect();
    // The variable, an entry, the registers of a function, reading the variable; the functions that go on elsewhere; and a jump.
    assert_eq!(blocks.len(), 6, "{blocks:#?}");
    let assembly = PLACEHOLDERS.iter().fold(blocks.concat(), |text, (name, value)| text.replace(name, value));
    let mut clang = Command::new("clang")
        .args(["--target=aarch64-linux-gnu", "-c", "-x", "assembler", "-o", "/dev/null", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    clang.stdin.take().unwrap().write_all(assembly.as_bytes()).unwrap();
    let output = clang.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
