//! The server: its socket, its threads, and how it ends.

use super::asked::Effort;
use super::door::Door;
use super::downloads::TreeJson;
use super::guard::Guard;
use super::routes::router;
use super::runs::Runs;
use super::store::{Store, StoreError};
use super::studio::Studio;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use thiserror::Error;

/// What a server is to do.
pub struct Config {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Whether others than this machine are to be served.
    pub open: bool,
    /// Names it has besides addresses and localhost.
    pub names: Vec<String>,
    /// The folder of its runs.
    pub data: PathBuf,
    /// What one run may cost at most.
    pub most: Effort,
    /// How many runs are settled side by side.
    pub at_once: usize,
    /// The strategy of a certificate as `harary strategy --json` prints it.
    pub tree_json: TreeJson,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The folder.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What lies in it.
    #[error("cannot read the runs: {0}")]
    Runs(io::Error),
    /// The address.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The threads.
    #[error("cannot start the server: {0}")]
    Start(#[from] io::Error),
}

/// A server that listens and has read its runs; [`run`](Server::run) answers.
pub struct Server {
    listener: TcpListener,
    studio: Arc<Studio>,
    at_once: usize,
    complaints: Vec<String>,
}

/// How often it looks whether it is to end.
const BEAT: Duration = Duration::from_millis(100);

impl Server {
    /// Takes the address and the folder.
    pub fn open(config: Config) -> Result<Server, ServeError> {
        let cannot = |error| ServeError::Listen(config.listen, error);
        let store = Store::open(&config.data)?;
        let listener = TcpListener::bind(config.listen).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let (runs, complaints) = Runs::load(store, config.most).map_err(ServeError::Runs)?;
        let guard = Guard::new(config.open, config.names);
        let studio = Arc::new(Studio::new(runs, guard, config.tree_json));
        Ok(Server { listener, studio, at_once: config.at_once, complaints })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Files of its folder that are no runs.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Serves until `stop` is raised. Runs under way are interrupted then, and kept.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(16)
            .thread_name("harary-serve")
            .enable_all()
            .build()?;
        let Server { listener, studio, at_once, .. } = self;
        std::thread::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|| studio.runs.work());
            }
            let served = runtime.block_on(accept(listener, &studio, stop));
            studio.runs.close();
            served
        })?;
        runtime.shutdown_timeout(BEAT);
        Ok(())
    }
}

/// Lets visitors in.
async fn accept(listener: TcpListener, studio: &Arc<Studio>, stop: &AtomicBool) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let (door, router) = (Arc::new(Door::default()), router(studio.clone()));
    while !stop.load(Ordering::Relaxed) {
        match tokio::time::timeout(BEAT, listener.accept()).await {
            Ok(Ok((stream, _))) => door.enter(stream, router.clone()),
            // Too many open files, or a client that went away: the next one may do better.
            Ok(Err(_)) => tokio::time::sleep(BEAT).await,
            Err(_) => {}
        }
    }
    Ok(())
}
