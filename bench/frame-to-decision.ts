// What a change of one price level costs, from the text of the frame to the decision about every opportunity it touches:
// a recorded game on many markets at once, through the real reader, books, pricing and trigger. Budget with 10,000
// opportunities of 4 positions: 2 us of processor time a level change, 4 us with the socket, p99 below 1 ms a frame.
//
//     node_modules/.bin/node --expose-gc bench/frame-to-decision.ts [opportunities ...]
import { marketTokens, openDesk } from './feed/desk.ts';
import { type Game, readGame } from './feed/recorded-game.ts';
import { openSender } from './feed/sender.ts';
import { GAMES, measureReading } from './feed/silent-shard.ts';
import { quantile, say, tell } from './rows.ts';

const OPPORTUNITIES = process.argv.slice(2).map(Number);
const RECORDED_FRAMES = 2000;
const MEASURED_OPPORTUNITIES = 10_000;
const CPU_US_MAX = 2;
const CPU_US_MAX_WITH_SOCKET = 4;
const P99_US_MAX = 1000;
const SOCKET_FRAMES_PER_SECOND = 10_000;

const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else
  for (const count of OPPORTUNITIES.length > 0 ? OPPORTUNITIES : [100, MEASURED_OPPORTUNITIES, 100_000]) {
    await tellReading(game, count);
    if (count !== MEASURED_OPPORTUNITIES) continue;
    await measureSocket(game, count);
  }

async function tellReading(played: Game, count: number): Promise<void> {
  const { cpuUs, parsingUs, bytes, p50, p99, p999, staleTokens } = await measureReading(played, count);
  const name = `level change, ${count.toLocaleString('en')} opportunities`;
  const isBudgeted = count === MEASURED_OPPORTUNITIES;
  const budget = isBudgeted ? { atMost: CPU_US_MAX } : null;
  const floor = { figure: parsingUs, of: 'JSON.parse' };
  tell({ question: `${name}: processor time`, figure: cpuUs, unit: 'us', budget, floor });
  tell({ question: `${name}: allocated`, figure: bytes, unit: 'bytes', budget: null, floor: null });
  tell({ question: `${name}: frame p50`, figure: p50, unit: 'us', budget: null, floor: null });
  tell({ question: `${name}: frame p99`, figure: p99, unit: 'us', budget: { atMost: P99_US_MAX }, floor: null });
  tell({ question: `${name}: frame p99.9`, figure: p999, unit: 'us', budget: null, floor: null });
  say(`  stale tokens at the end: ${staleTokens}`);
}

/** The same over as many connections as the product opens, from a sender on a thread of its own. */
async function measureSocket(played: Game, count: number): Promise<void> {
  const sender = await openSender({ game: played, games: GAMES });
  const plan = { framesPerSecond: SOCKET_FRAMES_PER_SECOND, seconds: 2 };
  const parsing = await sender.parsingCpuUs(marketTokens(count * 2), plan);
  await using desk = await openDesk({ opportunities: count, openStream: sender.openStream });
  await sender.whenSubscribed(desk.quotes.health().tokens);
  await sender.play(plan);
  const before = process.threadCpuUsage();
  const sent = await sender.play({ ...plan, seconds: 5 });
  const { user, system } = process.threadCpuUsage(before);
  const name = `level change with the socket, ${count.toLocaleString('en')} opportunities`;
  const budget = { atMost: CPU_US_MAX_WITH_SOCKET };
  tell({
    question: `${name}: processor time`,
    figure: (user + system) / sent.changes,
    unit: 'us',
    budget,
    floor: { figure: parsing, of: 'ws and JSON.parse of the same frames' },
  });
  const [p50, p99] = [quantile(sent.tookUs, 0.5), quantile(sent.tookUs, 0.99)];
  const floor = { figure: (await sender.echoUs()) / 2, of: 'half an echo over the socket' };
  tell({ question: `${name}: sent to decided, p50`, figure: p50, unit: 'us', budget: null, floor });
  tell({ question: `${name}: sent to decided, p99`, figure: p99, unit: 'us', budget: null, floor: null });
  await sender.close();
}
