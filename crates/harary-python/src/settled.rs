//! What `solve` gives.

use crate::certificate::Certificate;
use crate::errors::{failure, mistake};
use crate::named::Named;
use crate::picture::Picture;
use crate::strategy::Strategy;
use crate::words::{Memory, Time, memory, time};
use crate::work;
use harary::settle::WhiteSide;
use harary::views::picture::Mark;
use harary::{EngineChoice, Least, Limits, Options, Outcome, Verdict, WideSet, settle};
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// What is asked of a search.
pub struct Wish<'a> {
    pub within: Option<i64>,
    pub engine: &'a str,
    pub threads: Option<i64>,
    pub memory: Option<Memory>,
    pub time: Option<Time>,
    pub nodes: Option<i64>,
    pub certify_least: bool,
    pub cover: Option<&'a str>,
}

impl Wish<'_> {
    /// The options it stands for; `within` is the turn the file of a game names.
    fn options(self, game: &harary::Game, within: Option<usize>) -> PyResult<Options> {
        let engine = EngineChoice::ALL.into_iter().find(|engine| engine.name() == self.engine);
        let engine = engine.ok_or_else(|| {
            let names = EngineChoice::ALL.map(EngineChoice::name).join(", ");
            mistake(format!("no engine '{}'; there are {names}", self.engine))
        })?;
        let cover = self.cover.map(str::parse).transpose().map_err(mistake)?;
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let options = Options {
            within: counted("within", self.within, i64::MAX)?.map(|turn| turn as usize).or(within),
            engine,
            // A search inside covers has one thread.
            threads: if cover.is_some() {
                1
            } else {
                counted("threads", self.threads, 256)?.map_or(all, |threads| threads as usize)
            },
            memory: memory(self.memory)?,
            limits: Limits::new(time(self.time)?, counted("nodes", self.nodes, i64::MAX)?, Arc::default()),
            certify_refutation: self.certify_least,
            cover,
            ..Options::default()
        };
        match options.unsuited(game) {
            Some(reason) => Err(mistake(reason)),
            None => Ok(options),
        }
    }
}

/// A number that is counted from 1.
fn counted(name: &str, number: Option<i64>, most: i64) -> PyResult<Option<u64>> {
    match number {
        Some(number) if !(1..=most).contains(&number) => {
            let most = if most == i64::MAX { "or more".to_owned() } else { format!("to {most}") };
            Err(mistake(format!("{name} is 1 {most}, not {number}")))
        }
        number => Ok(number.map(i64::unsigned_abs)),
    }
}

/// A game as far as it is settled. Verdict and turns are read off certificates that the checker has accepted.
///
/// >>> settled = harary.solve("el", "3x3", threads=1)
/// >>> settled.verdict, settled.turn, settled.first_move
/// ('win', 5, 'b2')
/// >>> print(settled)
/// Black wins el on 3x3 plain, strong rule, by turn 5; 6 positions checked
/// 3 . . .
/// 2 . X .
/// 1 . . .
///   a b c
#[pyclass(frozen, module = "harary")]
pub struct Settled {
    /// The game as Python has it.
    origin: Py<PyAny>,
    game: Named,
    verdict: Verdict,
    turn: Option<usize>,
    win_by: Option<usize>,
    refuted_turn: Option<usize>,
    first_move: Option<harary::Cell>,
    least: Option<&'static str>,
    white: Option<&'static str>,
    by_turn: Option<bool>,
    certificate: Option<Py<Certificate>>,
    least_certificate: Option<Py<Certificate>>,
    white_certificate: Option<Py<Certificate>>,
    engine: &'static str,
    threads: usize,
    nodes: u64,
    seconds: f64,
    stopped: bool,
}

