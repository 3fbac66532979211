//! What the fuzz targets do with the bytes they are given, one function a file format. None may panic.
//!
//! `tests/seeds.rs` of the main crate runs the same functions over `corpus/`, on a stable compiler.

use harary::atlas::storage::{self, Kind};
use harary::atlas::{Tablebase as Atlas, published};
use harary::effort::Limits;
use harary::engines::cards::export::export;
use harary::engines::cards::import::{import, shape_of};
use harary::engines::cards::pool::Pool;
use harary::engines::numbers::Numbers;
use harary::farm::prober::{Prober, workbench};
use harary::farm::result::JobResult;
use harary::farm::tree::Tree;
use harary::farm::{Plan as FarmPlan, Round, facts, result, sealed, set};
use harary::game::Game;
use harary::game::catalogue::Catalogue;
use harary::game::{ig, pg};
use harary::neighbours::clauses::Formula;
use harary::neighbours::connect::ig::Model;
use harary::neighbours::connect::{Connect, Grid};
use harary::neighbours::matrix::Matrix;
use harary::neighbours::pattern::{Knowledge, Puzzle, json, non, picture};
use harary::neighbours::qcsp::Problem;
use harary::play::record::Record;
use harary::play::script::{Ending, Script, Trial};
use harary::qbf::instance::{Encoding, Instance, Mode};
use harary::qbf::qrp::Matrix as Clauses;
use harary::qbf::solver::{Run, ending_of};
use harary::qbf::verify::read_table;
use harary::qbf::{journal, qrp};
use harary::settle::certify;
use harary::tablebase::Tablebase;
use harary::views::plan::{Grouping, Plan};
use harary_certificate::playbook::Playbook;
use harary_certificate::{Board, Rule, Shape, Topology, avoidance, check};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// A format's name, as of its target and its folder of seeds, and what is tried on it.
pub type Format = (&'static str, fn(&[u8]));

/// Every format that is read from a file or from another program.
pub const FORMATS: [Format; 18] = [
    ("certificate", certificate),
    ("pg", pg_file),
    ("ig", ig_model),
    ("shape", shape),
    ("cards", cards),
    ("atlas", atlas),
    ("tablebase", tablebase),
    ("formula", formula),
    ("solver", solver),
    ("qrp", trace),
    ("table", table),
    ("crosscheck", crosscheck),
    ("published", published_claims),
    ("record", record),
    ("strategy", strategy),
    ("puzzle", puzzle),
    ("neighbour", neighbour),
    ("farm", farm_file),
];

fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// A certificate: checked, and if it is accepted, its strategy is walked.
pub fn certificate(data: &[u8]) {
    if data.starts_with(avoidance::FIRST_LINE.as_bytes()) {
        let _ = text(data).map(avoidance::check);
        return;
    }
    let Ok(proved) = check(data) else { return };
    let book = Playbook::open(data).expect("what was accepted is accepted again");
    assert_eq!(book.proved().to_string(), proved.to_string());
    Plan::new(&book, book.start(), Vec::new(), 3, Grouping::Alike(2));
    Plan::main_line(&book, book.start(), Vec::new());
}

/// A `.pg` file: what is read can be written and is read again the same.
pub fn pg_file(data: &[u8]) {
    let Ok(game) = pg::read("fuzz.pg", data) else { return };
    let written = pg::write(&game, "fuzz");
    let again = pg::read("again.pg", written.as_bytes()).expect("what was written can be read");
    assert_eq!(again.black_sets(), game.black_sets());
    assert_eq!(again.schedule(), game.schedule());
}

thread_local! {
    /// Two formulas and their values, made once: most of what is tried is refused sooner than they are written.
    static FORMULAS: [(Clauses, bool); 2] = [(1, false), (3, true)].map(|(turns, value)| {
        let shape = Shape::from_rows("XX").expect("a shape");
        let board = Board::new(2, 2, Topology::Plain).expect("a board");
        let game = Game::new(shape, board, Rule::Strong);
        let instance = Instance::new(game, Encoding::Cor, turns, Mode::Lean { symmetry: 1 }).expect("a formula");
        (Clauses::of(&instance.formula()), value)
    });
}

/// A trace of a proof about a formula: whatever it says, what is accepted is true.
pub fn trace(data: &[u8]) {
    FORMULAS.with(|formulas| {
        for (formula, value) in formulas {
            if let Ok(accepted) = qrp::check_on(formula, data, &|| false) {
                assert_eq!(accepted.value, *value);
            }
        }
    });
}

/// A file of cards, ours with its hash put right or one of those that others publish: what is read can be written and is
/// read again with the same cards.
pub fn cards(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let mut pool = match shape_of(text) {
        Ok(Some(shape)) => {
            let mut pool = Pool::new(shape.clone());
            if import(&mut pool, &shape, text).is_err() {
                return;
            }
            pool
        }
        _ => {
            let Ok(pool) = Pool::from_bytes(&with_end_line(data)) else { return };
            pool
        }
    };
    let written = pool.to_bytes().expect("it can be written");
    let again = Pool::from_bytes(&written).expect("what was written can be read");
    assert!(again.to_bytes().expect("it can be written") == written);
    let public = export(&mut pool);
    let shape = shape_of(&public).expect("a shape can be read").expect("the shape is told");
    let mut back = Pool::new(shape.clone());
    import(&mut back, &shape, &public).expect("what was exported can be imported");
}

/// The lines of a file of cards, with an `end` line that is right.
fn with_end_line(data: &[u8]) -> Vec<u8> {
    let body = match data.windows(5).position(|window| window == b"\nend ") {
        Some(end) => &data[..=end],
        None => data,
    };
    let count = body.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"c ")).count();
    let mut bytes = body.to_vec();
    bytes.extend(format!("end {count} {}\n", blake3::hash(body)).bytes());
    bytes
}

