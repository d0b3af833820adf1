//! The documentation tables: every row is checked against the code.

use std::fmt::Debug;
use std::str::FromStr;

use sandtable_chess::notation::fen;
use sandtable_chess::{
    BLACK, CanonicalBoard, Chess, DrawRules, Move, Piece, Promotion, Role, Setup, Square, WHITE,
};
use sandtable_core::learn::{FactoredPolicy as _, Layout, PolicyIndex, Symmetric as _};
use sandtable_core::rules::Context;
use sandtable_core::{FromSetup as _, Notation as _, Observe as _, PolicyIndexed as _};

const ENCODING: &str = include_str!("../../../../docs/chess-encoding.md");
const NOTATION: &str = include_str!("../../../../docs/chess-notation.md");
const PERFORMANCE: &str = include_str!("../../../../docs/performance.md");

/// The rows of the table with this header below a heading, with the backticks of code cells removed.
#[track_caller]
fn rows(page: &str, heading: &str, header: &str) -> Vec<Vec<String>> {
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).expect(heading);
    let mut lines = section.lines().skip_while(|line| *line != header);
    assert_eq!(lines.next(), Some(header), "a table under {heading}");
    let cell = |cell: &str| {
        let cell = cell.trim();
        let code = cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`'));
        code.filter(|code| !code.contains('`')).unwrap_or(cell).to_owned()
    };
    let row = |line: &str| line.trim_matches('|').split('|').map(cell).collect::<Vec<_>>();
    let rows: Vec<_> = lines.skip(1).take_while(|line| line.starts_with('|')).map(row).collect();
    let columns = row(header).len();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == columns), "{header}");
    rows
}

