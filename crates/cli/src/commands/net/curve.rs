//! The learning curve as a picture.

use std::fmt::Write as _;

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Epoch {
    pub(super) training: f64,
    pub(super) validation: f64,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 60.0;

/// An SVG with the training and the validation loss of each epoch.
#[expect(clippy::cast_precision_loss, reason = "epochs are counted in thousands at most")]
pub(super) fn svg(title: &str, epochs: &[Epoch]) -> String {
    let losses = epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
    let (low, high) = losses.fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    let span = (high - low).max(1e-9);
    let x = |i: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * i as f64 / (epochs.len().max(2) - 1) as f64;
    let y = |loss: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (loss - low) / span;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{MARGIN}\" y=\"30\" font-size=\"15\">{title}</text>\n"
    );
    for loss in [low, f64::midpoint(low, high), high] {
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {0:.1}H{1}\" stroke=\"#ddd\"/><text x=\"{2}\" y=\"{3:.1}\" \
             text-anchor=\"end\">{loss:.5}</text>",
            y(loss),
            WIDTH - MARGIN,
            MARGIN - 6.0,
            y(loss) + 4.0
        );
    }
    let training: Vec<_> = epochs.iter().map(|epoch| epoch.training).collect();
    let validation: Vec<_> = epochs.iter().map(|epoch| epoch.validation).collect();
    let lines = [("training", "#2563a8", training), ("validation", "#b3541e", validation)];
    for (place, (name, color, losses)) in lines.iter().enumerate() {
        let points: Vec<_> =
            losses.iter().enumerate().map(|(i, loss)| format!("{:.1},{:.1}", x(i), y(*loss))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"{color}\" text-anchor=\"end\">{name} loss</text>",
            points.join(" "),
            WIDTH - MARGIN,
            30 + 18 * place
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch 1 to {}</text>\n</svg>",
        WIDTH / 2.0,
        HEIGHT - 24.0,
        epochs.len()
    );
    svg
}
