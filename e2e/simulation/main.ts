/**
 * Runs simulations by hand: `npm run simulate -- --seeds 10000`, `npm run simulate -- --seed 1234`. With
 * `--until-failure` it ends at the first seed that fails, with `--exits` shares are converted into dollars on chain, with
 * `--from 3 --every 3` all of them trade at both venues.
 */
import { parseArgs } from 'node:util';
import { replayOf, runSeed } from './run-seed.ts';
import { SharedDatabase } from './shared-database.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    every: { type: 'string', default: '1' },
    'until-failure': { type: 'boolean', default: false },
    exits: { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const only = values.seed === undefined ? null : Number(values.seed);
const first = only ?? Number(values.from);
const count = only === null ? Number(values.seeds) : 1;
const every = Number(values.every);
/** A line now and then, about twenty in all. */
const seedsPerLine = Math.max(10, Math.ceil(count / 20));
const database = await SharedDatabase.open();
const failed: number[] = [];
const world = values.exits ? 'exits' : 'trading';
const totals = { seeds: 0, batches: 0, fills: 0, submissions: 0 };
const startedAt = process.cpuUsage();
for (let seed = first; totals.seeds < count; seed += every) {
  if (totals.seeds > 0 && totals.seeds % seedsPerLine === 0)
    say(`${totals.seeds} seeds so far, failed: ${failed.length}`);
  totals.seeds += 1;
  const story: string[] = [];
  try {
    const tell = (line: string) => (only === null ? story.push(line) : say(line));
    const { batches, fills, submissions, digest } = await runSeed(seed, database, { world, tell });
    if (only !== null) say(`Digest ${digest}`);
    totals.batches += batches;
    totals.fills += fills;
    totals.submissions += submissions;
  } catch (error) {
    failed.push(seed);
    for (const line of story.slice(-40)) say(line);
    say(`seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    say(`Replay it with: ${replayOf(seed, world)}`);
    if (values['until-failure']) break;
  }
}
const { user, system } = process.cpuUsage(startedAt);
const seconds = ((user + system) / 1e6).toFixed(1);
say(
  `${totals.seeds} seeds, ${totals.batches} batches, ${totals.fills} fills, ${totals.submissions} submissions in ${seconds} s of processor time; failed: ${failed.join(', ') || 'none'}`,
);
await database.close();
process.exitCode = failed.length === 0 ? 0 : 1;
