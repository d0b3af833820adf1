// Analyses a position of each game for a second.

import { Chess, CoTuLenh, Engine, type Game, Tribun } from 'sandtable';

async function analyze(game: Game): Promise<void> {
  const engine = new Engine({ hash: 32 });
  for await (const { depth, nodes, time, lines } of engine.analyze(game, { time: 1000, lines: 2 })) {
    const [best] = lines;
    if (!best) continue;
    const score = best.mate === undefined ? `${(best.centipawns ?? 0) / 100}` : `#${best.mate}`;
    const speed = Math.round(nodes / Math.max(time, 1));
    console.log(game.kind, depth, score, best.san.slice(0, 5).join(' '), `${speed} kN/s`);
  }
  engine.dispose();
}

await Promise.all([new Chess(), new CoTuLenh(), new Tribun()].map(analyze));
