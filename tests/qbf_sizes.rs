//! The faithful formulas have the published sizes, to the last clause.

use harary::game::Game;
use harary::game::catalogue::Catalogue;
use harary::qbf::formula::Size;
use harary::qbf::instance::{Encoding, Instance, Mode};
use harary_certificate::{Board, Rule, Shape, Topology};

fn size(shape: &Shape, side: usize, topology: Topology, encoding: Encoding) -> Size {
    let board = Board::new(side, side, topology).unwrap();
    let game = Game::new(shape.clone(), board, Rule::Strong);
    Instance::new(game, encoding, side * side, Mode::Faithful).unwrap().formula().size()
}

/// Boucher's table 6.4: the domino on n x n tori, all turns. Variables, universal, existential, clauses.
#[test]
fn table_6_4() {
    let domino = Shape::from_rows("XX").unwrap();
    for (encoding, side, figures) in [
        (Encoding::CorPlus, 3, [244, 16, 228, 803]),
        (Encoding::CorPlus, 4, [657, 32, 625, 2354]),
        (Encoding::CorPlus, 5, [1501, 60, 1441, 5952]),
        (Encoding::CorPlusPlus, 3, [241, 13, 228, 796]),
        (Encoding::CorPlusPlus, 4, [656, 31, 625, 2343]),
        (Encoding::CorPlusPlus, 5, [1499, 58, 1441, 5932]),
    ] {
        let size = size(&domino, side, Topology::Torus, encoding);
        assert_eq!([size.variables, size.universal, size.existential, size.clauses], figures, "{encoding} {side}");
    }
}

/// Boucher's table 4.4: the 49 polyominoes of at most 6 cells that fit 4x4, all turns, summed. Literals, clauses,
/// universal, existential. One figure is printed with two digits exchanged (675390).
#[test]
fn table_4_4() {
    let shapes: Vec<&Shape> = Catalogue::standard()
        .entries()
        .iter()
        .map(|entry| &entry.shape)
        .filter(|shape| shape.is_animal() && shape.size() <= 6 && shape.fits(4, 4))
        .collect();
    assert_eq!(shapes.len(), 49);
    for (encoding, topology, figures) in [
        (Encoding::Cor, Topology::Plain, [554629, 227944, 1568, 66850]),
        (Encoding::Cor, Topology::Torus, [637683, 253794, 1568, 70241]),
        (Encoding::Pairing, Topology::Plain, [675309, 285428, 1568, 70682]),
        (Encoding::Pairing, Topology::Torus, [950037, 388083, 1568, 75329]),
    ] {
        let mut sum = Size::default();
        for shape in &shapes {
            sum += size(shape, 4, topology, encoding);
        }
        assert_eq!(
            [sum.literals, sum.clauses, sum.universal, sum.existential],
            figures,
            "{encoding} on the {topology} board"
        );
    }
}
