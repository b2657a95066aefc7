/** A desk at a scripted venue without contracts, which pays for markets that have ended and nets both outcomes. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { complement, priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { VenuePayout, VenuePosition } from '@dutchbook/venues/venue.ts';
import { asc, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { boughtBatch } from '../chain-steps/chain.fixture.ts';
import { compareWithVenue, lastCheck } from '../ledger/compare.ts';
import { postOlderFills } from '../ledger/post-fills.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { loadBatch } from '../orders/batch-state.ts';
import { openPayoutLoop } from './payout-loop.ts';

type Side = 'yes' | 'no';
export const YES = 0;
export const NO = 1;

/** The account at a scripted venue: what it holds, what its markets are said to pay, and what it was paid. */
function openVenue(test: TestRuntime, cash: string) {
  const state = {
    cash: usdFromText(cash),
    held: new Map<string, number>(),
    markets: new Map<string, Market>(),
    payouts: new Map<string, VenuePayout>(),
  };
  const positions = async (): Promise<VenuePosition[]> =>
    [...state.held].flatMap(([tokenId, shares]) =>
      shares === 0
        ? []
        : [
            {
              ...{
                marketId: tokenId.replace(/:(?:yes|no)$/, ''),
                tokenId,
                outcome: 'Yes',
                shares: sharesFromText(`${shares}`),
              },
              ...{ redeemable: false, resolvedValue: null },
            },
          ],
    );
  const market = (name: string): Market => {
    const id = `kalshi:${name}`;
    const tokens = {
      outcomes: [YES, NO].map((place) => ({ outcome: place ? 'No' : 'Yes', tokenId: `${id}:${place ? 'no' : 'yes'}` })),
    };
    const made = marketOf(id, { ...tokens, netsOutcomes: true });
    state.markets.set(id, made);
    return made;
  };
  const said = (of: Market, yesPays: string) => {
    const yes = priceFromText(yesPays);
    return of.outcomes.map((outcome, place) => ({ ...outcome, resolvedValue: place === YES ? yes : complement(yes) }));
  };
  return {
    state,
    market,
    hold: (of: Market, side: Side, shares: number) => state.held.set(`${of.id}:${side}`, shares),
    /** Says what it pays, which it may still change. */
    announce: (of: Market, yesPays: string) =>
      state.markets.set(of.id, { ...of, closed: true, isProvisional: true, outcomes: said(of, yesPays) }),
    /** Pays for what is held, finally. */
    pay: (of: Market, yesPays: string) => {
      const outcomes = said(of, yesPays).flatMap(({ tokenId, resolvedValue: pays }) => {
        const shares = sharesFromText(`${state.held.get(tokenId) ?? 0}`);
        state.held.delete(tokenId);
        return shares > 0 ? [{ tokenId, shares, pays }] : [];
      });
      const dollars = usdFromText(
        outcomes.reduce((sum, { shares, pays }) => sum + (shares * pays) / 1e12, 0).toFixed(2),
      );
      state.cash = usdFromText(((state.cash + dollars) / 1e6).toFixed(6));
      const paidAt = test.runtime.clock.now();
      state.payouts.set(of.id, {
        marketId: of.id,
        outcomes,
        dollars,
        fee: usdFromText('0'),
        paidAt,
        isProvisional: false,
      });
      state.markets.set(of.id, { ...of, closed: true, outcomes: said(of, yesPays) });
    },
    trading: { positions, payouts: async () => [...state.payouts.values()], refreshHoldings: async () => {} },
    catalogue: {
      marketsById: async (ids: readonly string[]) =>
        new Map(ids.flatMap((id) => (state.markets.has(id) ? [[id, state.markets.get(id) as Market]] : []))),
      eventsById: async () => [],
    },
  };
}

/** The loop that books payouts, with the ledger and what it is compared with. */
export async function openDesk() {
  const test = await openTestRuntime({ VENUE: 'simulated' });
  const { runtime } = test;
  const venue = openVenue(test, '100');
  const publisher = { publish: async () => {}, publishFailed: async () => {}, publishUnhedged: async () => {} };
  const startLoop = (given = runtime) => openPayoutLoop({ ...venue, runtime: given, name: 'kalshi', publisher });
  const refresh = async () => ({ cash: venue.state.cash, allowances: null, at: runtime.clock.now() });
  /** What the ledger and the venue differ in: unit and amount. */
  const compare = async (): Promise<unknown[][] | undefined> => {
    await postOlderFills(runtime.db);
    await compareWithVenue({ ...venue, venue: 'kalshi', runtime, account: { refresh }, chain: null });
    return (await lastCheck(runtime.db, 'kalshi'))?.differences.map(({ unit, amount }) => [unit, amount]);
  };
  /** The ledger begins with what is there, once nothing has been on its way for a while. */
  const begin = async () => {
    await test.time.advance(120_000);
    expect(await compare()).toEqual([]);
  };
  /** Of each sale of a batch its status, size and dollars. */
  const sales = async (batchId: string): Promise<unknown[][]> =>
    ((await loadBatch(runtime.db, batchId))?.sales ?? []).map(({ status, size, filledCost }) => [
      status,
      size,
      filledCost,
    ]);
  /** Ten shares for these dollars, in the ledger. */
  const bought = async (of: Market, side: 0 | 1, cost: string, shares = '10') => {
    const id = await boughtBatch(test, [{ market: of, outcome: side, shares, cost }]);
    await postOlderFills(runtime.db);
    return id;
  };
  const entries = async () =>
    (await runtime.db.select().from(ledgerEntries).orderBy(asc(ledgerEntries.id))).map(({ kind }) => kind);
  const told = async () =>
    (
      await runtime.db
        .select()
        .from(notifications)
        .where(eq(notifications.notificationType, 'payout_changed'))
        .orderBy(asc(notifications.createdAt))
    ).map(({ message }) => message);
  return {
    test,
    venue,
    startLoop,
    compare,
    begin,
    sales,
    bought,
    entries,
    told,
    [Symbol.asyncDispose]: () => test.close(),
  };
}
