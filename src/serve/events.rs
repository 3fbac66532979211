//! How a run is watched: a stream of what it is now, a few times a second, until it is over.

use super::door::Seat;
use super::routes::{Studio, view};
use super::run::State;
use super::runs::RunError;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// Streams of all visitors, and of one.
pub const MOST: usize = 64;
const MOST_OF_ONE: usize = 8;
/// Two pictures of a run are at least this far apart.
const PACE: Duration = Duration::from_millis(200);
/// Something is sent at least this often, so that a client that went away is noticed.
const ALIVE: Duration = Duration::from_secs(10);

/// How many streams each visitor has.
#[derive(Default)]
pub struct Streams(Mutex<HashMap<String, usize>>);

/// A stream that counts as long as this lives.
struct Counted {
    studio: Arc<Studio>,
    owner: String,
}

impl Counted {
    fn new(studio: &Arc<Studio>, owner: &str) -> Option<Counted> {
        let mut streams = studio.streams.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let own = streams.get(owner).copied().unwrap_or(0);
        if own >= MOST_OF_ONE || streams.values().sum::<usize>() >= MOST {
            return None;
        }
        streams.insert(owner.to_owned(), own + 1);
        Some(Counted { studio: studio.clone(), owner: owner.to_owned() })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut streams = self.studio.streams.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(own) = streams.get_mut(&self.owner) {
            *own -= 1;
            if *own == 0 {
                streams.remove(&self.owner);
            }
        }
    }
}

/// What a stream has to know from one event to the next.
struct Watched {
    counted: Counted,
    id: String,
    changed: watch::Receiver<()>,
    told: Option<State>,
}

impl Watched {
    /// The next event; none when the run is over and this was told, or when it is gone.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Watched)> {
        match self.told {
            None => {}
            Some(state) if state.is_over() => return None,
            Some(_) => {
                tokio::time::sleep(PACE).await;
                self.changed.changed().await.ok()?;
            }
        }
        let run = self.counted.studio.runs.get(&self.counted.owner, &self.id).ok()?;
        self.told = Some(run.state);
        let event = Event::default().json_data(view(&self.counted.studio, &run)).ok()?;
        Some((Ok(event), self))
    }
}

/// A run from now on.
pub fn watch(
    studio: &Arc<Studio>,
    owner: &str,
    id: &str,
    seat: &Seat,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, RunError> {
    let changed = studio.runs.watch(owner, id)?;
    let counted = Counted::new(studio, owner).ok_or(RunError::TooMany("too many pages watch; close some"))?;
    seat.leave();
    let watched = Watched { counted, id: id.to_owned(), changed, told: None };
    Ok(Sse::new(unfold(watched, Watched::next)).keep_alive(KeepAlive::new().interval(ALIVE)))
}
