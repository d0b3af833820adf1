//! Factored policies and symmetries.

use std::collections::{BTreeSet, HashSet};

use sandtable_core::Game;
use sandtable_core::learn::{
    FactoredPolicy, FactorsError, Layout, PlaneGroup, PolicyIndex, Shape, WrongLength,
};
use sandtable_core::rules::{OutOfRange, Rng};

use crate::{Conformant, Subject, observation};

/// [`legal_moves_have_unique_factors`], and errors for an unknown index and a slice of the wrong length.
pub fn factors_are_inside_the_head_and_unique<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    assert_eq!(PlaneGroup::first_plane(P::HEAD_PLANES, P::HEAD_PLANES.len()), P::HEAD.planes);
    assert_eq!((P::HEAD.rows, P::HEAD.cols), (P::SHAPE.rows, P::SHAPE.cols));
    legal_moves_have_unique_factors(game.position());
    let beyond = PolicyIndex(P::POLICY_SIZE as u32);
    let error = OutOfRange { value: P::POLICY_SIZE, limit: P::POLICY_SIZE };
    assert_eq!(P::write_factors(beyond, &mut vec![0; P::MAX_FACTORS]), Err(FactorsError::Index(error)));
    let error = WrongLength { expected: P::MAX_FACTORS, found: P::MAX_FACTORS + 1 };
    let long = &mut vec![0; P::MAX_FACTORS + 1];
    assert_eq!(P::write_factors(PolicyIndex(0), long), Err(FactorsError::Length(error)));
}

/// Every legal move of a position has factors inside the head, each once, and no two legal moves have the same set.
pub fn legal_moves_have_unique_factors<P: Conformant>(position: &P) {
    let mut seen = HashSet::new();
    for m in position.legal_moves() {
        let index = position.policy_index(m);
        let written = written_factors::<P>(index);
        let set = factor_set::<P>(index);
        assert!(!set.is_empty() && set.len() == written.len(), "{m:?} in {}", position.to_text());
        assert!(set.iter().eq(written.iter().collect::<BTreeSet<_>>()), "{m:?} in {}", position.to_text());
        assert!(set.iter().all(|&factor| factor < P::HEAD.len()), "{m:?} in {}", position.to_text());
        assert!(seen.insert(set), "{m:?} shares its factors in {}", position.to_text());
    }
}

/// The page documents the head: its id, its shape, its planes and, in a table with positions, moves and factors, examples.
pub fn page_documents_the_head<P: Conformant>(page: &str, rules: P::Rules) {
    let Shape { rows, cols, planes } = P::HEAD;
    for text in [format!("`{}`", P::HEAD_ID), format!("({rows}, {cols}, {planes})")] {
        assert!(page.contains(&text), "missing: {text}");
    }
    for (number, group) in P::HEAD_PLANES.iter().enumerate() {
        let first = PlaneGroup::first_plane(P::HEAD_PLANES, number);
        let last = first + group.planes - 1;
        let row = format!("| {first}–{last} | {} | {} | {} |", group.name, group.cell, group.encodes);
        assert!(page.contains(&row), "missing: {row}");
    }
    let header = "| position | move | factors |";
    let examples =
        page.lines().skip_while(|line| *line != header).skip(2).take_while(|line| line.starts_with('|'));
    let mut count = 0;
    for line in examples {
        let cells: Vec<_> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [position, text, factors] = cells[..] else { panic!("three cells: {line}") };
        let position = P::from_text(position, rules).unwrap_or_else(|e| panic!("{position}: {e}"));
        let index =
            position.policy_index(position.parse_move(text).unwrap_or_else(|e| panic!("{text}: {e}")));
        let expected =
            written_factors::<P>(index).iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        assert_eq!(factors, expected, "{line}");
        count += 1;
    }
    assert!(count >= 3, "examples of factors");
}

/// The factors of an index as they are written, without the unused places.
fn written_factors<P: FactoredPolicy>(index: PolicyIndex) -> Vec<usize> {
    let mut factors = vec![7; P::MAX_FACTORS];
    P::write_factors(index, &mut factors).unwrap();
    let used = factors.iter().position(|&factor| factor < 0).unwrap_or(factors.len());
    assert!(factors[used..].iter().all(|&factor| factor == -1), "unused places are at the end");
    factors[..used].iter().map(|factor| factor.cast_unsigned() as usize).collect()
}

fn factor_set<P: FactoredPolicy>(index: PolicyIndex) -> BTreeSet<usize> {
    let mut set = BTreeSet::new();
    P::for_each_factor(index, |factor| {
        set.insert(factor.offset(P::HEAD));
    });
    set
}

/// The reflection of a position has the reflected observation, the reflected legal moves with the reflected factors, and
/// the same outcome; its own reflection is the position. Positions without a reflection have a value in an asymmetric
/// plane.
pub fn reflections_have_the_reflected_encoding<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let (position, context) = (game.position(), game.context());
    let values = observation(position, context, Layout::Hwc);
    let at = |cell: usize, plane: usize| values[P::SHAPE.offset(Layout::Hwc, plane, cell)];
    let reflects = P::SYMMETRIES > 1
        && !(0..P::SHAPE.cells()).any(|cell| P::ASYMMETRIC_PLANES.iter().any(|&plane| at(cell, plane) > 0.0));
    let reflection = position.reflection();
    assert_eq!(reflection.is_some(), reflects, "{}", position.to_text());
    let Some(reflection) = reflection else { return };
    let text = position.to_text();
    assert_eq!(reflection.reflection().as_ref(), Some(position), "{text}");
    assert_eq!(reflection.turn(), position.turn());
    assert_eq!(reflection.outcome(context.occurrences), position.outcome(context.occurrences), "{text}");

    let reflected = observation(&reflection, context, Layout::Hwc);
    for cell in 0..P::SHAPE.cells() {
        let other = P::reflected_cell(cell);
        assert_eq!(P::reflected_cell(other), cell);
        for plane in 0..P::SHAPE.planes {
            let value = reflected[P::SHAPE.offset(Layout::Hwc, plane, other)];
            assert_eq!(value.to_bits(), at(cell, plane).to_bits(), "plane {plane} of {text}");
        }
    }

    let indices = |position: &P| -> HashSet<PolicyIndex> {
        position.legal_moves().into_iter().map(|m| position.policy_index(m)).collect()
    };
    let legal = indices(position);
    let expected: HashSet<_> = legal.iter().map(|&index| P::reflected_index(index)).collect();
    assert_eq!(indices(&reflection), expected, "{text}");
    for index in legal {
        assert_eq!(P::reflected_index(P::reflected_index(index)), index);
        let mut factors = BTreeSet::new();
        P::for_each_factor(index, |factor| {
            let (cell, plane) = (P::reflected_cell(factor.cell), P::reflected_plane(factor.plane));
            assert_eq!(P::reflected_plane(plane), factor.plane);
            factors.insert(cell * P::HEAD.planes + plane);
        });
        assert_eq!(factor_set::<P>(P::reflected_index(index)), factors, "{index:?} of {text}");
    }
}
