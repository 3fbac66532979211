//! What a cross-check found, printed: tables, rows, pictures.

use super::console::Console;
use super::ending::UsageError;
use super::game_list::Origin;
use super::words::counted;
use super::{files, json};
use crate::qbf::accounting::{Account, Cactus, Faster, Sizes, Summary, Times, faster, pairs};
use crate::qbf::crosscheck::Subject;
use crate::qbf::instance::Encoding;
use crate::qbf::row::{Finding, Row, Traced};
use crate::views::plot;
use anyhow::Context;
use harary_certificate::Proved;
use harary_certificate::whole_file::WholeFile;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// All there is to say.
#[derive(Default)]
pub struct Findings {
    /// Asked for and not asked, because somebody stopped it.
    pub left: usize,
    pub rows: Vec<Row>,
    /// How the game of each subject was written.
    pub origins: Vec<Origin>,
    /// Of each row, with a disagreement.
    pub certificates: Vec<Option<(PathBuf, Proved)>>,
    pub accounts: Vec<Account>,
    pub cactus: Vec<Cactus>,
    /// The two encodings that are compared task by task.
    pub axes: Option<(Encoding, Encoding)>,
    pub sizes: Vec<Sizes>,
}

/// One comparison, for machines.
#[derive(Serialize)]
struct Compared<'a> {
    game: json::Game,
    encoding: Encoding,
    mode: &'a str,
    turns: usize,
    preprocessor: Option<&'a str>,
    preprocess_seconds: f64,
    solver: &'a str,
    finding: Finding,
    native: Option<bool>,
    native_seconds: f64,
    answer: Option<bool>,
    /// Why there is no answer.
    reason: Option<&'a str>,
    seconds: f64,
    /// What the answer says of the game.
    black_wins: Option<bool>,
    /// Of a disagreement: the formula, and our certificate.
    formula: Option<String>,
    certificate: Option<json::Certificate>,
    /// With `--proof`.
    proof: Option<&'a Traced>,
}