/// A strategy of a person's, followed for a while: what stands is accepted by the checker.
pub fn strategy(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let shape = Shape::from_rows("X./XX").expect("a shape");
    let board = Board::new(3, 3, Topology::Plain).expect("a board");
    let game = Game::new(shape, board, Rule::Strong);
    let Ok(script) = Script::read(text, &game) else { return };
    let limits = Limits::new(None, Some(20_000), Default::default());
    let found = Trial { game: &game, script: &script, memory: 1 << 16, limits: &limits }.run();
    match found.ending {
        Ending::Good(evidence) => {
            certify(&game, evidence).expect("what stands is accepted");
        }
        Ending::Broken(..) | Ending::Stopped => {}
    }
}

/// A domain and an instance in one text: the game they make can be written as a `.pg` file.
pub fn ig_model(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let Ok(read) = ig::Description::read("fuzz.ig", text) else { return };
    // Large boards with many goals take their time, and say nothing that small ones do not.
    let cells = read.board.map_or(0, |(width, height, _)| width.saturating_mul(height));
    let goals =
        [&read.black_goals, &read.white_goals].into_iter().flatten().map(|goals| goals.lines.len()).sum::<usize>();
    if cells > 36 || goals > 8 {
        return;
    }
    if let Ok(made) = ig::game(&read, &read) {
        assert!(made.within.is_none_or(|turn| turn < made.game.vertices()));
        let again =
            pg::read("again.pg", pg::write(&made.game, "fuzz").as_bytes()).expect("what was written can be read");
        assert_eq!(again.black_sets(), made.game.black_sets());
    }
}

/// A shape as cells, as rows or as a file of shapes; a board.
pub fn shape(data: &[u8]) {
    let Some(text) = text(data) else { return };
    for shape in [Shape::from_cells(text), Shape::from_rows(text)].into_iter().flatten() {
        assert_eq!(Shape::from_cells(&shape.to_string()).as_ref(), Ok(&shape));
        shape.canonical();
    }
    if let Ok(catalogue) = Catalogue::read("fuzz.txt", text) {
        for entry in catalogue.entries() {
            assert!(catalogue.find(&entry.name).is_some(), "{} is found by its name", entry.name);
        }
    }
    // Names are short; what is compared with all of them takes its time.
    if text.len() < 16 {
        Catalogue::standard().nearest(text);
    }
    let _ = Board::parse(text, Topology::Torus);
}

