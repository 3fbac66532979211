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
    let threads: usize = std::env::var("T").map_or(1, |t| t.parse().unwrap());
    let arena = Arena::<N>::new(game);
    let table = table::Table::<N>::new(1 << 30);
    let canon = canon::Canon::new(&game.symmetries(), game.vertices());
    let limits = Limits::none();
    let busy = busy::Busy::new(threads);
    let shared = alphabeta::Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, limits: &limits };
    let mut k = 1;
    let t0 = Instant::now();
    while k <= upto {
        let limits = Limits::none();
        let shared = alphabeta::Shared { limits: &limits, ..shared };
        let res: Vec<_> = std::thread::scope(|sc| {
            let hs: Vec<_> = (0..threads)
                .map(|_| {
                    sc.spawn(|| {
                        let mut s = alphabeta::Attacker::new(&shared);
                        let r = s.wins((k + 1) / 2);
                        limits.stop();
                        (r, harary::search::engine::Engine::nodes(&s))
                    })
                })
                .collect();
            hs.into_iter().map(|h| h.join().unwrap()).collect()
        });
        let win = res.iter().find_map(|r| r.0.ok()).unwrap();
        println!(
            "k={k} win={win} nodes={:?} time={:.2?} fill={:.2}",
            res.iter().map(|r| r.1).collect::<Vec<_>>(),
            t0.elapsed(),
            table.fill()
        );
        if win {
            break;
        }
        k += 2;
    }
}
