//! Boards as characters.

use anstyle::{RgbColor, Style};
use sandtable_core::learn::{Layout, Plane, Shape, WrongLength};
use sandtable_core::view::{Diagram, Figure, Ground, Outline};

use super::{Rgb, ground_color, is_light, marked};

/// Options for [`terminal`].
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TerminalOptions {
    /// Whether to show the board-model number of each cell above its figure.
    pub indices: bool,
    /// Whether to use colours. Without them, empty cells are `.` on land, `~` on water and `-` on mixed terrain.
    pub color: bool,
}

impl TerminalOptions {
    /// Sets whether to show the board-model number of each cell.
    #[must_use]
    pub const fn with_indices(mut self, indices: bool) -> Self {
        self.indices = indices;
        self
    }

    /// Sets whether to use colours.
    #[must_use]
    pub const fn with_color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }
}

/// Renders a board as lines of characters, each ended by a newline.
#[must_use]
pub fn terminal(diagram: &Diagram, options: TerminalOptions) -> String {
    let text = |figure: &Figure| {
        let star = if figure.starred { "*" } else { "" };
        if options.color { format!("{}{star}", figure.token) } else { figure.letters.clone() }
    };
    let letters = diagram.cells.iter().filter_map(|cell| Some(text(cell.figure.as_ref()?).chars().count()));
    let indices =
        diagram.cells.iter().map(|cell| if options.indices { cell.index.chars().count() } else { 0 });
    let width = letters.chain(indices).max().unwrap_or(0).max(1) + 2;
    let lines = if options.indices { 2 } else { 1 };
    let scale = Scale::of(diagram, width, lines);
    let mut canvas = Canvas::default();
    for label in &diagram.labels {
        let (column, row) = scale.place(label.x, label.y);
        // A label beside the board is level with the figures; a label below is close to the board.
        let row = if label.y < diagram.height { row + lines - 1 } else { row };
        canvas.put(column, row, &centered(&label.text, width), Style::new().dimmed());
    }
    for cell in &diagram.cells {
        let (column, row) = scale.place(cell.x, cell.y);
        let ground = on_screen(ground_color(diagram.outline, cell.ground));
        let ground = if cell.marked { marked(ground) } else { ground };
        let style = if options.color { Style::new().bg_color(Some(rgb(ground))) } else { Style::new() };
        if options.indices {
            let ink = if is_light(ground) { [0x50, 0x40, 0x30] } else { [0xE0, 0xD8, 0xC8] };
            let style = if options.color { style.fg_color(Some(rgb(ink))) } else { style };
            canvas.put(column, row, &centered(&cell.index, width), style);
        }
        let (text, style) = match &cell.figure {
            None if options.color => (String::new(), style),
            None => (plain_ground(cell.ground).to_owned(), style),
            Some(figure) => {
                let ink = style.fg_color(Some(rgb(diagram.inks[figure.owner]))).bold();
                (text(figure), if options.color { ink } else { style })
            }
        };
        canvas.put(column, row + lines - 1, &centered(&text, width), style);
    }
    canvas.into_text(options.color)
}

/// Renders the planes of an observation as blocks of characters: `.` is 0, `#` is 1, other values are numbers. A constant
/// plane is one line. An error if the observation has not the length of its shape.
pub fn planes(names: &[Plane], shape: Shape, layout: Layout, values: &[f32]) -> Result<String, WrongLength> {
    WrongLength::check(shape.len(), values.len())?;
    let mut text = String::new();
    for (number, plane) in names.iter().enumerate() {
        let at = |cell| values[shape.offset(layout, number, cell)];
        let constant = (1..shape.cells()).all(|cell| at(cell).to_bits() == at(0).to_bits());
        let heading = if constant { format!(": {} everywhere", at(0)) } else { String::new() };
        text.extend([format!("{number:>2} {}{heading}\n", plane.name)]);
        for row in (0..shape.rows).filter(|_| !constant) {
            let cells = (0..shape.cols).map(|col| match at(row * shape.cols + col) {
                0.0 => " .".to_owned(),
                1.0 => " #".to_owned(),
                other => format!(" {other}"),
            });
            text.extend(["  ".to_owned()].into_iter().chain(cells).chain(["\n".to_owned()]));
        }
    }
    Ok(text)
}

/// Maps cells to columns and lines.
struct Scale {
    across: f32,
    down: f32,
    left: f32,
}

impl Scale {
    fn of(diagram: &Diagram, width: usize, lines: usize) -> Self {
        // The boxes of hexagons overlap: columns are three quarters of a cell apart, rows half a hexagon.
        let (wide, high) = match diagram.outline {
            Outline::Square | Outline::Point => (1.0, 1.0),
            Outline::Hexagon => (0.75, 0.433),
        };
        let left = diagram.labels.iter().map(|label| label.x).fold(0.0, f32::min);
        Self { across: f32::from(width as u8) / wide, down: f32::from(lines as u8) / high, left }
    }

    fn place(&self, x: f32, y: f32) -> (usize, usize) {
        #[expect(
            clippy::cast_sign_loss,
            reason = "the leftmost label is at zero, and none is above the board"
        )]
        let whole = |v: f32| v.round() as usize;
        (whole((x - self.left) * self.across), whole(y * self.down))
    }
}

/// The character of an empty cell without colours.
const fn plain_ground(ground: Ground) -> &'static str {
    match ground {
        Ground::Water => "~",
        Ground::Mixed => "-",
        Ground::Light | Ground::Dark | Ground::Gray | Ground::Land => ".",
    }
}

/// The ground colour on a screen: darker than on paper, so that light figures stand out.
fn on_screen(color: Rgb) -> Rgb {
    color.map(|part| (u16::from(part) * 3 / 4) as u8)
}

fn rgb([r, g, b]: Rgb) -> anstyle::Color {
    RgbColor(r, g, b).into()
}

fn centered(text: &str, width: usize) -> String {
    format!("{text:^width$}")
}

/// A grid of styled characters that grows as text is put on it.
#[derive(Default)]
struct Canvas {
    lines: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    fn put(&mut self, column: usize, row: usize, text: &str, style: Style) {
        if self.lines.len() <= row {
            self.lines.resize(row + 1, Vec::new());
        }
        let line = &mut self.lines[row];
        let end = column + text.chars().count();
        if line.len() < end {
            line.resize(end, (' ', Style::new()));
        }
        for (place, c) in line[column..end].iter_mut().zip(text.chars()) {
            *place = (c, style);
        }
    }

    fn into_text(self, color: bool) -> String {
        let mut text = String::new();
        for line in self.lines {
            if color {
                for run in line.chunk_by(|a, b| a.1 == b.1) {
                    let style = run[0].1;
                    text += &style.render().to_string();
                    text.extend(run.iter().map(|(c, _)| c));
                    text += &style.render_reset().to_string();
                }
            } else {
                let plain: String = line.iter().map(|(c, _)| c).collect();
                text += plain.trim_end();
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;

    #[test]
    fn planes_of_the_wrong_length_are_an_error() {
        for kind in GAMES {
            let len = kind.shape.len();
            let show = |len| planes(kind.planes, kind.shape, Layout::Hwc, &vec![0.0; len]);
            assert!(show(len).is_ok_and(|text| text.lines().count() == kind.planes.len()), "{}", kind.name);
            for wrong in [0, len - 1, len + 1] {
                assert_eq!(show(wrong), Err(WrongLength { expected: len, found: wrong }), "{}", kind.name);
            }
        }
    }
}