impl Settled {
    /// Settles a game.
    pub fn found(
        origin: &Bound<'_, PyAny>,
        game: &Named,
        wish: Wish,
        named: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Settled> {
        let py = origin.py();
        let options = wish.options(&game.game, named)?;
        let (within, limits, asked) = (options.within, options.limits.clone(), game.game.clone());
        let started = Instant::now();
        let settled = work::done(py, &limits, progress, move |observer| settle(&asked, &options, observer))?;
        let harary::Settled { outcome, account } = settled.map_err(failure)?;
        if let Outcome::Open { unwritten: Some(error), .. } = &outcome {
            return Err(failure(format!("the certificate cannot be written to a temporary file: {error}")));
        }
        let of = |certificate: harary::Certificate| Py::new(py, Certificate::of(certificate)?);
        let by_turn = within.and_then(|_| match &outcome {
            Outcome::Win { .. } => Some(true),
            Outcome::Hold { .. } | Outcome::Loss { .. } | Outcome::NotBy { .. } => Some(false),
            Outcome::Open { .. } => None,
        });
        let mut settled = Settled {
            origin: origin.clone().unbind(),
            game: game.clone(),
            verdict: outcome.verdict(),
            turn: outcome.least_turn(),
            win_by: outcome.win_by().or(outcome.loss_by()),
            refuted_turn: account.refuted_turn,
            first_move: outcome.first_move(),
            least: None,
            white: None,
            by_turn,
            certificate: None,
            least_certificate: None,
            white_certificate: None,
            engine: account.engine,
            threads: account.threads,
            nodes: account.nodes,
            seconds: started.elapsed().as_secs_f64(),
            stopped: account.stopped,
        };
        match outcome {
            Outcome::Win { certificate, least, .. } => {
                settled.least = least.word();
                settled.certificate = Some(of(certificate)?);
                if let Least::Certified(certificate) = least {
                    settled.least_certificate = Some(of(certificate)?);
                }
            }
            Outcome::Hold { certificate, white } => {
                settled.white = Some(white.word());
                settled.certificate = Some(of(certificate)?);
                if let WhiteSide::Held(certificate) = white {
                    settled.white_certificate = Some(of(certificate)?);
                }
            }
            Outcome::Loss { certificate, by, least } => {
                settled.white = Some("proved");
                settled.turn = least.then_some(by);
                settled.certificate = Some(of(certificate)?);
            }
            Outcome::NotBy { certificate, .. } => settled.certificate = certificate.map(of).transpose()?,
            Outcome::Open { .. } => {}
        }
        Ok(settled)
    }

    /// The certificate, or why there is none.
    fn proof(&self) -> PyResult<&Certificate> {
        let missing = || PyLookupError::new_err("nothing is proved, so there is no certificate");
        self.certificate.as_ref().map(Py::get).ok_or_else(missing)
    }

    fn sentence(&self) -> String {
        let known = match (&self.certificate, self.by_turn, self.refuted_turn) {
            (Some(certificate), ..) => return certificate.get().sentence(),
            (None, Some(false), Some(turn)) | (None, None, Some(turn)) => {
                format!("no win by turn {turn} (searched, not certified)")
            }
            _ => "nothing is known".to_owned(),
        };
        let settled = if self.by_turn == Some(false) { "" } else { "not settled: " };
        format!("{}: {settled}{known}", harary::game::description::describe(&self.game.name, &self.game.game))
    }
}

#[pymethods]
impl Settled {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyAny> {
        self.origin.clone_ref(py)
    }

    /// `"win"` (Black wins), `"hold"` (he does not), `"loss"` (White wins) or `"open"` (not settled).
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.verdict {
            Verdict::Win => "win",
            Verdict::Hold => "hold",
            Verdict::Loss => "loss",
            Verdict::Unknown => "open",
        }
    }

    /// With a win, the least turn, where it is known to be the least.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.turn
    }

    /// With a win, the turn by which it comes at the latest, as the certificate proves.
    #[getter]
    fn win_by(&self) -> Option<usize> {
        self.win_by
    }

    /// No win of Black's by this turn; `least` says how that is known.
    #[getter]
    fn refuted_turn(&self) -> Option<usize> {
        self.refuted_turn
    }

    /// With a win of Black's, his first move.
    #[getter]
    fn first_move(&self) -> Option<String> {
        self.first_move.map(|cell| self.game.game.vertex_name(cell))
    }

    /// How it is known that no earlier turn wins: `"certified"`, `"searched"` or `"distance"` (Black has too few stones).
    #[getter]
    fn least(&self) -> Option<&'static str> {
        self.least
    }

    /// What is known of a win of White's where Black has none: `"proved"`, `"refuted"`, `"excluded"` or `"open"`.
    #[getter]
    fn white(&self) -> Option<&'static str> {
        self.white
    }

    /// The answer to `within`: whether Black wins by that turn.
    #[getter]
    fn by_turn(&self) -> Option<bool> {
        self.by_turn
    }

    /// The accepted certificate of the verdict.
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Certificate>> {
        self.certificate.as_ref().map(|certificate| certificate.bind(py).clone())
    }

    /// With `certify_least`: the accepted certificate that no earlier turn wins.
    #[getter]
    fn least_certificate<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Certificate>> {
        self.least_certificate.as_ref().map(|certificate| certificate.bind(py).clone())
    }

    /// Where nobody wins: the accepted certificate that White does not, about the game with the colours exchanged.
    #[getter]
    fn white_certificate<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Certificate>> {
        self.white_certificate.as_ref().map(|certificate| certificate.bind(py).clone())
    }

    /// The engine that had the last word.
    #[getter]
    fn engine(&self) -> &'static str {
        self.engine
    }

    /// Threads it used.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// Positions searched.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long it took, certificate written and checked.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Whether a limit ended it before everything was done that was asked for.
    #[getter]
    fn stopped(&self) -> bool {
        self.stopped
    }

    /// Has the certificate checked once more, and gives it. Raises `LookupError` if there is none.
    fn check(&self, py: Python<'_>) -> PyResult<Certificate> {
        self.proof()?.check(py)
    }

    /// The strategy in the certificate. Raises `LookupError` if there is none.
    fn strategy(&self, py: Python<'_>) -> PyResult<Strategy> {
        self.proof()?.strategy(py)
    }

    /// The board with Black's first move, if he wins.
    fn picture(&self) -> PyResult<Picture> {
        let mut black = *self.game.game.black_start();
        self.first_move.into_iter().for_each(|cell| black.insert(cell));
        let white: WideSet = *self.game.game.white_start();
        Ok(Picture::of(&self.game.drawn(|cell| Mark::of_stones(&black, &white, cell))?, &[]))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.picture().ok().map(|picture| picture.svg().to_owned())
    }

    fn __str__(&self) -> String {
        match self.picture() {
            Ok(picture) if self.first_move.is_some() => format!("{}\n{}", self.sentence(), picture.text()),
            _ => self.sentence(),
        }
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.sentence())
    }
}
