//! A formula put to a solver: what makes an answer of an earlier run an answer to this one.

use crate::qbf::instance::Instance;
use crate::qbf::solver::Solver;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Which formula, who is asked, and for how long.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The blake3 hash of the comments of the formula, which say all there is to know about it.
    pub formula: String,
    /// The command line of the solver.
    pub solver: String,
    /// That of the preprocessor.
    pub preprocessor: Option<String>,
    /// The seconds both may take together.
    pub limit: f64,
}

impl Question {
    /// The question that is put to a solver.
    pub fn new(instance: &Instance, solver: &Solver, preprocessor: Option<&Solver>, limit: Duration) -> Question {
        Question {
            formula: blake3::hash(instance.comments().join("\n").as_bytes()).to_hex().to_string(),
            solver: solver.command(),
            preprocessor: preprocessor.map(Solver::command),
            limit: limit.as_secs_f64(),
        }
    }

    /// Whether both are about the same formula and the same programs.
    pub fn is_same(&self, other: &Question) -> bool {
        self.formula == other.formula && self.solver == other.solver && self.preprocessor == other.preprocessor
    }
}