/// A journal or tablebase of the atlas, as it is and with the checksums put right.
pub fn atlas(data: &[u8]) {
    for bytes in [data.to_vec(), with_checksums_of_records(data)] {
        for kind in [Kind::Journal, Kind::Tablebase] {
            if let Ok(content) = storage::read(kind, &bytes) {
                assert!(content.whole <= bytes.len());
                for entry in &content.entries {
                    let _ = (entry.key.to_string(), entry.command(), entry.day());
                }
            }
        }
        storage::salvage(&bytes);
        if let Ok(known) = Atlas::from_bytes(&bytes) {
            let again = Atlas::from_bytes(&known.to_bytes()).expect("what was written can be read");
            assert_eq!(again.len(), known.len());
        }
    }
}

/// The bytes with the right checksum behind the header and around every record; see `src/atlas/storage.rs`.
fn with_checksums_of_records(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    put_checksum(&mut bytes, 0, storage::HEADER - 4, &[]);
    let (mut at, mut number) = (storage::HEADER, 0u64);
    while let Some(length) = u32_at(&bytes, at) {
        put_checksum(&mut bytes, at, 4, &number.to_le_bytes());
        if !put_checksum(&mut bytes, at + 8, length, &number.to_le_bytes()) {
            break;
        }
        at += 8 + length + 4;
        number += 1;
    }
    bytes
}

/// A tablebase of positions, as it is and with the checksums put right.
pub fn tablebase(data: &[u8]) {
    for bytes in [data.to_vec(), with_checksums_of_blocks(data)] {
        if let Ok(tablebase) = Tablebase::from_bytes(&bytes) {
            tablebase.count();
            let written = tablebase.to_bytes().expect("it can be written");
            assert!(Tablebase::from_bytes(&written).is_ok(), "what was written can be read");
        }
    }
}

/// The bytes with the right checksums of header and blocks; see `src/tablebase/file.rs`.
fn with_checksums_of_blocks(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    let Some(&[low, high]) = bytes.get(10..12) else { return bytes };
    let end = 12 + usize::from(u16::from_le_bytes([low, high]));
    let Some(&[low, high]) = bytes.get(16..18) else { return bytes };
    let (mut row, mut block) = (18 + 2 * usize::from(u16::from_le_bytes([low, high])), end + 4);
    while row + 8 <= end {
        let Some(length) = u32_at(&bytes, row) else { break };
        let Some(sum) = bytes.get(block..block + length).map(crc32fast::hash) else { break };
        bytes[row + 4..row + 8].copy_from_slice(&sum.to_le_bytes());
        (row, block) = (row + 8, block + length);
    }
    put_checksum(&mut bytes, 0, end, &[]);
    bytes
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(number.try_into().expect("four bytes")) as usize)
}

