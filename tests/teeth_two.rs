//! The checker's teeth, with an eye on format 2: of thousands of changes of good certificates, the checker and the slow
//! reference accept the same, and what they accept is true.

#[allow(dead_code)]
#[path = "../crates/harary-certificate/tests/plain/mod.rs"]
mod plain;
#[allow(dead_code)]
mod reference;

use harary_certificate::checker;
use reference::changes::{Dice, changed};
use reference::corpus::good;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What was seen of the changes of the certificates that have a kind of line.
#[derive(Default, Debug)]
struct Seen {
    accepted: usize,
    refused: usize,
}

/// What changes of all certificates came to.
#[derive(Default, Debug)]
struct Sum {
    tried: usize,
    accepted: usize,
    /// Of these, the claims that a plain search of the whole game confirms: the others are of games too large for it.
    true_claims: usize,
}

/// Runs the checker and the reference on random changes of every good certificate. They must agree, and what they accept
/// is true.
fn agree(seed: u64, rounds: usize) -> Sum {
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    let mut judged: HashMap<String, Option<bool>> = HashMap::new();
    let (mut skipped, mut sum) = (0, Sum::default());
    for (index, (name, text)) in good().into_iter().enumerate() {
        let mut dice = Dice(seed << 32 | index as u64);
        for _ in 0..rounds {
            let damaged = changed(&text, &mut dice);
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
            sum.tried += 1;
            if let Ok(proved) = &verdict {
                sum.accepted += 1;
                let header = proved.header();
                let known = judged.entry(format!("{header:?}")).or_insert_with(|| plain::truth(header));
                assert!(*known != Some(false), "{name}: accepted, and false: {proved}\n{lossy}");
                sum.true_claims += usize::from(known.is_some());
            }
            for kind in text.lines().filter_map(|line| line.split(' ').next()).collect::<BTreeSet<_>>() {
                let seen = seen.entry(kind.to_owned()).or_default();
                *(if verdict.is_ok() { &mut seen.accepted } else { &mut seen.refused }) += 1;
            }
        }
    }
    // The dice must have found both verdicts for each kind, or the test shows nothing.
    for (kind, seen) in &seen {
        assert!(seen.accepted * 50 > seen.refused && seen.refused > seen.accepted, "{kind}: {seen:?}");
    }
    let tried = seen["game"].accepted + seen["game"].refused;
    assert!(skipped * 100 < tried, "{skipped} games too large for the reference, {tried} tried");
    assert!(sum.true_claims * 2 > sum.accepted, "{sum:?}");
    sum
}

#[test]
fn the_reference_and_the_checker_accept_the_same() {
    agree(1, 100);
}

/// A longer run of the same: `cargo test --release --test teeth_two -- --ignored --nocapture`.
#[test]
#[ignore = "minutes of the same test with other seeds"]
fn of_a_million_changes_none_is_accepted_that_should_not_be() {
    // A pool of one thread for the checker: handing small files to others costs more than checking them.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut all = Sum::default();
    for seed in 2..22 {
        let sum = pool.install(|| agree(seed, 500));
        all.tried += sum.tried;
        all.accepted += sum.accepted;
        all.true_claims += sum.true_claims;
        println!("seed {seed}: {sum:?}, so far {all:?}");
    }
    assert!(all.tried >= 1_000_000, "{all:?}");
}

/// Corners of the page that the dice do not find: both checkers decide as it says.
#[test]
fn corners_of_the_page_are_read_as_it_says() {
    let win = "harary-certificate 2\ngame 2x2 plain 0,0 1,0\nrule strong\nclaim win 3\nsymmetry none\np 0 0 0 0\n";
    let packed = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
    let comment = |length: usize| format!("#{}\n{win}", " ".repeat(length - 2)).into_bytes();
    let full = |first: &str| {
        let game = format!("game sets 1\nblack 1\nstart 0 1\nfirst {first}\nrule weak");
        format!("harary-certificate 2\n{game}\nclaim hold\nsymmetry none\nroot explicit\n").into_bytes()
    };
    let shape = |cells: &str| win.replace("0,0 1,0", cells).into_bytes();
    let complete = win.replace("2x2", "3x3").replace("p 0 0 0 0", "p 0 0 0 4\np 3 180 0 6").into_bytes();
    let cases = [
        (true, "CR in a comment", format!("# a\r\n{win}").into_bytes()),
        (true, "a comment at the end", format!("{win}# a\n").into_bytes()),
        (false, "a comment without a line end", format!("{win}# a").into_bytes()),
        (true, "the longest comment", comment(1_048_576)),
        (false, "a comment too long", comment(1_048_577)),
        (true, "two frames", [packed(&win[..30]), packed(&win[30..])].concat()),
        (false, "junk behind a frame", [packed(win), b"junk".to_vec()].concat()),
        (false, "packed twice", zstd::encode_all(&packed(win)[..], 3).unwrap()),
        (true, "the largest number", win.replace("win 3", "win 18446744073709551615").into_bytes()),
        (false, "beyond the largest number", win.replace("win 3", "win 18446744073709551616").into_bytes()),
        (true, "a shape far away", shape("18446744073709551614,9 18446744073709551615,9")),
        (false, "a shape with a gap, far away", shape("2147483646,0 2147483650,0")),
        (false, "a shape too wide", shape("0,0 19,0")),
        (true, "a full board, and nothing is allowed at first", full("0")),
        (true, "a full board, and a stone is allowed at first", full("1")),
        (false, "a line for a set that is complete already", complete),
    ];
    for (accepted, name, text) in cases {
        let checked = checker::check(&text[..]).map(drop).map_err(|refused| refused.to_string());
        let expected = reference::verdict(&text);
        assert_eq!(expected.is_ok(), accepted, "{name}: the reference: {expected:?}");
        assert_eq!(checked.is_ok(), accepted, "{name}: the checker: {checked:?}");
    }
}
