import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account } from '../risk/context.fixture.ts';
import type { AccountState } from '../risk/context.ts';
import { type PlacedBatch, type PlacedDifference, virtualAccounts } from './virtual-account.ts';

const NOON = instantFromIso('2026-11-26T12:00:00Z');
const dollars = (most: number) => fc.integer({ min: 0, max: most }).map(usdFromMicro);
const anyBatch: fc.Arbitrary<PlacedBatch> = fc.record({
  venue: fc.constant('polymarket' as const),
  at: fc.integer({ min: NOON - 36 * 3_600_000, max: NOON }).map(instantFromMs),
  spent: dollars(1e6),
  held: dollars(1e6),
});
const batches = fc.array(anyBatch, { maxLength: 8 });
const anyAccount: fc.Arbitrary<AccountState> = fc
  .record({
    balance: fc.option(dollars(1e9)),
    placedToday: dollars(1e9).map((usd) => (usd + 1e8) as Usd),
    openExposure: dollars(1e9).map((usd) => (usd + 1e8) as Usd),
  })
  .map((use) => ({ ...account, ...use }));
const sumOf = (of: readonly PlacedBatch[], amount: (batch: PlacedBatch) => number) =>
  of.reduce((sum, batch) => sum + amount(batch), 0);
const isToday = (at: Instant) => at >= instantFromIso('2026-11-26T00:00:00Z');
const other = { ...account, balance: usdFromMicro(7) };
/** Of an account beside one that nothing was placed on. */
function virtualAccount(state: AccountState, placed: PlacedDifference): AccountState {
  const accounts = virtualAccounts(new Map([['polymarket', state] as const, ['kalshi', other] as const]), placed, NOON);
  expect(accounts.get('kalshi')).toEqual(other);
  return accounts.get('polymarket') as AccountState;
}

describe('the account of a rehearsal', () => {
  it('is as it was where the same was placed', () => {
    fc.assert(
      fc.property(anyAccount, batches, (state, placed) => {
        expect(virtualAccount(state, { extra: placed, missing: placed })).toEqual(state);
      }),
    );
  });

  it('is without what only the rehearsal has placed, and with what only was placed then', () => {
    fc.assert(
      fc.property(anyAccount, batches, batches, (state, extra, missing) => {
        const { balance, placedToday, openExposure } = virtualAccount(state, { extra, missing });
        const difference = (amount: (batch: PlacedBatch) => number) => sumOf(extra, amount) - sumOf(missing, amount);
        expect(balance).toBe(state.balance === null ? null : state.balance - difference(({ spent }) => spent));
        expect(placedToday - state.placedToday).toBe(difference(({ at, spent }) => (isToday(at) ? spent : 0)));
        expect(openExposure - state.openExposure).toBe(difference(({ held }) => held));
      }),
    );
  });

  it('has used nothing at least', () => {
    const batch = { venue: 'polymarket' as const, at: NOON, spent: usdFromMicro(5), held: usdFromMicro(5) };
    const unused = { ...account, balance: null, placedToday: usdFromMicro(0), openExposure: usdFromMicro(0) };
    expect(virtualAccount(unused, { extra: [], missing: [batch] })).toEqual(unused);
  });
});
