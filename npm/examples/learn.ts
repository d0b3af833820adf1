// What a network that learns to play needs: observations, masks and policy indices, without garbage.

import { Tribun } from 'sandtable/tribun';

const game = new Tribun();
const [rows, columns, planes] = game.info.observationShape;
const observation = new Float32Array(rows * columns * planes);
const mask = new Uint8Array(game.info.policySize);

while (!game.isGameOver() && game.ply() < 100) {
  game.observe(observation, { layout: 'chw' });
  game.mask(mask);
  const legal = game.legalActions();
  const action = legal[Math.floor(Math.random() * legal.length)]!;
  game.playAction(action);
}
console.log(game.history().join(' '));
