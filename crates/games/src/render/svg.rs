//! Boards as SVG.

use std::fmt::{self, Write as _};

use sandtable_core::view::{
    Cell, Diagram, Figure, FigurePiece, Ground, Label, Outline, PieceRole, SceneryKind,
};

use super::{Rgb, ground_color, is_light, marked};

/// The width of a cell and of the box that figures are drawn in.
const CELL: f32 = 100.0;

/// A mark on a cell. Each has a shape of its own, so that they differ without colours; targets have those of the web page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// The figure that the picture is about: a coloured cell.
    Selected,
    /// A cell of a zone: a shaded cell.
    Zone,
    /// A cell to move to: a dot.
    Move,
    /// A figure that can be captured: a ring.
    Capture,
    /// A figure that can be captured from a distance, without moving there: a broken ring.
    StayCapture,
    /// A cell to combine on: a plus.
    Combine,
    /// A cell that can receive a part of a unit: a diamond.
    Split,
}

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
    /// Marks on cells, as indices into the cells of the diagram.
    pub marks: Vec<(usize, Mark)>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self { width: 640, indices: false, arrows: Vec::new(), marks: Vec::new() }
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

    /// Sets the marks.
    #[must_use]
    pub fn with_marks(mut self, marks: Vec<(usize, Mark)>) -> Self {
        self.marks = marks;
        self
    }
}

/// Renders a board as a complete SVG document.
///
/// # Panics
///
/// If the index of an arrow or a mark is out of range.
#[must_use]
pub fn svg(diagram: &Diagram, options: &SvgOptions) -> String {
    let mut out = String::new();
    write_svg(&mut out, diagram, options).expect("writing to a String cannot fail");
    out
}

