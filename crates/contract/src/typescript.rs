//! The types of the contract in TypeScript, for the page: generated here, compared with the file in a test.

use std::{env, fs};

use ts_rs::{Config, TS};

use crate::advice::{AdviceCount, AdviceKind};
use crate::analysis::{
    AnalysisEngine, AnalysisMessage, AnalysisReport, AnalysisRequest, DoneReason, Line, ScoreView,
};
use crate::annotations::{AnnotationsJson, NoteJson, VariationJson};
use crate::clock::{ClockSettings, ClockView};
use crate::error::{ApiError, Detail, DetailParam, ErrorCode};
use crate::events::{DrawCommand, Rematch};
use crate::game_view::{DamagedGame, GameSummary, GameView, Presence};
use crate::inspection::{Inspection, PlaneValues, ShapeView};
use crate::json::{Both, Side};
use crate::kinds::{ArrangementField, Kind, Palette, PaletteRequest, Plane};
use crate::messages::{ChatMessage, DeletedReason, GameMessage, Link, Me, OfferedNetwork};
use crate::new_game::NewGame;
use crate::position_request::PositionRequest;
use crate::records::{ParsedRecord, ReadRecordRequest, Record, WriteRecordRequest};
use crate::refusal::{Refusal, RefusalRequest, RefusalResponse};
use crate::review::{
    AssessmentView, BetterView, ErrorCounts, GameReview, JudgementView, ReviewGameRequest, ReviewRequest,
    ReviewView, ReviewedTurnView, TriedTurn, TryRequest, TurnView,
};
use crate::search::SearchRequest;
use crate::seat::{Access, Seat};
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
    let docs = T::docs().map_or_else(String::new, |docs| one_line(&docs) + "\n");
    format!("{docs}export {}\n", pretty(&T::decl(&config)))
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
        RefusalRequest,
        RefusalResponse,
        Refusal,
        SetupRequest,
        SetupResponse,
        FaultView,
        ReadRecordRequest,
        ParsedRecord,
        AnnotationsJson,
        NoteJson,
        VariationJson,
        WriteRecordRequest,
        Record,
        NewGame,
        Seat,
        ClockSettings,
        DrawCommand,
        GameView<'static>,
        Presence,
        Rematch,
        AdviceKind,
        AdviceCount,
        ClockView,
        GameSummary<'static>,
        DamagedGame<'static>,
        Access,
        Me,
        OfferedNetwork,
        Link,
        ChatMessage,
        GameMessage,
        DeletedReason,
        SearchRequest,
        AnalysisEngine,
        AnalysisRequest,
        ReviewRequest,
        ReviewGameRequest,
        TryRequest,
        AnalysisMessage,
        DoneReason,
        AnalysisReport,
        Line,
        ScoreView,
        GameReview,
        ReviewView,
        AssessmentView,
        ReviewedTurnView,
        JudgementView,
        BetterView,
        TurnView,
        ErrorCounts,
        TriedTurn,
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
    // The brackets that are open.
    let mut open = Vec::new();
    let mut rest = declaration;
    let new_line = |text: &mut String, open: &[char]| {
        text.truncate(text.trim_end().len());
        text.push('\n');
        text.extend(open.iter().filter(|&&bracket| bracket == '{').map(|_| "  "));
    };
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("/**") {
            let (comment, after) = rest.split_once("*/").expect("a comment is closed");
            text.push_str(&one_line(comment));
            new_line(&mut text, &open);
            rest = after.trim_start();
            continue;
        }
        let is_mapped = rest.starts_with("{ [key");
        rest = &rest[c.len_utf8()..];
        match c {
            '{' if is_mapped => {
                let (mapped, after) = rest.split_once('}').expect("a mapped type is closed");
                text.extend(["{", mapped, "}"]);
                rest = after;
            }
            '{' => {
                text.push(c);
                open.push(c);
                new_line(&mut text, &open);
                rest = rest.trim_start();
            }
            '}' => {
                open.pop();
                new_line(&mut text, &open);
                text.push(c);
            }
            ',' if open.last() == Some(&'{') => {
                text.push(';');
                new_line(&mut text, &open);
                rest = rest.trim_start();
            }
            '<' | '[' => {
                text.push(c);
                open.push(c);
            }
            '>' | ']' => {
                text.push(c);
                open.pop();
            }
            _ => text.push(c),
        }
    }
    text
}

/// A comment of TypeScript on one line.
fn one_line(comment: &str) -> String {
    let words = comment.split_whitespace().filter(|word| !matches!(*word, "/**" | "*" | "*/"));
    format!("/** {} */", words.collect::<Vec<_>>().join(" "))
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
