//! Figures of measurements, as SVG: cactus plots, scatter plots, bars.

use super::drawing::short;
use super::svg::{begin, escape};
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 520.0;
/// The room of the plot itself: left, top, right and bottom edge.
const FRAME: (f64, f64, f64, f64) = (70.0, 20.0, 520.0, 460.0);
/// Shorter times are drawn as this: they are noise.
const SHORTEST: f64 = 0.001;
/// Told apart in grey print by the dashes as well.
const COLOURS: [&str; 8] = ["#1b6ca8", "#c1440e", "#2e8b57", "#8e44ad", "#b8860b", "#444444", "#d81b60", "#00838f"];
const DASHES: [&str; 4] = ["none", "6 3", "2 3", "8 3 2 3"];

/// A curve of a cactus plot: its name and the seconds of what was answered, the shortest first.
pub struct Curve {
    /// What it is called.
    pub name: String,
    /// The seconds.
    pub seconds: Vec<f64>,
}

/// How many formulas are answered (to the right) within how many seconds each (upwards, logarithmic).
pub fn cactus(curves: &[Curve]) -> String {
    let most = curves.iter().map(|curve| curve.seconds.len()).max().unwrap_or(0).max(1);
    let seconds = Decades::of(curves.iter().flat_map(|curve| curve.seconds.iter().copied()));
    let (left, _, right, bottom) = FRAME;
    let mut svg = begin(WIDTH, HEIGHT);
    frame(&mut svg, "formulas answered", "seconds each");
    seconds.mark_upwards(&mut svg);
    for (at, count) in steps(most) {
        mark_below(&mut svg, left + at * (right - left), &count.to_string());
    }
    for (index, curve) in curves.iter().enumerate() {
        let point = |(count, &time): (usize, &f64)| {
            let x = left + (count + 1) as f64 / most as f64 * (right - left);
            format!("{} {}", short(x), short(bottom - seconds.part(time) * height()))
        };
        let points: Vec<String> = curve.seconds.iter().enumerate().map(point).collect();
        let style = stroke(index);
        if !points.is_empty() {
            let _ = writeln!(svg, "<path d=\"M {}\" fill=\"none\" {style}/>", points.join(" L "));
        }
        legend(&mut svg, index, &format!("{} ({})", curve.name, curve.seconds.len()), &style);
    }
    svg + "</svg>\n"
}

/// A point of a scatter plot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Seconds to the right.
    pub x: f64,
    /// Seconds upwards.
    pub y: f64,
    /// Whether both were answered.
    pub answered: bool,
}

/// Two times for each task, both axes logarithmic; below the diagonal the one that goes upwards is the shorter.
pub fn scatter(points: &[Point], x: &str, y: &str) -> String {
    let seconds = Decades::of(points.iter().flat_map(|point| [point.x, point.y]));
    let (left, top, right, bottom) = FRAME;
    let mut svg = begin(WIDTH, HEIGHT);
    frame(&mut svg, &format!("{x}, seconds"), &format!("{y}, seconds"));
    seconds.mark_upwards(&mut svg);
    for (at, text) in seconds.marks() {
        mark_below(&mut svg, left + at * (right - left), &text);
    }
    let _ = writeln!(
        svg,
        "<path d=\"M {left} {bottom} L {right} {top}\" stroke=\"#888888\" stroke-dasharray=\"{}\"/>",
        DASHES[1]
    );
    for point in points {
        let cx = short(left + seconds.part(point.x) * (right - left));
        let cy = short(bottom - seconds.part(point.y) * height());
        let fill = if point.answered { COLOURS[0] } else { "none" };
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3\" fill=\"{fill}\" fill-opacity=\"0.6\" stroke=\"{}\"/>",
            COLOURS[0]
        );
    }
    let below = points.iter().filter(|point| point.y < point.x).count();
    for (line, text) in
        [format!("{} tasks", points.len()), format!("{y} faster in {below}"), "hollow: one without answer".to_owned()]
            .iter()
            .enumerate()
    {
        words(&mut svg, (FRAME.2 + 15.0, FRAME.1 + 14.0 + 20.0 * line as f64), text, "start");
    }
    svg + "</svg>\n"
}

