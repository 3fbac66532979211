//! What the engines work with on one game: its arenas, symmetries and tables, each with its share of the memory.

use super::options::EngineChoice;
use crate::effort::tuning::names::{CELLS, MANY};
use crate::effort::{Halt, Limits, Memory, Room};
use crate::engines::alphabeta::{self, Attacker};
use crate::engines::any_order::AnyOrder;
use crate::engines::baseline::Baseline;
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::dfpn::{self, Gauge, ProofNumberSearch, ProofTable};
use crate::engines::engine::Engine;
use crate::engines::facts::{self, Fact};
use crate::engines::maker_breaker::{self, Alike, MakerBreaker};
use crate::engines::table::Table;
use crate::evidence::blocker::Blocker;
use crate::evidence::blocks::Blocks;
use crate::evidence::strategy::{Paper, ProofError, Strategy, prove_within};
use crate::evidence::strong::StrongBlocks;
use crate::game::Game;
use crate::game::position::Arena;
use crate::game::symmetry::SymmetryGroup;
use harary_certificate::{Claim, Rule};
use std::sync::OnceLock;

/// Bytes that each kind of table may take at most. Together they may be more than a run has: all take from one account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shares {
    /// Of the attacker and the baseline.
    pub attack: usize,
    /// Of the proof-number search.
    pub proof: usize,
    /// Of the proof-number search that threats steer: its numbers are of another kind.
    pub threats: usize,
    /// Of the Maker-Breaker search.
    pub weak: usize,
    /// Of the lemmas of the blocking search.
    pub lemmas: usize,
}

impl Shares {
    /// All for the attacker or the baseline.
    pub fn attack(memory: usize) -> Shares {
        Shares { attack: memory, ..Shares::default() }
    }

    /// For one engine of the attacker's. The table of the weak game is for the proof of strong holds. Together they are no
    /// more than the account of a run has: what a full table took would be missing for the lemmas of the proof.
    pub fn for_engine(engine: EngineChoice, rule: Rule, memory: usize) -> Shares {
        let memory = Memory::of_run(memory).most();
        let lemmas = memory / 10;
        let memory = memory / 10 * 9;
        match (engine, rule) {
            // The weak game is asked about a hold only, which this search seldom finds.
            (EngineChoice::Threats, _) => {
                Shares { threats: memory - memory / 8, weak: memory / 8, lemmas, ..Shares::default() }
            }
            (EngineChoice::Dfpn, Rule::Strong) => {
                Shares { proof: memory - memory / 2, weak: memory / 2, lemmas, ..Shares::default() }
            }
            // A proof of I5 on the 6x6 torus, found with a few percent of this table, has 5.8 million nodes (2026-11-18).
            (EngineChoice::Dfpn, Rule::Weak) => {
                Shares { weak: memory / 2, lemmas: lemmas + memory - memory / 2, ..Shares::default() }
            }
            (_, Rule::Strong) => Shares { attack: memory - memory / 8, weak: memory / 8, lemmas, ..Shares::default() },
            (_, Rule::Weak) => Shares { attack: memory, lemmas, ..Shares::default() },
        }
    }

    /// For the defender. The lemmas come on top of the tables, which are seldom full when the lemmas are many: with a quarter
    /// of this for them, 5x5 tori that are settled in seconds stayed open at 256 MiB. The proof-number search begins when
    /// the lemmas of the weak game are dropped, and takes their place.
    pub fn defence(memory: usize) -> Shares {
        let threats = memory / 4;
        Shares { proof: memory - threats, threats, weak: memory / 2, lemmas: memory, attack: 0 }
    }
}

/// How a proof-number search of a game is made.
pub type NumberedSearch<'a, const N: usize> = fn(&'a Workbench<N>, &Limits) -> ProofNumberSearch<'a, N>;

