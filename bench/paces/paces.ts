// What does a changed level cost at the pace of a quiet day, of a busy one, and as fast as it can be read: processor time
// of a process that receives and parses the frames and no more (the floor), and of the adapter with its books. Both by
// turns in one run, against one sender. Budget: 1.5 times the floor at every pace.
//
//     node_modules/.bin/node bench/paces/paces.ts [--rounds 3] [--only 2000] [--beside DIR]
//
// `--only`: of the stages, that with so many tokens; `--beside`: another checkout, whose adapter takes its turns as well.
import { parseArgs } from 'node:util';
import { readGame } from '../feed/recorded-game.ts';
import { say, tell } from '../rows.ts';
import { openSender, type Pace } from './sender.ts';
import { byTurns, openSide } from './sides.ts';

const FLOOR_TIMES_MAX = 1.5;
const SECONDS = 2;
const SATURATING_CHANGES = 300_000;
/** Of each token: after so many its book is as deep as that of a game under way, and all code is compiled as it stays. */
const WARM_UP_CHANGES = 60;
const WARM_UP_CHANGES_MIN = 200_000;
const TOKENS_PER_GAME = 12;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    beside: { type: 'string' },
  },
});

const PACES: readonly { name: string; pace: Pace }[] = [
  { name: 'saturated', pace: { changes: SATURATING_CHANGES } },
  ...[1000, 5000, 8000].map((changesPerSecond) => ({
    name: `${changesPerSecond.toLocaleString('en')} changes/s`,
    pace: { changesPerSecond, seconds: SECONDS },
  })),
];

/** About as many tokens as its name says: those of whole games. */
const STAGES = [
  { tokens: 2000, recordedFrames: 6000 },
  { tokens: 20_000, recordedFrames: 6000 },
  { tokens: TOKENS_PER_GAME, recordedFrames: 60_000 },
].map((stage) => ({ ...stage, games: Math.round(stage.tokens / TOKENS_PER_GAME) }));

if ((await readGame(1)) === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else
  for (const stage of STAGES)
    if (options.only === undefined || Number(options.only) === stage.tokens) await measure(stage);

async function measure(stage: (typeof STAGES)[number]): Promise<void> {
  const tokens = stage.games * TOKENS_PER_GAME;
  const sender = await openSender(stage);
  const floor = await openSide(sender, { name: 'floor', script: 'floor-process.ts', tokens });
  const books = await openSide(sender, { name: 'books', script: 'books-process.ts', tokens });
  const root = options.beside;
  const beside =
    root === undefined ? null : await openSide(sender, { name: 'beside', script: 'books-process.ts', tokens, root });
  const sides = [floor, books, ...(beside === null ? [] : [beside])];
  const warmUp = { changes: Math.max(WARM_UP_CHANGES_MIN, WARM_UP_CHANGES * tokens) };
  for (const side of sides) await side.cpuUs(warmUp);
  for (const { name, pace } of PACES) {
    const used = await byTurns(sides, pace, Number(options.rounds));
    const [floorUs = Number.NaN, booksUs = Number.NaN, besideUs] = used;
    const question = `a changed level, ${stage.tokens.toLocaleString('en')} tokens, ${name}`;
    const measured = { figure: floorUs, of: 'ws and JSON.parse' };
    const budget = { floorTimes: FLOOR_TIMES_MAX };
    tell({ question: `${question}: adapter and books`, figure: booksUs, unit: 'us', budget, floor: measured });
    if (besideUs === undefined) continue;
    tell({ question: `${question}: those of ${root}`, figure: besideUs, unit: 'us', floor: measured });
  }
  for (const side of sides) await side.close();
  sender.close();
}
