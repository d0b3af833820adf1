// The engine plays both sides of a game of Cờ Tư Lệnh: `node --experimental-strip-types examples/play.ts`.

import { CoTuLenh, Engine } from 'sandtable';

const game = new CoTuLenh();
const engine = new Engine();
while (!game.isGameOver() && game.ply() < 40) {
  const move = await engine.bestMove(game, { level: 3 });
  if (move === null) break;
  const { color, san } = game.move(move);
  console.log(color, san);
}
console.log(game.ascii());
console.log(game.outcome()?.description ?? 'The game goes on.');
engine.dispose();
