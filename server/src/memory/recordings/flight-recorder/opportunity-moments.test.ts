import { applyLevelChange, KeptBook } from '@dutchbook/engine/book/book.ts';
import { feeCategoryOf } from '@dutchbook/engine/market/fee-category.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { AccountState } from '@dutchbook/engine/risk/context.ts';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { type Instant, instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { percentToNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber, priceFromText, priceToNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import type { JournaledAccount, JournaledOpportunity } from '../../../market/decision-journal/journaled.ts';
import { pricingSettings } from '../../../people/system-settings/in-units.ts';
import { recordShown } from '../../../trading/survival/store.ts';
import {
  type FlightRecorderSite,
  marketWithBooks,
  openFlightRecorderSite,
  PLAIN_PRICES,
  type PlainMoment,
  played,
  span,
} from './flight-recorder.fixture.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const TOKENS = ['a:yes', 'b:yes'];
const POSITIONS = ['a', 'b'].map((marketId, index) => ({ leg: index + 1, marketId, outcome: 'Yes' }));
const OPPORTUNITY: JournaledOpportunity = {
  ...{
    targetPrice: priceFromText('1'),
    positions: POSITIONS,
    relationId: null,
    title: 'A or b',
    aboveTrigger: false,
    rises: 0,
  },
};
const accountWith = (state: Partial<AccountState>): JournaledAccount => ({
  accounts: new Map([
    [
      'polymarket',
      {
        ...{ balance: usdFromText('100'), allowances: null, armed: true, clockSkewMs: 0 },
        ...{ limits: NO_LIMITS, limitsRequired: false, placedToday: USD_ZERO, openExposure: USD_ZERO },
        ...state,
      },
    ],
  ]),
  deskLimits: NO_LIMITS,
  readiness: { reconciled: true, placesFound: true, corruptSettings: [] },
  ...{ ownOrders: [], spentBefore: [] },
});
const ACCOUNT = accountWith({});
const URL = `/arbitrage/opportunities/${ID}/moments`;

async function noteJournal(site: FlightRecorderSite): Promise<void> {
  await site.note('settings', '', PLAIN_PRICES);
  await site.note('opportunity', ID, OPPORTUNITY);
  for (const id of ['a', 'b']) await site.note('market', id, marketWithBooks(id));
}

/** Books of both tokens, which then move for a while. @returns from when until when */
async function move(site: FlightRecorderSite, ms: number): Promise<{ from: Instant; until: Instant }> {
  for (const token of TOKENS) site.set(token, 'buy', '0.10', '100');
  const from = site.now();
  for (let step = 0; step * 100 < ms; step += 1) {
    const token = TOKENS[step % 2] ?? '';
    site.set(token, 'sell', step % 3 === 0 ? '0.40' : '0.47', String(20 + (step % 7)));
    if (step % 5 === 4) site.set(token, 'sell', '0.40', '0');
    await site.test.time.advance(100);
  }
  return { from, until: site.now() };
}

async function written(site: FlightRecorderSite): Promise<void> {
  await site.test.time.advance(4000);
  await site.until(async () => site.recordings.recorder()?.waitingBytes === 0);
}

function priceThen(site: FlightRecorderSite, at: string) {
  const quotes = POSITIONS.map((position) => {
    const stood = site.stood(`${position.marketId}:yes`, at);
    const book = new KeptBook();
    for (const { price, size } of stood?.asks ?? []) {
      applyLevelChange(book, 'sell', priceFromNumber(price), sharesFromNumber(size));
    }
    const market = marketWithBooks(position.marketId);
    const known = { market, book: stood === null ? undefined : book, midpoint: null, lastTrade: null };
    return { ...position, tokenId: `${position.marketId}:yes`, ...known };
  });
  const value = valueOpportunity(quotes, OPPORTUNITY.targetPrice, pricingSettings(PLAIN_PRICES));
  if (value.kind === 'unpriced') return { current_price: null, profit_percentage: null, reason: value.reason };
  const { currentPrice, profitPct } = value;
  return {
    ...{ current_price: priceToNumber(currentPrice), profit_percentage: percentToNumber(profitPct), reason: null },
  };
}

