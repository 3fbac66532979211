//! Faults by the hundred: kills, full disks, files that shrink, memory that is refused. Whatever happens, a file with the
//! name a user gave is whole or as it was, a message is clear, and the same command succeeds when the fault is gone.
//!
//! The full lane tries a few moments of each command, the long lane 200: docs/reliability.md has the figures.
#![cfg(target_os = "linux")]

mod disk;
mod ground;
mod kills;
mod limits;
mod memory;
mod shrinking;
mod writers;