fn write_svg(out: &mut String, diagram: &Diagram, options: &SvgOptions) -> fmt::Result {
    let &SvgOptions { width, indices, ref arrows, ref marks } = options;
    let Frame { left, top, width: w, height: h } = Frame::of(diagram);
    let height = (f64::from(width) * f64::from(h) / f64::from(w)).round();
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {w} {h}" width="{width}" height="{height}" role="img">"#
    )?;
    writeln!(out, "<style>text{{font-family:sans-serif;text-anchor:middle}}</style>")?;
    if diagram.scenery.is_empty() {
        for cell in &diagram.cells {
            write_ground(out, diagram.outline, cell)?;
        }
    } else {
        write_scenery(out, diagram)?;
    }
    for &(cell, mark) in marks {
        write_mark_below(out, diagram.outline, &diagram.cells[cell], mark)?;
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
    for &(cell, mark) in marks {
        write_mark_above(out, &diagram.cells[cell], mark)?;
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
    let ground = ground_color(outline, cell.ground);
    let fill = Hex(if cell.marked { marked(ground) } else { ground });
    let edge = match outline {
        Outline::Square | Outline::Point => "",
        Outline::Hexagon => r##" stroke="#b3a68c" stroke-width="1.5""##,
    };
    write_cell(out, outline, cell, &format!(r#"fill="{fill}"{edge}"#))
}

/// Writes the part of a mark that is beneath the figures.
fn write_mark_below(out: &mut String, outline: Outline, cell: &Cell, mark: Mark) -> fmt::Result {
    match mark {
        Mark::Selected => write_cell(out, outline, cell, r##"fill="#3d7a2a" fill-opacity="0.55""##),
        Mark::Zone => write_cell(out, outline, cell, r##"fill="#d03a1f" fill-opacity="0.28""##),
        Mark::Move | Mark::Capture | Mark::StayCapture | Mark::Combine | Mark::Split => Ok(()),
    }
}

/// Writes the part of a mark that is above the figures.
fn write_mark_above(out: &mut String, cell: &Cell, mark: Mark) -> fmt::Result {
    const GREEN: &str = "#1f6b12";
    const RED: &str = "#c4161c";
    let (x, y) = ((cell.x + 0.5) * CELL, (cell.y + 0.5) * CELL);
    match mark {
        Mark::Selected | Mark::Zone => Ok(()),
        Mark::Move => writeln!(
            out,
            r##"<circle cx="{x}" cy="{y}" r="15" fill="{GREEN}" fill-opacity="0.85" stroke="#fff" stroke-width="3"/>"##
        ),
        Mark::Capture => {
            writeln!(out, r#"<circle cx="{x}" cy="{y}" r="45" fill="none" stroke="{RED}" stroke-width="9"/>"#)
        }
        // Eight dashes and eight gaps of equal length.
        Mark::StayCapture => writeln!(
            out,
            r#"<circle cx="{x}" cy="{y}" r="45" fill="none" stroke="{RED}" stroke-width="9" stroke-dasharray="17.7"/>"#
        ),
        Mark::Combine => {
            // Beside a figure, which it must not cover.
            let (x, y, scale) = if cell.figure.is_some() { (x + 31.0, y - 31.0, 0.7) } else { (x, y, 1.0) };
            writeln!(
                out,
                r##"<g transform="translate({x} {y}) scale({scale})" stroke="{GREEN}" stroke-width="7"><circle r="27" fill="#fff" fill-opacity="0.85"/><path d="M-15 0h30M0 -15v30"/></g>"##
            )
        }
        Mark::Split => writeln!(
            out,
            r##"<path d="M{x} {}l21 21l-21 21l-21 -21Z" fill="#fff" fill-opacity="0.75" stroke="{GREEN}" stroke-width="7"/>"##,
            y - 21.0
        ),
    }
}

/// Writes the area of a cell.
fn write_cell(out: &mut String, outline: Outline, cell: &Cell, style: &str) -> fmt::Result {
    let (x, y) = (cell.x * CELL, cell.y * CELL);
    match outline {
        Outline::Square | Outline::Point => {
            writeln!(out, r#"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" {style}/>"#)
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
            writeln!(out, r#"<polygon points="{points}" {style}/>"#)
        }
    }
}

/// Writes the landscape, and the cells of the last move on it.
fn write_scenery(out: &mut String, diagram: &Diagram) -> fmt::Result {
    let (w, h) = (diagram.width * CELL, diagram.height * CELL);
    let land = Hex(ground_color(diagram.outline, Ground::Land));
    // Without rounding errors, the scenery would end exactly at the edges: a nested picture clips it there.
    writeln!(out, r#"<svg width="{w}" height="{h}"><rect width="{w}" height="{h}" fill="{land}"/>"#)?;
    if diagram.flipped {
        write!(out, r#"<g transform="rotate(180 {} {})">"#, w / 2.0, h / 2.0)?;
    }
    for scenery in &diagram.scenery {
        let style = match scenery.kind {
            SceneryKind::Relief => {
                r##"fill="#b59b5a" fill-opacity="0.07" stroke="#a58f57" stroke-opacity="0.45" stroke-width="1.5""##
            }
            SceneryKind::Water => {
                r##"fill="#9fc8e0" stroke="#d8bf86" stroke-width="16" paint-order="stroke""##
            }
            SceneryKind::Swell => r##"fill="none" stroke="#fff" stroke-opacity="0.55" stroke-width="3""##,
            SceneryKind::Wave => r##"fill="none" stroke="#6c9fbd" stroke-width="3" stroke-linecap="round""##,
            SceneryKind::Bridge => r##"fill="#c79a5b" stroke="#6b4a22" stroke-width="3""##,
        };
        writeln!(out, r#"<path {style} d="{}"/>"#, scenery.path)?;
    }
    if diagram.flipped {
        writeln!(out, "</g>")?;
    }
    writeln!(out, "</svg>")?;
    for cell in diagram.cells.iter().filter(|cell| cell.marked) {
        let (x, y) = (cell.x * CELL, cell.y * CELL);
        writeln!(
            out,
            r##"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#f2d02c" opacity="0.5"/>"##
        )?;
    }
    Ok(())
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

/// Gold, for marks of rank.
const GOLD: &str = "#f2c230";
/// The dark edge of gold.
const DARK: &str = "#1f1c18";

/// Writes a figure: a slave beneath the leading piece, passengers on top of it, and the symbol of the slave in front.
fn write_figure(out: &mut String, figure: &Figure, diagram: &Diagram) -> fmt::Result {
    let first = figure.pieces.first().expect("a figure has at least one piece");
    if first.outlines.is_empty() {
        return write_disc(out, figure, diagram);
    }
    let is_slave = |piece: &&FigurePiece| piece.role == PieceRole::Slave;
    for slave in figure.pieces.iter().filter(is_slave) {
        write_placed(out, slave, |out| write_outlines(out, slave, diagram))?;
    }
    for piece in figure.pieces.iter().filter(|piece| !is_slave(piece)) {
        write_placed(out, piece, |out| {
            write_outlines(out, piece, diagram)?;
            if !piece.symbol.is_empty() {
                let line = Hex(line_on(diagram.inks[piece.owner]));
                write!(out, r#"<path d="{}" fill="{line}" fill-rule="evenodd"/>"#, piece.symbol)?;
            }
            if piece.badge.is_empty() {
                return Ok(());
            }
            let badge = piece.badge;
            write!(out, r#"<path d="{badge}" fill="{GOLD}" stroke="{DARK}" stroke-width="2.5"/>"#)
        })?;
    }
    for slave in figure.pieces.iter().filter(is_slave) {
        write_placed(out, slave, |out| write_symbol_in_front(out, slave, diagram))?;
    }
    Ok(())
}

/// Writes a part of a piece in the place of the piece.
fn write_placed(
    out: &mut String,
    piece: &FigurePiece,
    write: impl FnOnce(&mut String) -> fmt::Result,
) -> fmt::Result {
    let Some(place) = piece.place else { return write(out) };
    let scale = f32::from(place.scale) / 100.0;
    write!(out, r#"<g transform="translate({} {}) scale({scale})">"#, place.x, place.y)?;
    write(out)?;
    write!(out, "</g>")
}

fn write_outlines(out: &mut String, piece: &FigurePiece, diagram: &Diagram) -> fmt::Result {
    let ink = diagram.inks[piece.owner];
    let line = line_on(ink);
    let edge = if is_light(ink) || !piece.symbol.is_empty() { line } else { ink };
    // The edges of discs are close to each other.
    let width = if piece.height.is_some() { 2.0 } else { 3.5 };
    write!(out, r#"<g fill="{}" stroke-width="{width}" stroke-linejoin="round">"#, Hex(ink))?;
    for (i, outline) in piece.outlines.iter().enumerate() {
        if i == 0 && piece.starred {
            write!(out, r#"<path d="{outline}" stroke="{DARK}" stroke-width="10"/>"#)?;
            write!(out, r#"<path d="{outline}" stroke="{GOLD}" stroke-width="6"/>"#)?;
        } else {
            write!(out, r#"<path d="{outline}" stroke="{}"/>"#, Hex(if i == 0 { edge } else { line }))?;
        }
    }
    write!(out, "</g>")
}

/// Writes the symbol of a slave on a ground of its own.
fn write_symbol_in_front(out: &mut String, piece: &FigurePiece, diagram: &Diagram) -> fmt::Result {
    let ink = diagram.inks[piece.owner];
    let (ground, line, symbol) = (Hex(ink), Hex(line_on(ink)), piece.symbol);
    write!(
        out,
        r#"<g stroke-linejoin="round"><path d="{symbol}" stroke="{line}" stroke-width="17"/><path d="{symbol}" stroke="{ground}" stroke-width="12"/></g><path d="{symbol}" fill="{line}" fill-rule="evenodd"/>"#
    )
}

/// The colour of lines on a figure of this colour.
const fn line_on(ink: Rgb) -> Rgb {
    if is_light(ink) { [0x1F, 0x1C, 0x18] } else { [0xF4, 0xEF, 0xE6] }
}

/// Writes a figure without outlines: a disc with its token.
fn write_disc(out: &mut String, figure: &Figure, diagram: &Diagram) -> fmt::Result {
    let ink = diagram.inks[figure.owner];
    let radius = if diagram.outline == Outline::Hexagon { 33 } else { 40 };
    let (rim, width) = if figure.starred { (GOLD, 6) } else { (DARK, 3) };
    write!(
        out,
        r#"<circle cx="50" cy="50" r="{radius}" fill="{}" stroke="{rim}" stroke-width="{width}"/>"#,
        Hex(ink)
    )?;
    let size = [46.0, 46.0, 36.0, 27.0, 22.0, 18.0, 15.0][figure.token.chars().count().min(6)];
    let style = format!(r#"font-weight="bold" fill="{}""#, Hex(line_on(ink)));
    write_text(out, (50.0, 50.0), size, &style, &figure.token)
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
