//! `harary neighbours maxsat`.

use super::super::console::Console;
use super::super::ending::{Outcome, UsageError};
use super::super::{interrupt, json};
use super::clauses::CnfArguments;
use super::task::observed;
use crate::effort::{Halt, Limits};
use crate::neighbours::max_sat::{Cooperative, MOST_CELLS, Optima, optima};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// MAX-2SAT by the game of clauses played together, against the optimum
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary neighbours maxsat 3x3 --clauses 20 --formulas 100\n  \
    harary neighbours maxsat 4x4 --clauses 60 --depth 1,2 --formulas 20\n  harary neighbours maxsat 3x3 --file example.cnf\n\n\
    Both players choose cells in turn so that as many clauses as possible hold for the first one, looking some moves ahead. Each \
    gets half of the cells, so play reaches at most the best balanced assignment. The optimum is found by trying all.")]
pub struct MaxSatArguments {
    #[command(flatten)]
    formula: CnfArguments,
    /// Moves looked ahead, separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2", value_parser = clap::value_parser!(u8).range(1..=4))]
    depth: Vec<u8>,
    /// How many random formulas, of seeds that follow each other
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "file", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    formulas: u64,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = super::super::arguments::parse_time)]
    time: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One formula.
#[derive(Serialize)]
struct Row {
    seed: Option<u64>,
    clauses: usize,
    optimum: usize,
    balanced: usize,
    /// What play reaches, in the order of the depths.
    reached: Vec<usize>,
}

/// The quotient of what was reached and the optimum, over all formulas.
#[derive(Serialize)]
struct Share {
    /// Moves looked ahead; null for the best balanced assignment.
    depth: Option<u8>,
    mean: f64,
    least: f64,
    optimal: usize,
}

#[derive(Serialize)]
struct Report {
    board: String,
    formulas: usize,
    shares: Vec<Share>,
    rows: Vec<Row>,
}

impl MaxSatArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let limits = Limits::new(self.time, None, interrupt::flag()?);
        let first = self.formula.formula(2, self.formula.seed)?;
        if first.cells() > MOST_CELLS {
            return Err(UsageError(format!("the optimum is for at most {MOST_CELLS} cells")).into());
        }
        let board = format!("{}x{}", first.width(), first.height());
        let (mut rows, mut stopped) = (Vec::new(), false);
        for number in 0..self.formulas {
            let seed = self.formula.seed.wrapping_add(number);
            let formula = Arc::new(self.formula.formula(2, seed)?);
            let found = observed(&limits, || {
                let optima = optima(&formula, &limits)?;
                let reached = self.depth.iter().map(|&depth| {
                    limits.check_time()?;
                    Ok(Cooperative::new(formula.clone()).play_out(depth.into()))
                });
                Ok::<_, Halt>((optima, reached.collect::<Result<Vec<usize>, Halt>>()?))
            });
            let Ok((Optima { all, balanced }, reached)) = found else {
                stopped = true;
                break;
            };
            let seed = self.formula.file.is_none().then_some(seed);
            rows.push(Row { seed, clauses: formula.clauses().len(), optimum: all, balanced, reached });
        }
        let mut shares = vec![Share::of(None, &rows, |row| row.balanced)];
        for (place, &depth) in self.depth.iter().enumerate() {
            shares.push(Share::of(Some(depth), &rows, |row| row.reached[place]));
        }
        let outcome = if stopped { Outcome::NotSettled } else { Outcome::Done };
        if self.json {
            json::write(console, "neighbours maxsat", &Report { board, formulas: rows.len(), shares, rows })?;
            return Ok(outcome);
        }
        writeln!(console, "{} formulas on {board}; reached / optimum:", rows.len())?;
        writeln!(console, "{:<22} {:>6} {:>6} {:>8}", "", "mean", "least", "optimal")?;
        for Share { depth, mean, least, optimal } in shares {
            let name = depth.map_or("balanced assignments".to_owned(), |depth| format!("play, {depth} ahead"));
            writeln!(console, "{name:<22} {mean:>6.3} {least:>6.3} {optimal:>8}")?;
        }
        if let [row] = &rows[..] {
            writeln!(
                console,
                "{} clauses, optimum {}, balanced {}, by play {:?}",
                row.clauses, row.optimum, row.balanced, row.reached
            )?;
        }
        if stopped {
            writeln!(console, "The rest was not looked at: {}.", interrupt::reason())?;
        }
        Ok(outcome)
    }
}

impl Share {
    fn of(depth: Option<u8>, rows: &[Row], reached: impl Fn(&Row) -> usize) -> Share {
        let quotients: Vec<f64> = rows.iter().map(|row| reached(row) as f64 / row.optimum.max(1) as f64).collect();
        Share {
            depth,
            mean: json::seconds(quotients.iter().sum::<f64>() / quotients.len().max(1) as f64),
            least: json::seconds(quotients.iter().copied().fold(1.0, f64::min)),
            optimal: rows.iter().filter(|row| reached(row) == row.optimum).count(),
        }
    }
}
