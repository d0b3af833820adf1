//! Observation and policy: golden values, and the tables of their page.

#![expect(clippy::float_cmp, reason = "the values of an observation are exact")]

use sandtable_core::learn::{DecodeError, Layout};
use sandtable_core::rules::Context;
use sandtable_core::{FromSetup, Notation, Observe, Player, PolicyIndexed, Position};
use sandtable_cotulenh::{CoTuLenh, Direction, Rules, Square};

const PAGE: &str = include_str!("../../../../docs/cotulenh-encoding.md");

fn observe(position: &CoTuLenh, occurrences: u32) -> Vec<f32> {
    let mut values = vec![f32::NAN; CoTuLenh::SHAPE.len()];
    position.write_observation(Context::repeated(occurrences), Layout::Hwc, &mut values).unwrap();
    values
}

/// The names of the marked cells of a plane, from Red's perspective.
fn cells(values: &[f32], plane: &str) -> String {
    let plane = CoTuLenh::PLANES.iter().position(|p| p.name == plane).unwrap_or_else(|| panic!("{plane}"));
    let marked = Square::all().enumerate().filter(|&(cell, _)| {
        let value = values[CoTuLenh::SHAPE.offset(Layout::Hwc, plane, cell)];
        assert!(value == 0.0 || value == 1.0);
        value == 1.0
    });
    marked.map(|(_, square)| square.to_string()).collect::<Vec<_>>().join(" ")
}

fn read(text: &str) -> CoTuLenh {
    CoTuLenh::from_text(text, Rules::STANDARD).unwrap()
}

#[test]
fn the_page_lists_every_plane() {
    let rows: Vec<(usize, &str, &str)> = PAGE
        .lines()
        .filter_map(|line| {
            let parts: Vec<_> = line.split('|').map(str::trim).collect();
            Some((parts.get(1)?.parse().ok()?, *parts.get(2)?, *parts.get(3)?))
        })
        .collect();
    let planes: Vec<_> = CoTuLenh::PLANES.iter().enumerate().map(|(i, p)| (i, p.name, p.values)).collect();
    assert_eq!(rows, planes);
}

#[test]
fn the_page_states_versions_and_sizes() {
    let shape = CoTuLenh::SHAPE;
    for fact in [
        format!("`{}`", CoTuLenh::ENCODING),
        format!("`{}`", CoTuLenh::POLICY),
        format!("({}, {}, {})", shape.rows, shape.cols, shape.planes),
        format!("{} indices", CoTuLenh::POLICY_SIZE),
    ] {
        assert!(PAGE.contains(&fact), "{fact}");
    }
}

#[test]
fn golden_observation_of_the_start_position() {
    let values = observe(&CoTuLenh::start(Rules::STANDARD), 1);
    assert_eq!(cells(&values, "own Commander"), "g1");
    assert_eq!(cells(&values, "enemy Commander"), "g12");
    assert_eq!(cells(&values, "own Navy"), "c4 b2");
    assert_eq!(cells(&values, "enemy Tank"), "f9 h9");
    assert_eq!(cells(&values, "own heroic Tank"), "");
    assert_eq!(cells(&values, "repetition"), "");
    assert_eq!(cells(&values, "origin"), "");
    let missile = "g5 f4 g4 h4 e3 f3 g3 h3 i3 f2 g2 h2 g1";
    assert!(missile.split(' ').all(|name| cells(&values, "own fire").split(' ').any(|cell| cell == name)));
    assert_eq!(values.iter().sum::<f32>(), 242.0);
}