const gatesOf = ({ refusals }: PlainMoment) => (refusals as { gate: string }[] | null)?.map(({ gate }) => gate) ?? null;

/** Before that instant 30 books like these had a third of their depth left one latency later, after it as many nothing. */
async function measureThird({ test: { runtime } }: FlightRecorderSite, until: Instant): Promise<void> {
  const shown = sharesFromNumber(100);
  const category = feeCategoryOf(marketWithBooks('b'));
  const common = {
    venue: 'polymarket' as const,
    category,
    size: shown,
    limit: priceFromText('0.45'),
    shown,
    bookAgeMs: 0,
  };
  const sample = (at: number, met: number) => ({
    ...{ opportunityId: runtime.random.uuid(), at: instantFromMs(at), tokenId: 'b:yes' as const },
    order: { ...common, met: sharesFromNumber(met) },
  });
  const before = Array.from({ length: 30 }, () => sample(until - 1000, 33));
  await recordShown(runtime.db, [...before, ...before.map(() => sample(until + 1000, 0))]);
}

describe('an opportunity at a moment of the past', () => {
  it('has the books, the price and the profit that it had', async () => {
    await using site = await openFlightRecorderSite();
    await noteJournal(site);
    await site.test.time.advance(1000);
    const { from, until } = await move(site, 6000);
    await written(site);
    const [status, { legs, moments, unknown, next }] = await site.read(`${URL}?${span(from, until)}`);
    expect(status).toBe(200);
    expect(legs).toEqual(
      TOKENS.map((token_id, index) => ({
        ...{ leg: index + 1, market_id: token_id[0], market_name: `Will ${token_id[0]} happen?`, outcome: 'Yes' },
        token_id,
      })),
    );
    expect({ unknown, next }).toEqual({ unknown: [], next: null });
    expect(moments[0]?.at).toBe(instantToIso(from));
    expect(moments.length).toBeGreaterThan(50);
    expect(new Set(moments.map(({ current_price }) => current_price)).size).toBeGreaterThan(2);
    for (const [place, { at, legs: books }] of [...played(moments)].entries()) {
      const found = books.map(({ bids, asks, trust }) => ({ bids, asks, trust }));
      expect({ at, found }).toEqual({
        at,
        found: TOKENS.map((token) => ({ ...site.stood(token, at), trust: 'live' })),
      });
      expect({ at, ...moments[place] }).toMatchObject({ at, ...priceThen(site, at) });
    }
  });

  it('names the gates that would have refused an order then, by the account and the settings in force then', async () => {
    await using site = await openFlightRecorderSite();
    await noteJournal(site);
    await site.test.time.advance(1000);
    for (const token of TOKENS) {
      site.set(token, 'buy', '0.10', '100');
      site.set(token, 'sell', '0.45', '100');
    }
    const from = site.now();
    await site.test.time.advance(1000);
    await site.note('account', '', ACCOUNT);
    await site.test.time.advance(1000);
    await site.note('account', '', accountWith({ balance: usdFromText('1') }));
    await site.test.time.advance(1000);
    site.trust('b:yes', 'stale');
    site.tell('b:yes');
    await site.test.time.advance(1000);
    await site.note('account', '', accountWith({ armed: false }));
    await site.note('settings', '', { ...PLAIN_PRICES, MIN_PROFIT_TRIGGER_THRESHOLD: 50 });
    await site.test.time.advance(1000);
    await site.note('opportunity', ID, null);
    await written(site);
    await measureThird(site, from);
    const [, { moments }] = await site.read(`${URL}?${span(from, instantFromMs(from + 6000))}`);
    expect(moments.map((moment) => [instantFromIso(moment.at) - from, gatesOf(moment)])).toEqual([
      [0, null],
      [1000, []],
      [2000, ['balance']],
      [3000, ['fresh-books', 'balance']],
      [4000, expect.arrayContaining(['armed', 'profit', 'fresh-books'])],
      [5000, null],
    ]);
    expect(moments.at(-1)).toMatchObject({ current_price: null, reason: 'Nothing says that it was followed then' });
    const policiesAt = (place: number) =>
      (
        moments[place]?.policies as
          | { policy: string; order_size: number; bounded_by: string; allowed: boolean }[]
          | null
      )?.map(({ policy, order_size: size, bounded_by: bound, allowed }) => [policy, size, bound, allowed]);
    expect(moments[0]?.policies).toBeNull();
    expect(policiesAt(1)).toEqual([
      ['smallest', 5, 'minimum', true],
      ['up_to', 54, 'loss allowance', true],
      ['best', 33, 'depth', true],
    ]);
    expect(policiesAt(2)?.map(([, , bound, allowed]) => [bound, allowed])).toEqual([
      ['cash', false],
      ['cash', false],
      ['cash', false],
    ]);
  });

  it('is unknown where nothing was recorded, and where that is not on disk yet', async () => {
    await using site = await openFlightRecorderSite();
    await noteJournal(site);
    await site.test.time.advance(1000);
    const { from, until } = await move(site, 2000);
    await written(site);
    await site.recordings.stop();
    await site.test.time.advance(10_000);
    const [, { moments, unknown }] = await site.read(`${URL}?${span(instantFromMs(from - 5000), site.now())}`);
    expect(unknown).toEqual([
      { from: instantToIso(instantFromMs(from - 5000)), until: instantToIso(from), reason: 'nothing was recorded' },
      { from: expect.any(String), until: instantToIso(site.now()), reason: 'nothing was recorded' },
    ]);
    expect(instantFromIso(unknown[1]?.from ?? '')).toBeGreaterThanOrEqual(until - 100);
    expect(moments[0]).toMatchObject({
      ...{ current_price: null, refusals: null },
      legs: [
        { index: 0, trust: 'none', bids: null, asks: null },
        { index: 1, trust: 'none', bids: null, asks: null },
      ],
    });
  });

  it('is answered in parts, which join: at most 2,000 moments, and one set of positions each', async () => {
    await using site = await openFlightRecorderSite();
    await noteJournal(site);
    await site.test.time.advance(1000);
    for (const token of TOKENS) site.set(token, 'buy', '0.10', '100');
    const from = site.now();
    for (let step = 0; step < 2100; step += 1) {
      site.set('a:yes', 'sell', '0.40', String(10 + (step % 80)));
      await site.test.time.advance(5);
    }
    const swapped = site.now();
    await site.note('opportunity', ID, { ...OPPORTUNITY, positions: [POSITIONS[1]] });
    await site.test.time.advance(500);
    await written(site);
    const read = async (since: string) => {
      const [, answer] = await site.read(`${URL}?from=${since}&until=${instantToIso(site.now())}`);
      return answer;
    };
    const first = await read(instantToIso(from));
    expect(first.moments).toHaveLength(2000);
    const second = await read(first.next ?? '');
    expect(second.moments[0]).toMatchObject({ at: first.next, legs: [{ index: 0 }, { index: 1 }] });
    expect(second.moments.length).toBeGreaterThan(80);
    expect(second.next).toBe(instantToIso(swapped));
    const third = await read(second.next ?? '');
    expect(third.legs).toMatchObject([{ market_id: 'b' }]);
    expect(third.next).toBeNull();
  });

  it('is asked for ten minutes at most, and is not there where it was never followed', async () => {
    await using site = await openFlightRecorderSite();
    const now = site.now();
    expect((await site.read(`${URL}?${span(now, now)}`))[0]).toBe(404);
    await noteJournal(site);
    expect((await site.read(`${URL}?${span(now, instantFromMs(now + 600_000))}`))[0]).toBe(200);
    expect((await site.read(`${URL}?${span(now, instantFromMs(now + 600_001))}`))[0]).toBe(422);
    expect((await site.read(`${URL}?${span(now, instantFromMs(now - 1))}`))[0]).toBe(422);
  });
});
