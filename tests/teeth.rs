//! The checker's teeth: good certificates of every kind are accepted, damaged ones refused, and of thousands of
//! random mutations none is accepted that the slow reference refuses.

// Its own changes are others than these.
#[allow(dead_code)]
mod reference;

use harary_certificate::{Proved, Refused, checker};
use reference::accepts;
use reference::corpus::good;

fn check(text: &str) -> Result<Proved, Refused> {
    checker::check(text.as_bytes())
}

#[test]
fn good_certificates_are_accepted() {
    for (name, text) in good() {
        if let Err(reason) = reference::verdict(text.as_bytes()) {
            panic!("{name}: the reference refuses: {reason}\n{text}");
        }
        if let Err(refused) = check(&text) {
            panic!("{name}: {refused}\n{text}");
        }
    }
}

/// What the text becomes if line `number` (from 0) is replaced.
fn with_line(text: &str, number: usize, new: &[String]) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines.splice(number..=number, new.iter().cloned());
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The certificate with this name.
fn named(name: &str) -> String {
    good().into_iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name}")).1
}

/// What is wrong, unless both checkers refuse, the real one with a message that contains `reason`.
fn complaint(text: &str, reason: &str) -> Option<String> {
    match check(text) {
        _ if accepts(text.as_bytes()) => Some(format!("the reference accepts\n{text}")),
        Ok(_) => Some(format!("the checker accepts\n{text}")),
        Err(refused) if refused.to_string().contains(reason) => None,
        Err(refused) => Some(format!("not '{reason}' but\n{refused}\nsays the checker of\n{text}")),
    }
}