/// Everything that the engines of one game share.
pub struct Workbench<const N: usize> {
    /// The game they search.
    pub game: Game,
    /// The same, made for searching.
    pub arena: Arena<N>,
    /// Its symmetries.
    pub canon: Canon,
    /// The numbers of the proof-number search.
    pub gauge: Gauge,
    weak_arena: OnceLock<Arena<N>>,
    table: Table<N>,
    proof_table: ProofTable<N>,
    threat_table: ProofTable<N>,
    weak_table: Table<N, maker_breaker::Finding<N>>,
    /// Whether positions of the weak game are known up to names; found out when somebody asks, or set.
    by_names: OnceLock<bool>,
    /// What the threads of the attacker, or of the Maker-Breaker search, tell one another.
    busy: Busy,
    shares: Shares,
    /// What all of them take their memory from.
    account: Memory,
}

impl<const N: usize> Workbench<N> {
    /// For a game, with its symmetries or some of them, and so many threads of one engine.
    pub fn new(game: &Game, symmetries: &SymmetryGroup, shares: Shares, threads: usize) -> Workbench<N> {
        Workbench::within(&Memory::unbounded(), game, symmetries, shares, threads)
    }

    /// The same, with tables and stores that take their memory from an account, each up to its share.
    pub fn within(
        account: &Memory,
        game: &Game,
        symmetries: &SymmetryGroup,
        shares: Shares,
        threads: usize,
    ) -> Workbench<N> {
        Workbench {
            game: game.clone(),
            arena: Arena::new(game),
            canon: Canon::new(symmetries, game.vertices()),
            gauge: Gauge::default(),
            weak_arena: OnceLock::new(),
            table: Table::within(shares.attack, account),
            proof_table: ProofTable::within(shares.proof, account),
            threat_table: ProofTable::within(shares.threats, account),
            weak_table: Table::within(shares.weak, account),
            by_names: OnceLock::new(),
            busy: Busy::new(threads),
            shares,
            account: account.clone(),
        }
    }

    /// The same, with tables that know positions by their stones, so that [`Workbench::facts`] can speak of them.
    pub fn by_stones(self) -> Workbench<N> {
        Workbench { by_names: OnceLock::from(false), ..self }
    }

    fn knows_by_names(&self) -> bool {
        let pays = || {
            let known = self.canon.count();
            CELLS.contains(&self.game.vertices()) && (known > MANY || self.game.has_more_symmetries_than(known))
        };
        *self.by_names.get_or_init(pays)
    }

    /// The attacker: a shape on a board or sets, players alternating.
    pub fn attacker<'b>(&'b self, limits: &'b Limits) -> Attacker<'b, N> {
        Attacker::new(&self.attacking(limits))
    }

    /// What attackers share.
    pub fn attacking<'b>(&'b self, limits: &'b Limits) -> alphabeta::Shared<'b, N> {
        let Workbench { arena, table, canon, busy, .. } = self;
        alphabeta::Shared { arena, table, canon, busy, limits }
    }

    /// Alpha-beta for any turn order.
    pub fn any_order<'b>(&'b self, limits: &'b Limits) -> AnyOrder<'b, N> {
        AnyOrder::new(&self.attacking(limits))
    }

    /// The plain search others are measured against.
    pub fn baseline<'b>(&'b self, limits: &'b Limits) -> Baseline<'b, N> {
        Baseline::new(&self.arena, &self.table, &self.canon, limits)
    }

