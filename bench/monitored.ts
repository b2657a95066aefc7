// What does it take to follow 2,000 active opportunities on 6,000 tokens? How old is a frame when the profits it changes
// have been computed again, and how long does it take to check all of them against books asked for now? The venue's stream
// and its calls for books are a socket away; its markets are at hand at once. Budget: 50 ms (p99), 5 s, 400 MB of memory.
//
//     node_modules/.bin/node --expose-gc bench/monitored.ts
import { checkAllWork } from '@dutchbook/server/opportunities/check-all.ts';
import { type Desk, openDesk } from './feed/desk.ts';
import { type Game, readGame } from './feed/recorded-game.ts';
import { openSender, type Sender } from './feed/sender.ts';
import { quantile, say, tell } from './rows.ts';

const OPPORTUNITIES = 2000;
const POSITIONS = 3;
const TOKENS = OPPORTUNITIES * POSITIONS;
const RECORDED_FRAMES = 2000;
const PLAN = { framesPerSecond: 5000, seconds: 5 };
const WARM_UP = { framesPerSecond: 5000, seconds: 2 };
/** As many as the check asks for at once. */
const TOKENS_PER_CALL = 25 * POSITIONS;
const RECOMPUTED_P99_MS_MAX = 50;
const CHECK_ALL_SECONDS_MAX = 5;
const RSS_MB_MAX = 400;

const loadedMb = rssMb();
const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else await measure(game);

async function measure(played: Game): Promise<void> {
  const sender = await openSender({ game: played, games: Math.floor(TOKENS / 2 / played.books.length) });
  const { openStream, openPrices } = sender;
  const withSenderMb = rssMb();
  await using desk = await openDesk({
    opportunities: OPPORTUNITIES,
    positions: POSITIONS,
    shared: 1,
    openStream,
    openPrices,
  });
  const question = `${OPPORTUNITIES} opportunities on ${TOKENS} tokens`;
  await sender.whenSubscribed(TOKENS);
  await sender.play(WARM_UP);
  const { tookUs } = await sender.play(PLAN);
  tell({
    question: `${question}: frame to profit computed again, p99 at ${PLAN.framesPerSecond} frames/s`,
    figure: quantile(tookUs, 0.99) / 1000,
    unit: 'ms',
    budget: { atMost: RECOMPUTED_P99_MS_MAX },
    floor: { figure: (await sender.echoUs()) / 2000, of: 'half an echo over the socket' },
  });
  const floor = { figure: await secondsToAsk(desk, sender), of: 'asking for the same books' };
  const budget = { atMost: CHECK_ALL_SECONDS_MAX };
  tell({ question: `${question}: check all`, figure: await secondsToCheck(desk), unit: 's', budget, floor });
  tell({
    question: `${question}: memory (RSS) without the sender's`,
    figure: rssMb() - withSenderMb + loadedMb,
    unit: 'MB',
    budget: { atMost: RSS_MB_MAX },
    floor: { figure: loadedMb, of: 'node with the code loaded' },
  });
  await sender.close();
}

function rssMb(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1e6;
}

async function secondsToAsk({ runtime, markets }: Desk, { openPrices }: Sender): Promise<number> {
  const prices = openPrices(runtime);
  const tokenIds = markets.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId)).slice(0, TOKENS);
  const begunMs = performance.now();
  for (let from = 0; from < TOKENS; from += TOKENS_PER_CALL) {
    await prices.fetchBooks(tokenIds.slice(from, from + TOKENS_PER_CALL));
  }
  return (performance.now() - begunMs) / 1000;
}

async function secondsToCheck({ runtime, quotes, live }: Desk): Promise<number> {
  const run = { progress: () => {}, signal: new AbortController().signal };
  const begunMs = performance.now();
  const said = await checkAllWork(runtime, { quotes, live })({ active_only: true }, run);
  say(`  ${said}`);
  return (performance.now() - begunMs) / 1000;
}
