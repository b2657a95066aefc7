// Is a quote as quick in the screen of relations among 100,000 tokens as among 1,000? By processor time, in turns within one
// process: the changes lie in the order in which they are read, with the market's number and its bounds, so that what is
// measured is the screen. Budget: 1.2 times, where 1,000 of the 100,000 move, all members of relations far apart. Where any is
// the next to move, memory alone takes longer than that: beside it stands what one record a token takes in the same order.
//
//     node_modules/.bin/node bench/discovery/screen-by-tokens.ts [rounds]
import { createBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { boundsOfBook } from '@dutchbook/engine/relation/bounds.ts';
import { relationOf, seeded } from '@dutchbook/engine/relation/relation.fixture.ts';
import { Screen } from '@dutchbook/engine/relation/screen.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { median, quantile, say, tell } from '../rows.ts';

const ROUNDS = Number(process.argv[2] ?? 21);
const ROUNDS_TO_WARM_UP = 3;
const TOKENS = 100_000;
const FEW_TOKENS = 1000;
const MEMBERS = 5;
/** Enough that a turn lasts many of the 4 ms steps in which some machines count processor time. */
const CHANGES = 4_000_000;
/** Of each relation before anything is measured: at first more are looked at again, as their state prices are new. */
const CHANGES_TO_SETTLE = 20_000;
const RATIO_MAX = 1.2;
const FEE = feeOf(0.02);
const SIZE = sharesFromText('100');
const TICK = 5000;
/** From what a token is worth to its best quotes, where these do not lean to a side. */
const HALF_SPREAD = 10_000;
/** By how many ticks they lean. */
const LEANINGS = [-2, -1, 0, 1, 2] as const;
/** Numbers of 32 bits, of which a market's record in the screen has as many. */
const RECORD = 4;

/** One of each kind, all of them as wide. */
const KINDS = [
  relationOf('exactly_one', 'ooooo'),
  relationOf('at_most_one', 'ooooo'),
  relationOf('ladder', 'ttttt'),
  relationOf('buckets', 'bbtbb', true),
];

/** By the place of a token: its market's number. By that and a leaning, `LEANINGS.length` for each token: its bounds. */
type Watched = { screen: Screen; markets: Int32Array; low: Int32Array; high: Int32Array };
type Changes = { market: Int32Array; low: Int32Array; high: Int32Array };
type Turn = { nsPerChange: number; looked: number };

const random = seeded(1);
const few = watch(FEW_TOKENS);
const all = watch(TOKENS);
const records = new Int32Array(TOKENS * RECORD);
const busyOfFew = changesOf(few, busyAmong(FEW_TOKENS));
const busyOfAll = changesOf(all, busyAmong(TOKENS));
const anyOfAll = changesOf(
  all,
  Int32Array.from({ length: TOKENS }, (_, place) => place),
);
const rounds = Array.from({ length: ROUNDS + ROUNDS_TO_WARM_UP }, (_, nth) => measureRound(nth % 2 === 0)).slice(
  ROUNDS_TO_WARM_UP,
);

const name = `a quote in the screen, ${TOKENS.toLocaleString('en')} tokens`;
const ratios = rounds.map((round) => round.all.nsPerChange / round.few.nsPerChange);
const nsOf = (turn: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[turn].nsPerChange));
const ratio = `times what it takes with ${FEW_TOKENS.toLocaleString('en')}, of which as many move`;
tell({
  question: `${name}: ${ratio}`,
  figure: median(ratios),
  unit: 'times',
  budget: { atMost: RATIO_MAX },
  floor: null,
});
tell({ question: `${name}: that`, figure: nsOf('all'), unit: 'ns', budget: null, floor: null });
tell({
  question: `${name}: where any is the next to move`,
  figure: nsOf('any'),
  unit: 'ns',
  budget: null,
  floor: { figure: nsOf('floorOfAny'), of: 'one record of 16 bytes a token, in the same order' },
});
say(`  quarters of the ratios: ${[0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2)).join(', ')}`);
say(`  with ${FEW_TOKENS} tokens ${nsOf('few').toFixed(1)} ns, one record ${nsOf('floorOfFew').toFixed(1)} ns`);
for (const { few: one, all: other, any } of rounds.slice(-1))
  say(
    `  looked at again: ${[one, other, any].map(({ looked }) => (looked * 100).toFixed(1)).join(', ')} % of the changes`,
  );

/** Everything once, in this order or the other way around. */
function measureRound(isForward: boolean) {
  const turns = {
    few: () => measure(few.screen, busyOfFew),
    all: () => measure(all.screen, busyOfAll),
    any: () => measure(all.screen, anyOfAll),
    floorOfFew: () => measureRecords(busyOfFew),
    floorOfAny: () => measureRecords(anyOfAll),
  };
  const names = Object.keys(turns) as (keyof typeof turns)[];
  const measured = (isForward ? names : names.reverse()).map((turn) => [turn, turns[turn]()] as const);
  return Object.fromEntries(measured) as Record<keyof typeof turns, Turn>;
}

