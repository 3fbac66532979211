//! Ctrl-C and SIGTERM: the first asks the search to stop and say what it has proved, the second ends the program.

use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// A flag that is set when the user wants the program to stop.
pub fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    if let Some(stop) = STOP.get() {
        return Ok(stop.clone());
    }
    let stop = STOP.get_or_init(Arc::default).clone();
    let seen = stop.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// Why a search was stopped, as told to users.
pub fn reason() -> &'static str {
    if STOP.get().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        "stopped by request"
    } else {
        "stopped by a limit"
    }
}