/// Bars that stand side by side, each of several parts, one on top of the other.
pub fn bars(parts: &[&str], bars: &[(String, Vec<usize>)], below: &str, upwards: &str) -> String {
    let most = bars.iter().map(|(_, counts)| counts.iter().sum::<usize>()).max().unwrap_or(0).max(1);
    let (left, _, right, bottom) = FRAME;
    let mut svg = begin(WIDTH, HEIGHT);
    frame(&mut svg, below, upwards);
    for (at, count) in steps(most) {
        mark_beside(&mut svg, bottom - at * height(), &count.to_string());
    }
    let step = (right - left) / bars.len().max(1) as f64;
    for (index, (name, counts)) in bars.iter().enumerate() {
        let x = left + index as f64 * step;
        let mut y = bottom;
        for (part, &count) in counts.iter().enumerate() {
            let high = count as f64 / most as f64 * height();
            y -= high;
            if count > 0 {
                let (x, y, wide, high) = (short(x + step * 0.1), short(y), short(step * 0.8), short(high));
                let fill = COLOURS[part % COLOURS.len()];
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{fill}\" stroke=\"black\"/>"
                );
            }
        }
        mark_below(&mut svg, x + step / 2.0, name);
    }
    for (index, part) in parts.iter().enumerate() {
        let count: usize = bars.iter().filter_map(|(_, counts)| counts.get(index)).sum();
        let style = format!("stroke=\"{}\" stroke-width=\"10\"", COLOURS[index % COLOURS.len()]);
        legend(&mut svg, index, &format!("{part} ({count})"), &style);
    }
    svg + "</svg>\n"
}

fn height() -> f64 {
    FRAME.3 - FRAME.1
}

/// The line of a curve.
fn stroke(index: usize) -> String {
    let (colour, dash) = (COLOURS[index % COLOURS.len()], DASHES[index / COLOURS.len() % DASHES.len()]);
    format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"")
}

/// The frame and what is said along two of its sides.
fn frame(svg: &mut String, below: &str, beside: &str) {
    let (left, top, right, bottom) = FRAME;
    let (wide, high) = (right - left, bottom - top);
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" fill=\"none\" stroke=\"black\"/>"
    );
    words(svg, ((left + right) / 2.0, HEIGHT - 15.0), below, "middle");
    let (x, y) = (18.0, (top + bottom) / 2.0);
    let text = escape(beside);
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" transform=\"rotate(-90 {x} {y})\">{text}</text>");
}

fn words(svg: &mut String, (x, y): (f64, f64), text: &str, anchor: &str) {
    let (x, y, text) = (short(x), short(y), escape(text));
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" text-anchor=\"{anchor}\">{text}</text>");
}

fn mark_below(svg: &mut String, x: f64, text: &str) {
    let (at, bottom) = (short(x), FRAME.3);
    let _ = writeln!(svg, "<path d=\"M {at} {bottom} L {at} {}\" stroke=\"black\"/>", bottom + 5.0);
    words(svg, (x, bottom + 20.0), text, "middle");
}

fn mark_beside(svg: &mut String, y: f64, text: &str) {
    let (at, left) = (short(y), FRAME.0);
    let _ = writeln!(svg, "<path d=\"M {} {at} L {left} {at}\" stroke=\"black\"/>", left - 5.0);
    words(svg, (left - 8.0, y + 5.0), text, "end");
}

/// A line of the list beside the frame.
fn legend(svg: &mut String, index: usize, text: &str, style: &str) {
    let (x, y) = (FRAME.2 + 15.0, FRAME.1 + 10.0 + 20.0 * index as f64);
    let _ = writeln!(svg, "<path d=\"M {x} {y} L {} {y}\" {style}/>", x + 25.0);
    words(svg, (x + 32.0, y + 5.0), text, "start");
}

/// At most ten steps from nothing to `most`: where they are, from 0 to 1, and what they count.
fn steps(most: usize) -> impl Iterator<Item = (f64, usize)> {
    let sizes = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    let step = sizes.into_iter().find(|size| most / size <= 10).unwrap_or(most);
    (0..=most).step_by(step).map(move |count| (count as f64 / most as f64, count))
}

