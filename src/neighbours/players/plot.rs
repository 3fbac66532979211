//! Shares of wins and draws as a picture: a bar for each series, and how sure its parts are.

use super::shares::Tally;
use std::fmt::Write as _;

/// The parts of a bar: wins of who began, draws, wins of the other.
const PARTS: [(&str, &str); 3] = [("first wins", "#222222"), ("draw", "#bbbbbb"), ("second wins", "#ffffff")];

/// One bar: what it is called, and its games.
pub struct Bar {
    /// Below it.
    pub name: String,
    /// What it shows.
    pub tally: Tally,
}

/// A file of its own in SVG.
pub fn svg(title: &str, bars: &[Bar]) -> String {
    const HIGH: f64 = 240.0;
    const TOP: f64 = 70.0;
    const LEFT: f64 = 60.0;
    const STEP: f64 = 90.0;
    const BROAD: f64 = 56.0;
    let width = (LEFT + STEP * bars.len() as f64 + 20.0).max(420.0);
    let height = TOP + HIGH + 60.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n<text x=\"{}\" y=\"22\" font-size=\"14\">{}</text>\n",
        width / 2.0,
        escaped(title)
    );
    for (index, (name, fill)) in PARTS.iter().enumerate() {
        let x = LEFT + 110.0 * index as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"36\" width=\"12\" height=\"12\" fill=\"{fill}\" stroke=\"black\"/>\n\
             <text x=\"{}\" y=\"46\" text-anchor=\"start\">{name}</text>",
            x + 18.0
        );
    }
    for tenth in (0..=10).step_by(2) {
        let y = TOP + HIGH * (1.0 - f64::from(tenth) / 10.0);
        let _ = writeln!(
            svg,
            "<path d=\"M {LEFT} {y} L {} {y}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} %</text>",
            width - 20.0,
            LEFT - 6.0,
            y + 4.0,
            tenth * 10
        );
    }
    for (index, bar) in bars.iter().enumerate() {
        let x = LEFT + STEP * index as f64 + (STEP - BROAD) / 2.0;
        // From the bottom up; a whisker shows how sure the upper edge of a part is, the parts below it taken together.
        let (mut below, mut count) = (0.0, 0);
        let counts = [bar.tally.first, bar.tally.draws, bar.tally.second];
        for (part, share) in bar.tally.shares().iter().enumerate() {
            let high = share.share * HIGH;
            let y = TOP + HIGH - below - high;
            let fill = PARTS[part].1;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y:.2}\" width=\"{BROAD}\" height=\"{high:.2}\" fill=\"{fill}\" stroke=\"black\"/>"
            );
            below += high;
            count += counts[part];
            if part < 2 && bar.tally.games > 0 {
                let sure = super::shares::Share::new(count, bar.tally.games);
                let [low, high] = [sure.low, sure.high].map(|share| TOP + HIGH * (1.0 - share));
                let x = x + BROAD + 6.0 + 6.0 * part as f64;
                let _ =
                    writeln!(svg, "<path d=\"M {x} {low:.2} L {x} {high:.2}\" stroke=\"black\" stroke-width=\"2\"/>");
            }
        }
        let middle = x + BROAD / 2.0;
        let games = if bar.tally.games == 1 { "1 game".to_owned() } else { format!("{} games", bar.tally.games) };
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\">{}</text>\n<text x=\"{middle}\" y=\"{}\" fill=\"gray\">{games}</text>",
            TOP + HIGH + 18.0,
            escaped(&bar.name),
            TOP + HIGH + 36.0
        );
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_is_as_high_as_the_others() {
        let tally = Tally { games: 8, first: 4, draws: 1, second: 3, turns: 50 };
        let bars =
            [("3x3", tally), ("a < b", Tally::default())].map(|(name, tally)| Bar { name: name.to_owned(), tally });
        let svg = svg("A & B", &bars);
        assert!(svg.contains(">A &amp; B</text>") && svg.contains(">a &lt; b</text>") && svg.ends_with("</svg>\n"));
        let heights: Vec<f64> = svg
            .lines()
            .filter(|line| line.contains("width=\"56\""))
            .map(|line| line.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(heights, [120.0, 30.0, 90.0, 0.0, 0.0, 0.0]);
        // Whiskers where games were played.
        assert_eq!(svg.matches("stroke-width=\"2\"").count(), 2);
    }
}
