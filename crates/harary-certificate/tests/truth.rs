//! What the checker accepts is true: every field of every certificate on docs/certificate.md is changed in every small way,
//! and whatever is still accepted is held against a plain search of the whole game, which knows no certificates.

mod plain;

use harary_certificate::playbook::Playbook;
use harary_certificate::{Claim, Player, WideSet, check, model::Kind};
use plain::{Game, truth, word};
use std::collections::HashMap;

const PAGE: &str = include_str!("../../../docs/certificate.md");

/// The complete files on the page.
fn examples() -> Vec<String> {
    let blocks = PAGE.split("```certificate\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or("").to_owned()).collect()
}

#[test]
fn the_examples_are_true() {
    let examples = examples();
    assert!(examples.len() > 15, "{}", examples.len());
    let mut searched = 0;
    for text in &examples {
        let proved = check(text.as_bytes()).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
        if let Some(is_true) = truth(proved.header()) {
            assert!(is_true, "{proved}\n{text}");
            searched += 1;
        }
    }
    assert!(searched > 15, "{searched}");
}

/// Every small change of a field: each number one more, one less and none, each bit of a set, other words.
fn changes(field: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes = field.as_bytes();
    let mut from = 0;
    while from < bytes.len() {
        let to = (from..bytes.len()).find(|&at| !bytes[at].is_ascii_digit()).unwrap_or(bytes.len());
        if to > from {
            let number: u64 = field[from..to].parse().unwrap_or(0);
            for other in [number + 1, number.saturating_sub(1), number + 2, 0] {
                found.push(format!("{}{other}{}", &field[..from], &field[to..]));
            }
        }
        from = to + 1;
    }
    if let Ok(set) = u32::from_str_radix(field, 16) {
        found.extend((0..9).map(|bit| format!("{:x}", set ^ 1 << bit)));
    }
    let words = ["a", "b", "c", "done", "hold", "k", "l", "loss", "move", "n", "none", "board", "p", "pave", "plain"];
    let more = ["q", "reply", "s", "strong", "threat", "torus", "u", "weak", "win", "explicit", "BWWB", "BWWBBWWBB"];
    if !field.is_empty() && field.bytes().all(|letter| letter.is_ascii_alphabetic()) {
        found.extend(words.into_iter().chain(more).map(str::to_owned));
    }
    found
}

/// All files that differ from this one in one field, or by a line left out, doubled or moved.
fn mutations(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let joined = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let mut found = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let with = |new: &[&str]| joined(&[&lines[..place], new, &lines[place + 1..]].concat());
        found.push(with(&[]));
        found.push(with(&[line, line]));
        let fields: Vec<&str> = line.split(' ').collect();
        for (column, field) in fields.iter().enumerate() {
            let changed = changes(field).into_iter().map(|new| {
                let mut fields: Vec<String> = fields.iter().map(|field| field.to_string()).collect();
                fields[column] = new;
                fields.join(" ")
            });
            found.extend(changed.map(|line| with(&[&line])));
            let shorter = [&fields[..column], &fields[column + 1..]].concat().join(" ");
            found.push(with(&[&shorter]));
            let longer = [&fields[..=column], &fields[column..]].concat().join(" ");
            found.push(with(&[&longer]));
        }
    }
    found
}

#[test]
fn no_change_makes_the_checker_accept_what_is_false() {
    let mut judged: HashMap<String, Option<bool>> = HashMap::new();
    let (mut tried, mut accepted, mut unknown) = (0, 0, 0);
    for text in examples() {
        for damaged in mutations(&text) {
            tried += 1;
            let Ok(proved) = check(damaged.as_bytes()) else { continue };
            accepted += 1;
            let header = proved.header();
            match *judged.entry(format!("{header:?}")).or_insert_with(|| truth(header)) {
                Some(is_true) => assert!(is_true, "accepted, and false: {proved}\n{damaged}"),
                None => unknown += 1,
            }
        }
    }
    // The changes must have found both kinds, or the test shows nothing.
    assert!(tried > 10_000 && accepted > 500 && accepted * 2 < tried, "{accepted} of {tried} accepted");
    assert!(unknown * 3 < accepted, "{unknown} of {accepted} too large to search");
}