fn number<N: FromStr<Err: Debug>>(text: &str) -> N {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn position(fen: &str) -> Chess {
    Chess::from_fen(fen, DrawRules::default()).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

mod encoding {
    use super::*;

    fn board_of(position: &Chess, occurrences: u32) -> CanonicalBoard {
        let mut board = CanonicalBoard::default();
        let out = board.as_flattened_mut().as_flattened_mut();
        position.write_observation(Context::repeated(occurrences), Layout::Hwc, out).unwrap();
        board
    }

    #[test]
    fn ids_and_shapes() {
        let expected = [
            ["canonical board", Chess::ENCODING, "(8, 8, 18), 32-bit floats"],
            ["policy", Chess::POLICY, &Chess::POLICY_SIZE.to_string()],
            ["factored policy", Chess::HEAD_ID, "(8, 8, 35)"],
        ];
        assert_eq!(rows(ENCODING, "# Chess", "| what | id | shape |"), expected);
        assert_eq!(Chess::SHAPE.extents(Layout::Hwc), [8, 8, 18]);
    }

    #[test]
    fn head() {
        sandtable_testkit::page_documents_the_head::<Chess>(ENCODING, DrawRules::default());
    }

    /// The formulas of the table, computed for every index.
    #[test]
    fn reflection() {
        let formulas = [
            ["cell", "the same row, column 7 − column"],
            ["queen direction", "(8 − direction) mod 8"],
            ["kind of a knight move", "119 − kind"],
            ["underpromotion", "the same piece, right negated"],
        ];
        assert_eq!(rows(ENCODING, "Symmetry", "| what | reflection |"), formulas);
        for index in 0..Chess::POLICY_SIZE {
            let (cell, kind) = (index / 73, index % 73);
            let kind = match kind {
                0..56 => (8 - kind / 7) % 8 * 7 + kind % 7,
                56..64 => 119 - kind,
                _ => 64 + (2 - (kind - 64) / 3) * 3 + (kind - 64) % 3,
            };
            let cell = cell / 8 * 8 + 7 - cell % 8;
            let reflected = Chess::reflected_index(PolicyIndex(index as u32)).index();
            assert_eq!(reflected, cell * 73 + kind, "{index}");
        }
        assert_eq!(Chess::ASYMMETRIC_PLANES, [14, 15, 16, 17]);
        assert!(ENCODING.contains("Planes 14 to 17 of the observation must be 0 everywhere"));
    }

    #[test]
    fn cells_of_squares() {
        let header = "| square | mover | row | column | cell |";
        for cells in rows(ENCODING, "The mover's frame", header) {
            let square: Square = cells[0].parse().unwrap();
            let mover = if cells[1] == "White" { WHITE } else { BLACK };
            let [row, col, cell] = [2, 3, 4].map(|i| number::<usize>(&cells[i]));
            assert_eq!(row * 8 + col, cell, "{cells:?}");
            // A lone knight marks the cell of its square.
            let mut setup = Setup { turn: mover, ..Setup::empty() };
            let mut put = |name: &str, owner, role| {
                setup.board[name.parse::<Square>().unwrap().index()] = Some(Piece { owner, role });
            };
            put("d4", WHITE, Role::King);
            put("d6", BLACK, Role::King);
            put(&cells[0], mover, Role::Knight);
            let board = board_of(&Chess::from_setup(&setup, DrawRules::default()).unwrap(), 1);
            assert!(board[row][col][1] > 0.5, "{cells:?}");
            let push = Move::Step { from: square, to: square.flipped() };
            let seen = position(if mover == WHITE {
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
            } else {
                "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
            });
            assert_eq!(seen.policy_index(push).index() / 73, cell, "{cells:?}");
        }
    }

    #[test]
    fn planes() {
        let header = "| plane | name | values |";
        let rows = rows(ENCODING, "The planes of the canonical board", header);
        assert_eq!(rows.len(), Chess::PLANES.len());
        for (i, (row, plane)) in rows.iter().zip(Chess::PLANES).enumerate() {
            assert_eq!(row, &[i.to_string().as_str(), plane.name, plane.values]);
        }
    }

    #[test]
    fn repetition() {
        for row in rows(ENCODING, "The planes of the canonical board", "| occurrences | plane 12 |") {
            let (thirds, whole) = row[1].split_once('/').unwrap_or((&row[1], "1"));
            let value = number::<f32>(thirds) / number::<f32>(whole);
            let board = board_of(&Chess::default(), number(&row[0]));
            assert_eq!(board[0][0][12].to_bits(), value.to_bits(), "{row:?}");
        }
    }

    /// The kind of a move by columns to the right and rows ahead, from every square where it stays on the board.
    fn kind(right: isize, ahead: isize, promotion: Option<Promotion>) -> usize {
        let start = Chess::default();
        let kinds: Vec<usize> = Square::all()
            .filter_map(|from| {
                let file = from.file().checked_add_signed(right)?;
                let rank = from.rank().checked_add_signed(ahead)?;
                let to = Square::from_coords(file, rank)?;
                let m = match promotion {
                    Some(promotion) => Move::Promote { from, to, promotion },
                    None => Move::Step { from, to },
                };
                Some(start.policy_index(m).index() % 73)
            })
            .collect();
        assert!(kinds.iter().all(|kind| *kind == kinds[0]), "the kind does not depend on the square");
        kinds[0]
    }

    #[test]
    fn kinds_of_moves() {
        let mut seen = Vec::new();
        for row in rows(ENCODING, "The policy", "| kinds | direction | right | ahead |") {
            let (first, last) = row[0].split_once('–').unwrap();
            let (first, last): (usize, usize) = (number(first), number(last));
            assert_eq!(first, number::<usize>(&row[1]) * 7);
            let (right, ahead): (isize, isize) = (number(&row[2]), number(&row[3]));
            for (distance, expected) in (1..=7).zip(first..=last) {
                assert_eq!(kind(right * distance, ahead * distance, None), expected);
                seen.push(expected);
            }
        }
        for row in rows(ENCODING, "The policy", "| kind | right | ahead |") {
            let expected = number(&row[0]);
            seen.push(expected);
            assert_eq!(kind(number(&row[1]), number(&row[2]), None), expected, "{row:?}");
        }
        for row in rows(ENCODING, "The policy", "| kind | right | promotes to |") {
            let promotion = Promotion::ALL.into_iter().find(|p| p.role().name() == row[2]).unwrap();
            let expected = number(&row[0]);
            seen.push(expected);
            assert_eq!(kind(number(&row[1]), 1, Some(promotion)), expected, "{row:?}");
        }
        assert_eq!(seen, (0..73).collect::<Vec<_>>(), "each kind once");
    }

    #[test]
    fn examples_of_indices() {
        for row in rows(ENCODING, "The policy", "| position | move | index |") {
            let position = position(&row[0]);
            let m = position.parse_move(&row[1]).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(position.policy_index(m).0, number::<u32>(&row[2]), "{row:?}");
        }
    }
}

mod notation {
    use super::*;

    #[test]
    fn fen_leniencies() {
        for row in rows(NOTATION, "FEN", "| text | parsed as | leniency |") {
            assert_ne!(row[0], row[1]);
            assert_eq!(position(&row[0]).to_fen(), row[1], "{}", row[2]);
        }
    }

    #[test]
    fn fen_errors() {
        for row in rows(NOTATION, "FEN", "| text | error |") {
            let error = Chess::from_fen(&row[0], DrawRules::default()).expect_err(&row[0]);
            assert_eq!(error.to_string(), row[1]);
        }
        assert!(fen::parse("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").is_ok(), "well-formed, but not valid");
    }

    #[test]
    fn san_leniencies() {
        for row in rows(NOTATION, "SAN", "| text | position | parsed as | leniency |") {
            let position = position(&row[1]);
            let m = position.parse_move(&row[0]).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(position.move_san(m).trim_end_matches('+'), row[2], "{}", row[3]);
        }
    }

    #[test]
    fn move_errors() {
        for row in rows(NOTATION, "SAN", "| text | position | error |") {
            let error = position(&row[1]).parse_move(&row[0]).expect_err(&row[0]);
            assert_eq!(error.to_string(), row[2]);
        }
    }

    #[test]
    fn pgn_errors() {
        for row in rows(NOTATION, "PGN", "| text | error |") {
            let error = Chess::read_record(&row[0], DrawRules::default()).expect_err(&row[0]);
            assert_eq!(error.to_string(), row[1]);
        }
    }

    #[test]
    fn the_erratum_of_the_generator_is_current() {
        let fen = "4k3/8/8/3pK3/8/8/8/8 w - d6 0 1";
        assert!(NOTATION.contains(fen));
        let theirs = |fen: &str| fen.parse::<cozy_chess::Board>().unwrap();
        let without = fen.replace("d6", "-");
        assert!(!theirs(fen).same_position(&theirs(&without)), "fixed: remove the erratum");
        assert_eq!(position(fen), position(&without));
    }
}

#[test]
fn the_documented_size_of_a_position_is_current() {
    assert!(PERFORMANCE.contains(&format!("{} bytes", size_of::<Chess>())));
}
