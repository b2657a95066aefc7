/** Holds what the CLOB says of a market against what Gamma says of it. */

import type { FeeSchedule, Market, SourceDifference } from '@dutchbook/engine/market/market.ts';
import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { tickToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import type { ClobMarket } from '../wire.ts';

type Listed = Pick<Market, 'outcomes' | 'negRisk' | 'tick' | 'minOrderSize' | 'feeSchedule'>;

/**
 * The tick that books have. `moved`: it has changed lately, of which Gamma may not know yet; `unconfirmed`: it has changed since the
 * CLOB was asked for the market.
 */
export type BookTick = { tick: number; state: 'steady' | 'moved' | 'unconfirmed' };

/** `books`: null where no book was seen. */
export function compareSources(listed: Listed, clob: ClobMarket, books: BookTick | null): SourceDifference[] {
  const differences: SourceDifference[] = [];
  const hold = (field: SourceDifference['field'], what: string, said: Said, atClob: Said, where = 'in Gamma') => {
    if (said === null || atClob === null || said === atClob) return;
    differences.push({ field, says: `${what} ${said} ${where}, ${atClob} at the CLOB` });
  };
  hold('fee', 'fee rate', feeInGamma(listed.feeSchedule), feeAtClob(clob));
  hold(
    'outcomes',
    'tokens',
    tokensOf(listed.outcomes.map(({ outcome, tokenId }) => [outcome, tokenId])),
    tokensAt(clob),
  );
  hold('negative_risk', 'negative risk', listed.negRisk, clob.nr ?? null);
  const tick = clob.mts ?? null;
  if (books === null || books.state === 'steady') hold('tick', 'tick', tickToNumber(listed.tick), tick);
  if (books !== null && books.state !== 'unconfirmed') hold('tick', 'tick', books.tick, tick, 'in its books');
  hold('least_size', 'least size', sharesToNumber(listed.minOrderSize), clob.mos ?? null);
  return differences;
}

type Said = string | number | boolean | null;

function feeInGamma(schedule: FeeSchedule | null): string | null {
  return schedule === null ? null : String(fractionToNumber(schedule.rate));
}

/** A fee that is not of the form `rate × price × (1 − price)` equals none that is. */
function feeAtClob({ fd }: ClobMarket): string | null {
  if (!fd) return null;
  const isPlain = fd.r === 0 || fd.e === null || fd.e === undefined || fd.e === 1;
  return isPlain ? String(fd.r) : `${fd.r} with exponent ${fd.e}`;
}

function tokensAt({ t }: ClobMarket): string | null {
  return t ? tokensOf(t.map(({ o, t: tokenId }) => [o, tokenId])) : null;
}

/** Which token is which outcome, whatever their order. */
function tokensOf(outcomes: readonly (readonly [outcome: string, tokenId: TokenId])[]): string {
  const named = outcomes.map(([outcome, tokenId]) => `${outcome.trim().toLowerCase()} ${tokenId}`);
  return named.sort().join(' and ');
}