/// A position of a node: what is neither its owner's nor open belongs to the other side.
#[test]
fn every_node_speaks_the_truth_about_its_position() {
    let (mut attacks, mut blocks, mut strong) = (0, 0, 0);
    for text in examples() {
        let playbook = Playbook::open(text.as_bytes()).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
        let header = playbook.header();
        if header.vertices > 20
            || !header.turns.is_alternating()
            || header.claim.last().is_some_and(|_| header.claim.holder() == Player::White)
        {
            continue; // bounded pairs hold up to a turn only: see below
        }
        let all = word(&WideSet::first_cells(header.vertices));
        for node in playbook.proof().nodes().values() {
            let (own, open) = (word(&node.own), word(&node.open));
            if open.count_ones() > 10 {
                continue;
            }
            let stones = match header.claim {
                Claim::Win(_) => [own, all & !open & !own],
                _ => [all & !open & !own, own],
            };
            let mut game = Game::of(header);
            (game.start, game.first) = (stones, u32::MAX);
            game.turns = (0..open.count_ones()).map(|turn| [Player::Black, Player::White][turn as usize % 2]).collect();
            match node.kind {
                Kind::Reply(_) | Kind::Pave(_) => {
                    // A weak block holds whatever White could complete.
                    game.sets[1].clear();
                    blocks += 1;
                }
                Kind::StrongReply(_) | Kind::Threat(_) => strong += 1,
                _ => attacks += 1,
            }
            let over = game.completed(Player::Black, stones[0]) || game.completed(Player::White, stones[1]);
            let end = game.turns.len();
            let wins =
                if over { game.completed(Player::Black, stones[0]) } else { game.wins(Player::Black, stones, end) };
            assert_eq!(wins, matches!(header.claim, Claim::Win(_)), "{node:?}\n{text}");
        }
    }
    assert!(attacks >= 10 && blocks >= 10 && strong >= 10, "{attacks} {blocks} {strong}");
}

/// Numbers that look random and are the same every time.
fn roll(dice: &mut u64, sides: u32) -> u32 {
    *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*dice >> 33) as u32 % sides
}

/// Random bounded pairs in random games with stones on the board: what is accepted is true.
#[test]
fn bounded_pairs_hold_in_time() {
    let (mut dice, mut accepted) = (7, 0);
    for _ in 0..6000 {
        let cells = 4 + roll(&mut dice, 3);
        let mut text = format!("harary-certificate 2\ngame sets {cells}\n");
        let mut sets: Vec<u32> = (0..1 + roll(&mut dice, 4)).map(|_| 1 + roll(&mut dice, (1 << cells) - 1)).collect();
        sets.sort_unstable();
        sets.dedup();
        sets.iter().for_each(|set| text += &format!("black {set:x}\n"));
        let black = roll(&mut dice, 1 << cells) & roll(&mut dice, 1 << cells);
        let white = roll(&mut dice, 1 << cells) & roll(&mut dice, 1 << cells) & !black;
        let last = 1 + roll(&mut dice, cells);
        text +=
            &format!("start {black:x} {white:x}\nrule weak\nclaim hold {last}\nsymmetry none\nk {black:x} {white:x}");
        for _ in 0..roll(&mut dice, 3) {
            text += &format!(" {}-{}", roll(&mut dice, cells), roll(&mut dice, cells));
        }
        text += "\nroot explicit\n";
        if let Ok(proved) = check(text.as_bytes()) {
            accepted += 1;
            assert_eq!(truth(proved.header()), Some(true), "{text}");
        }
    }
    assert!(accepted > 200, "{accepted}");
}

/// From every example one can play: its whole tree ends as the claim says.
#[test]
fn every_example_can_be_played_from() {
    use harary_certificate::playbook::{State, Turn};
    fn ends(playbook: &Playbook, state: &State, said: &mut Vec<String>) {
        match playbook.turn(state) {
            Turn::Over(why) => said.push(why),
            Turn::Paved(_) => said.push("paved".to_owned()),
            Turn::Plays(_, _, next) => ends(playbook, &next, said),
            Turn::Replies(_, replies, rest) => {
                assert!(!replies.is_empty() || !rest.cells.is_empty());
                replies.iter().for_each(|reply| ends(playbook, &reply.state, said));
            }
        }
    }
    let mut all = Vec::new();
    for text in examples() {
        let playbook = Playbook::open(text.as_bytes()).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
        let mut said = Vec::new();
        ends(&playbook, &playbook.start(), &mut said);
        let wrong = match playbook.header().claim {
            Claim::Win(_) => "White",
            Claim::Loss(_) | Claim::Hold(_) => "Black completes",
        };
        assert!(said.iter().all(|why| !why.starts_with(wrong)), "{said:?}\n{text}");
        all.append(&mut said);
    }
    for word in ["Black completes", "White completes", "paved", "Black can no longer win"] {
        assert!(all.iter().any(|why| why.starts_with(word)), "{word}");
    }
}
