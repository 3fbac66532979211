//! What the answers are made of, shared by all connections.

use super::downloads::TreeJson;
use super::guard::Guard;
use super::pages::Asset;
use super::run::Run;
use super::runs::Runs;
use super::streams::Streams;
use axum::body::Bytes;
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use tokio::sync::Semaphore;

/// All that the answers are made of.
pub struct Studio {
    /// The runs of all visitors.
    pub runs: Runs,
    /// Who may ask.
    pub guard: Guard,
    /// Who watches.
    pub streams: Arc<Streams>,
    /// How the JSON of a strategy is made.
    pub tree_json: TreeJson,
    /// Pages that were asked for before, in the order of [`Asset::ALL`].
    pub assets: [OnceLock<Bytes>; Asset::ALL.len()],
    /// Hands for short work.
    pub quick: Arc<Semaphore>,
    /// And for what takes a while.
    pub slow: Arc<Semaphore>,
}

impl Studio {
    /// A studio with these runs.
    pub fn new(runs: Runs, guard: Guard, tree_json: TreeJson) -> Studio {
        let [quick, slow] = [4, 2].map(|hands| Arc::new(Semaphore::new(hands)));
        let assets = [const { OnceLock::new() }; Asset::ALL.len()];
        Studio { runs, guard, streams: Arc::default(), tree_json, assets, quick, slow }
    }

    /// A run as its visitor sees it.
    pub fn view(&self, run: &Run) -> Value {
        let Run { format: _, id, owner: _, asked, effort, title, state, made, seen, verdict, remark } = run;
        json!({
            "id": id, "asked": asked, "effort": effort, "title": title, "state": state, "made": made, "seen": seen,
            "verdict": verdict, "remark": remark, "ahead": self.runs.ahead(id),
        })
    }
}
