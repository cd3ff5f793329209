//! Time and messages of each process on a page.

use ats_testing::use_page;
use serde_json::json;

use super::every_page::of_ranks;
use super::page_of;
use crate::common::{TWO_PROPERTIES, analyzed};

#[test]
fn each_process_has_its_functions_and_its_messages() {
    let script = "
        const stacks = all('#function-rows .spent').map((row) => [row.firstChild.textContent, [...row.querySelectorAll('i')].map((part) => part.title)]);
        return { stacks, cells: all('#cells i').map((cell) => cell.title), words: one('#sent-words').textContent };";
    for width in [400, 1280] {
        let Some(seen) = use_page(&page_of(&analyzed(TWO_PROPERTIES)), width, "", script) else { return };
        let first = ["work: 5.000 s, 16.67 %", "MPI_Barrier: 21.00 s, 70.00 %", "MPI_Send: 4.000 s, 13.33 %"];
        let second = [
            "work: 20.00 s, 66.67 %",
            "MPI_Barrier: 1.000 s, 3.33 %",
            "MPI_Recv: 7.000 s, 23.33 %",
            "late_sender: 2.000 s, 6.67 %",
        ];
        assert_eq!(seen["stacks"], json!([["rank 0", first], ["rank 1", second]]));
        assert_eq!(seen["cells"], json!(["rank 0 to rank 1: 1 message, 64 bytes"]));
        assert!(seen["words"].as_str().unwrap().starts_with("1 message, 64 bytes, from the rank"), "{seen}");
    }
}

#[test]
fn many_ranks_are_in_blocks() {
    let script = "
        const shades = () => all('#cells i').map((cell) => cell.style.getPropertyValue('--share'));
        const bytes = shades();
        one('#sent').value = 'messages';
        one('#sent').dispatchEvent(new Event('change'));
        return { cells: all('#cells i').map((cell) => cell.title), bytes, messages: shades(), words: one('#sent-words').textContent,
            label: one('#cells').getAttribute('aria-label') };";
    let Some(seen) = use_page(&of_ranks(65), 400, "", script) else { return };
    // Within each of 32 blocks of two, and from each to the next one; the last block is a rank alone.
    assert_eq!(seen["label"], "33 × 33 cells, 64 with messages");
    assert_eq!(seen["cells"][0], "rank 0–1 to rank 0–1: 1 message, 8 bytes");
    assert_eq!(seen["cells"][63], "rank 62–63 to rank 64: 1 message, 8 bytes");
    assert_eq!(seen["bytes"], seen["messages"], "all messages are of one size");
    let words = seen["words"].as_str().unwrap();
    assert!(
        words.starts_with("64 messages, 512 bytes") && words.ends_with("2 × 2 ranks together."),
        "{words}"
    );
}
