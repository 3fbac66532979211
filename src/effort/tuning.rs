//! The constants that tune the searches, in one table.
//!
//! Each of them changes how long a search takes and none what is true: a verdict is the same with any of these values.
//! But the way to it, and so the certificate, may be another one. Each says what it is and what was measured of it;
//! where nothing was, it says so. Their values are as old as the searches themselves; whoever changes one measures it,
//! and says here with what and when.

/// Looks at the clock and at the stop flag.
pub mod clock {
    /// Nodes of the attacker between two looks: some hundred microseconds. Searches with dearer nodes look at each. Not
    /// measured against other values.
    pub const NODES: u64 = 256;

    /// The same on boards of more than 128 cells. Not measured.
    pub const LARGE_NODES: u64 = 16;

    /// Steps of backtracking for a paving between two looks. Not measured.
    pub const PAVING_STEPS: u32 = 64;

    /// Decisions of the SAT solver between two looks. Not measured.
    pub const SOLVER_DECISIONS: u32 = 64;
}

/// The search for the symmetries of games of sets.
pub mod symmetries {
    /// The largest group that is used; of a larger one a part. Certificates allow 65,536, but each position is brought to
    /// its canonical form under all of them. A torus of 19x19 has 2,888. Not measured against other values.
    pub const LARGEST_GROUP: usize = 1 << 12;

    /// Steps of the search, each a look at a vertex in a set: a second or less. Not measured against other values.
    pub const MOST_STEPS: u64 = 1 << 28;
}

/// Positions of the weak game up to the names of their cells.
pub mod names {
    /// The smallest and the largest game for which they are used where a game has more symmetries than its board. Smaller ones
    /// are settled before their symmetries are counted; larger ones with so many were not met.
    pub const CELLS: std::ops::RangeInclusive<usize> = 30..=128;

    /// With more symmetries than these names are chosen sooner than all are tried, and there may be others besides. No board of
    /// that size has so many. Not measured.
    pub const MANY: usize = 1000;

    /// Colourings that are refined for one list at most. Not measured against other values.
    pub const MOST_COLOURINGS: u32 = 400;
}

/// What several engines share.
pub mod shared {
    /// Positions looked at in search of a threat sequence, at most: enough for every one met, and a bound on bad luck.
    /// Other values were not measured.
    pub const FORCING_BUDGET: u32 = 200;

    /// Positions that are remembered, while a threat sequence is looked for, to lead nowhere. Not measured against other
    /// values; without them long sequences of qubic are lost in the orders of the same threats.
    pub const FAILED_LOOKS: usize = 1 << 12;

    /// The most that history adds to a move's score: one stone in one set, so that it only breaks ties. More led long
    /// searches astray: L5 on 7x7 by turn 15 took 107 million nodes without a cap, 14 million with 1024, 9 million with
    /// 64.
    pub const HISTORY: u32 = 64;

    /// So many moves are looked for one by one, because the first mostly decides; then the rest is sorted. Not measured.
    pub const PICKED: usize = 4;

    /// Where a game has more symmetries than this, only those that bring a stone to cell 0 are tried for a canonical
    /// form. Not measured.
    pub const FEW_SYMMETRIES: usize = 8;

    /// Notes of the threads to one another about what they search. Not measured.
    pub const NOTES: usize = 1 << 12;

    /// The attacker's subtrees with fewer moves left are too small to be worth the talk between threads. Not measured.
    pub const SPLIT: usize = 4;
}

/// The transposition table.
pub mod table {
    /// Entries that share one bucket. Not measured.
    pub const WAYS: usize = 4;

    /// Buckets in use at first: a small search in a large table would spend its time on fresh pages. Not measured
    /// against other values.
    pub const FIRST_BUCKETS: usize = 1 << 13;

    /// How many times as many buckets are in use after each step. Not measured.
    pub const STEP: usize = 8;
}

/// Proof numbers and the searches that follow them.
pub mod numbers {
    /// A child is searched until it is worse than the second best by one part in so many. Not measured here; the rule is
    /// Pawlewicz and Lew's.
    pub const SLACK: u32 = 4;

    /// The disproof number of a position that Black wins in the weak game. With the weak game's numbers skinny 6x6 is
    /// settled in 0.6 seconds, with its holds alone in 8, and without it not in 50 (2026-11-17, two cores of a loaded
    /// machine); this value itself was not varied.
    pub const WON_WEAKLY: u32 = 16;

    /// Nodes of the weak game for each position of the strong one under search. Not measured.
    pub const ORACLE_NODES: u64 = 100;

    /// The disproof number of a position of the weak game that nothing is known of is the square of its potential in
    /// eighths over this, with Black to move. With equal shares for both players 5x5 tori take 1.6 to 3 times the
    /// nodes.
    pub const SHARE_BLACK: u32 = 2;

    /// The same with White to move.
    pub const SHARE_WHITE: u32 = 8;

    /// The first so many of White's replies are looked at when a position of the weak game is entered. Looking at all
    /// took half to five sixths of the time on boards from 6x6 up. In tests all but one wait that can.
    pub const EAGER: usize = if cfg!(test) { 1 } else { 4 };

    /// Of the others, those wait that leave a potential beyond this, in sets that miss nothing: a paving is rare there.
    /// Measured together with [`EAGER`].
    pub const HEAVY: u64 = if cfg!(test) { 0 } else { 2 };
}

