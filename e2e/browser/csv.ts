import type { MarketReply } from '@dutchbook/contract/markets.ts';
import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';

type CsvRow = { combinations: MarketCombinations; targetPrice: string };

/** A file as an operator would import it. */
export function csvFile(rows: readonly CsvRow[], brokenLines: readonly string[] = []) {
  const lines = rows.map(
    ({ combinations, targetPrice }) => `"${JSON.stringify(combinations).replaceAll('"', '""')}",${targetPrice}`,
  );
  const text = ['market_combinations,target_price', ...lines, ...brokenLines, ''].join('\r\n');
  return { name: 'opportunities.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}

/** Both outcomes of one market: a set that always pays one dollar, and costs a little more than that. */
export function bothOutcomes({ id, outcomes }: MarketReply): MarketCombinations {
  return [{ leg: 1, markets: outcomes.map(({ outcome }) => ({ id, outcome })) }];
}
