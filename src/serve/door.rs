//! Connections: how many there may be, how long a request may take to arrive, and who has to go when all seats are taken.
//!
//! Every connection carries one request. Whoever is honest has sent it within milliseconds; whoever sends it byte by byte,
//! or does not read the answer, only holds a seat. So when all seats are taken the oldest connection has to go, and a new
//! visitor is always let in. Streams of events are long by nature and have seats of their own.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tower_service::Service;

/// Connections that are not streams of events.
pub const SEATS: usize = 256;
/// The time the head of a request may take.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// No connection lasts longer; a browser opens a stream of events again.
const LONGEST: Duration = Duration::from_secs(900);
/// The largest head of a request.
const LARGEST_HEAD: usize = 16 << 10;

/// The seats of a server.
#[derive(Default)]
pub struct Door {
    seats: Mutex<Seats>,
}

#[derive(Default)]
struct Seats {
    /// In the order of their arrival.
    taken: BTreeMap<u64, AbortHandle>,
    arrived: u64,
}

/// The seat of one connection; it is free again when this goes.
#[derive(Clone)]
pub struct Seat(Arc<Held>);

struct Held {
    door: Arc<Door>,
    number: u64,
}

impl Door {
    fn seats(&self) -> MutexGuard<'_, Seats> {
        self.seats.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Serves a connection on a task of its own.
    pub fn enter(self: &Arc<Door>, stream: TcpStream, router: Router) {
        // The task takes the lock when it ends, so it cannot leave before it has its seat.
        let mut seats = self.seats();
        let oldest = if seats.taken.len() >= SEATS { seats.taken.pop_first() } else { None };
        seats.arrived += 1;
        let number = seats.arrived;
        let seat = Seat(Arc::new(Held { door: self.clone(), number }));
        let task = tokio::spawn(serve(stream, router, seat));
        seats.taken.insert(number, task.abort_handle());
        drop(seats);
        if let Some((_, oldest)) = oldest {
            oldest.abort();
        }
    }
}

impl Seat {
    /// Leaves the seat for one of those that are counted elsewhere.
    pub fn leave(&self) {
        self.0.door.seats().taken.remove(&self.0.number);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.door.seats().taken.remove(&self.number);
    }
}

/// One request and its answer.
async fn serve(stream: TcpStream, router: Router, seat: Seat) {
    // The answers are small and are written at once; without this they wait for one another.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(seat.clone());
        router.clone().call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .keep_alive(false)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    // A client that goes away or breaks the protocol has only himself to answer to.
    let _ = tokio::time::timeout(LONGEST, connection).await;
}