    /// The proof-number search, which asks the Maker-Breaker search about the weak game.
    pub fn proof_numbers(&self, limits: &Limits) -> ProofNumberSearch<'_, N> {
        let mut search = self.unguided(&self.proof_table).with_oracle(self.maker_breaker(limits));
        search.limit(limits);
        search
    }

    /// The proof-number search that threats steer.
    pub fn by_threats(&self, limits: &Limits) -> ProofNumberSearch<'_, N> {
        let mut search = self.unguided(&self.threat_table).by_threats();
        search.limit(limits);
        search
    }

    fn unguided<'a>(&'a self, table: &'a ProofTable<N>) -> ProofNumberSearch<'a, N> {
        let Workbench { arena, canon, busy, gauge, .. } = self;
        ProofNumberSearch::new(&dfpn::Shared { arena, table, canon, busy, gauge })
    }

    /// Whether Black wins by turn `until`, by proof numbers on so many threads over one table; the first to know ends it.
    pub fn wins_together<'a>(
        &'a self,
        make: NumberedSearch<'a, N>,
        until: usize,
        threads: usize,
        limits: &Limits,
    ) -> Result<bool, Halt> {
        let part = limits.part(None);
        let search = || {
            let answer = make(self, &part).wins_by(until);
            part.stop();
            answer
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(search)).collect();
            let own = search();
            let joined = others.into_iter().map(|other| other.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            joined.fold(own, |known, answer| known.or(answer))
        })
    }

    /// Who holds the weak game.
    pub fn maker_breaker(&self, limits: &Limits) -> MakerBreaker<'_, N> {
        let Workbench { weak_table: table, busy, .. } = self;
        let alike = if self.knows_by_names() { Alike::ByNames } else { Alike::BySymmetry(&self.canon) };
        let mut search = MakerBreaker::new(&self.game, &maker_breaker::Shared { table, alike, busy });
        search.limit(limits.clone());
        search
    }

    /// The blocking search of the weak game.
    pub fn blocker(&self) -> Blocker<'_, N> {
        Blocker::new(&self.game, self.weak_arena()).within(self.room_for_lemmas())
    }

    fn room_for_lemmas(&self) -> Room {
        Room::new(self.shares.lemmas, &self.account)
    }

    /// Blocks for single positions.
    pub fn blocks(&self, limits: &Limits) -> Blocks<'_, N> {
        Blocks::new(&self.game, self.weak_arena(), self.maker_breaker(limits), limits).within(self.room_for_lemmas())
    }

    /// Draws a strategy for a claim out of an engine of this game or, in [`Workbench::weak_arena`], of its weak form; with
    /// blocks or without.
    pub fn prove(
        &self,
        arena: &Arena<N>,
        engine: &mut impl Engine<N>,
        claim: Claim,
        blocks: Option<Blocks<N>>,
        limits: &Limits,
    ) -> Result<Strategy<N>, ProofError> {
        let paper = Paper { blocks, room: Room::of_proof(&self.account) };
        prove_within(&self.game, arena, engine, claim, paper, limits)
    }

    /// Blocks of the strong game. They may take as much as the lemmas and the table of the proof-number search together, as
    /// far as it is there: with a twentieth of 1 GiB the proof of 5cells4 on the 5x5 torus, found with a table that was 14% full, had no room.
    pub fn strong_blocks(&self, limits: &Limits) -> StrongBlocks<'_, N> {
        let Shares { lemmas, proof, threats, .. } = self.shares;
        let (maker_breaker, bytes) = (self.maker_breaker(limits), lemmas + proof + threats);
        StrongBlocks::new(&self.game, self.weak_arena(), maker_breaker, limits).within(bytes, &self.account)
    }

    /// What the tables of the proof-number searches know: of each the entries that took the most work, at most so many. For a
    /// bench [by stones](Self::by_stones).
    pub fn facts(&self, most: usize) -> Vec<Fact<N>> {
        facts::of_weak(&self.weak_table, most).chain(facts::of_strong(&self.proof_table, most)).collect()
    }

    /// Takes over what a table of the same game knew. The fact must be [sound](Fact::is_sound).
    pub fn learn(&self, fact: &Fact<N>) {
        facts::learn(&self.weak_table, &self.proof_table, fact);
    }

    /// Of the weak form of the game.
    pub fn weak_arena(&self) -> &Arena<N> {
        self.weak_arena.get_or_init(|| Arena::new(&self.game.weak()))
    }

    /// The share in use of the fullest table, in thousandths.
    pub fn fill(&self) -> usize {
        let Shares { attack, proof, threats, weak, .. } = self.shares;
        let tables = [
            (attack, self.table.fill()),
            (proof, self.proof_table.fill()),
            (threats, self.threat_table.fill()),
            (weak, self.weak_table.fill()),
        ];
        let used = tables.iter().filter(|(bytes, _)| *bytes > 0).map(|(_, fill)| (1000.0 * fill) as usize);
        used.max().unwrap_or(0)
    }
}