#[test]
fn golden_observation_within_a_deployment() {
    // Blue to move: the own pieces are Blue's, and ranks count from Blue's side.
    let text = "6c4/11/2(+nft)8/11/11/11/11/11/6T4/11/11/5C5 b - - 25 9 c10:(+NT):F>c6...";
    let values = observe(&read(text), 2);
    assert_eq!(cells(&values, "own Commander"), "g1");
    assert_eq!(cells(&values, "own Air Force"), "c7");
    assert_eq!(cells(&values, "own Navy"), "c3");
    assert_eq!(cells(&values, "own Tank"), "c3");
    assert_eq!(cells(&values, "own heroic Navy"), "c3");
    assert_eq!(cells(&values, "own heroic Tank"), "");
    assert_eq!(cells(&values, "enemy Tank"), "g9");
    assert_eq!(cells(&values, "origin"), "c3");
    assert_eq!(cells(&values, "pending Navy"), "c3");
    assert_eq!(cells(&values, "pending Air Force"), "");
    assert_eq!(cells(&values, "own fire"), "c5 b4 c4 d4 a3 b3 c3 d3 e3 b2 c2 d2 c1");
    assert_eq!(cells(&values, "repetition").split(' ').count(), 132);
    let clock = CoTuLenh::PLANES.iter().position(|plane| plane.name == "clock").unwrap();
    assert!((0..132).all(|cell| values[CoTuLenh::SHAPE.offset(Layout::Hwc, clock, cell)] == 0.25));
}

#[test]
fn terrain_planes_are_the_same_for_both_players() {
    for turn in ["r", "b"] {
        let values = observe(&read(&format!("6c4/11/11/11/11/11/11/11/11/11/11/5C5 {turn} - - 0 1")), 1);
        assert_eq!(cells(&values, "navy ground").split(' ').count(), 12 * 3 + 4);
        assert_eq!(cells(&values, "land ground").split(' ').count(), 12 * 9);
    }
}

#[test]
fn decode_errors_name_the_plane_and_the_cell() {
    let values = observe(&CoTuLenh::start(Rules::STANDARD), 1);
    let decode_with = |plane: &str, square: Square, value: f32| {
        let plane = CoTuLenh::PLANES.iter().position(|p| p.name == plane).unwrap();
        let cell = Square::all().position(|s| s == square).unwrap();
        let mut values = values.clone();
        values[CoTuLenh::SHAPE.offset(Layout::Hwc, plane, cell)] = value;
        CoTuLenh::decode_observation(&values, Layout::Hwc, Player::First).unwrap_err()
    };
    let cases = [
        ("own Tank", Square::E6, 0.5, "holds 0.5 at row 6, column 4: expected 0 or 1"),
        ("own Tank", Square::G12, 1.0, "pieces of one player only"),
        ("own Artillery", Square::G1, 1.0, "kinds that form a valid stack"),
        ("own heroic Tank", Square::E6, 1.0, "heroism only where the piece stands"),
        ("enemy heroic Commander", Square::G1, 1.0, "heroism only where the piece stands"),
        ("pending Tank", Square::E6, 1.0, "pending pieces on the deployment origin only"),
        ("navy ground", Square::K1, 1.0, "the terrain of the board"),
        ("own fire", Square::G5, 0.0, "the fire zones of the pieces on the board"),
        ("enemy fire", Square::G1, 1.0, "the fire zones of the pieces on the board"),
        ("clock", Square::K1, 0.5, "the same value in the whole plane"),
        ("repetition", Square::E6, 1.0, "the same value in the whole plane"),
    ];
    for (plane, square, value, expected) in cases {
        let error = decode_with(plane, square, value);
        assert!(error.to_string().contains(expected), "{plane} {square}: {error}");
        let DecodeError::Value { row, col, .. } = error else { panic!("{error}") };
        assert_eq!((row, col), (square.rank_index().into(), square.file().into()), "{plane}");
    }
}

#[test]
fn rejects_a_clock_out_of_range() {
    let mut values = observe(&CoTuLenh::start(Rules::STANDARD), 1);
    let clock = CoTuLenh::PLANES.iter().position(|plane| plane.name == "clock").unwrap();
    for clock_value in [2.0, -0.5, f32::NAN] {
        for cell in 0..132 {
            values[CoTuLenh::SHAPE.offset(Layout::Hwc, clock, cell)] = clock_value;
        }
        let error = CoTuLenh::decode_observation(&values, Layout::Hwc, Player::First).unwrap_err();
        assert!(error.to_string().contains("expected 0 to 1"), "{error}");
    }
}

