//! Times and sizes as people write them.

use std::time::Duration;

/// The memory for tables if none is given.
pub const MEMORY: &str = "2GiB";

/// Reads `90s`, `10m`, `2h`.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("'{text}' is not a time; times are written 90s, 10m or 2h"))
}

/// Reads `2GiB`, `64MiB`, `500M`.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let size: bytesize::ByteSize =
        text.parse().map_err(|_| format!("'{text}' is not a size; sizes are written 2GiB"))?;
    match usize::try_from(size.as_u64()) {
        Ok(bytes) if bytes >= 1 << 20 && is_at_hand(bytes) => Ok(bytes),
        Ok(bytes) if bytes < 1 << 20 => Err("at least 1MiB is needed".to_owned()),
        _ => Err(format!("the system does not give {text} of memory; try --memory with less")),
    }
}

/// Whether the system would give so much memory. It is not touched, and given back at once.
fn is_at_hand(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
