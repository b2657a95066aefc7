import type { FeeChange, FeeSchedule } from '@dutchbook/engine/market/market.ts';
import { FRACTION_ZERO, type Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { divInteger, MICRO, microFromNumber } from '@dutchbook/units/micro.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** The kind of fee of a series, or of an event that has one of its own, as the venue says it. */
export type FeeTerms = { type: string; multiplier: number };

/** Fee terms of an event; null parts are those of its series. */
export type FeeOverride = { type: string | null; multiplier: number | null };

export type MarketFees = {
  feeSchedule: FeeSchedule | null;
  makerFeeSchedule: FeeSchedule | null;
  feeChange: FeeChange | null;
};

/** `rate * size * price * (1 - price)`, paid by the taker. */
const TAKER_RATE = 70_000;
/** What makers pay, in millionths of the taker's fee. Of another kind the fee is not known: `flat` has a table of its own. */
const MAKER_PARTS: ReadonlyMap<string, number> = new Map([
  ['quadratic', 0],
  ['quadratic_with_maker_fees', 250_000],
  ['quadratic_with_combo_maker_fees', 500_000],
]);

/** A direct member's cash is a multiple of this, so that a fill costs up to as much more than its fee. */
const MEMBER_GRID = 100 as Usd;
const HIGHEST_MULTIPLIER = 14;
const NO_FEE: FeeSchedule = { rate: FRACTION_ZERO, step: MEMBER_GRID };

export function termsOf(series: FeeTerms, { type, multiplier }: FeeOverride): FeeTerms {
  return { type: type ?? series.type, multiplier: multiplier ?? series.multiplier };
}

/** What a market costs now, and from when on something else. Unknown is null, never zero. */
export function feesOf(terms: FeeTerms | null, waivedUntil: Instant | null, now: Instant): MarketFees {
  const charged = terms === null ? UNKNOWN : chargedBy(terms);
  if (waivedUntil === null || waivedUntil <= now) return { ...charged, feeChange: null };
  const { feeSchedule, makerFeeSchedule } = charged;
  const feeChange =
    feeSchedule === null || makerFeeSchedule === null ? null : { from: waivedUntil, feeSchedule, makerFeeSchedule };
  return { feeSchedule: NO_FEE, makerFeeSchedule: NO_FEE, feeChange };
}

type Charged = Pick<MarketFees, 'feeSchedule' | 'makerFeeSchedule'>;

const UNKNOWN: Charged = { feeSchedule: null, makerFeeSchedule: null };

function chargedBy({ type, multiplier }: FeeTerms): Charged {
  const makerPart = MAKER_PARTS.get(type);
  if (makerPart === undefined || !(multiplier >= 0 && multiplier <= HIGHEST_MULTIPLIER)) return UNKNOWN;
  const rate = divInteger(TAKER_RATE * microFromNumber(multiplier, 'multiplier'), MICRO, 'up');
  const makerRate = divInteger(rate * makerPart, MICRO, 'up');
  return {
    feeSchedule: { rate: rate as Fraction, step: MEMBER_GRID },
    makerFeeSchedule: { rate: makerRate as Fraction, step: MEMBER_GRID },
  };
}
