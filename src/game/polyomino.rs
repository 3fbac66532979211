//! The animals of a given size, generated.

use harary_certificate::Shape;
use std::collections::BTreeSet;

/// The free polyominoes with `size` cells (rotations and reflections count as one), each in canonical form, sorted.
///
/// Every polyomino has a cell whose removal leaves a polyomino, so growing each smaller one by a cell in every way
/// finds all. Their number grows about fourfold with each cell; size 0 has none.
pub fn free_polyominoes(size: usize) -> Vec<Shape> {
    let mut found: BTreeSet<Shape> = Shape::new(&[(0, 0)]).into_iter().filter(|_| size > 0).collect();
    for _ in 1..size {
        found = found.iter().flat_map(grown).collect();
    }
    found.into_iter().collect()
}

/// The canonical forms of a shape with one more cell beside it.
fn grown(shape: &Shape) -> impl Iterator<Item = Shape> + use<> {
    let cells: Vec<(i32, i32)> = shape.cells().iter().map(|&(x, y)| (x.into(), y.into())).collect();
    let beside: BTreeSet<(i32, i32)> =
        cells.iter().flat_map(|&(x, y)| [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]).collect();
    // A cell that is already there is refused by `Shape::new` as repeated.
    beside.into_iter().filter_map(move |cell| {
        let cells: Vec<(i32, i32)> = cells.iter().copied().chain([cell]).collect();
        Shape::new(&cells).ok().map(|shape| shape.canonical())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_polyominoes_are_counted_as_published() {
        for (size, count) in [0, 1, 1, 2, 5, 12, 35, 108, 369].into_iter().enumerate() {
            let found = free_polyominoes(size);
            assert_eq!(found.len(), count, "size {size}");
            for shape in &found {
                assert!(shape.is_animal() && shape.size() == size && shape.canonical() == *shape, "{shape}");
            }
        }
    }
}
