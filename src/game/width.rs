//! The one place that chooses how wide sets are.

/// Runs a body with `N` being the words of 64 cells that so many cells need: `with_width!(game.vertices(), N => f::<N>())`.
/// Narrow sets are fast; each width is compiled on its own, so there are only five. Six words are for the largest boards, which would pay
/// for sixteen.
macro_rules! with_width {
    ($cells:expr, $N:ident => $body:expr) => {
        match $cells {
            0..=64 => {
                const $N: usize = 1;
                $body
            }
            65..=128 => {
                const $N: usize = 2;
                $body
            }
            129..=256 => {
                const $N: usize = 4;
                $body
            }
            257..=384 => {
                const $N: usize = 6;
                $body
            }
            _ => {
                const $N: usize = harary_certificate::WIDE;
                $body
            }
        }
    };
}

pub(crate) use with_width;

#[cfg(test)]
mod tests {
    use harary_certificate::{MAX_CELLS, WIDE};

    #[test]
    fn every_game_fits_its_width() {
        for cells in 1..=MAX_CELLS {
            let words = with_width!(cells, N => N);
            assert!(64 * words >= cells && words <= WIDE, "{cells} cells in {words} words");
        }
    }
}
