import { setImmediate } from 'node:timers/promises';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import type { EventListing } from '../../catalogue/listing.ts';
import { NO_FAULTS } from '../../faults/no-faults.fixture.ts';
import { seededRandom } from '../../makers/random.ts';
import type { Side } from '../../matching/order.ts';
import { ExchangeClock } from '../../matching-engine/clock.ts';
import { MarketDirectory, type Token } from '../../matching-engine/market.ts';
import { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { BookFeed } from '../books/feed.ts';
import { MirroredBooks } from '../books/mirrored-books.ts';
import { PACE } from '../options.ts';
import type { UpstreamLevel } from '../upstream/frames.ts';
import { paperArrival } from './arrival.ts';
import { Latency } from './latency.ts';
import { Survival, SurvivalLooks, withSurvival } from './survival.ts';

export const START = 1_780_000_000_000;
const LATENCY_MS = 250;
const LOOK_EVERY_MS = 1_000;
const ACCOUNT = 'tester';

/** Changes of levels that arrived together. */
export interface TapeFrame {
  readonly at: number;
  readonly levels: readonly UpstreamLevel[];
}

interface Sent {
  readonly id: string;
  readonly token: Token;
  readonly side: Side;
  readonly limit: Price;
  readonly shares: Shares;
  readonly dueAt: number;
}

type Fill = readonly [price: number, shares: number, usd: number, fee: number];

/** What the tape alone says that orders meet: plain maps of sizes, by market, who offers, and price of the first outcome. */
class Recomputation {
  readonly #levels = new Map<string, { shown: number; left: number }>();
  readonly #survived: number[] = [];
  #looked = 0;

  change({ side, price, size }: UpstreamLevel, { market, outcome }: Token): void {
    const first = outcome === 0 ? price : 1_000_000 - price;
    const sellsFirst = (side === 'SELL') === (outcome === 0);
    const key = `${market.listing.conditionId} ${sellsFirst ? 'sells' : 'buys'} ${first}`;
    if (this.#levels.get(key)?.shown === size) return;
    this.#levels.set(key, { shown: size, left: size });
  }

  /** The best levels of the next four markets; `later` is called with what notes how much of each is left. */
  look(markets: readonly string[], later: (note: () => void) => void): void {
    const next = Array.from({ length: Math.min(4, markets.length) }, () => markets[this.#looked++ % markets.length]);
    for (const market of next) {
      for (const side of ['buys', 'sells']) {
        const prefix = `${market} ${side} `;
        const offered = [...this.#levels].filter(([key, { left }]) => key.startsWith(prefix) && left > 0);
        const prices = offered.map(([key]) => Number(key.slice(prefix.length)));
        const key = `${prefix}${side === 'buys' ? Math.max(...prices) : Math.min(...prices)}`;
        const before = this.#levels.get(key)?.shown ?? 0;
        if (before === 0) continue;
        later(() => this.#survived.push(Math.min(1, (this.#levels.get(key)?.shown ?? 0) / before)));
      }
    }
  }

  /** The mean of the last thousand; all while there are fewer than 30. */
  get share(): number {
    const last = this.#survived.slice(-1_000);
    return last.length < 30 ? 1 : last.reduce((sum, share) => sum + share, 0) / last.length;
  }

  fill({ token: { market, outcome }, side, limit, shares }: Sent, rate: bigint, share: number): Fill[] {
    const wantsFirst = (side === 'BUY') === (outcome === 0);
    const prefix = `${market.listing.conditionId} ${wantsFirst ? 'sells' : 'buys'} `;
    const offers = [...this.#levels]
      .filter(([key, { left }]) => key.startsWith(prefix) && left > 0)
      .map(([key, level]) => {
        const first = Number(key.slice(prefix.length));
        return { level, price: outcome === 0 ? first : 1_000_000 - first };
      })
      .filter(({ price }) => (side === 'BUY' ? price <= limit : price >= limit))
      .sort((a, b) => (side === 'BUY' ? a.price - b.price : b.price - a.price));
    const fills: Fill[] = [];
    const reachable = Math.min(
      shares,
      offers.reduce((sum, { level: { left } }) => sum + left, 0),
    );
    // The part of it that is met, in hundredths of a share.
    let wanted = share === 1 ? reachable : Math.floor(Math.floor(reachable * share) / 10_000) * 10_000;
    for (const { level, price } of offers) {
      const taken = Math.min(wanted, level.left);
      if (taken === 0) break;
      level.left -= taken;
      wanted -= taken;
      const exact = BigInt(taken) * BigInt(price);
      const usd = side === 'BUY' ? (exact + 999_999n) / 1_000_000n : exact / 1_000_000n;
      const tenths = BigInt(taken) * rate * BigInt(price) * BigInt(1_000_000 - price);
      const fee = ((tenths + 10n ** 19n - 1n) / 10n ** 19n) * 10n;
      fills.push([price, taken, Number(usd), Number(side === 'SELL' && fee > usd ? usd : fee)]);
    }
    return fills;
  }
}

interface Compared {
  readonly events: readonly EventListing[];
  readonly tape: AsyncIterable<TapeFrame> | Iterable<TapeFrame>;
  /** After how many frames there is an order. */
  readonly every: number;
  readonly fills: 'latency' | 'survival';
}

/** Sends an order every so many frames over the paper account's way to the books, and compares what each got. */
export async function compare({ events, tape, every, fills }: Compared) {
  const clock = new ExchangeClock({ now: () => START, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(events, clock.now());
  const survival = new Survival();
  const faults = fills === 'survival' ? withSurvival(NO_FAULTS, survival) : NO_FAULTS;
  const engine = new MatchingEngine({
    ...{ clock, directory, faults, settle: () => {}, startingBalance: usdFromText('1000000000') },
  });
  engine.openAccount({ address: ACCOUNT, nonce: '0', apiKey: ACCOUNT, secret: '', passphrase: '' });
  const tokens = directory.all().flatMap(({ tokens: ids }) => ids.flatMap((id) => directory.token(id) ?? []));
  for (const { tokenId } of tokens) {
    engine.balances.credit({ account: ACCOUNT, usd: USD_ZERO, tokenId, shares: 1e12 as Shares });
  }
  const books = new MirroredBooks(engine);
  for (const token of tokens)
    books.replace(token, { kind: 'book', tokenId: token.tokenId, levels: [], at: 0 as Instant, tick: undefined });
  const feed = { follow: () => {}, unfollow: () => {}, untilLive: () => Promise.resolve(true) } as unknown as BookFeed;
  const latency = new Latency(LATENCY_MS);
  const arrival = paperArrival({ engine, feed, fills, latency, pace: PACE });
  const looks = new SurvivalLooks({ clock, books, latency, survival });
  const recomputed = new Recomputation();
  const { unit } = seededRandom(7);
  const under: Sent[] = [];
  const counts = { orders: 0, filled: 0, differing: 0 };

  const place = (sent: Sent) => {
    const { token, side, limit, shares } = sent;
    const outcome = engine.place({
      ...{ id: sent.id, account: ACCOUNT, makerAddress: ACCOUNT, token, side, limit, shares },
      ...{ quantity: { kind: 'shares', shares }, timeInForce: 'FAK', postOnly: false, expiresAt: null },
    });
    const makers = outcome.kind === 'accepted' ? (outcome.trade?.makers ?? []) : [];
    const got = makers.map(({ takerPrice, shares: part, takerUsd, fee }): Fill => [takerPrice, part, takerUsd, fee]);
    const share = fills === 'survival' ? recomputed.share : 1;
    const wanted = recomputed.fill(sent, BigInt(token.market.listing.feeRate), share);
    counts.orders += 1;
    counts.filled += wanted.length > 0 ? 1 : 0;
    if (JSON.stringify(got) !== JSON.stringify(wanted)) counts.differing += 1;
  };
  const moveTo = async (ms: number) => {
    while (under[0] !== undefined && under[0].dueAt <= ms) {
      clock.advance(Math.max(0, under[0].dueAt - clock.now()));
      under.shift();
      await setImmediate();
    }
    clock.advance(Math.max(0, ms - clock.now()));
  };
  const markets = directory.all();
  const conditionIds = markets.map(({ listing }) => listing.conditionId);
  const lookUntil = async (ms: number) => {
    for (; lookAt <= ms; lookAt += LOOK_EVERY_MS) {
      await moveTo(lookAt);
      looks.look(markets);
      recomputed.look(conditionIds, (note) => clock.schedule(LATENCY_MS, note));
    }
  };
  let lookAt = START + LOOK_EVERY_MS;
  let frames = 0;
  let firstAt: number | undefined;
  for await (const { at, levels } of tape) {
    firstAt ??= at;
    const now = Math.max(clock.now(), START + at - firstAt);
    await lookUntil(now);
    await moveTo(now);
    const of = levels[0] && directory.token(levels[0].tokenId);
    if (of === undefined) continue;
    books.change(of.market, levels, at as Instant);
    for (const level of levels) {
      const token = directory.token(level.tokenId);
      if (token !== undefined) recomputed.change(level, token);
    }
    if (++frames % every !== 0) continue;
    const token = tokens[Math.floor(unit() * tokens.length)];
    if (token === undefined) continue;
    const side: Side = unit() < 0.5 ? 'BUY' : 'SELL';
    const limit = (Math.floor((side === 'BUY' ? 0.3 + unit() * 0.65 : 0.05 + unit() * 0.65) * 100) * 10_000) as Price;
    const shares = ((1 + Math.floor(unit() * 2_000)) * 100_000) as Shares;
    const sent = { id: `order ${frames}`, token, side, limit, shares, dueAt: clock.now() + LATENCY_MS };
    under.push(sent);
    void arrival.orders([token.tokenId]).then((refusal) => refusal === undefined && place(sent));
    await setImmediate();
  }
  await moveTo(clock.now() + LATENCY_MS);
  await setImmediate();
  return { ...counts, share: fills === 'survival' ? recomputed.share : 1 };
}