/// The number, from 0, of the first line that starts like this.
fn line_of(text: &str, start: &str) -> usize {
    text.lines().position(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no line {start}\n{text}"))
}

/// Replaces the first line that starts like this.
fn replaced(text: &str, start: &str, new: &str) -> String {
    with_line(text, line_of(text, start), &[new.to_owned()])
}

#[test]
fn every_dropped_line_is_missed() {
    // The producers write no line that is not needed, so that none can go.
    for (name, text) in good() {
        for (drop, line) in text.lines().enumerate() {
            if ["turns", "first", "white"].iter().any(|word| line.starts_with(word)) {
                continue; // another game, in which the claim may be true as well: the mutations below cover these
            }
            let damaged = with_line(&text, drop, &[]);
            let refused = check(&damaged);
            assert_eq!(refused.is_ok(), accepts(damaged.as_bytes()), "{name} without line {}:\n{damaged}", drop + 1);
            // Without its `k` line the play goes on, and may come to nothing by itself.
            if !["black", "start", "k "].iter().any(|word| line.starts_with(word)) {
                assert!(refused.is_err(), "{name} without line {} is accepted:\n{damaged}", drop + 1);
            }
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for (name, text) in good().into_iter().filter(|(_, text)| text.len() < 2000) {
        for length in 0..text.len() {
            assert!(check(&text[..length]).is_err(), "{name} cut at {length} is accepted");
        }
    }
}

/// Everything a checker must refuse, and what the format does not allow, each with its line and reason.
#[test]
fn damage_is_refused_with_line_and_reason() {
    let mut complaints = Vec::new();
    let mut refused = |text: &str, reason: &str| complaints.extend(complaint(text, reason));
    let win = named("el 3x3 strong win plain");
    let symmetric = named("el 3x3 strong win symmetric");
    let cover = named("el 3x3 cover plain");
    let block = named("fatty 3x3 block plain");
    let replies = named("tic 3x3 block plain");
    let attack = named("el 3x3 attack plain");
    let hold = named("fatty 3x3 hold with nodes plain");
    let sets = named("a corner to begin with");
    let first_line = |text: &str, start: &str| text.lines().nth(line_of(text, start)).unwrap().to_owned();

    // A missing position; a move on an occupied cell.
    let opening = first_line(&win, "p 0 0 0 ");
    refused(&replaced(&win, "p 0 0 0 ", "# gone"), "no line for the position 0 0 0\n 3 . . .\n");
    let later = line_of(&win, "p 0 0 0 ") + 1;
    let line = win.lines().nth(later).unwrap().to_owned();
    let black: u32 = u32::from_str_radix(line.split(' ').nth(1).unwrap(), 16).unwrap();
    let (start, _) = line.rsplit_once(' ').unwrap();
    let occupied = format!("{start} {}", black.trailing_zeros());
    refused(&with_line(&win, later, &[occupied]), &format!("line {}: ", later + 1));
    refused(&with_line(&win, later, &[format!("{start} 9")]), "cell 9 is beyond the last, 8");
    refused(&with_line(&win, later, &[line.clone(), line.clone()]), &format!("line {}: this position", later + 2));

    // Junk, and numbers in other forms.
    for (line, reason) in [
        (format!("{opening} "), "'' is too much"),
        (format!("{opening}x"), "is no number"),
        (format!("{opening} 1"), "'1' is too much"),
        (format!("{opening}\r"), "CR LF"),
        (opening.replace("p 0", "p  0"), "is no set"),
        (opening.replace("p 0", "p 00"), "is no set"),
        (opening.replace("p 0 0 0 ", "p 0 0 0 0"), "is no number"),
        (opening.replace("p 0", "p +0"), "is no set"),
        (opening.replace("p 0", "P 0"), "starts no line"),
        (opening.replace("p 0 0 0", "p 0 0 1"), "1 stones elsewhere"),
        (opening.replace("p 0 0", "p 200 0"), "beyond the last"),
        (opening.replace("p 0 0", "p 1 1"), "cell 0 is in both sets"),
        (String::new(), "starts no line"),
        ("q 0 0 4".into(), "starts no line"),
        ("root 1".into(), "a 'root' without attack nodes"),
        ("turns BW".into(), "starts no line"),
    ] {
        refused(&replaced(&win, "p 0 0 0 ", &line), "line 6: ");
        refused(&replaced(&win, "p 0 0 0 ", &line), reason);
    }
    refused(&win[..win.len() - 1], "the last line has no line end");
    refused("", "the file ends where a line 'harary-certificate …' has to come");

    // The header: a wrong shape or board, order, words.
    for (start, line, reason) in [
        ("game", "game 3x3 plain 0,0 1,0 2,0", ""),
        ("game", "game 4x3 plain 0,0 1,0 0,1", ""),
        ("game", "game 2x2 plain 0,0 1,0 0,1", ""),
        ("game", "game 3x3 plain 0,0 1,0 0,0", "line 2: the cell 0,0 is given twice"),
        ("game", "game 3x3 plain", "line 2: a shape needs at least one cell"),
        ("game", "game 3x3 0,0 1,0 0,1", "line 2: '0,0' stands where plain or torus has to"),
        ("game", "game 03x3 plain 0,0", "line 2: '03' is no number"),
        ("game", "game 0x3 plain 0,0", "line 2: a board is 1x1 to 19x19, not 0x3"),
        ("game", "game 99x99 plain 0,0", "line 2: a board is 1x1 to 19x19"),
        ("game", "game 3x3 plain -1,0 0,0", "line 2: '-1' is no number"),
        ("game", "game sets 0", "line 2: a game has 1 to 1000 vertices, not 0"),
        ("rule", "rule Strong", "line 3: 'Strong' stands where strong or weak has to"),
        ("rule", "claim win 5", "line 3: a line 'rule …' has to come here"),
        ("claim", "claim win 4", "Black completes a winning set at turn 5 only, after 4"),
        ("claim", "claim win 3", "Black has not won by turn 3"),
        ("claim", "claim win", "line 4: the line ends too early"),
        ("claim", "claim win 0", "line 4: turns count from 1"),
        ("claim", "claim hold", "line 6: 'p' starts no line"),
        ("claim", "claim draw", "line 4: 'draw' stands where win or hold has to"),
        ("symmetry", "symmetry board", "not in canonical form"),
        ("symmetry", "symmetry", "line 5: the line ends too early"),
        ("harary", "harary-certificate 3", "line 1: format 3 is not known here, only 1 and 2"),
    ] {
        refused(&replaced(&win, start, line), reason);
    }
    let with_turns = |letters: &str| replaced(&win, "rule", &format!("rule strong\nturns {letters}"));
    refused(&with_turns("BWBW"), "line 5: 'turns' has 4 letters, this claim needs 5 to 9");
    refused(&with_turns("BWBWBWBWBW"), "'turns' has 10 letters");
    refused(&with_turns("BWBWX"), "line 4: 'X' is no player");
    refused(&with_turns(""), "line 4: no player is named");
    refused(&with_turns("BBWBW"), "it is not Black's turn");
    assert!(check(&with_turns("BWBWB")).is_ok(), "the plain order may be spelled out");
    refused(&replaced(&symmetric, "symmetry", "symmetry none"), "");

    // Covers.
    refused(&replaced(&cover, "cover", "cover 377"), "outside the cover");
    refused(&replaced(&cover, "cover", "# cover"), "");
    refused(&replaced(&cover, "cover", "cover 10000"), "beyond the last, 15");
    refused(&replaced(&hold, "symmetry", "symmetry none\ncover 1ff"), "a cover needs a board and a 'claim win'");
    refused(&replaced(&attack, "symmetry", "symmetry none\ncover 1ff"), "attack nodes know no cover");

    // Games of sets.
    refused(&replaced(&sets, "black", "black 0"), "line 3: an empty winning set");
    refused(&replaced(&sets, "black", "black 38\nblack 38"), "this winning set has a line already");
    refused(&replaced(&sets, "start", "start 1 1"), "cell 0 is in both sets");
    refused(&replaced(&sets, "start", "start 7 18"), "");
    refused(&replaced(&sets, "start", "start 1 2\nfirst 3"), "'first' allows no vertex that is empty");
    refused(&replaced(&sets, "symmetry", "symmetry board"), "a game of sets has 'symmetry none'");
    refused(&replaced(&sets, "symmetry", "symmetry none\ncover 1ff"), "a cover needs a board");

    // Pavings: a pair used twice, a pair outside Z, a set left out.
    let paving = first_line(&block, "n ");
    let pair = paving.split(' ').next_back().unwrap();
    refused(&replaced(&block, "n ", &format!("{paving} {pair}")), "uses a cell of another pair");
    refused(&replaced(&block, "n ", &paving.replace(&format!(" {pair}"), "")), "contains no pair");
    refused(&replaced(&block, "n ", &format!("{paving} 8-8")), "line 6: the pair c3-c3 is one cell only");
    refused(&replaced(&block, "n ", &paving.replace("1ff", "1fe")), "is not in Z");
    refused(&replaced(&block, "n ", &format!("{paving} 8")), "is not 2 numbers with '-' between");

    // Replies: one left out, a child later than its parent, a Z too large, an empty Z that would hold anything.
    let top = replies.lines().rfind(|line| line.starts_with("n ")).unwrap().to_owned();
    let number = replies.lines().position(|line| line == top).unwrap();
    let answers: Vec<&str> = top.split(' ').skip(5).collect();
    refused(&with_line(&replies, number, &[top.replace(&format!(" {}", answers[4]), "")]), "no answer to b2");
    let without_a_corner = with_line(&replies, number, &[top.replace(&format!(" {}", answers[8]), "")]);
    assert!(check(&without_a_corner).is_ok(), "one corner stands for all");
    refused(&with_line(&replies, number, &[format!("{top} {}", answers[8])]), "one twice");
    let id: u32 = top.split(' ').nth(1).unwrap().parse().unwrap();
    let (m, _) = answers[0].rsplit_once(':').unwrap();
    let later = top.replace(answers[0], &format!("{m}:{id}"));
    refused(&with_line(&replies, number, &[later]), &format!("the child {id} is not smaller than its parent {id}"));
    let exchanged = top.replace(answers[0], "@").replace(answers[4], answers[0]).replace('@', answers[4]);
    assert!(check(&with_line(&replies, number, &[exchanged])).is_ok(), "the order of the answers is free");
    let ids = |answer: &str| answer.rsplit_once(':').map(|(m, child)| (m.to_owned(), child.to_owned())).unwrap();
    let ((m0, c0), (m4, c4)) = (ids(answers[0]), ids(answers[4]));
    assert_ne!(c0, c4);
    let swapped = top.replace(answers[0], &format!("{m0}:{c4}")).replace(answers[4], &format!("{m4}:{c0}"));
    refused(&with_line(&replies, number, &[swapped]), "the child");
    let child = line_of(&replies, &format!("n {c0} "));
    let fields: Vec<&str> = replies.lines().nth(child).unwrap().split(' ').collect();
    let open = u32::from_str_radix(fields[3], 16).unwrap();
    let own = u32::from_str_radix(fields[2], 16).unwrap();
    let larger = format!("{:x}", 0x1ff & !own);
    assert_ne!(open, 0x1ff & !own);
    let enlarged = replies.lines().nth(child).unwrap().replacen(fields[3], &larger, 1);
    refused(&with_line(&replies, child, &[enlarged]), "");
    let nothing =
        "harary-certificate 1\ngame 3x3 plain 0,0\nrule weak\nclaim hold\nsymmetry none\nn 1 0 0 reply\nroot 1\n";
    refused(nothing, "line 6: Black completes the winning set 1 before White can reply");
    refused(&replaced(&replies, "root", "root 1"), "the root must not own cells");
    refused(&replaced(&replies, "root", "root 99999"), "there is no node 99999");
    refused(&replaced(&replies, "root", "root explicit"), "no line for the position");
    refused(&replaced(&replies, "root", &format!("root {id}\nroot {id}")), "nothing comes after the 'root' line");
    refused(&replaced(&replies, "root", "# root"), "without a 'root' line");
    refused(&replaced(&replies, "claim", "claim hold 9"), "block nodes hold for ever");
    refused(&replaced(&replies, "rule", "rule weak\nturns BBWBWBWBW"), "nodes need the plain turn order");
    refused(
        &replaced(&replies, "n ", &format!("{}\n{}", first_line(&replies, "n "), first_line(&replies, "n "))),
        "already",
    );

    // Attack nodes.
    refused(&replaced(&attack, "rule", "rule strong"), "attack nodes also the weak rule");
    refused(&replaced(&attack, "claim", "claim win 4"), "the root needs 5 turns, the claim is 4");
    let done = attack.lines().find(|line| line.contains("done")).unwrap().to_owned();
    let number = attack.lines().position(|line| line == done).unwrap();
    let fields: Vec<&str> = done.split(' ').collect();
    let taken = u32::from_str_radix(fields[2], 16).unwrap().trailing_zeros();
    let elsewhere = format!("a {} {} {} done {taken}", fields[1], fields[2], fields[3]);
    refused(&with_line(&attack, number, &[elsewhere]), "is not in Z");
    let empty = format!("a {} {} {} move {}", fields[1], fields[2], fields[3], fields[5]);
    refused(&with_line(&attack, number, &[empty]), "no cell is answered");
    refused(&replaced(&attack, "a ", "p 0 0 0 4"), "either positions or a root among its nodes");

    // Holds position by position.
    let blocked = first_line(&hold, "b ");
    let (start, _) = blocked.rsplit_once(' ').unwrap();
    refused(&replaced(&hold, "b ", &format!("{start} 4000")), "there is no node 4000");
    refused(&replaced(&hold, "root", "root 0"), "a file has either positions or a root among its nodes");
    let black = named("fatty 3x3 hold plain");
    let line = first_line(&black, "q ");
    let (start, _) = line.rsplit_once(' ').unwrap();
    let stone = u32::from_str_radix(line.split(' ').nth(1).unwrap(), 16).unwrap().trailing_zeros();
    refused(&replaced(&black, "q ", &format!("{start} {stone}")), "is occupied");
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

#[test]
fn compressed_files_are_read_and_cut_ones_refused() {
    let text = named("el 3x3 strong win symmetric");
    let packed = zstd::encode_all(text.as_bytes(), 3).unwrap();
    assert!(checker::check(&packed[..]).is_ok());
    for length in 0..packed.len() {
        assert!(checker::check(&packed[..length]).is_err(), "cut at {length}");
    }
}

/// What is read is never held longer than a line, so that these cost nothing.
#[test]
fn floods_are_refused_early() {
    use std::io::{Read, repeat};
    let tera = 1 << 40;
    let refused = checker::check(repeat(0).take(tera)).unwrap_err();
    assert_eq!((refused.line, refused.drawing), (Some(1), None));
    assert!(checker::check(repeat(b'\n').take(tera)).is_err());
    assert!(checker::check(repeat(b'#').take(tera)).is_err());
    let long = "harary-certificate 1\ngame 3x3 plain ".as_bytes().chain(repeat(b'0').take(tera));
    assert_eq!(checker::check(long).unwrap_err().line, Some(2));
    // A schedule that leaves Black everything branches beyond any memory; the checker gives up with a reason.
    let (turns, shape) = ("B".repeat(64), (0..8).map(|x| format!(" {x},0")).collect::<String>());
    let wide = format!(
        "harary-certificate 1\ngame 8x8 plain{shape}\nrule weak\nturns {turns}\nclaim hold\nsymmetry none\nroot explicit\n"
    );
    assert!(check(&wide).unwrap_err().reason.contains("more positions at one turn"));
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}

/// One random change of a file: of a byte, a field, a bit of a set, a line.
fn mutated(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut lines: Vec<Vec<String>> = text.lines().map(|line| line.split(' ').map(String::from).collect()).collect();
    let line = dice.roll(lines.len());
    let field = dice.roll(lines[line].len());
    let other = dice.roll(lines.len());
    match dice.roll(12) {
        0..=2 => {
            let mut bytes = text.as_bytes().to_vec();
            let at = dice.roll(bytes.len());
            let byte = *dice.pick(b" 0123456789abcdefxBWpqnabrotme:-,#\n\r\xff");
            match dice.roll(3) {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
            return bytes;
        }
        3 => lines[line][field] = dice.pick(&lines[other]).clone(),
        4 => lines[line][field] = format!("{}", dice.roll(20)),
        5 | 6 => {
            // A bit more or less in a set.
            if let Ok(set) = u64::from_str_radix(&lines[line][field], 16) {
                lines[line][field] = format!("{:x}", set ^ 1 << dice.roll(16));
            }
        }
        7 => {
            let field_too = dice.roll(lines[line].len());
            lines[line].swap(field, field_too);
        }
        8 => lines.swap(line, other),
        9 => {
            let copy = lines[line].clone();
            lines.insert(other, copy);
        }
        10 => drop(lines.remove(line)),
        _ => {
            // A number of a compound field: a pair, an answer, a cell of the shape, a child.
            let text = lines[line][field].clone();
            if let Some(separator) = text.chars().find(|letter| [':', '-', ','].contains(letter)) {
                let mut parts: Vec<String> = text.split(separator).map(String::from).collect();
                let part = dice.roll(parts.len());
                parts[part] = format!("{}", dice.roll(12));
                lines[line][field] = parts.join(&separator.to_string());
            } else {
                lines[line].remove(field);
            }
        }
    }
    lines.iter().flat_map(|fields| (fields.join(" ") + "\n").into_bytes()).collect()
}

/// Runs the checker and the reference on random changes of every good certificate. They must agree: a change that
/// both accept left the certificate right, one that the checker alone accepts is a hole in it.
fn agree_on_mutations(seed: u64, rounds: usize) {
    let (mut accepted, mut tried, mut skipped) = (0, 0, 0);
    for (index, (name, text)) in good().into_iter().enumerate() {
        let mut dice = Dice(seed + index as u64);
        for _ in 0..rounds {
            let mut damaged = mutated(&text, &mut dice);
            if dice.roll(4) == 0 {
                damaged = mutated(&String::from_utf8_lossy(&damaged), &mut dice);
            }
            let (verdict, expected) = (checker::check(&damaged[..]), reference::verdict(&damaged));
            if expected.as_ref().is_err_and(|reason| reason == reference::TOO_LARGE) {
                skipped += 1;
                continue;
            }
            let lossy = String::from_utf8_lossy(&damaged);
            match (&verdict, expected) {
                (Ok(_), Err(reason)) => panic!("{name}: accepted, but the reference says: {reason}\n{lossy}"),
                (Err(refused), Ok(())) => panic!("{name}: the reference accepts, but\n{refused}\n{lossy}"),
                _ => {}
            }
            tried += 1;
            accepted += usize::from(verdict.is_ok());
        }
    }
    // The dice must have found both kinds, or the test shows nothing.
    assert!(accepted * 50 > tried && accepted * 2 < tried, "{accepted} of {tried} accepted");
    assert!(skipped * 100 < tried, "{skipped} games too large for the reference");
}

#[test]
fn no_mutation_is_accepted_that_the_reference_refuses() {
    agree_on_mutations(1, 100);
}

/// A longer run of the same: `cargo test --release --test teeth -- --ignored`.
#[test]
#[ignore = "minutes of the same test with other seeds"]
fn no_mutation_is_accepted_that_the_reference_refuses_at_length() {
    (2..30).for_each(|seed| agree_on_mutations(1000 * seed, 400));
}
