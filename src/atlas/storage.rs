//! Entries as bytes: the one file that knows bincode, the header and the checksums.
//!
//! A file is a header and records, all numbers little-endian:
//!
//! ```text
//! header   "HARATLAS"  version u32  kind u32  records u64  crc32 of all this
//! record   length u32  crc32 of its number and length  payload  crc32 of its number and payload
//! ```
//!
//! The length has a checksum of its own, so that a file cut off in the middle of a write (the rest is missing) cannot
//! be mistaken for a damaged one (the rest is wrong), nor the other way round. The number of the record is part of the
//! checksums: a record that was moved or doubled is damage too.

use super::entry::{Entry, Finding, Leastness, Mark};

use super::key::GameKey;
use super::shapes::Shapes;
use bincode::config::{Configuration, LittleEndian, Varint};
use bincode::{Decode, Encode};
use harary_certificate::{Board, Cell, MAX_CELLS, Rule, Shape, Topology};
use std::time::Duration;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"HARATLAS";
const VERSION: u32 = 1;
/// Bytes of the header.
pub const HEADER: usize = 8 + 4 + 4 + 8 + 4;
/// Bytes before and after the payload of a record.
const FRAME: usize = 8 + 4;
/// No payload is longer: a shape has at most 361 cells, and there are at most 32 of them.
const LONGEST: usize = 1 << 16;

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Grows record by record; the header does not say how many there are.
    Journal = 1,
    /// Complete; the header says how many records there are.
    Tablebase = 2,
}

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Damage {
    /// It begins otherwise.
    #[error("not a file of the atlas: it does not start with HARATLAS")]
    Foreign,
    /// The header is cut off after so many bytes.
    #[error("damaged: the header is cut off after {0} of {HEADER} bytes")]
    ShortHeader(usize),
    /// The header is damaged.
    #[error("damaged: the checksum of the header is wrong")]
    Header,
    /// Another version of the format.
    #[error("written by another version of the program (format {0}, this one reads {VERSION})")]
    Version(u32),
    /// A journal where a tablebase should be, or the other way round.
    #[error("a file of another kind: a journal is no tablebase")]
    Kind,
    /// A record is damaged.
    #[error("damaged: record {record} at byte {offset}: {what}")]
    Record {
        /// Which one, from 1.
        record: u64,
        /// Where it begins.
        offset: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Records are missing, or there are too many.
    #[error("damaged: {found} records, and the header says {expected}")]
    Count {
        /// So many there are.
        found: u64,
        /// So many there should be.
        expected: u64,
    },
}

/// The records of a file.
#[derive(Debug)]
pub struct Content {
    /// What the records say, in order.
    pub entries: Vec<Entry>,
    /// Bytes up to the end of the last whole record. What follows was cut off in the middle of a write.
    pub whole: usize,
}

/// The header of a file with so many records (a journal: 0).
pub fn header(kind: Kind, records: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((kind as u32).to_le_bytes());
    bytes.extend(records.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// One record, ready to be written.
pub fn record(number: u64, entry: &Entry) -> Vec<u8> {
    // Plain numbers and short strings into memory: this cannot fail.
    let mut payload = bincode::encode_to_vec(Stored::from(entry), CONFIGURATION).expect("an entry can be encoded");
    payload.extend(several(entry.key.shapes()));
    if let Some(lender) = &entry.borrowed {
        let stored: Lender = (alone(lender.shapes()), lender.rule() == Rule::Weak);
        payload.extend(bincode::encode_to_vec(stored, CONFIGURATION).expect("a game can be encoded"));
        payload.extend(several(lender.shapes()));
        if lender.board() != entry.key.board() {
            let board = lender.board();
            let sides: LenderBoard = (board.width() as u8, board.height() as u8, board.is_torus());
            payload.extend(bincode::encode_to_vec(sides, CONFIGURATION).expect("a board can be encoded"));
        }
    }
    let length = (payload.len() as u32).to_le_bytes();
    let mut bytes = Vec::with_capacity(payload.len() + FRAME);
    bytes.extend(length);
    bytes.extend(checksum(number, &length).to_le_bytes());
    bytes.extend(&payload);
    bytes.extend(checksum(number, &payload).to_le_bytes());
    bytes
}

/// Reads a whole file. What is cut off at the end of a journal is left out; everything else must be whole.
pub fn read(kind: Kind, bytes: &[u8]) -> Result<Content, Damage> {
    let expected = read_header(kind, bytes)?;
    let mut entries = Vec::new();
    let mut offset = HEADER;
    while offset < bytes.len() {
        let record = entries.len() as u64;
        let damage = |what: String| Damage::Record { record: record + 1, offset, what };
        match payload(record, &bytes[offset..]) {
            Ok(payload) => {
                entries.push(decode(payload).map_err(damage)?);
                offset += payload.len() + FRAME;
            }
            Err(Fault::CutOff) if kind == Kind::Journal => break,
            Err(fault) => return Err(damage(fault.to_string())),
        }
    }
    let found = entries.len() as u64;
    match kind {
        Kind::Tablebase if found != expected => Err(Damage::Count { found, expected }),
        _ => Ok(Content { entries, whole: offset }),
    }
}

/// Everything that is whole in the bytes of a damaged journal, and what is not. After damage the next record is the first
/// place from there on where all checksums are right, for whatever number.
pub fn salvage(bytes: &[u8]) -> (Vec<Entry>, Vec<Damage>) {
    let mut damaged: Vec<Damage> = read_header(Kind::Journal, bytes).err().into_iter().collect();
    let (mut entries, mut offset, mut number) = (Vec::new(), HEADER, 0);
    while offset < bytes.len() {
        let whole = |offset: usize, number: u64| {
            let payload = payload(number, &bytes[offset..]).ok()?;
            decode(payload).ok().map(|entry| (entry, offset + payload.len() + FRAME))
        };
        if let Some((entry, end)) = whole(offset, number) {
            entries.push(entry);
            (offset, number) = (end, number + 1);
            continue;
        }
        // What is only cut off is no damage.
        if let Err(Fault::CutOff) = payload(number, &bytes[offset..]) {
            break;
        }
        damaged.push(Damage::Record { record: number + 1, offset, what: "lost".to_owned() });
        // A record is at least as long as its frame, so at most this many were lost; a longer gap is not searched.
        let fits =
            |start: usize| length_of(&bytes[start..]).is_some_and(|length| length <= bytes.len() - start - FRAME);
        let next = (offset + 1..bytes.len()).filter(|&start| fits(start)).find_map(|start| {
            let most = number + (((start - offset) / FRAME) as u64).min(64);
            (number + 1..=most).find(|&next| whole(start, next).is_some()).map(|next| (start, next))
        });
        match next {
            Some(next) => (offset, number) = next,
            None => break,
        }
    }
    (entries, damaged)
}

/// Reads the header; how many records it promises.
fn read_header(kind: Kind, bytes: &[u8]) -> Result<u64, Damage> {
    if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
        return Err(Damage::Foreign);
    }
    let Some((content, &sum)) = bytes.get(..HEADER).and_then(<[u8]>::split_last_chunk::<4>) else {
        return Err(Damage::ShortHeader(bytes.len()));
    };
    if crc32fast::hash(content) != u32::from_le_bytes(sum) {
        return Err(Damage::Header);
    }
    let number = |at: usize| u32::from_le_bytes([content[at], content[at + 1], content[at + 2], content[at + 3]]);
    if number(8) != VERSION {
        return Err(Damage::Version(number(8)));
    }
    if number(12) != kind as u32 {
        return Err(Damage::Kind);
    }
    Ok(u64::from(number(16)) | u64::from(number(20)) << 32)
}

/// Why there is no whole record.
#[derive(Debug, Error)]
enum Fault {
    #[error("it is cut off")]
    CutOff,
    #[error("the checksum of its length is wrong")]
    Length,
    #[error("its checksum is wrong")]
    Payload,
}

/// What the record that starts here says its payload's length is, if there is room for a record at all.
fn length_of(bytes: &[u8]) -> Option<usize> {
    let length = bytes.first_chunk::<4>().filter(|_| bytes.len() >= FRAME)?;
    Some(u32::from_le_bytes(*length) as usize)
}

/// The payload of the record that starts here.
fn payload(number: u64, bytes: &[u8]) -> Result<&[u8], Fault> {
    let (&length, rest) = bytes.split_first_chunk::<4>().ok_or(Fault::CutOff)?;
    let (&sum, rest) = rest.split_first_chunk::<4>().ok_or(Fault::CutOff)?;
    if checksum(number, &length) != u32::from_le_bytes(sum) {
        // A machine that lost power may leave a file whose end was never written.
        return Err(if bytes.iter().all(|&byte| byte == 0) { Fault::CutOff } else { Fault::Length });
    }
    let (payload, rest) = rest.split_at_checked(u32::from_le_bytes(length) as usize).ok_or(Fault::CutOff)?;
    let &sum = rest.first_chunk::<4>().ok_or(Fault::CutOff)?;
    if checksum(number, payload) == u32::from_le_bytes(sum) { Ok(payload) } else { Err(Fault::Payload) }
}

fn checksum(number: u64, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

// ------------------------------------------------------------------------------------------------------ the payload

const CONFIGURATION: Configuration<LittleEndian, Varint, bincode::config::Limit<LONGEST>> =
    bincode::config::standard().with_limit::<LONGEST>();

/// An entry in plain numbers. A change here is a new [`VERSION`]. After it comes, for an entry that borrowed its proof,
/// the game it borrowed from: its cells, whether its rule is the weak one, and its board if that is another.
///
/// Where several shapes are to be completed there are no cells, which no shape has, and the shapes follow at once. A program
/// that does not know of them says that the record is damaged.
#[derive(Encode, Decode)]
struct Stored {
    cells: Cells,
    sides: (u8, u8),
    torus: bool,
    weak: bool,
    finding: StoredFinding,
    refuted_turn: Option<u16>,
    first_move: Option<u16>,
    engine: String,
    microseconds: u64,
    nodes: u64,
    memory: u64,
    given_milliseconds: u64,
    settled_at: u64,
    certificate: Option<StoredMark>,
    leastness: StoredLeastness,
}

/// The cells of a shape.
type Cells = Vec<(u8, u8)>;
/// Cells, and whether the rule is the weak one.
type Lender = (Cells, bool);
/// Its sides, and whether it is a torus.
type LenderBoard = (u8, u8, bool);

#[derive(Encode, Decode)]
enum StoredFinding {
    Win { by: u16, least: bool },
    Hold,
    Unknown,
}

#[derive(Encode, Decode)]
struct StoredMark {
    hash: [u8; 32],
    bytes: u64,
}

#[derive(Encode, Decode)]
enum StoredLeastness {
    NotAsked,
    Open,
    Certified(StoredMark),
}

impl From<&Entry> for Stored {
    fn from(entry: &Entry) -> Stored {
        let board = entry.key.board();
        // Turns and cells are at most 361.
        let small = |number: usize| number as u16;
        let mark = |mark: Mark| StoredMark { hash: mark.hash, bytes: mark.bytes };
        Stored {
            cells: alone(entry.key.shapes()),
            sides: (board.width() as u8, board.height() as u8),
            torus: board.is_torus(),
            weak: entry.key.rule() == Rule::Weak,
            finding: match entry.finding {
                Finding::Win { by, least } => StoredFinding::Win { by: small(by), least },
                Finding::Hold => StoredFinding::Hold,
                Finding::Unknown => StoredFinding::Unknown,
            },
            refuted_turn: entry.refuted_turn.map(small),
            first_move: entry.first_move.map(|cell| small(cell.index())),
            engine: entry.engine.clone(),
            microseconds: entry.time.as_micros() as u64,
            nodes: entry.nodes,
            memory: entry.memory,
            given_milliseconds: entry.given.as_millis() as u64,
            settled_at: entry.settled_at,
            certificate: entry.certificate.map(mark),
            leastness: match entry.leastness {
                Leastness::NotAsked => StoredLeastness::NotAsked,
                Leastness::Open => StoredLeastness::Open,
                Leastness::Certified(certificate) => StoredLeastness::Certified(mark(certificate)),
            },
        }
    }
}

/// Reads a payload whose checksum is right. It may still come from a program gone wrong, so nothing is taken for granted.
fn decode(payload: &[u8]) -> Result<Entry, String> {
    let unreadable = || "its checksum is right, but it is no entry".to_owned();
    let (stored, length): (Stored, usize) =
        bincode::decode_from_slice(payload, CONFIGURATION).map_err(|_| unreadable())?;
    let mut rest = &payload[length..];
    let shapes = shapes_of(&stored.cells, &mut rest)?;
    let lender: Option<Lender> = next(&mut rest).map_err(|()| unreadable())?;
    let rule = |weak: bool| if weak { Rule::Weak } else { Rule::Strong };
    let lender = match lender {
        Some((cells, weak)) => Some((shapes_of(&cells, &mut rest)?, rule(weak))),
        None => None,
    };
    let lender_board: Option<LenderBoard> = next(&mut rest).map_err(|()| unreadable())?;
    let board = |(width, height, torus): LenderBoard| {
        let topology = if torus { Topology::Torus } else { Topology::Plain };
        Board::new(width.into(), height.into(), topology).map_err(|error| error.to_string())
    };
    let lender_board = lender_board.map(board).transpose()?;
    let board = board((stored.sides.0, stored.sides.1, stored.torus))?;
    let key = GameKey::new(shapes, board, rule(stored.weak));
    let upright = key.board() == board;
    let mark = |mark: StoredMark| Mark { hash: mark.hash, bytes: mark.bytes };
    let legal_cell = stored.first_move.is_none_or(|cell| usize::from(cell) < MAX_CELLS);
    let entry = Entry {
        key,
        finding: match stored.finding {
            StoredFinding::Win { by, least } => Finding::Win { by: by.into(), least },
            StoredFinding::Hold => Finding::Hold,
            StoredFinding::Unknown => Finding::Unknown,
        },
        refuted_turn: stored.refuted_turn.map(usize::from),
        first_move: stored.first_move.filter(|_| legal_cell).map(|cell| Cell::new(cell.into())),
        engine: stored.engine,
        time: Duration::from_micros(stored.microseconds),
        nodes: stored.nodes,
        memory: stored.memory,
        given: Duration::from_millis(stored.given_milliseconds),
        settled_at: stored.settled_at,
        certificate: stored.certificate.map(mark),
        leastness: match stored.leastness {
            StoredLeastness::NotAsked => Leastness::NotAsked,
            StoredLeastness::Open => Leastness::Open,
            StoredLeastness::Certified(certificate) => Leastness::Certified(mark(certificate)),
        },
        borrowed: lender.map(|(shapes, rule)| GameKey::new(shapes, lender_board.unwrap_or(board), rule)),
    };
    if rest.is_empty() && upright && legal_cell && entry.is_sound() { Ok(entry) } else { Err(unreadable()) }
}

/// The cells of a single shape; none if there are several.
fn alone(shapes: &Shapes) -> Cells {
    shapes.only().map_or_else(Vec::new, |shape| shape.cells().to_vec())
}

/// What follows the cells: the shapes, if there are several.
fn several(shapes: &Shapes) -> Vec<u8> {
    let cells: Vec<Cells> = shapes.iter().map(|shape| shape.cells().to_vec()).collect();
    match shapes.only() {
        Some(_) => Vec::new(),
        None => bincode::encode_to_vec(cells, CONFIGURATION).expect("shapes can be encoded"),
    }
}

/// Reads what [`alone`] and [`several`] write; there is one way to write it.
fn shapes_of(cells: &Cells, rest: &mut &[u8]) -> Result<Shapes, String> {
    let shape = |cells: &Cells| {
        let cells: Vec<(i32, i32)> = cells.iter().map(|&(x, y)| (x.into(), y.into())).collect();
        Shape::new(&cells).map_err(|error| error.to_string())
    };
    let written: Vec<Shape> = match cells.is_empty() {
        false => vec![shape(cells)?],
        true => {
            let several: Option<Vec<Cells>> = next(rest).map_err(|()| "its shapes cannot be read")?;
            several.ok_or("it has no shape")?.iter().map(shape).collect::<Result<_, _>>()?
        }
    };
    let shapes = Shapes::new(&written).map_err(|error| error.to_string())?;
    let one_way = shapes.iter().eq(&written) && (written.len() == 1) != cells.is_empty();
    if one_way { Ok(shapes) } else { Err("its shapes are written in another way".to_owned()) }
}

/// The next thing of a payload, if it goes on.
fn next<T: Decode<()>>(rest: &mut &[u8]) -> Result<Option<T>, ()> {
    if rest.is_empty() {
        return Ok(None);
    }
    let (found, length) = bincode::decode_from_slice(rest, CONFIGURATION).map_err(|_| ())?;
    *rest = &rest[length..];
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{key, targets, win};
    use super::*;

    /// Entries that use every kind of field.
    fn entries() -> Vec<Entry> {
        let mark = Mark { hash: [9; 32], bytes: 1 << 40 };
        let hold = Entry {
            key: key("XX/XX", "4x4", Topology::Torus, Rule::Weak),
            finding: Finding::Hold,
            refuted_turn: Some(15),
            first_move: None,
            engine: "blocking".into(),
            ..win()
        };
        let borrowed = Entry {
            key: key("XXX/XX.", "4x4", Topology::Torus, Rule::Strong),
            borrowed: Some(hold.key.clone()),
            ..hold.clone()
        };
        let unknown = Entry {
            key: key(".XXXX/XX...", "9x9", Topology::Plain, Rule::Strong),
            finding: Finding::Unknown,
            certificate: None,
            ..hold.clone()
        };
        let carried = Entry {
            key: key("XX/X.", "5x6", Topology::Torus, Rule::Weak),
            borrowed: Some(key("XX/X.", "3x3", Topology::Plain, Rule::Strong)),
            ..win()
        };
        let several = Entry { key: targets("tic+el", "4x5", Topology::Torus, Rule::Weak), ..win() };
        let by_one = Entry {
            key: targets("P5+XX.X/XX..", "4x4", Topology::Torus, Rule::Strong),
            borrowed: Some(hold.key.clone()),
            ..hold.clone()
        };
        let by_several = Entry { borrowed: Some(by_one.key.clone()), ..by_one.clone() };
        let far = Entry {
            key: targets("tic+el", "5x6", Topology::Torus, Rule::Weak),
            borrowed: Some(targets("tic+el", "3x3", Topology::Plain, Rule::Strong)),
            ..win()
        };
        let first = vec![win(), Entry { leastness: Leastness::Certified(mark), ..win() }, hold, borrowed, carried];
        [first, vec![several, by_one, by_several, far, unknown]].concat()
    }

    fn file(kind: Kind) -> Vec<u8> {
        let entries = entries();
        let mut bytes = header(kind, if kind == Kind::Tablebase { entries.len() as u64 } else { 0 });
        for (number, entry) in entries.iter().enumerate() {
            bytes.extend(record(number as u64, entry));
        }
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        for kind in [Kind::Journal, Kind::Tablebase] {
            let bytes = file(kind);
            let content = read(kind, &bytes).unwrap();
            assert_eq!((content.entries, content.whole), (entries(), bytes.len()));
        }
        assert_eq!(read(Kind::Tablebase, &file(Kind::Journal)).unwrap_err(), Damage::Kind);
    }

    /// Whatever bit flips, the file is refused, and the record named is the one it is in.
    #[test]
    fn a_flipped_bit_is_found_and_named() {
        for kind in [Kind::Journal, Kind::Tablebase] {
            let bytes = file(kind);
            let mut ends = vec![HEADER];
            for (number, entry) in entries().iter().enumerate() {
                ends.push(ends[number] + record(number as u64, entry).len());
            }
            for offset in 0..bytes.len() {
                for bit in 0..8 {
                    let mut damaged = bytes.clone();
                    damaged[offset] ^= 1 << bit;
                    let damage = read(kind, &damaged).unwrap_err();
                    let inside = ends.iter().position(|&end| offset < end).unwrap();
                    match damage {
                        Damage::Record { record, offset: start, .. } => {
                            assert_eq!((record, start), (inside as u64, ends[inside - 1]), "byte {offset} bit {bit}")
                        }
                        _ => assert_eq!(inside, 0, "byte {offset} bit {bit}: {damage}"),
                    }
                }
            }
        }
    }

    /// A journal cut off anywhere after its header is a journal of the records before; a tablebase is refused.
    #[test]
    fn a_file_cut_off_is_no_damaged_one() {
        let (bytes, table) = (file(Kind::Journal), file(Kind::Tablebase));
        let mut before = 0;
        for length in HEADER..bytes.len() {
            let content = read(Kind::Journal, &bytes[..length]).unwrap();
            assert_eq!(content.entries, entries()[..content.entries.len()]);
            assert!(content.whole <= length && content.entries.len() >= before);
            before = content.entries.len();
            assert!(read(Kind::Tablebase, &table[..length]).is_err());
            let zeros = [&bytes[..content.whole], &[0; 40]].concat();
            assert_eq!(read(Kind::Journal, &zeros).unwrap().whole, content.whole);
        }
        assert_eq!(before, entries().len() - 1);
        for length in 0..HEADER {
            assert_eq!(read(Kind::Journal, &bytes[..length]).unwrap_err(), Damage::ShortHeader(length));
        }
    }

    /// There is one way to write shapes: a file with another was written by a program gone wrong.
    #[test]
    fn shapes_are_written_in_one_way() {
        let cells = |text: &str| Shape::from_cells(text).unwrap().cells().to_vec();
        let read = |single: &Cells, several: &[Cells]| {
            let bytes = bincode::encode_to_vec(several.to_vec(), CONFIGURATION).unwrap();
            shapes_of(single, &mut &bytes[..])
        };
        let (tic, el, tippy) = (cells("0,0 0,1 0,2"), cells("0,0 0,1 1,0"), cells("0,0 0,1 1,1 1,2"));
        assert_eq!(read(&Vec::new(), &[tic.clone(), el.clone()]).unwrap().name(), "tic+el");
        assert_eq!(shapes_of(&el, &mut &[][..]).unwrap().name(), "el");
        for wrong in [
            &[el.clone(), tic.clone()][..],
            std::slice::from_ref(&tic),
            &[],
            &[el.clone(), tippy],
            &[tic.clone(), tic.clone()],
        ] {
            assert!(read(&Vec::new(), wrong).is_err(), "{wrong:?}");
        }
        assert!(shapes_of(&Vec::new(), &mut &[][..]).is_err() && shapes_of(&cells("0,0 1,0"), &mut &[][..]).is_err());
    }

    #[test]
    fn records_in_the_wrong_place_are_damage() {
        let records: Vec<Vec<u8>> = (0..).zip(&entries()).map(|(number, entry)| record(number, entry)).collect();
        for order in [[1, 0], [0, 0]] {
            let bytes = [header(Kind::Journal, 0), records[order[0]].clone(), records[order[1]].clone()].concat();
            assert!(matches!(read(Kind::Journal, &bytes), Err(Damage::Record { .. })));
        }
        let unsound = record(0, &Entry { certificate: None, ..win() });
        let damage = read(Kind::Journal, &[header(Kind::Journal, 0), unsound].concat()).unwrap_err();
        assert_eq!(damage.to_string(), "damaged: record 1 at byte 28: its checksum is right, but it is no entry");
        assert_eq!(read(Kind::Journal, b"PK\x03\x04").unwrap_err(), Damage::Foreign);
    }
}
