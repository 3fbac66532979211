//! Where the rules differ: games that Black wins if White only defends, and does not win if her own sets count. The atlas
//! knows which; the first of them is settled again, some seconds of work.
//!
//!     cargo run --release --example weak_against_strong

use harary::atlas::{Finding, GameKey, Tablebase};
use harary::{Options, Rule, settle};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let atlas = Tablebase::shipped();
    let is_held = |key: &GameKey| atlas.get(key).is_some_and(|entry| entry.finding == Finding::Hold);
    let mut differing = atlas.entries().filter(|weak| {
        let is_won = matches!(weak.finding, Finding::Win { .. });
        weak.key.rule() == Rule::Weak && is_won && is_held(&weak.key.with_rule(Rule::Strong))
    });
    let first = differing.next().ok_or("there are such games")?;
    for entry in [first].into_iter().chain(differing) {
        println!(
            "{} on {}: {} under the weak rule, held under the strong one",
            entry.key.name(),
            entry.key.board(),
            entry.finding
        );
    }
    for rule in [Rule::Weak, Rule::Strong] {
        let settled = settle(&first.key.with_rule(rule).game(), &Options::default(), &|_| {})?;
        let certificate = settled.outcome.certificate().ok_or("it is settled")?;
        println!("Again: {}.", certificate.proved());
    }
    Ok(())
}
