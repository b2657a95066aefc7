import type { Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalogue } from '../../catalogue/listing.ts';
import { NO_FAULTS } from '../../faults/no-faults.fixture.ts';
import type { Side } from '../../matching/order.ts';
import { ExchangeClock } from '../../matching-engine/clock.ts';
import { MarketDirectory } from '../../matching-engine/market.ts';
import { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { UpstreamLevel } from '../upstream/frames.ts';
import { MirroredBooks } from './mirrored-books.ts';

const START = 1_780_000_000_000;
const CENT = 10_000;

/** A level of the first outcome: bids below fifty cents, offers from there on. */
type Level = { cents: number; shares: number };
type Step =
  | { kind: 'book' | 'levels'; levels: Level[] }
  | { kind: 'order'; side: Side; cents: number; shares: number; rests: boolean }
  | { kind: 'cancel' | 'leave' };

const level = fc.record({ cents: fc.integer({ min: 46, max: 53 }), shares: fc.integer({ min: 0, max: 4 }) });
const levels = fc.array(level, { maxLength: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('levels'), levels }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('book'), levels }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('order'),
      side: fc.constantFrom<Side>('BUY', 'SELL'),
      cents: fc.integer({ min: 45, max: 54 }),
      shares: fc.integer({ min: 1, max: 6 }),
      rests: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancel', 'leave') }) },
);

function openMirror() {
  const clock = new ExchangeClock({ now: () => START, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(buildCatalogue(1, START as Instant), clock.now());
  const engine = new MatchingEngine({ clock, directory, faults: NO_FAULTS, settle: () => {} });
  engine.openAccount({ address: 'tester', nonce: '0', apiKey: 'tester', secret: '', passphrase: '' });
  const [market] = directory.all();
  const token = market && directory.token(market.tokens[0]);
  if (market === undefined || token === undefined) throw new Error('the catalogue lists markets');
  engine.balances.credit({
    account: 'tester',
    usd: 0 as never,
    tokenId: token.tokenId,
    shares: 1_000_000_000 as Shares,
  });
  market.hasBooks = false;
  const books = new MirroredBooks(engine);
  const announced: string[] = [];
  engine.announcer.listen({
    levelsChanged: (_, changes) => announced.push(JSON.stringify(changes)),
    bookReplaced: () => announced.push(`book ${JSON.stringify(shownSizes())}`),
  });
  let placed = 0;
  let at = START;

  function shownSizes() {
    return (['bid', 'ask'] as const).map((side) => market?.book.sizes(side).map(({ price, total }) => [price, total]));
  }

  function take(one: Step): void {
    if (market === undefined || token === undefined) return;
    at += 1000;
    const stands = [...engine.register.orders.values()].find(({ status }) => status === 'LIVE');
    if (one.kind === 'book') {
      books.replace(token, {
        ...{ kind: 'book', tokenId: token.tokenId, at: at as Instant, tick: undefined },
        levels: one.levels.filter(({ shares }) => shares > 0).map((shown) => levelOf(token.tokenId, shown)),
      });
    } else if (one.kind === 'levels') {
      const changed = one.levels.map((shown) => levelOf(token.tokenId, shown));
      if (market.hasBooks && stands === undefined && !books.isTakenFrom(market))
        books.noteSentOn(market, changed, at as Instant);
      else books.change(market, changed, at as Instant);
    } else if (one.kind === 'order' && market.hasBooks) {
      const shares = (one.shares * 1_000_000) as Shares;
      engine.place({
        ...{ id: `order ${++placed}`, account: 'tester', makerAddress: 'tester', token, side: one.side, shares },
        ...{
          limit: (one.cents * CENT) as Price,
          quantity: { kind: 'shares', shares },
          postOnly: false,
          expiresAt: null,
        },
        timeInForce: one.rests ? 'GTC' : 'FAK',
      });
    } else if (one.kind === 'cancel' && stands !== undefined) engine.cancel(stands.id);
    else if (one.kind === 'leave' && stands === undefined) books.leave(market);
  }

  return {
    take,
    /** Has the book hold an order for each level. */
    enter: () => market.book.levels('bid'),
    isDisplayed: () => market.book.isDisplayed,
    seen: () => ({
      announced: announced.splice(0),
      sizes: shownSizes(),
      bests: (['bid', 'ask'] as const).map((side) => market.book.best(side)),
      at48: market.book.sizeAt('bid', (48 * CENT) as Price),
      orders: [...engine.register.orders.values()].map(({ id, status, matchedShares }) => [id, status, matchedShares]),
      cash: engine.balances.freeCash('tester'),
    }),
  };
}

function levelOf(tokenId: string, { cents, shares }: Level): UpstreamLevel {
  const isBid = cents * CENT < PRICE_ONE / 2;
  return {
    tokenId,
    side: isBid ? 'BUY' : 'SELL',
    price: (cents * CENT) as Price,
    size: (shares * 1_000_000) as Shares,
  };
}

describe('the book of a mirrored market', () => {
  it('shows, announces and fills alike whether it holds an order for each level or only what the venue shows', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const [displayed, entered] = [openMirror(), openMirror()];
        for (const one of steps) {
          displayed.take(one);
          entered.take(one);
          entered.enter();
          expect(displayed.seen()).toEqual(entered.seen());
        }
      }),
      { numRuns: 300 },
    );
  });

  it('holds no orders before one is placed, nor once none stands and the venue moves', () => {
    const mirror = openMirror();
    const shown = [
      { cents: 48, shares: 4 },
      { cents: 51, shares: 3 },
    ];
    mirror.take({ kind: 'book', levels: shown });
    mirror.take({ kind: 'levels', levels: [{ cents: 52, shares: 2 }] });
    expect(mirror.isDisplayed()).toBe(true);
    mirror.take({ kind: 'order', side: 'BUY', cents: 47, shares: 2, rests: true });
    expect(mirror.isDisplayed()).toBe(false);
    mirror.take({ kind: 'levels', levels: [{ cents: 52, shares: 1 }] });
    expect(mirror.isDisplayed()).toBe(false);
    mirror.take({ kind: 'cancel' });
    mirror.take({ kind: 'levels', levels: [{ cents: 52, shares: 4 }] });
    expect(mirror.isDisplayed()).toBe(true);
    expect(mirror.seen().sizes).toEqual([
      [[480_000, 4_000_000]],
      [
        [510_000, 3_000_000],
        [520_000, 4_000_000],
      ],
    ]);
  });
});
