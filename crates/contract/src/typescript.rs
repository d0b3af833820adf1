//! The types of the contract in TypeScript, for the page: generated here, compared with the file in a test.

use std::{env, fs};

use ts_rs::{Config, TS};

use crate::analysis::{AnalysisMessage, AnalysisReport, AnalysisRequest, DoneReason, Line, ScoreView};
use crate::clock::ClockSettings;
use crate::error::{ApiError, Detail, DetailParam, ErrorCode};
use crate::inspection::{Inspection, PlaneValues, ShapeView};
use crate::json::{Both, Side};
use crate::kinds::{ArrangementField, Kind, Palette, PaletteRequest, Plane};
use crate::new_game::NewGame;
use crate::position_request::PositionRequest;
use crate::records::{ParsedRecord, ReadRecordRequest, Record, WriteRecordRequest};
use crate::session::{ClockView, DrawCommand, GameSummary, GameView, Seat};
use crate::setup::{FaultView, SetupRequest, SetupResponse};
use crate::view::{
    ArrangementView, Board, Cell, Figure, Ground, LegalMove, Outcome, Outline, Overlay, Piece, PlayedMove,
    Role, Share, TurnInProgress, View,
};

const HEADER: &str = "\
// The types of the HTTP API, generated from the Rust types of `crates/contract` (see its `src/typescript.rs`).
// Do not edit: run `UPDATE_GENERATED=1 cargo test -p sandtable-contract --lib types`.
";

fn declaration<T: TS>() -> String {
    // Every integer of the contract is exact as a number of JavaScript.
    let config = Config::new().with_large_int("number");
    let docs = T::docs().unwrap_or_default();
    format!("{}\n\nexport {}\n", docs.trim_end(), pretty(&T::decl(&config))).trim_start().to_owned()
}

fn declarations() -> String {
    macro_rules! all {
        ($($Type:ty),* $(,)?) => { [$(declaration::<$Type>()),*] };
    }
    let all = all![
        Side,
        Both<()>,
        Kind,
        ShapeView,
        Plane,
        ArrangementField,
        PaletteRequest,
        Palette,
        PositionRequest,
        View,
        Outcome,
        Board,
        Outline,
        Ground,
        Cell,
        Figure,
        Piece,
        Role,
        ArrangementView,
        TurnInProgress,
        Overlay,
        PlayedMove,
        LegalMove,
        Share,
        Inspection,
        PlaneValues,
        SetupRequest,
        SetupResponse,
        FaultView,
        ReadRecordRequest,
        ParsedRecord,
        WriteRecordRequest,
        Record,
        NewGame,
        Seat,
        ClockSettings,
        DrawCommand,
        GameView<'static>,
        ClockView,
        GameSummary<'static>,
        AnalysisRequest,
        AnalysisMessage,
        DoneReason,
        AnalysisReport,
        Line,
        ScoreView,
        ApiError,
        ErrorCode,
        Detail,
        DetailParam,
    ];
    format!("{HEADER}\n{}", all.join("\n"))
}

/// Breaks the lines of a declaration: one field, comment or variant on each.
fn pretty(declaration: &str) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    let mut rest = declaration;
    let line = |text: &mut String, depth: usize| {
        text.truncate(text.trim_end().len());
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/**").and_then(|after| after.find("*/")) {
            line(&mut text, depth);
            let comment = &rest[..comment + "/***/".len()];
            let lines: Vec<_> = comment.lines().map(str::trim).filter(|part| !part.is_empty()).collect();
            for (i, part) in lines.iter().enumerate() {
                if i > 0 {
                    line(&mut text, depth);
                    text.push(' ');
                }
                text.push_str(part);
            }
            line(&mut text, depth);
            rest = rest[comment.len()..].trim_start();
            continue;
        }
        let is_mapped = rest.starts_with("{ [key");
        rest = &rest[c.len_utf8()..];
        match c {
            '{' if is_mapped => {
                let end = rest.find('}').expect("a mapped type is closed");
                text.push('{');
                text.push_str(&rest[..=end]);
                rest = &rest[end + 1..];
            }
            '{' => {
                depth += 1;
                text.push('{');
                line(&mut text, depth);
                rest = rest.trim_start();
            }
            '}' => {
                depth -= 1;
                line(&mut text, depth);
                text.push('}');
            }
            ',' if depth > 0
                && text.matches('<').count() == text.matches('>').count()
                && !in_tuple(&text) =>
            {
                text.push(';');
                line(&mut text, depth);
                rest = rest.trim_start();
            }
            _ => text.push(c),
        }
    }
    text
}

/// Whether the text ends within square brackets.
fn in_tuple(text: &str) -> bool {
    text.matches('[').count() > text.matches(']').count()
}

#[test]
fn the_types_of_the_page_are_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/lib/types.generated.ts");
    let declarations = declarations();
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(path, &declarations).expect("the file can be written");
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(
        found == declarations,
        "web/src/lib/types.generated.ts is stale: run `UPDATE_GENERATED=1 cargo test -p sandtable-contract --lib types`"
    );
}