/// The proof-number search that threats steer. Measured on 2026-11-18 with a trial program on qubic after a1x and b1x, nodes
/// until Black's win: 229,000 with these values. The 400,000 tried were not enough with [`threats::FREE`] and [`threats::FREE_LEAST`] doubled or
/// halved, with [`threats::BLACK`] 3 or 12, nor with the greatest of White's replies counted instead of their sum.
pub mod threats {
    /// Positions looked at in search of a threat sequence. 300, 1,000 and 4,000 are alike.
    pub const BUDGET: u32 = 300;

    /// The proof number of a position with Black to move that he does not win by threats.
    pub const BLACK: u32 = 8;

    /// The proof number of a position with White to move who must answer one threat. 3 and 8 are alike.
    pub const FORCED: u32 = 3;

    /// The proof number of a position with White to move where Black threatens nothing: this,
    pub const FREE: u32 = 60;

    /// less so much for each of Black's sets that misses two cells,
    pub const FREE_TWO: u32 = 3;

    /// and at least so much.
    pub const FREE_LEAST: u32 = 20;
}

/// Pavings.
pub mod paving {
    /// Steps of backtracking before the SAT solver is asked. On boards up to 8x8 it seldom is.
    pub const STEPS: u32 = 20_000;

    /// A "no" found in fewer steps is better found again than kept. Not measured.
    pub const EASY: u32 = 200;

    /// Decisions of the solver between two looks at all limits. Not measured.
    pub const SLICE: u32 = 1 << 16;

    /// Decisions spent on each look for a "no" near Black's stones. Not measured.
    pub const NEAR: u32 = 2000;

    /// A set with more cells has too many pairs for backtracking: it is left to the solver. Not measured.
    pub const MOST_CELLS: usize = 8;

    /// Steps of backtracking for a paving at each position of the weak game: at first, at least and at most; for each
    /// number of empty cells longer where it was worth the time. Not measured against other values.
    pub const PATIENCE: u32 = 64;
    /// See [`PATIENCE`].
    pub const LEAST_PATIENCE: u32 = 8;
    /// See [`PATIENCE`].
    pub const MOST_PATIENCE: u32 = 512;

    /// Steps of backtracking for bounded pairs at a position of the attacker's. Measured on 2026-11-17 with 10, 30, 100
    /// and 400: 30 and 100 are the fastest, and alike (skinny 7x7 and 6x6, fivecells-l 7x7 up to turn 13).
    pub const BOUNDED_STEPS: u32 = 32;

    /// The same at a position of a proof. Not measured.
    pub const PROOF_STEPS: u32 = 500;

    /// Steps of backtracking for a paving where an engine knows a reply anyway. Not measured.
    pub const SOON: u32 = 500;
}

/// The store of lemmas.
pub mod lemmas {
    /// With more blocks than these, images included, a known block is looked for behind the reply the engine knows, no
    /// longer behind every reply: of some ten million blocks nine tenths of the time goes into looking. Measured on 2026-11-18 with
    /// 2^20 and 2^23, proofs by dfpn on one thread, under different loads: 5cells4 on the 5x5 torus, strong, 8 and 6 minutes of processor time, 572 and 567
    /// MB; I5 on the 6x6 torus, weak, 895 MB (by the defender) and 662 MB in 190 seconds.
    pub const MANY: usize = 1 << 23;

    /// One part in so many of its memory is kept for what proofs need. Not measured.
    pub const RESERVE: usize = 8;

    /// Each lemma is stored under so many symmetries at most. A plain board has 8. Not measured.
    pub const IMAGES: usize = 16;
}

/// How the searches take turns.
pub mod slices {
    /// Nodes of the attacker in the first round of a single thread. Not measured.
    pub const FIRST_ROUND: u64 = 1 << 16;

    /// On boards of more cells one look for a paving comes before everything else: there it takes less time than the
    /// attacker's first round, who may find quickly that White holds and then write for hours. Nine cells in a row on
    /// 19x19: at once, not in half an hour.
    pub const LARGE: usize = 128;

    /// Decisions of the SAT solver spent on that look. A paving of a large board is found at once or hardly ever. Not
    /// measured.
    pub const FIRST_LOOK: u32 = 1 << 16;

    /// Each round has so many times the nodes of the one before. Not measured.
    pub const GROWTH: u64 = 4;

    /// A node of the defender is worth so many of the attacker's in the strong game. Not measured.
    pub const DEAR_STRONG: u64 = 3;

    /// The same in the weak game, the defender's own: there the attacker only looks for the least turn. Not measured.
    pub const DEAR_WEAK: u64 = 1;

    /// Nodes of the blocking search in the defender's first slice; slices double. Not measured.
    pub const FIRST_SLICE: u64 = 1 << 10;

    /// A node of the blocking search, with its pavings and lemmas, takes about as long as so many of the Maker-Breaker
    /// search.
    pub const LIGHT: u64 = 16;

    /// A node of the search that threats steer is worth so many of the other proof-number search: it looks for a threat
    /// sequence behind every move. Measured on 2026-11-18 with 16 and 4 (`solve GAME --fresh --threads 1 --time 40s`): skinny 6x6 is
    /// held after 0.40 and 0.35 seconds of processor time, fivecells-l 6x6 after 0.50 and 0.51; 5cells3 on 9x9 is won with 4 only.
    pub const DEAR_THREATS: u64 = 4;

    /// Nodes of the Maker-Breaker search spent on one position when blocks are drawn for a strong hold. Not measured.
    pub const BLOCK_NODES: u64 = 1000;

    /// A smaller cover may take so many times the nodes of the win it came from before it is given up. Not measured.
    pub const COVER_PATIENCE: u64 = 4;

    /// And so many more. Not measured.
    pub const COVER_ALLOWANCE: u64 = 1000;
}
