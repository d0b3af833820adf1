//! Boards as SVG.

use std::fmt::{self, Write as _};

use sandtable_core::{Cell, Diagram, Figure, FigurePiece, Label, Outline};

use super::{Rgb, ground_colour, is_light, marked};

/// The width of a cell and of the box that figures are drawn in.
const CELL: f32 = 100.0;

/// Options for [`svg`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SvgOptions {
    /// The width of the picture in pixels.
    pub width: u32,
    /// Whether to show the board-model number of each cell.
    pub indices: bool,
    /// Arrows from cell to cell, as indices into the cells of the diagram.
    pub arrows: Vec<(usize, usize)>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self { width: 640, indices: false, arrows: Vec::new() }
    }
}

impl SvgOptions {
    /// Sets the width in pixels.
    #[must_use]
    pub const fn with_width(mut self, width: u32) -> Self {
        self.width = width;
        self
    }

    /// Sets whether to show the board-model number of each cell.
    #[must_use]
    pub const fn with_indices(mut self, indices: bool) -> Self {
        self.indices = indices;
        self
    }

    /// Sets the arrows.
    #[must_use]
    pub fn with_arrows(mut self, arrows: Vec<(usize, usize)>) -> Self {
        self.arrows = arrows;
        self
    }
}

/// Renders a board as a complete SVG document.
///
/// # Panics
///
/// If the index of an arrow is out of range.
#[must_use]
pub fn svg(diagram: &Diagram, options: &SvgOptions) -> String {
    let mut out = String::new();
    write_svg(&mut out, diagram, options).expect("writing to a String cannot fail");
    out
}

fn write_svg(out: &mut String, diagram: &Diagram, options: &SvgOptions) -> fmt::Result {
    let &SvgOptions { width, indices, ref arrows } = options;
    let Frame { left, top, width: w, height: h } = Frame::of(diagram);
    let height = (f64::from(width) * f64::from(h) / f64::from(w)).round();
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {w} {h}" width="{width}" height="{height}" role="img">"#
    )?;
    writeln!(out, "<style>text{{font-family:sans-serif;text-anchor:middle}}</style>")?;
    for cell in &diagram.cells {
        write_ground(out, diagram.outline, cell)?;
    }
    if diagram.outline == Outline::Point {
        write_lines(out, diagram)?;
    }
    for label in &diagram.labels {
        write_text(out, beside(label, diagram), 26.0, r##"fill="#555""##, &label.text)?;
    }
    for cell in &diagram.cells {
        let (x, y) = (cell.x * CELL, cell.y * CELL);
        if let Some(figure) = &cell.figure {
            writeln!(
                out,
                r#"<g transform="translate({x} {y})"><title>{} {}</title>"#,
                escape(&figure.letters),
                cell.name
            )?;
            write_figure(out, figure, diagram)?;
            writeln!(out, "</g>")?;
        }
        if indices {
            let (right, down) = if diagram.outline == Outline::Hexagon { (50.0, 17.0) } else { (25.0, 13.0) };
            let ink = r##"fill="#b00020" stroke="#fff" stroke-width="4" paint-order="stroke""##;
            write_text(out, (x + right, y + down), 19.0, ink, &cell.index)?;
        }
    }
    for &(from, to) in arrows {
        write_arrow(out, &diagram.cells[from], &diagram.cells[to])?;
    }
    writeln!(out, "</svg>")
}

/// Writes an arrow from the centre of one cell to the centre of another, or a ring if they are the same cell.
fn write_arrow(out: &mut String, from: &Cell, to: &Cell) -> fmt::Result {
    const INK: &str = r##"opacity="0.75" stroke="#15781b" fill="#15781b""##;
    const HEAD: f32 = 34.0;
    let middle = |cell: &Cell| ((cell.x + 0.5) * CELL, (cell.y + 0.5) * CELL);
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy);
    if length == 0.0 {
        return writeln!(
            out,
            r##"<circle cx="{x1}" cy="{y1}" r="44" opacity="0.75" stroke="#15781b" fill="none" stroke-width="8"/>"##
        );
    }
    // The unit vector of the arrow; the corners of the head are perpendicular to it.
    let (ux, uy) = (dx / length, dy / length);
    let (neck_x, neck_y) = (x2 - HEAD * ux, y2 - HEAD * uy);
    let (across_x, across_y) = (-uy * HEAD * 0.6, ux * HEAD * 0.6);
    write!(out, r#"<g {INK}><path stroke-width="12" d="M{x1:.1} {y1:.1}L{neck_x:.1} {neck_y:.1}"/>"#)?;
    writeln!(
        out,
        r#"<path stroke="none" d="M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z"/></g>"#,
        neck_x + across_x,
        neck_y + across_y,
        neck_x - across_x,
        neck_y - across_y
    )
}

/// The bounds of the picture: the board and the labels around it.
struct Frame {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
}

impl Frame {
    fn of(diagram: &Diagram) -> Self {
        // The distance of the centre of a label from the edge of the picture.
        const EDGE: f32 = 24.0;
        let (mut left, mut top) = (-10.0_f32, -10.0_f32);
        let (mut right, mut bottom) = (diagram.width * CELL + 10.0, diagram.height * CELL + 10.0);
        for label in &diagram.labels {
            let (x, y) = beside(label, diagram);
            (left, top) = (left.min(x - EDGE), top.min(y - EDGE));
            (right, bottom) = (right.max(x + EDGE), bottom.max(y + EDGE));
        }
        Self { left, top, width: right - left, height: bottom - top }
    }
}

