import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountUse, type PlacedBatch, virtualAccount } from './virtual-account.ts';

const NOON = instantFromIso('2026-11-26T12:00:00Z');
const dollars = (most: number) => fc.integer({ min: 0, max: most }).map(usdFromMicro);
const anyBatch: fc.Arbitrary<PlacedBatch> = fc.record({
  at: fc.integer({ min: NOON - 36 * 3_600_000, max: NOON }).map(instantFromMs),
  spent: dollars(1e6),
  held: dollars(1e6),
});
const batches = fc.array(anyBatch, { maxLength: 8 });
const anyAccount: fc.Arbitrary<AccountUse> = fc.record({
  cash: fc.option(dollars(1e9)),
  placedToday: dollars(1e9).map((usd) => (usd + 1e8) as Usd),
  openExposure: dollars(1e9).map((usd) => (usd + 1e8) as Usd),
});
const sumOf = (of: readonly PlacedBatch[], amount: (batch: PlacedBatch) => number) =>
  of.reduce((sum, batch) => sum + amount(batch), 0);
const isToday = (at: Instant) => at >= instantFromIso('2026-11-26T00:00:00Z');

describe('the account of a rehearsal', () => {
  it('is as it was where the same was placed', () => {
    fc.assert(
      fc.property(anyAccount, batches, (account, placed) => {
        expect(virtualAccount(account, { extra: placed, missing: placed }, NOON)).toEqual(account);
      }),
    );
  });

  it('is without what only the rehearsal has placed, and with what only was placed then', () => {
    fc.assert(
      fc.property(anyAccount, batches, batches, (account, extra, missing) => {
        const { cash, placedToday, openExposure } = virtualAccount(account, { extra, missing }, NOON);
        const difference = (amount: (batch: PlacedBatch) => number) => sumOf(extra, amount) - sumOf(missing, amount);
        expect(cash).toBe(account.cash === null ? null : account.cash - difference(({ spent }) => spent));
        expect(placedToday - account.placedToday).toBe(difference(({ at, spent }) => (isToday(at) ? spent : 0)));
        expect(openExposure - account.openExposure).toBe(difference(({ held }) => held));
      }),
    );
  });

  it('has used nothing at least', () => {
    const batch = { at: NOON, spent: usdFromMicro(5), held: usdFromMicro(5) };
    const unused = { cash: null, placedToday: usdFromMicro(0), openExposure: usdFromMicro(0) };
    expect(virtualAccount(unused, { extra: [], missing: [batch] }, NOON)).toEqual(unused);
  });
});
