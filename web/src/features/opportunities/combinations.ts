import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';

/** The legs in a few words: "Yes + No", "4 × No", "2 legs · 2 × Yes + No". */
export function combinationsInWords(legs: MarketCombinations): string {
  const counts = new Map<string, number>();
  for (const { markets } of legs)
    for (const { outcome } of markets) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const outcomes = [...counts].map(([outcome, count]) => (count === 1 ? outcome : `${count} × ${outcome}`)).join(' + ');
  return legs.length > 1 ? `${legs.length} legs · ${outcomes}` : outcomes;
}
