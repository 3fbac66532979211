use harary::{board::*, game::*, player::*, position::*, search::*, shape::*};
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let topo = if a[3] == "torus" { Topology::Torus } else { Topology::Plain };
    let rule = if a[4] == "weak" { Rule::Weak } else { Rule::Strong };
    let upto: usize = a[5].parse().unwrap();
    let shape = if a[1].contains(',') { Shape::from_cells(&a[1]).unwrap() } else { Shape::from_rows(&a[1]).unwrap() };
    let board = Board::parse(&a[2], topo).unwrap();
    let game = Game::new(shape, board, rule);
    if game.vertices() <= 64 { run::<1>(&game, upto) } else { run::<2>(&game, upto) }
}
fn run<const N: usize>(game: &Game, upto: usize) {
    let arena = Arena::<N>::new(game);
    let table = table::Table::<N>::new(1 << 30);
    let canon = canon::Canon::new(&game.symmetries(), game.vertices());
    let limits = Limits::none();
    let mut k = 1;
    let t0 = Instant::now();
    let mut s = alphabeta::Attacker::new(Position::new(&arena), &table, &canon, &limits, game.rule() == Rule::Strong);
    while k <= upto {
        let n0 = s.nodes();
        let ans = s.black((k + 1) / 2, 0).unwrap();
        println!(
            "k={k} win={} nodes={} time={:.2?} fill={:.2}",
            ans.is_some(),
            s.nodes() - n0,
            t0.elapsed(),
            table.fill()
        );
        if ans.is_some() {
            break;
        }
        k += 2;
    }
}