function watch(count: number): Watched {
  const screen = new Screen();
  const size = count * LEANINGS.length;
  const watched = { screen, markets: new Int32Array(count), low: new Int32Array(size), high: new Int32Array(size) };
  for (let first = 0; first < count; first += MEMBERS) {
    const relation = KINDS[(first / MEMBERS) % KINDS.length] ?? relationOf('pair', 'o');
    const members = relation.members.map((member, index) => ({ ...member, marketId: `m${first + index}` }));
    screen.add(`relation ${first}`, { ...relation, members });
    for (const [index, fair] of fairPrices(relation).entries()) {
      watched.markets[first + index] = screen.marketNumber(`m${first + index}`) ?? 0;
      quote(watched, first + index, fair);
    }
  }
  for (let first = 0; first < count; first += MEMBERS) settle(watched, first);
  return watched;
}

/** What each is worth, so that the relation holds. */
function fairPrices({ kind, members }: (typeof KINDS)[number]): number[] {
  const isRung = members.map(({ role }) => role === 'threshold');
  const own = isRung.map((is) => (is && kind === 'buckets' ? 0 : 0.2 + random()));
  const whole = kind === 'at_most_one' || kind === 'ladder' ? 900_000 : 1_000_000;
  const scale = whole / own.reduce((sum, each) => sum + each);
  let sum = 0;
  return own.map((each, index) => {
    sum += each * scale;
    return Math.round((isRung[index] ? sum : each * scale) / TICK) * TICK;
  });
}

function quote({ low, high }: Watched, place: number, fair: number): void {
  for (const [index, ticks] of LEANINGS.entries()) {
    const middle = fair + ticks * TICK;
    const book = createBook();
    const level = (price: number) => [{ price: Math.min(Math.max(0, price), 1_000_000) as Price, size: SIZE }];
    replaceBook(book, level(middle - HALF_SPREAD), level(middle + HALF_SPREAD));
    const bounds = boundsOfBook(book, FEE);
    low[place * LEANINGS.length + index] = bounds.low;
    high[place * LEANINGS.length + index] = bounds.high;
  }
}

function settle({ screen, markets, low, high }: Watched, first: number): void {
  for (let change = 0; change < CHANGES_TO_SETTLE; change++) {
    const place = first + Math.floor(random() * MEMBERS);
    const quoted = place * LEANINGS.length + Math.floor(random() * LEANINGS.length);
    screen.set(markets[place] ?? 0, low[quoted] ?? 0, high[quoted] ?? 0);
    screen.judge({ onPaying: () => {}, onGone: () => {} });
  }
}

/** All members of some relations of every kind, which lie as far apart from each other as there are others. */
function busyAmong(count: number): Int32Array {
  const apart = count / FEW_TOKENS;
  return Int32Array.from({ length: FEW_TOKENS }, (_, nth) => {
    const relation = Math.floor(nth / MEMBERS);
    return (relation * apart + (relation % Math.min(apart, KINDS.length))) * MEMBERS + (nth % MEMBERS);
  });
}

function changesOf({ markets, low, high }: Watched, places: Int32Array): Changes {
  const [market, lows, highs] = [new Int32Array(CHANGES), new Int32Array(CHANGES), new Int32Array(CHANGES)];
  for (let index = 0; index < CHANGES; index++) {
    const place = places[Math.floor(random() * places.length)] ?? 0;
    const quoted = place * LEANINGS.length + Math.floor(random() * LEANINGS.length);
    market[index] = markets[place] ?? 0;
    lows[index] = low[quoted] ?? 0;
    highs[index] = high[quoted] ?? 0;
  }
  return { market, low: lows, high: highs };
}

/** Each change set and judged; `looked`: the share of them after which a relation was looked at again. */
function measure(screen: Screen, { market, low, high }: Changes): Turn {
  const judgement = { onPaying: () => {}, onGone: () => {} };
  let looked = 0;
  const before = process.threadCpuUsage();
  for (let index = 0; index < CHANGES; index++) {
    screen.set(market[index] ?? 0, low[index] ?? 0, high[index] ?? 0);
    looked += screen.waiting;
    screen.judge(judgement);
  }
  return { nsPerChange: nsSince(before), looked: looked / CHANGES };
}

/** The least that any screen does: writes two numbers beside two others, and compares. */
function measureRecords({ market, low, high }: Changes): Turn {
  let looked = 0;
  const before = process.threadCpuUsage();
  for (let index = 0; index < CHANGES; index++) {
    const at = (market[index] ?? 0) * RECORD;
    records[at] = low[index] ?? 0;
    records[at + 1] = high[index] ?? 0;
    if ((low[index] ?? 0) < (records[at + 2] ?? 0) && (high[index] ?? 0) < (records[at + 3] ?? 0)) looked += 1;
  }
  return { nsPerChange: nsSince(before), looked: looked / CHANGES };
}

function nsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) * 1000) / CHANGES;
}
