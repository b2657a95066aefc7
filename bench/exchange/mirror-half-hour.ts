// Half an hour of paper trading over a line that is cut every few seconds: whether the mirror has each book of the venue behind it once
// and in order, but for those of the cuts. The venue is a simulated exchange whose books move by orders, each at a size of its own.
//
//     npm run bench -- mirror-30
import { setTimeout as pause } from 'node:timers/promises';
import { connectTrader } from '@dutchbook/exchange/adapters/polymarket/exchange-fixture.ts';
import { booksOf, type Frame, placesOf } from '@dutchbook/exchange/paper/books-after-frames.fixture.ts';
import { openCable } from '@dutchbook/exchange/paper/cable.fixture.ts';
import { followMarket, openPaper, plainMarket, type Venue, venueOf } from '@dutchbook/exchange/paper/paper.fixture.ts';
import { startExchange } from '@dutchbook/exchange/start-exchange.ts';
import { say, tell } from '../rows.ts';

const minutes = Number(process.argv[2] ?? 30);
const ORDER_EVERY_MS = 250;
const CUT_EVERY_MS = 7_000;
const CUT_MS_MAX = 3_000;
const BACK_WITHIN_MS = 60_000;

const real = venueOf(await startExchange({ paused: true }));
const cable = await openCable(real.port);
const paper = await openPaper(cable.url);
try {
  await measure();
} finally {
  await paper.close();
  await cable.close();
  await real.close();
}

async function measure(): Promise<void> {
  const { tokens } = await plainMarket(paper);
  await connectTrader(real.url);
  await real.control('balance', { usd: '1000000' });
  const [there, here] = [await follow(real, tokens), await follow(paper, tokens)];
  let cuts = 0;
  let cutAtMs = performance.now() + CUT_EVERY_MS;
  const endMs = performance.now() + minutes * 60_000;
  for (let number = 0; performance.now() < endMs; number += 1, await pause(ORDER_EVERY_MS)) {
    const order = { side: 'BUY', price: String((10 + (number % 30)) / 100), size: String((500 + (number % 97)) / 100) };
    await real.control('order', { token_id: tokens[number % 2], ...order });
    if (performance.now() < cutAtMs) continue;
    cuts += 1;
    cable.cut((cuts * 701) % CUT_MS_MAX);
    cutAtMs = performance.now() + CUT_EVERY_MS;
  }
  const over = `mirror over ${minutes} min and ${cuts} cuts`;
  const ofToken = tokens.map((token) => ({
    books: () => booksOf(here.frames, token),
    all: () => booksOf(there.frames, token),
  }));
  for (const end = performance.now() + BACK_WITHIN_MS; performance.now() < end; await pause(100))
    if (ofToken.every(({ books, all }) => books().at(-1) === all().at(-1))) break;
  const found = ofToken.map(({ books, all }) => ({
    ...placesOf(books(), all()),
    all: all().length,
    last: books().at(-1) === all().at(-1),
  }));
  const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((total, one) => total + of(one), 0);
  say(`  ${sum(({ all }) => all)} books of the venue, ${sum(({ gaps }) => gaps)} gaps`);
  tell({
    question: `${over}: books that the venue never showed, or out of order`,
    ...none(sum(({ strange }) => strange)),
  });
  tell({ question: `${over}: books doubled`, ...none(sum(({ doubled }) => doubled)) });
  tell({
    question: `${over}: gaps more than cuts, of two tokens`,
    ...none(Math.max(0, sum(({ gaps }) => gaps) - 2 * cuts)),
  });
  tell({ question: `${over}: tokens whose last book is not the venue's`, ...none(sum(({ last }) => (last ? 0 : 1))) });
}

async function follow(venue: Venue, tokens: readonly string[]) {
  const stream = await followMarket(venue, tokens);
  await stream.expect((frame: Frame) => frame.event_type === 'book');
  return stream;
}

function none(figure: number) {
  return { figure, unit: '', budget: { atMost: 0 } };
}
