//! Ctrl-C and its like end what is running, and not at once the command itself.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::failure::Failure;

/// A flag that is set when the user wants no more; asked a second time, the command ends at once.
pub(crate) fn on_signal() -> Result<Arc<AtomicBool>, Failure> {
    let cancelled = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&cancelled))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&cancelled)))
            .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))?;
    }
    Ok(cancelled)
}
