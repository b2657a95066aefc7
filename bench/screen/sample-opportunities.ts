import type { MarketReply } from '@dutchbook/contract/markets.ts';
import type { RunningProduct } from './running-product.ts';

/** Yes on every market of each event, and both outcomes of ten markets: something on the list whose prices move. */
export async function addSampleOpportunities({ call }: Pick<RunningProduct, 'call'>): Promise<void> {
  const { data } = (await call('GET', '/markets?limit=1000')) as { data: MarketReply[] };
  const byEvent = Map.groupBy(data, ({ event }) => event?.id ?? '');
  const sets = [
    ...[...byEvent.values()].map((markets) =>
      markets.slice(0, 50).map((market) => [market.id, market.outcomes[0]?.outcome]),
    ),
    ...data.slice(0, 10).map((market) => market.outcomes.map(({ outcome }) => [market.id, outcome])),
  ];
  for (const positions of sets) {
    const legs = positions.map(([id, outcome], index) => ({ leg: index + 1, markets: [{ id, outcome }] }));
    await call('POST', '/arbitrage/opportunities', { market_combinations: legs, source: 'sample' });
  }
}
