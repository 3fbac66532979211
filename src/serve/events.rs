//! How a run is watched: a stream of what it is now, a few times a second, until it is over.

use super::door::Seat;
use super::run::State;
use super::runs::RunError;
use super::streams::Counted;
use super::studio::Studio;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Two pictures of a run are at least this far apart.
const PACE: Duration = Duration::from_millis(200);
/// Something is sent at least this often, so that a client that went away is noticed.
const ALIVE: Duration = Duration::from_secs(10);

/// What a stream has to know from one event to the next.
struct Watched {
    studio: Arc<Studio>,
    owner: String,
    id: String,
    _counted: Counted,
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
        let run = self.studio.runs.get(&self.owner, &self.id).ok()?;
        self.told = Some(run.state);
        let event = Event::default().json_data(self.studio.view(&run)).ok()?;
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
    let counted = Counted::new(&studio.streams, owner).ok_or(RunError::TooMany("too many pages watch; close some"))?;
    seat.leave();
    let (studio, owner, id) = (studio.clone(), owner.to_owned(), id.to_owned());
    let watched = Watched { studio, owner, id, _counted: counted, changed, told: None };
    Ok(Sse::new(unfold(watched, Watched::next)).keep_alive(KeepAlive::new().interval(ALIVE)))
}