#[test]
fn rejects_a_second_deployment_origin() {
    let position = read("6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 c3:T:N>c5...");
    let mut values = observe(&position, 1);
    let origin = CoTuLenh::PLANES.iter().position(|plane| plane.name == "origin").unwrap();
    values[CoTuLenh::SHAPE.offset(Layout::Hwc, origin, Square::all().count() - 1)] = 1.0;
    let error = CoTuLenh::decode_observation(&values, Layout::Hwc, Player::First).unwrap_err();
    assert_eq!(
        error.to_string(),
        "plane 46 (origin) holds 1 at row 11, column 10: expected a single deployment origin"
    );
}

/// The page states this limit of the encoding.
#[test]
fn a_capture_earlier_in_the_deployment_is_not_in_the_observation() {
    let fen = "6c4/11/11/11/11/11/11/4i6/11/2(NFT)8/11/5C5 r - - 7 9 c3:(NT):F>xe5...";
    let mut position = read(fen);
    let (setup, _) =
        CoTuLenh::decode_observation(&observe(&position, 1), Layout::Hwc, position.turn()).unwrap();
    let mut decoded = CoTuLenh::from_setup(&setup, Rules::STANDARD).unwrap();
    assert_eq!(decoded.board(), position.board());
    for position in [&mut position, &mut decoded] {
        position.play(position.parse_move("end").unwrap()).unwrap();
    }
    assert_eq!((position.halfmoves(), decoded.halfmoves()), (0, 8));
}

#[test]
fn golden_policy_indices() {
    let start = CoTuLenh::start(Rules::STANDARD);
    let index = |position: &CoTuLenh, lan: &str| {
        position.policy_index(position.parse_move(lan).unwrap_or_else(|e| panic!("{e}"))).0
    };
    // c5 is cell 79: 79 × 8 × 5 × 14 = 44,240; north is direction 0, one step, the carrier alone.
    assert_eq!(index(&start, "Ic5c6"), 44_240);
    // g1 is cell 127; east is direction 2, four steps.
    assert_eq!(index(&start, "Cg1k1"), ((127 * 8 + 2) * 5 + 3) * 14);

    // The same steps from Red's and from Blue's perspective.
    let red = read("6c4/11/11/11/11/11/11/6i4/11/6(FTI)4/11/5C5 r - - 0 1");
    let blue = red.mirrored();
    let north = ((105 * 8) * 5 + 1) * 14;
    for (position, square, target) in [(&red, "g3", "g5"), (&blue, "g10", "g8")] {
        let base = |group: &str, sign: &str| index(position, &format!("{group}{square}{sign}{target}"));
        assert_eq!(base("(FTI)", "x"), north + 6 * 2);
        assert_eq!(base("(FTI)", "_"), north + 6 * 2 + 1);
        assert_eq!(base("F", ">x"), north);
        assert_eq!(base("T", ">x"), north + 2);
        assert_eq!(base("(FT)", ">x"), north + 2 * 2);
        assert_eq!(base("(FI)", ">x"), north + 4 * 2);
    }

    let far = read("6c4/11/11/11/11/11/11/11/11/11/11/2C8 r - - 0 1");
    assert_eq!(index(&far, "Cc1c7"), 73_920 + (123 * 8) * 6);
    assert_eq!(index(&far, "Cc1c11"), 73_920 + (123 * 8) * 6 + 4);

    let midway = read("6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 c3:T:N>c5...");
    assert_eq!(index(&midway, "end"), 80_256);
    assert_eq!(CoTuLenh::POLICY_SIZE, 80_257);
}

#[test]
fn the_page_documents_the_head() {
    sandtable_testkit::page_documents_the_head::<CoTuLenh>(PAGE, Rules::STANDARD);
}

#[test]
fn directions_are_numbered_as_on_the_page() {
    let names = ["north", "south", "east", "west", "north-east", "north-west", "south-east", "south-west"];
    for (number, (direction, name)) in Direction::ALL.into_iter().zip(names).enumerate() {
        assert_eq!(direction.index(), number);
        assert!(PAGE.contains(&format!("{number} {name}")), "{name}");
    }
}

/// Hashes never change: files may contain them.
#[test]
fn golden_hashes() {
    let start = CoTuLenh::start(Rules::STANDARD);
    let midway = read("6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 c3:T:N>c5...");
    assert_eq!(
        [start, midway].map(|position| position.hash64()),
        [0x267C_EFB4_40CB_066A, 0xE6C8_2A1F_21A9_207A]
    );
}
