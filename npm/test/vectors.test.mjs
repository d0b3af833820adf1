// The test vectors of the Rust tests through the package. Independent implementations produced them.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { CoTuLenh, Tribun } from 'sandtable';

import { deep, repository } from './helpers.mjs';

/** All vectors of a file; every sixth of them in a quick run. */
function vectors(path) {
  const lines = readFileSync(new URL(path, repository), 'utf8').trim().split('\n');
  return lines.filter((_, number) => deep || number % 6 === 0).map((line) => JSON.parse(line));
}

const sha = (texts) => createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);
const byCodePoint = (a, b) => (a < b ? -1 : Number(a > b));

for (const name of ['standard', 'club', 'standard-scatter', 'club-scatter']) {
  test(`cotulenh-${name}`, () => {
    const rules = name.startsWith('club') ? 'club' : 'standard';
    const checked = vectors(`crates/cotulenh/tests/vectors/cotulenh-${name}.jsonl`);
    for (const { fen, check, steps, turns, turns_sha } of checked) {
      const game = new CoTuLenh(fen, { rules });
      assert.equal(game.fen(), fen);
      assert.equal(game.isCheck(), check, fen);
      assert.deepEqual(game.moveTexts().sort(byCodePoint), steps, fen);
      const after = game.turns().map(({ position }) => position);
      assert.equal(after.length, turns, fen);
      assert.equal(sha(after.sort(byCodePoint)), turns_sha, fen);
      game.dispose();
    }
    assert.ok(checked.length >= 15);
  });
}

for (const name of ['tribun', 'tribun-scatter']) {
  test(name, () => {
    const game = new Tribun();
    const checked = vectors(`crates/tribun/tests/vectors/${name}.jsonl`);
    for (const { board, turn, actions, next_sha } of checked) {
      game.loadBytes(new Uint8Array(Buffer.from(board, 'base64')), turn === 0 ? 'b' : 'w');
      assert.equal(game.player(), turn);
      assert.equal(Buffer.from(game.bytes()).toString('base64'), board);
      assert.deepEqual([...game.legalWords()], actions);
      const boards = actions.map((word) => {
        const after = game.clone();
        after.applyWord(word);
        const bytes = Buffer.from(after.bytes()).toString('base64');
        after.dispose();
        // Opcode 9, an attack on the tribun, ends the game: the vectors omit its board.
        return word >>> 28 === 9 ? '' : bytes;
      });
      assert.equal(sha(boards), next_sha);
    }
    assert.ok(checked.length >= 10);
  });
}