impl<'a> Compared<'a> {
    fn new(row: &'a Row, kept: Option<&(PathBuf, Proved)>, subject: &Subject) -> Compared<'a> {
        Compared {
            game: json::Game::new(&subject.name, &subject.game),
            encoding: row.encoding,
            mode: &row.mode,
            turns: row.turns,
            preprocessor: row.preprocessor.as_deref(),
            preprocess_seconds: json::seconds(row.preprocess_seconds),
            solver: &row.solver,
            finding: row.finding,
            native: row.native,
            native_seconds: json::seconds(row.native_seconds),
            answer: row.value,
            reason: Some(row.answer.as_str()).filter(|_| row.value.is_none()),
            seconds: json::seconds(row.seconds),
            black_wins: row.black_wins,
            formula: row.formula.as_ref().map(|path| path.display().to_string()),
            certificate: kept.and_then(|(path, proved)| json::Certificate::kept(proved, path).ok()),
            proof: row.proof.as_ref(),
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    left: usize,
    summary: Summary,
    accounts: &'a [Account],
    cactus: &'a [Cactus],
    faster: Vec<Faster>,
    sizes: &'a [Sizes],
    rows: Vec<Compared<'a>>,
}

impl Findings {
    /// Prints everything.
    pub fn write(&self, console: &mut Console, subjects: &[Subject], json: bool) -> anyhow::Result<()> {
        if json {
            let rows = self.rows.iter().zip(&self.certificates);
            let rows =
                rows.filter_map(|(row, kept)| Some(Compared::new(row, kept.as_ref(), subjects.get(row.subject)?)));
            let report = Report {
                left: self.left,
                summary: Summary::of(&self.rows),
                accounts: &self.accounts,
                cactus: &self.cactus,
                faster: self.faster(),
                sizes: &self.sizes,
                rows: rows.collect(),
            };
            return json::write(console, "crosscheck", &report);
        }
        if !self.sizes.is_empty() {
            return Ok(self.write_sizes(console)?);
        }
        self.write_agreement(console)?;
        writeln!(console)?;
        self.write_accounts(console)?;
        self.write_preprocessing(console)?;
        self.write_proofs(console)?;
        if let Some((x, y)) = self.axes {
            writeln!(console)?;
            for Faster { over, pairs, faster } in self.faster() {
                let share = if pairs == 0 { 0.0 } else { 100.0 * faster as f64 / pairs as f64 };
                writeln!(
                    console,
                    "{y} is faster than {x} in {faster} of {pairs} tasks of more than {over} s ({share:.0} %)"
                )?;
            }
        }
        if self.left > 0 {
            writeln!(console, "Stopped by request; {} not asked.", counted(self.left, "formula"))?;
        }
        Ok(())
    }

    fn faster(&self) -> Vec<Faster> {
        self.axes.map_or_else(Vec::new, |axes| faster(&pairs(&self.rows, axes)))
    }

    /// Says to the user who disagrees, and where the proof is.
    pub fn report_disagreements(&self) {
        let rows = self.rows.iter().zip(&self.certificates);
        for (row, kept) in rows.filter(|(row, _)| row.finding == Finding::Disagreement) {
            let formula = match (&row.formula, &row.not_kept) {
                (Some(path), _) => path.display().to_string(),
                (None, reason) => format!("NOT KEPT: {}", reason.as_deref().unwrap_or("no reason")),
            };
            let certificate = match kept {
                Some((path, _)) => format!("{} (checked)", path.display()),
                None => "none".to_owned(),
            };
            // Who has closed standard error does not want to know.
            let _ =
                writeln!(io::stderr(), "{}\n  formula: {formula}\n  native certificate: {certificate}", describe(row));
        }
    }

    /// Agreements and times by board, encoding, solver and preprocessor.
    fn write_agreement(&self, console: &mut Console) -> io::Result<()> {
        let mut groups: BTreeMap<(&str, Encoding, &str, &str), Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            let team = (row.board.as_str(), row.encoding, row.solver.as_str(), row.preprocessor_name());
            groups.entry(team).or_default().push(row);
        }
        writeln!(
            console,
            "{:<12} {:<8} {:<10} {:<10} {:>6} {:>6} {:>8} {:>8} {:>8} {:>7} {:>10} {:>10} {:>10} {:>9}",
            "board",
            "encoding",
            "solver",
            "preprocess",
            "runs",
            "agree",
            "disagree",
            "no cover",
            "timeout",
            "failed",
            "native s",
            "solver s",
            "prepare s",
            "ratio"
        )?;
        let mut line = |board: &str, encoding: &str, solver: &str, preprocessor: &str, summary: Summary| {
            writeln!(
                console,
                "{board:<12} {encoding:<8} {solver:<10} {preprocessor:<10} {:>6} {:>6} {:>8} {:>8} {:>8} {:>7} {:>10.3} {:>10.2} {:>10.2} {:>9.0}",
                summary.runs,
                summary.agreements,
                summary.disagreements,
                summary.no_cover_wins,
                summary.timeouts + summary.native_timeouts + summary.not_asked,
                summary.failures,
                summary.native_seconds,
                summary.solver_seconds,
                summary.preprocess_seconds,
                summary.ratio()
            )
        };
        for ((board, encoding, solver, preprocessor), rows) in &groups {
            line(board, encoding.name(), solver, preprocessor, Summary::of(rows.iter().copied()))?;
        }
        line("all", "", "", "", Summary::of(&self.rows))
    }

    /// Games and times as published tables count them.
    fn write_accounts(&self, console: &mut Console) -> io::Result<()> {
        writeln!(
            console,
            "{:<7} {:<8} {:<10} {:<10} {:>6} {:>7} {:>6} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "board",
            "encoding",
            "solver",
            "preprocess",
            "games",
            "unknown",
            "win",
            "hold",
            "solver s",
            "true s",
            "false s",
            "prepare s",
            "PAR2"
        )?;
        for account in &self.accounts {
            writeln!(
                console,
                "{:<7} {:<8} {:<10} {:<10} {:>6} {:>7} {:>6} {:>6} {:>10.2} {:>10.2} {:>10.2} {:>10.2} {:>10.2}",
                account.board,
                account.encoding.name(),
                account.solver,
                account.preprocessor,
                account.games,
                account.unknown,
                account.winners,
                account.losers,
                account.seconds,
                account.sat_seconds,
                account.unsat_seconds,
                account.preprocessing.total,
                account.par2
            )?;
        }
        Ok(())
    }

    /// How many answers are proved, and what is not.
    fn write_proofs(&self, console: &mut Console) -> io::Result<()> {
        let proofs: Vec<(&Row, &Traced)> =
            self.rows.iter().filter_map(|row| Some((row, row.proof.as_ref()?))).collect();
        if proofs.is_empty() {
            return Ok(());
        }
        let accepted: Vec<&Traced> = proofs.iter().map(|(_, proof)| *proof).filter(|proof| proof.accepted).collect();
        let refused = proofs.iter().filter(|(_, proof)| proof.written && !proof.accepted).count();
        let steps: usize = accepted.iter().map(|proof| proof.steps).sum();
        let seconds: f64 = proofs.iter().map(|(_, proof)| proof.seconds).sum();
        writeln!(
            console,
            "\nQ-resolution proofs: {} accepted ({steps} steps), {refused} refused, {} without; {seconds:.2} s",
            accepted.len(),
            proofs.len() - accepted.len() - refused
        )?;
        for (row, proof) in proofs.iter().filter(|(_, proof)| !proof.accepted) {
            let Row { shape, board, encoding, turns, solver, .. } = row;
            let reason = proof.reason.as_deref().unwrap_or_default();
            let word = if proof.written { "refused" } else { "none" };
            writeln!(console, "  {shape} on {board}, {encoding}, turn {turns}, {solver}: {word}: {reason}")?;
        }
        Ok(())
    }

    /// Mean, most and total of each preprocessor, if there is one.
    fn write_preprocessing(&self, console: &mut Console) -> io::Result<()> {
        let mut told = Vec::new();
        for account in self.accounts.iter().filter(|account| account.preprocessor != "none") {
            let team = (&account.board, account.encoding, &account.preprocessor);
            if told.contains(&team) {
                continue;
            }
            if told.is_empty() {
                writeln!(console)?;
            }
            told.push(team);
            let of_team = |row: &&Row| {
                (row.sides(), row.encoding, row.preprocessor_name())
                    == (account.board.as_str(), account.encoding, account.preprocessor.as_str())
            };
            let times = Times::of(self.rows.iter().filter(of_team));
            writeln!(
                console,
                "{} simplifies {} of {}, {}: mean {:.3} s, most {:.3} s, all {:.2} s",
                account.preprocessor,
                counted(times.formulas, "formula"),
                account.encoding,
                account.board,
                times.mean,
                times.most,
                times.total
            )?;
        }
        Ok(())
    }

    fn write_sizes(&self, console: &mut Console) -> io::Result<()> {
        writeln!(
            console,
            "{:<12} {:<8} {:>9} {:>10} {:>10} {:>11} {:>10} {:>10}",
            "board", "encoding", "formulas", "variables", "universal", "existential", "clauses", "literals"
        )?;
        for Sizes { board, encoding, formulas, size } in &self.sizes {
            writeln!(
                console,
                "{board:<12} {:<8} {formulas:>9} {:>10} {:>10} {:>11} {:>10} {:>10}",
                encoding.name(),
                size.variables,
                size.universal,
                size.existential,
                size.clauses,
                size.literals
            )?;
        }
        Ok(())
    }

    /// Writes what was asked for to files.
    pub fn write_files(
        &self,
        csv: Option<&Path>,
        cactus: Option<&Path>,
        scatter: Option<&Path>,
        console: &mut Console,
    ) -> anyhow::Result<()> {
        match csv {
            Some(path) if files::is_dash(path) => write!(console, "{}", self.csv())?,
            Some(path) => save(path, &self.csv())?,
            None => {}
        }
        if let Some(path) = cactus {
            let text = if is_picture(path) { self.cactus_picture() } else { self.cactus_csv() };
            save(path, &text)?;
        }
        if let (Some(path), Some(axes)) = (scatter, self.axes) {
            let text = if is_picture(path) { self.scatter_picture(axes) } else { self.scatter_csv(axes) };
            save(path, &text)?;
        }
        Ok(())
    }

    /// The rows as `harary verify --csv` reads them, with the findings behind.
    fn csv(&self) -> String {
        let mut text =
            "shape,board,topology,rule,handicap,stones,pg,encoding,turns,verdict,seconds,solver,preprocessor,\
                        preprocess_seconds,finding,native_seconds\n"
                .to_owned();
        for row in &self.rows {
            let (sides, topology) = row.board.split_once(' ').unwrap_or((&row.board, ""));
            let (handicap, stones, pg) = match self.origins.get(row.subject) {
                Some(Origin::Board { handicap, stones }) => (
                    handicap.map(|handicap| handicap.to_string()).unwrap_or_default(),
                    stones.map(|(p, q)| format!("{p},{q}")).unwrap_or_default(),
                    String::new(),
                ),
                Some(Origin::File(path)) => (String::new(), String::new(), path.display().to_string()),
                None => Default::default(),
            };
            let finding = serde_json::to_string(&row.finding).unwrap_or_default();
            let fields = [
                quoted(&row.shape),
                sides.to_owned(),
                topology.to_owned(),
                row.rule.clone(),
                handicap,
                quoted(&stones),
                quoted(&pg),
                row.encoding.to_string(),
                row.turns.to_string(),
                quoted(&row.answer),
                format!("{:.4}", row.seconds),
                quoted(&row.solver),
                quoted(row.preprocessor_name()),
                format!("{:.4}", row.preprocess_seconds),
                finding.trim_matches('"').to_owned(),
                format!("{:.6}", row.native_seconds),
            ];
            text += &fields.join(",");
            text.push('\n');
        }
        text
    }

    fn cactus_csv(&self) -> String {
        let mut text = "encoding,solver,preprocessor,answered,seconds,cumulative_seconds\n".to_owned();
        for Cactus { encoding, solver, preprocessor, seconds } in &self.cactus {
            let mut sum = 0.0;
            for (count, seconds) in (1..).zip(seconds) {
                sum += seconds;
                let (solver, preprocessor) = (quoted(solver), quoted(preprocessor));
                text += &format!("{encoding},{solver},{preprocessor},{count},{seconds:.4},{sum:.4}\n");
            }
        }
        text
    }

    fn cactus_picture(&self) -> String {
        let curves: Vec<plot::Curve> = self
            .cactus
            .iter()
            .map(|curve| plot::Curve {
                name: match curve.preprocessor.as_str() {
                    "none" => format!("{}, {}", curve.encoding, curve.solver),
                    preprocessor => format!("{}, {}, {preprocessor}", curve.encoding, curve.solver),
                },
                seconds: curve.seconds.clone(),
            })
            .collect();
        plot::cactus(&curves)
    }

    fn scatter_csv(&self, axes: (Encoding, Encoding)) -> String {
        let (x, y) = axes;
        let mut text = format!("shape,board,turns,solver,preprocessor,{x}_seconds,{y}_seconds,{x}_answer,{y}_answer\n");
        for pair in pairs(&self.rows, axes) {
            let row = pair.first;
            text += &format!(
                "{},{},{},{},{},{:.4},{:.4},{},{}\n",
                quoted(&row.shape),
                row.board,
                row.turns,
                quoted(&row.solver),
                quoted(row.preprocessor_name()),
                pair.seconds.0,
                pair.seconds.1,
                quoted(&row.answer),
                quoted(&pair.second.answer)
            );
        }
        text
    }

    fn scatter_picture(&self, axes: (Encoding, Encoding)) -> String {
        let points: Vec<plot::Point> = pairs(&self.rows, axes)
            .iter()
            .map(|pair| plot::Point {
                x: pair.seconds.0,
                y: pair.seconds.1,
                answered: pair.first.value.is_some() && pair.second.value.is_some(),
            })
            .collect();
        plot::scatter(&points, axes.0.name(), axes.1.name())
    }
}

/// Whether a file is to hold a picture and not its numbers.
pub fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "svg")
}

/// Before the work: whether a figure can be written there, as a picture or as numbers.
pub fn check_figure(path: &Path, others: &[&Path]) -> anyhow::Result<()> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg" | "csv") => files::check_output(path, others),
        _ => Err(UsageError(format!("{}: name a file that ends in .svg or .csv", path.display())).into()),
    }
}

/// Writes a file, complete or not at all.
pub fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    let written = WholeFile::create(path).and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        out.finish()
    });
    written.map(|_| ()).with_context(|| format!("cannot write {}", path.display()))
}

/// One comparison in words.
pub fn describe(row: &Row) -> String {
    let native = match row.native {
        Some(true) => "true",
        Some(false) => "false",
        None => "not known in time",
    };
    let solver = match &row.preprocessor {
        Some(preprocessor) => format!("{} after {preprocessor}", row.solver),
        None => row.solver.clone(),
    };
    format!(
        "{} on {}, {} rule, {} at turn {}: {solver} says {}; native: the formula is {native}",
        row.shape, row.board, row.rule, row.encoding, row.turns, row.answer
    )
}

/// A field of a CSV file.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
