// What a quote costs the screen of relations: two comparisons for each relation of the market, and the judgement after each
// change. Budget: 0.3 us, beside the decision about opportunities in the same run; 100,000 tokens in 20,000 relations within 60 MB.
// How much more that is than among 1,000 tokens asks discovery/screen-by-tokens.ts.
//
//     node_modules/.bin/node --expose-gc bench/screen-of-relations.ts
import { type Book, createBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { type Bounds, boundsOfBook, UNQUOTED } from '@dutchbook/engine/relation/bounds.ts';
import type { MemberRole, Relation, RelationKind } from '@dutchbook/engine/relation/relation.ts';
import { Screen } from '@dutchbook/engine/relation/screen.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { readGame } from './feed/recorded-game.ts';
import { measureReading } from './feed/silent-shard.ts';
import { median, say, tell } from './rows.ts';

const TOKENS = 100_000;
const BUSY_TOKENS = 1000;
const MEMBERS = 5;
/** Enough that a round lasts many of the 4 ms steps in which some machines count processor time. */
const CHANGES = 4_000_000;
const ROUNDS = 15;
const CPU_US_MAX = 0.3;
const MEMORY_MB_MAX = 60;
const OPPORTUNITIES = 10_000;
const RECORDED_FRAMES = 2000;
const FEE = feeOf(0.02);
const SIZE = sharesFromText('100');
const TICK = 5000;
const SPREAD = 20_000;
const EVENT_ID = 'e1';

/** Of each kind of relation one that is as wide as the others: its members' roles. */
const KINDS: readonly { kind: RelationKind; roles: readonly MemberRole[] }[] = [
  { kind: 'exactly_one', roles: Array<MemberRole>(MEMBERS).fill('outcome') },
  { kind: 'at_most_one', roles: Array<MemberRole>(MEMBERS).fill('outcome') },
  { kind: 'ladder', roles: Array<MemberRole>(MEMBERS).fill('threshold') },
  { kind: 'buckets', roles: ['bucket', 'bucket', 'threshold', 'bucket', 'bucket'] },
];

type Token = { marketId: string; book: Book; fair: number };
type Watched = { screen: Screen; tokens: readonly Token[]; megabytes: number };
/** In order: the token's place, and how many ticks its quotes lie off what it is worth; with the bounds that come of it. */
type Changes = { tokens: Uint32Array; off: Int8Array; low: Float64Array; high: Float64Array };

let state = 1;
const all = await watch(TOKENS);
const busyOfAll = changesOf(all, busyAmong(TOKENS));
const anyOfAll = changesOf(all, [...all.tokens.keys()]);
const rounds = Array.from({ length: ROUNDS }, () => ({
  all: measure(all, busyOfAll),
  any: measure(all, anyOfAll),
  books: measureBooks(all, busyOfAll),
})).slice(1);
const game = await readGame(RECORDED_FRAMES);
const decision = game === null ? null : (await measureReading(game, OPPORTUNITIES)).cpuUs;
if (decision === null) say('The recording is not there: MARKET_DATA_DIR names where. The decision is not measured.');

const name = `quote, ${TOKENS.toLocaleString('en')} tokens in ${(TOKENS / MEMBERS).toLocaleString('en')} relations`;
tell({
  question: `${name}: processor time`,
  figure: median(rounds.map((round) => round.all.us)),
  unit: 'us',
  budget: { atMost: CPU_US_MAX },
  floor: decision === null ? null : { figure: decision, of: 'what decides about opportunities' },
});
tell({
  question: `${name}: where any token is the next to move`,
  figure: median(rounds.map((round) => round.any.us)),
  unit: 'us',
  budget: null,
  floor: null,
});
tell({
  question: `${name}: bounds by the book, before`,
  figure: median(rounds.map((round) => round.books)),
  unit: 'us',
  budget: null,
  floor: null,
});
tell({
  question: `${name}: memory`,
  figure: all.megabytes,
  unit: 'MB',
  budget: { atMost: MEMORY_MB_MAX },
  floor: null,
});
for (const { all: last } of rounds.slice(-1))
  say(`  looked at again: ${(last.looked * 100).toFixed(1)} % of the changes`);

async function watch(count: number): Promise<Watched> {
  const relations: { relation: Pick<Relation, 'kind' | 'members' | 'isComplete'>; tokens: Token[] }[] = [];
  for (let first = 0; first < count; first += MEMBERS) relations.push(relationFrom(first));
  const ids = relations.map((_, index) => `relation ${index}`);
  const before = await usedMegabytes();
  const screen = new Screen();
  for (const [index, { relation }] of relations.entries()) screen.add(ids[index] ?? '', relation);
  const megabytes = (await usedMegabytes()) - before;
  return { screen, tokens: relations.flatMap(({ tokens }) => tokens), megabytes };
}

function relationFrom(first: number) {
  const { kind, roles } = KINDS[(first / MEMBERS) % KINDS.length] ?? { kind: 'pair', roles: [] };
  const marketIds = roles.map((_, index) => `0x${(first + index).toString(16).padStart(64, '0')}`);
  const members = roles.map((role, index) => ({ eventId: EVENT_ID, marketId: marketIds[index] ?? '', role }));
  const fair = fairPrices(kind, roles);
  const tokens = marketIds.map((marketId, index) => tokenOf(marketId, fair[index] ?? 0));
  return { relation: { kind, members, isComplete: kind === 'exactly_one' || kind === 'buckets' }, tokens };
}

/** What each is worth, so that the relation holds. */
function fairPrices(kind: RelationKind, roles: readonly MemberRole[]): number[] {
  const own = roles.map((role) => (role === 'threshold' && kind === 'buckets' ? 0 : 0.2 + random()));
  const scale =
    (kind === 'at_most_one' || kind === 'ladder' ? 900_000 : 1_000_000) / own.reduce((sum, each) => sum + each);
  let sum = 0;
  return own.map((each, index) => {
    sum += each * scale;
    return Math.round((roles[index] === 'threshold' ? sum : each * scale) / TICK) * TICK;
  });
}

function tokenOf(marketId: string, fair: number): Token {
  const book = createBook();
  replaceBook(book, [{ price: (fair - TICK) as Price, size: SIZE }], [{ price: (fair + TICK) as Price, size: SIZE }]);
  return { marketId, book, fair };
}

/** All members of some relations, which lie as far apart from each other as there are others. */
function busyAmong(count: number): number[] {
  const relations = BUSY_TOKENS / MEMBERS;
  const apart = count / BUSY_TOKENS;
  return Array.from({ length: relations }, (_, nth) => nth * apart + (nth % Math.min(apart, KINDS.length))).flatMap(
    (relation) => Array.from({ length: MEMBERS }, (_, index) => relation * MEMBERS + index),
  );
}

function changesOf({ tokens }: Watched, places: readonly number[]): Changes {
  const changed = Uint32Array.from({ length: CHANGES }, () => places[Math.floor(random() * places.length)] ?? 0);
  const off = Int8Array.from({ length: CHANGES }, () => Math.floor(random() * 5) - 2);
  const changes = { tokens: changed, off, low: new Float64Array(CHANGES), high: new Float64Array(CHANGES) };
  for (let index = 0; index < CHANGES; index++) {
    const { low, high } = boundsAfter(tokens, changes, index);
    changes.low[index] = low;
    changes.high[index] = high;
  }
  return changes;
}

function boundsAfter(tokens: readonly Token[], changes: Pick<Changes, 'tokens' | 'off'>, index: number): Bounds {
  const token = tokens[changes.tokens[index] ?? 0];
  const [bid] = token?.book.bids ?? [];
  const [ask] = token?.book.asks ?? [];
  if (token === undefined || bid === undefined || ask === undefined) return UNQUOTED;
  const middle = token.fair + (changes.off[index] ?? 0) * TICK;
  bid.price = Math.max(0, middle - SPREAD / 2) as Price;
  ask.price = Math.min(PRICE_ONE, middle + SPREAD / 2) as Price;
  return boundsOfBook(token.book, FEE);
}

/** Processor time of a change in us, and the share of changes after which a relation was looked at again. */
function measure({ screen, tokens }: Watched, changes: Changes): { us: number; looked: number } {
  const judgement = { onPaying: () => {}, onGone: () => {} };
  const markets = Int32Array.from(tokens, ({ marketId }) => screen.marketNumber(marketId) ?? 0);
  let looked = 0;
  const before = process.threadCpuUsage();
  for (let index = 0; index < CHANGES; index++) {
    screen.set(markets[changes.tokens[index] ?? 0] ?? 0, changes.low[index] ?? 0, changes.high[index] ?? 0);
    looked += screen.waiting;
    screen.judge(judgement);
  }
  const { user, system } = process.threadCpuUsage(before);
  return { us: (user + system) / CHANGES, looked: looked / CHANGES };
}

function measureBooks({ tokens }: Watched, changes: Changes): number {
  const before = process.threadCpuUsage();
  for (let index = 0; index < CHANGES; index++) boundsAfter(tokens, changes, index);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / CHANGES;
}

async function usedMegabytes(): Promise<number> {
  globalThis.gc?.();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}
