//! How many streams of events there are, and whose.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Streams of all visitors, and of one.
const MOST: usize = 64;
const MOST_OF_ONE: usize = 8;

/// How many streams each visitor has.
#[derive(Default)]
pub struct Streams(Mutex<HashMap<String, usize>>);

impl Streams {
    fn each(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A stream that counts as long as this lives.
pub struct Counted {
    streams: Arc<Streams>,
    owner: String,
}

impl Counted {
    /// One more for this visitor, if there may be one.
    pub fn new(streams: &Arc<Streams>, owner: &str) -> Option<Counted> {
        let mut each = streams.each();
        let own = each.get(owner).copied().unwrap_or(0);
        if own >= MOST_OF_ONE || each.values().sum::<usize>() >= MOST {
            return None;
        }
        each.insert(owner.to_owned(), own + 1);
        Some(Counted { streams: streams.clone(), owner: owner.to_owned() })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut each = self.streams.each();
        if let Some(own) = each.get_mut(&self.owner) {
            *own -= 1;
            if *own == 0 {
                each.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_counted_as_long_as_they_live() {
        let streams: Arc<Streams> = Arc::default();
        let take = |owner: &str| Counted::new(&streams, owner);
        let mine: Vec<_> = (0..MOST_OF_ONE).map(|_| take("me").unwrap()).collect();
        assert!(take("me").is_none());
        let others: Vec<_> = (0..MOST - MOST_OF_ONE).map(|other| take(&other.to_string()).unwrap()).collect();
        assert!(take("you").is_none(), "all are taken");
        drop(mine);
        assert!(take("me").is_some());
        drop(others);
        assert!(streams.each().is_empty());
    }
}
