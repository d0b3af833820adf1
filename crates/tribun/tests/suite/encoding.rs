//! Observation and policy: the tables of `docs/tribun-encoding.md`, and golden values.

use sandtable_core::learn::{
    DecodeError, FactoredPolicy as _, Layout, PlaneGroup, PolicyIndex, Symmetric as _,
};
use sandtable_core::rules::{Context, Rng};
use sandtable_core::{FromSetup, Notation, Observe, Player, PolicyIndexed, Position, Rules as _};
use sandtable_tribun::policy::{FAMILIES, PLANES, REACH, first_plane};
use sandtable_tribun::{Direction, Rules, Tile, Tribun, TribunGame};

const PAGE: &str = include_str!("../../../../docs/tribun-encoding.md");

fn position(text: &str) -> Tribun {
    Tribun::from_text(text, Rules::STANDARD).unwrap()
}

fn game(text: &str) -> TribunGame {
    TribunGame::from_text(text, Rules::STANDARD).unwrap()
}

fn observation(text: &str) -> Vec<f32> {
    game(text).observe(Layout::Hwc)
}

/// The cells of a plane that are 1, by tile name in the mover's frame.
fn cells(text: &str, plane: &str) -> String {
    let values = observation(text);
    let plane = Tribun::PLANES.iter().position(|p| p.name == plane).unwrap();
    let set = |tile: &Tile| values[Tribun::SHAPE.offset(Layout::Hwc, plane, tile.index())] > 0.0;
    Tile::all().filter(set).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_lists_the_planes() {
    for (number, plane) in Tribun::PLANES.iter().enumerate() {
        let row = format!("| {number} | {} | {} |", plane.name, plane.values);
        assert!(PAGE.contains(&row), "missing: {row}");
    }
    let shape = Tribun::SHAPE;
    assert!(PAGE.contains(&format!("({}, {}, {})", shape.rows, shape.cols, shape.planes)));
    assert!(PAGE.contains(&format!("`{}`", Tribun::ENCODING)));
}

#[test]
fn the_page_lists_the_families() {
    for (number, family) in FAMILIES.iter().enumerate() {
        let (first, last) = (first_plane(number), first_plane(number + 1) - 1);
        let row = format!("| {first}–{last} | {} | {} | {} |", family.name, family.cell, family.encodes);
        assert!(PAGE.contains(&row), "missing: {row}");
    }
    assert!(PAGE.contains(&format!("(11, 11, {PLANES})")));
    assert!(PAGE.contains(&format!("{} indices", Tribun::POLICY_SIZE)));
    assert!(PAGE.contains(&format!("`{}`", Tribun::POLICY)));
}

#[test]
fn the_page_documents_the_head() {
    sandtable_testkit::page_documents_the_head::<Tribun>(PAGE, Rules::STANDARD);
}

#[test]
fn the_page_documents_the_reflection() {
    let directions: Vec<_> =
        Direction::ALL.iter().map(|direction| direction.reflected().index().to_string()).collect();
    let row = format!("| directions 0 to 5 | {} |", directions.join(", "));
    assert!(PAGE.contains(&row), "missing: {row}");
    for cell in 0..Tile::CIDS {
        assert_eq!(Tribun::reflected_cell(cell), cell % 11 * 11 + cell / 11);
    }
    for (plane, (dx, dy)) in REACH.into_iter().enumerate() {
        let reflected = Tribun::reflected_index(PolicyIndex(plane as u32)).index();
        assert_eq!(REACH[reflected], (dy, dx));
    }
    for family in ["ring", "damage", "liberate", "attack tribun"] {
        let group = Tribun::HEAD_PLANES.iter().position(|group| group.name == family).unwrap();
        let first = PlaneGroup::first_plane(Tribun::HEAD_PLANES, group);
        for plane in first..first + Tribun::HEAD_PLANES[group].planes {
            assert_eq!(Tribun::reflected_plane(plane), plane, "{family}");
        }
    }
}

const SAMPLE: &str = "black:a1=1*,f6=3/2,e5=4/8,d6=8 white:k11=4*,g8=2/3,i6=6,f7=1 b";

#[test]
fn golden_observation() {
    let expected = [
        ("own 1", "a1"),
        ("own 2", ""),
        ("own 3", "f6"),
        ("own 4", "e5"),
        ("own 6", ""),
        ("own 8", "d6"),
        ("enemy 1", "f7"),
        ("enemy 2", "g8"),
        ("enemy 3", ""),
        ("enemy 4", "k11"),
        ("enemy 6", "i6"),
        ("enemy 8", ""),
        ("own slave 2", "f6"),
        ("own slave 3", ""),
        ("own slave 8", "e5"),
        ("enemy slave 3", "g8"),
        ("own tribun", "a1"),
        ("enemy tribun", "k11"),
    ];
    for (plane, tiles) in expected {
        assert_eq!(cells(SAMPLE, plane), tiles, "{plane}");
    }
    assert_eq!(cells(SAMPLE, "board").split(' ').count(), Tile::NUM);
    let ones: usize = observation(SAMPLE).iter().map(|&value| usize::from(value > 0.0)).sum();
    assert_eq!(ones, Tile::NUM + 8 + 3 + 2);
}

#[test]
fn white_sees_both_coordinates_negated() {
    let white = SAMPLE.replace(" b", " w");
    assert_eq!(cells(&white, "own tribun"), "a1");
    assert_eq!(cells(&white, "own 2"), "e4");
    assert_eq!(cells(&white, "enemy 3"), "f6");
    assert_eq!(cells(&white, "enemy 8"), "h6");
}

#[test]
fn draw_offers_are_planes_in_the_movers_frame() {
    for turn in ["b", "w"] {
        let own = SAMPLE.replace(" b", &format!(" {turn} offer:{turn}"));
        let all = cells(&own, "board");
        assert_eq!(cells(&own, "own offer"), all);
        assert_eq!(cells(&own, "enemy offer"), "");
        let other = if turn == "b" { "w" } else { "b" };
        let declined = SAMPLE.replace(" b", &format!(" {turn} declined:{other}"));
        assert_eq!(cells(&declined, "enemy declined"), all);
        assert_eq!(
            (cells(&declined, "own declined"), cells(&declined, "own offer")),
            (String::new(), String::new())
        );
    }
}

#[test]
fn observations_do_not_depend_on_occurrences() {
    let sample = position(SAMPLE);
    let mut values = vec![0.0; Tribun::SHAPE.len()];
    sample.write_observation(Context::repeated(3), Layout::Hwc, &mut values).unwrap();
    assert_eq!(values, observation(SAMPLE));
}

#[test]
fn observations_decode_to_position_and_draw_offer() {
    for text in ["b -", "w offer:b", "b declined:b", "w declined:b", "b offer:b"] {
        let game = game(&SAMPLE.replace(" b", &format!(" {text}")));
        let (setup, context) =
            Tribun::decode_observation(&game.observe(Layout::Hwc), Layout::Hwc, game.turn()).unwrap();
        assert_eq!(context, game.context());
        assert_eq!(Tribun::from_setup(&setup, Rules::STANDARD), Ok(*game.position()));
    }
}

#[test]
fn decoding_errors_name_plane_cell_and_expected_value() {
    let plane = |name: &str| Tribun::PLANES.iter().position(|p| p.name == name).unwrap();
    let broken = |name: &str, tile: &str, value: f32| {
        let mut values = observation(SAMPLE);
        let tile: Tile = tile.parse().unwrap();
        values[Tribun::SHAPE.offset(Layout::Hwc, plane(name), tile.index())] = value;
        match Tribun::decode_observation(&values, Layout::Hwc, Player::First).unwrap_err() {
            DecodeError::Value { name: found, expected, row, col, .. } => {
                assert_eq!((row, col), (tile.index() / 11, tile.index() % 11));
                (found.to_owned(), expected)
            }
            error => panic!("{error}"),
        }
    };
    assert_eq!(broken("own 1", "a1", 0.5), ("own 1".into(), "0 or 1"));
    assert_eq!(broken("board", "f6", 0.0), ("board".into(), "1 on the tiles, 0 elsewhere"));
    assert_eq!(broken("own 2", "f6", 1.0), ("own 3".into(), "one height per unit"));
    assert_eq!(broken("enemy 1", "f6", 1.0), ("enemy 1".into(), "one unit per tile"));
    assert_eq!(broken("own 1", "a1", 0.0), ("own tribun".into(), "a tribun with a height"));
    assert_eq!(broken("enemy 4", "k11", 0.0), ("enemy tribun".into(), "a tribun with a height"));
    assert_eq!(broken("own 3", "f6", 0.0), ("own slave 2".into(), "a unit that holds the slave"));
    assert_eq!(broken("own slave 1", "a1", 1.0), ("own 1".into(), "a unit that can hold its slave"));
    assert_eq!(broken("own offer", "a2", 1.0), ("own offer".into(), "the same value in the whole plane"));
}

#[test]
fn decoding_rejects_units_outside_the_board() {
    let mut values = observation(SAMPLE);
    values[Tribun::SHAPE.offset(Layout::Hwc, 1, 10)] = 1.0;
    let error = Tribun::decode_observation(&values, Layout::Hwc, Player::First).unwrap_err();
    assert_eq!(
        error.to_string(),
        "plane 1 (own 1) holds 1 at row 0, column 10: expected 0 outside the board"
    );
}

#[test]
fn decoding_rejects_two_draw_offer_planes() {
    let mut values = observation(&format!("{SAMPLE} offer:b"));
    let last = Tribun::PLANES.len() - 1;
    for cell in 0..Tile::CIDS {
        values[Tribun::SHAPE.offset(Layout::Hwc, last, cell)] = 1.0;
    }
    let error = Tribun::decode_observation(&values, Layout::Hwc, Player::First).unwrap_err();
    assert!(error.to_string().ends_with("at most one draw-offer plane set"), "{error}");
}

#[test]
fn golden_policy_indices() {
    let text = "black:a1=1*,f6=4/2,f8=1,e6=2,d5=2 white:g8=3,f5=2/2,g10=1*,h9=6 b";
    let sample = position(text);
    for (action, cell, plane) in [
        ("f6-e7", "f6", 65),
        ("f6-d8", "f6", 66),
        ("f8-g9", "f8", 0),
        ("f6s-e7", "f6", 167),
        ("f6xg8", "f6", 264),
        ("f8xg8", "f8", 214),
        ("f6sxg8", "f6", 366),
        ("f6+g8", "f6", 468),
        ("f5~", "f5", 511),
        ("g8-1", "g8", 512),
        ("g8-2", "g8", 513),
        ("1f6+1d5>e5", "e5", 627),
        ("2e6+2d5>e5", "e5", 669),
        ("f6>1g7", "f6", 1875),
        ("f6!g7", "f6", 3418),
    ] {
        let action = sample.parse_move(action).unwrap();
        let expected = cell.parse::<Tile>().unwrap().index() * 3424 + plane;
        assert_eq!(sample.policy_index(action).index(), expected, "{action}");
        // The mirrored action of White has the same index.
        assert_eq!(sample.mirrored().policy_index(action.mirrored()).index(), expected, "{action}");
    }
}

#[test]
fn reach_offsets_are_unique() {
    let mut offsets = REACH.to_vec();
    offsets.sort_unstable();
    offsets.dedup();
    assert_eq!(offsets.len(), REACH.len());
    assert_eq!((REACH[0], REACH[9], REACH[60], REACH[90]), ((1, 1), (10, 10), (1, 2), (3, 2)));
}

#[test]
fn move_at_accepts_any_index() {
    let mut rng = Rng::new(3);
    for (_, rules) in Rules::PRESETS {
        let start = Tribun::start(*rules);
        let mut found = 0;
        for _ in 0..20_000 {
            let index = PolicyIndex(rng.next_u64() as u32 % (Tribun::POLICY_SIZE as u32 + 1_000));
            if let Some(action) = start.move_at(index) {
                assert_eq!(start.policy_index(action), index);
                found += 1;
            }
        }
        assert!(found > 0);
        assert_eq!(start.move_at(PolicyIndex(u32::MAX)), None);
    }
}