/// The centre of a label. Beside a rectangular board it is moved towards the board.
fn beside(label: &Label, diagram: &Diagram) -> (f32, f32) {
    let pull = |at: f32, size: f32| match diagram.outline {
        Outline::Hexagon => at,
        Outline::Square | Outline::Point => at.clamp(-0.75, size - 0.25),
    };
    ((pull(label.x, diagram.width) + 0.5) * CELL, (pull(label.y, diagram.height) + 0.5) * CELL)
}

/// Writes text centred on a point. Capital letters are about 0.7 of the font size high.
fn write_text(out: &mut String, (x, y): (f32, f32), size: f32, style: &str, text: &str) -> fmt::Result {
    let y = y + 0.35 * size;
    writeln!(out, r#"<text x="{x}" y="{y}" font-size="{size}" {style}>{}</text>"#, escape(text))
}

fn write_ground(out: &mut String, outline: Outline, cell: &Cell) -> fmt::Result {
    let ground = ground_colour(cell.ground);
    let fill = Hex(if cell.marked { marked(ground) } else { ground });
    let (x, y) = (cell.x * CELL, cell.y * CELL);
    match outline {
        Outline::Square | Outline::Point => {
            writeln!(out, r#"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}"/>"#)
        }
        Outline::Hexagon => {
            // A flat-topped hexagon as wide as the cell, around its centre.
            let (middle, half) = (y + CELL / 2.0, CELL * 0.433);
            let corners = [(0.0, 0.0), (0.25, -half), (0.75, -half), (1.0, 0.0), (0.75, half), (0.25, half)];
            let points: Vec<_> = corners
                .iter()
                .map(|(right, down)| format!("{},{}", x + right * CELL, middle + down))
                .collect();
            let points = points.join(" ");
            writeln!(out, r##"<polygon points="{points}" fill="{fill}" stroke="#8a8478" stroke-width="2"/>"##)
        }
    }
}

/// Writes the lines that cross at the centres of the cells.
fn write_lines(out: &mut String, diagram: &Diagram) -> fmt::Result {
    let (right, bottom) = (diagram.width * CELL - 50.0, diagram.height * CELL - 50.0);
    write!(out, r##"<path stroke="#6b6455" stroke-opacity="0.45" stroke-width="2.5" fill="none" d=""##)?;
    let mut x = 50.0;
    while x <= right {
        write!(out, "M{x} 50V{bottom}")?;
        x += CELL;
    }
    let mut y = 50.0;
    while y <= bottom {
        write!(out, "M50 {y}H{right}")?;
        y += CELL;
    }
    writeln!(out, r#""/>"#)
}

/// The offset and scale of carried pieces.
const CARRIED: [(f32, f32); 2] = [(53.0, 51.0), (-3.0, 51.0)];
const CARRIED_SCALE: f32 = 0.5;

fn write_figure(out: &mut String, figure: &Figure, diagram: &Diagram) -> fmt::Result {
    let (first, carried) = figure.pieces.split_first().expect("a figure has at least one piece");
    if first.outlines.is_empty() {
        return write_disc(out, figure, diagram);
    }
    write_piece(out, first, diagram)?;
    for (piece, (x, y)) in carried.iter().zip(CARRIED) {
        write!(out, r#"<g transform="translate({x} {y}) scale({CARRIED_SCALE})">"#)?;
        write_piece(out, piece, diagram)?;
        write!(out, "</g>")?;
    }
    Ok(())
}

fn write_piece(out: &mut String, piece: &FigurePiece, diagram: &Diagram) -> fmt::Result {
    let ink = diagram.inks[piece.owner];
    let line = line_on(ink);
    let edge = if is_light(ink) || !piece.symbol.is_empty() { line } else { ink };
    write!(out, r#"<g fill="{}" stroke-width="3.5" stroke-linejoin="round">"#, Hex(ink))?;
    for (i, outline) in piece.outlines.iter().enumerate() {
        write!(out, r#"<path d="{outline}" stroke="{}"/>"#, Hex(if i == 0 { edge } else { line }))?;
    }
    write!(out, "</g>")?;
    if !piece.symbol.is_empty() {
        write!(out, r#"<path d="{}" fill="{}" fill-rule="evenodd"/>"#, piece.symbol, Hex(line))?;
    }
    if piece.starred { write_star(out) } else { Ok(()) }
}

fn write_star(out: &mut String) -> fmt::Result {
    let star = "M84 2L88.7 13.5 101 14.5 91.6 22.5 94.6 34.5 84 28 73.4 34.5 76.4 22.5 67 14.5 79.3 13.500Z";
    write!(out, r##"<path d="{star}" fill="#f2c230" stroke="#1f1c18" stroke-width="2"/>"##)
}

/// The colour of lines on a figure of this colour.
const fn line_on(ink: Rgb) -> Rgb {
    if is_light(ink) { [0x1F, 0x1C, 0x18] } else { [0xF4, 0xEF, 0xE6] }
}

/// Writes a figure without outlines: a disc with its token.
fn write_disc(out: &mut String, figure: &Figure, diagram: &Diagram) -> fmt::Result {
    let ink = diagram.inks[figure.owner];
    let radius = if diagram.outline == Outline::Hexagon { 33 } else { 40 };
    write!(
        out,
        r##"<circle cx="50" cy="50" r="{radius}" fill="{}" stroke="#1f1c18" stroke-width="3"/>"##,
        Hex(ink)
    )?;
    let size = [46.0, 46.0, 36.0, 27.0, 22.0, 18.0, 15.0][figure.token.chars().count().min(6)];
    let style = format!(r#"font-weight="bold" fill="{}""#, Hex(line_on(ink)));
    write_text(out, (50.0, 50.0), size, &style, &figure.token)?;
    if figure.starred { write_star(out) } else { Ok(()) }
}

/// Formats a colour for SVG.
struct Hex(Rgb);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