/// Puts the checksum of `prefix` and of the `length` bytes at `at` behind them; whether there is room for it.
fn put_checksum(bytes: &mut [u8], at: usize, length: usize, prefix: &[u8]) -> bool {
    let end = at.saturating_add(length);
    if bytes.len() < end.saturating_add(4) {
        return false;
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(prefix);
    hasher.update(&bytes[at..end]);
    bytes[end..end + 4].copy_from_slice(&hasher.finalize().to_le_bytes());
    true
}

/// The comments of a formula: an instance that is read is written, if it is small, and read again the same.
pub fn formula(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let comments = text.lines().filter_map(|line| line.strip_prefix("c "));
    let Ok(instance) = Instance::from_comments(comments) else { return };
    if instance.game().vertices() > 6 || instance.turns() > 3 {
        return;
    }
    let mut written = Vec::new();
    instance.formula().write(&mut written).expect("memory can be written to");
    let written = String::from_utf8(written).expect("formulas are text");
    let again = Instance::from_comments(written.lines().filter_map(|line| line.strip_prefix("c ")));
    assert_eq!(again.expect("what was written can be read"), instance);
}

/// What a QBF solver prints.
pub fn solver(data: &[u8]) {
    let output = String::from_utf8_lossy(data);
    for code in [0, 10, 20] {
        let ending = ending_of(ExitStatus::from_raw(code << 8), &output);
        let output = output.clone().into_owned();
        let run = Run { ending, time: Duration::ZERO, processor_time: None, output };
        let _ = (run.answer(), run.partial_assignment(), run.ending.to_string());
    }
}

/// A table of verdicts, as `harary verify` reads it.
pub fn table(data: &[u8]) {
    let _ = read_table(&String::from_utf8_lossy(data));
}

/// The journal of a cross-check: what is whole is read again the same.
pub fn crosscheck(data: &[u8]) {
    let Ok((records, whole)) = journal::read(data) else { return };
    assert_eq!(journal::read(&data[..whole]), Ok((records, whole)));
}

/// The published claims.
pub fn published_claims(data: &[u8]) {
    let Some(text) = text(data) else { return };
    for claim in published::read(text).unwrap_or_default() {
        let _ = (claim.text(), claim.boards());
    }
}

/// A saved game: what is read is written the same way again.
pub fn record(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let Ok(record) = Record::parse(text) else { return };
    let written = record.text();
    assert_eq!(Record::parse(&written).expect("what was written can be read").text(), written);
}

/// A Pattern puzzle as text or as JSON, or a picture: what is read can be written and is read again the same.
pub fn puzzle(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let drawn = picture::read(text).ok().map(|grid| Puzzle::of_grid(&grid));
    for puzzle in [non::read(text).ok(), json::read(text).ok(), drawn].into_iter().flatten() {
        let untitled = puzzle.titled(None);
        assert_eq!(non::read(&non::write(&untitled, None)).as_ref(), Ok(&untitled));
        assert_eq!(json::read(&json::write(&untitled)).ok().as_ref(), Some(&untitled));
        let _ = Knowledge::of(&untitled);
    }
}

/// What the other games read: a matrix, a formula, a model, a quantified problem, moves of Connect Four.
pub fn neighbour(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let _ = (Matrix::parse(text), Formula::parse(3, 3, text), Problem::parse(text), Model::check_domain(text));
    if let Ok(model) = Model::parse(text) {
        assert!(model.start.turn().is_multiple_of(2), "Black moves");
    }
    if let Ok(grid) = Grid::new(7, 6, 4) {
        let _ = Connect::after_moves(grid, text);
    }
}

/// The files of a farm, between their first and their last line. Facts are taken over, true or not: a search that believes
/// them must come to an end.
pub fn farm_file(data: &[u8]) {
    let _ = sealed::unseal(facts::KIND, data);
    let Some(text) = text(data) else { return };
    let _ = JobResult::read(sealed::seal(result::KIND, text).as_bytes());
    if let Ok(plan) = FarmPlan::read(text) {
        let _ = FarmPlan::read(&plan.body()).map(|again| assert_eq!(again.body(), plan.body()));
    }
    if let Ok(names) = set::read(text) {
        assert_eq!(set::read(&set::body(&names)), Ok(names));
    }
    let Ok(board) = Board::new(4, 3, Topology::Plain) else { return };
    let Ok(shape) = Shape::from_rows("XXX") else { return };
    for rule in [Rule::Weak, Rule::Strong] {
        let game = Game::new(shape.clone(), board, rule);
        let _ = Tree::read(text, &game).map(|tree| (tree.needed(), tree.body()));
        if let Ok(plan) = FarmPlan::new(game.clone(), 2, 10, 10, 200) {
            let _ = Round::read(text, &plan);
        }
        let Ok(told) = facts::Facts::<1>::read(text, game.vertices()) else { continue };
        assert_eq!(facts::Facts::read(&told.body(), game.vertices()).as_ref(), Ok(&told));
        let bench = workbench::<1>(&game, 1 << 16, 1);
        told.list.iter().for_each(|fact| bench.learn(fact));
        let limits = Limits::none().part(Some(2000));
        let _ = Prober::new(&bench, &limits).find(harary_certificate::Stones::NONE, Numbers::NO_LIMIT);
    }
}
