/** Which of several hits gets the cash, the limits and the pace that do not suffice for all: the one that earns most on it in a day. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { annualisedPct, msUntilCash } from '../opportunity/return-on-time.ts';
import type { OpportunityRow, Rise } from './tracked.ts';

type Hit = Pick<Rise, 'quotes'> & { row: Pick<OpportunityRow, 'targetPrice' | 'profitPercentage'> };

/** Profit per dollar and day until the cash is back, as if all year long; null where that is not known. */
export function returnOfHit({ row, quotes }: Hit, now: Instant): Percent | null {
  const { targetPrice, profitPercentage } = row;
  return profitPercentage === null ? null : annualisedPct(profitPercentage, msUntilCash(quotes, targetPrice, now));
}

/** Below zero where `one` is served before `other`. What is not known comes last. */
export function servedBefore(one: Percent | null, other: Percent | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return other - one;
}

/** Sorts proposals by earnings per dollar and day; equal ones keep their order. */
export function inServingOrder<Proposal extends { rise: Hit }>(proposals: Proposal[], now: Instant): Proposal[] {
  if (proposals.length < 2) return proposals;
  return proposals
    .map((proposal) => ({ proposal, annualised: returnOfHit(proposal.rise, now) }))
    .sort((one, other) => servedBefore(one.annualised, other.annualised))
    .map(({ proposal }) => proposal);
}
