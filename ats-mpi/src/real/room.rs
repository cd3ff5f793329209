//! Check that the buffers of a collective hold the data that the call moves. MPI would write beyond them.

use super::failure::fatal;
use crate::part::{Part, Pieces, Side};

/// Ends all ranks with a message if a buffer of the collective is missing or too small, or a count is. MPI is handed the
/// buffers on the strength of this.
pub(super) fn require(part: &Part) {
    // A member may have no neighbours; how many it has is checked with the topology.
    if part.function.among_neighbors().is_some() {
        return;
    }
    let size = part.member.size as usize;
    for (what, Side { buf, pieces }) in [("send", part.send), ("receive", part.receive)] {
        if let Pieces::Counts(counts, _) = pieces
            && counts.len() != size
        {
            fatal(part.function, &format!("{} counts for {size} ranks", counts.len()));
        }
        let needs = pieces.bytes(size);
        match (buf, pieces) {
            (_, Pieces::None) => {}
            (None, _) => fatal(part.function, &format!("the root has no {what} buffer")),
            (Some(buf), _) if buf.column().is_some() => {
                fatal(part.function, &format!("the {what} buffer is a column; use one without gaps"));
            }
            (Some(buf), _) if buf.bytes() < needs => {
                let has = buf.bytes();
                fatal(part.function, &format!("the {what} buffer has {has} bytes and needs {needs}"));
            }
            (Some(_), _) => {}
        }
    }
}
