//! The memory curve of a soak test as CSV and SVG.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The maximum number of rows of the file.
const ROWS: u32 = 720;

/// What the server used and had done at a moment.
pub(crate) struct Sample {
    pub(crate) at: Duration,
    /// Resident memory in KiB.
    pub(crate) resident: u32,
    pub(crate) games: u64,
    pub(crate) moves: u64,
    pub(crate) messages: u64,
}

/// The curve so far. Each row is written at once, so that a failed run keeps its rows.
pub(crate) struct Curve {
    folder: PathBuf,
    csv: File,
    time: Duration,
    /// Seconds and KiB of each row; a row has the peak since the previous one.
    rows: Vec<(f64, u32)>,
    peak: u32,
    /// The peak in each quarter of the time; the first quarter is a warm-up.
    quarters: [u32; 4],
}

impl Curve {
    pub(crate) fn create(folder: &Path, time: Duration) -> Self {
        std::fs::create_dir_all(folder).expect("the folder can be created");
        let mut csv = File::create(folder.join("memory.csv")).expect("the file can be created");
        writeln!(csv, "seconds,resident_kib,games,moves,messages").expect("the file can be written");
        let folder = folder.to_owned();
        Self { folder, csv, time, rows: Vec::new(), peak: 0, quarters: [0; 4] }
    }

    pub(crate) fn add(&mut self, sample: &Sample) {
        let quarter = (sample.at.as_millis() * 4 / self.time.as_millis().max(1)).min(3) as usize;
        self.quarters[quarter] = self.quarters[quarter].max(sample.resident);
        self.peak = self.peak.max(sample.resident);
        if sample.at < self.time / ROWS * self.rows.len() as u32 {
            return;
        }
        let Sample { at, games, moves, messages, .. } = sample;
        let (seconds, peak) = (at.as_secs_f64(), std::mem::take(&mut self.peak));
        writeln!(self.csv, "{seconds:.1},{peak},{games},{moves},{messages}")
            .expect("the file can be written");
        self.rows.push((seconds, peak));
    }

    pub(crate) const fn peaks(&self) -> [u32; 4] {
        self.quarters
    }

    /// Draws the curve, and says where it is.
    pub(crate) fn finish(&self) -> String {
        std::fs::write(self.folder.join("memory.svg"), self.svg()).expect("the file can be written");
        format!("at most {:?} KiB in each quarter, see {}", self.quarters, self.folder.display())
    }

    fn svg(&self) -> String {
        const WIDTH: f64 = 720.0;
        const HEIGHT: f64 = 240.0;
        let highest = self.rows.iter().map(|(_, kib)| *kib).max().unwrap_or(0).max(1);
        // The axis ends at a round number of MiB.
        let step = (highest / 1024 / 4 / 8 + 1) * 8;
        let (top, minutes) = (f64::from(step * 5), self.time.as_secs_f64() / 60.0);
        let x = |seconds: f64| 50.0 + seconds / 60.0 / minutes * WIDTH;
        let y = |mib: f64| 20.0 + HEIGHT - mib / top * HEIGHT;
        let mut svg = String::from(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 790 310\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"790\" height=\"310\" fill=\"white\"/>\n",
        );
        let mut add = |line: std::fmt::Arguments<'_>| writeln!(svg, "{line}").expect("a string grows");
        for mib in (0..=5).map(|line| line * step) {
            let y = y(f64::from(mib));
            add(format_args!("<path d=\"M50 {y:.1}H770\" stroke=\"#ddd\"/>"));
            add(format_args!("<text x=\"44\" y=\"{:.1}\" text-anchor=\"end\">{mib}</text>", y + 4.0));
        }
        for part in 0..=6 {
            let minute = minutes * f64::from(part) / 6.0;
            let x = x(minute * 60.0);
            add(format_args!("<text x=\"{x:.1}\" y=\"278\" text-anchor=\"middle\">{minute:.0}</text>"));
        }
        let points: Vec<_> = self
            .rows
            .iter()
            .map(|(seconds, kib)| format!("{:.1},{:.1}", x(*seconds), y(f64::from(*kib) / 1024.0)))
            .collect();
        let points = points.join(" ");
        add(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"#1565c0\" stroke-width=\"1.5\"/>"
        ));
        add(format_args!("<text x=\"50\" y=\"12\">resident memory, MiB</text>"));
        add(format_args!("<text x=\"770\" y=\"298\" text-anchor=\"end\">minutes</text>"));
        svg + "</svg>\n"
    }
}