/// A logarithmic axis of seconds, from one power of ten to another.
struct Decades {
    least: i32,
    most: i32,
}

impl Decades {
    fn of(seconds: impl Iterator<Item = f64> + Clone) -> Decades {
        let powers = seconds.map(|time| time.max(SHORTEST).log10());
        let least = powers.clone().fold(f64::INFINITY, f64::min).min(0.0).floor() as i32;
        let most = powers.fold(f64::NEG_INFINITY, f64::max).max(least as f64).ceil() as i32;
        Decades { least, most: most.max(least + 1) }
    }

    /// Where a time is, from 0 to 1.
    fn part(&self, seconds: f64) -> f64 {
        (seconds.max(SHORTEST).log10() - self.least as f64) / (self.most - self.least) as f64
    }

    fn marks(&self) -> impl Iterator<Item = (f64, String)> {
        (self.least..=self.most).map(|power| {
            let seconds = 10f64.powi(power);
            (self.part(seconds), format!("{seconds}"))
        })
    }

    fn mark_upwards(&self, svg: &mut String) {
        for (at, text) in self.marks() {
            mark_beside(svg, FRAME.3 - at * height(), &text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, seconds: &[f64]) -> Curve {
        Curve { name: name.to_owned(), seconds: seconds.to_vec() }
    }

    /// Well-formed as far as tags go, and no number that is none.
    fn assert_sound(svg: &str) {
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn a_curve_has_a_point_for_each_time_and_rises_to_the_right() {
        let svg = cactus(&[curve("a <b>", &[0.01, 0.1, 10.0]), curve("empty", &[])]);
        assert_sound(&svg);
        assert!(svg.contains("a &lt;b&gt; (3)") && svg.contains("empty (0)"), "{svg}");
        let path = svg.lines().find(|line| line.contains("fill=\"none\" stroke=\"#1b6ca8\"")).unwrap();
        let numbers: Vec<f64> = path.split('"').nth(1).unwrap().split([' ', 'M', 'L']).flat_map(str::parse).collect();
        let [x1, y1, x2, y2, x3, y3] = numbers[..] else { panic!("{path}") };
        assert!(x1 < x2 && x2 < x3 && y1 > y2 && y2 > y3, "{path}");
        assert_eq!((x3, y1, y3), (FRAME.2, FRAME.3, FRAME.1), "from 0.01 to 10 seconds");
    }

    #[test]
    fn what_is_faster_upwards_is_below_the_diagonal() {
        let points = [
            Point { x: 1.0, y: 0.1, answered: true },
            Point { x: 0.0, y: 0.0, answered: true },
            Point { x: 10.0, y: 60.0, answered: false },
        ];
        let svg = scatter(&points, "cor+", "cover");
        assert_sound(&svg);
        assert_eq!((svg.matches("<circle").count(), svg.matches("fill=\"none\" fill-opacity").count()), (3, 1));
        assert!(svg.contains("3 tasks") && svg.contains("cover faster in 1") && svg.contains("cor+, seconds"), "{svg}");
    }

    #[test]
    fn bars_are_as_high_as_they_count() {
        let svg = bars(&["win", "hold"], &[("1".into(), vec![4, 0]), ("2".into(), vec![1, 1])], "last k", "games");
        assert_sound(&svg);
        let heights: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains("stroke=\"black\"/>") && line.starts_with("<rect") && !line.contains("none"))
            .filter_map(|line| line.split("height=\"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(heights, ["440", "110", "110"]);
        assert!(svg.contains("win (5)") && svg.contains("hold (1)"), "{svg}");
        for most in [1, 7, 10, 11, 48, 98, 1000, 2253] {
            let marks: Vec<(f64, usize)> = steps(most).collect();
            assert!(marks[0] == (0.0, 0) && (2..=11).contains(&marks.len()), "{most}: {marks:?}");
        }
        assert_sound(&bars(&[], &[], "", ""));
    }
}
