import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { countUnreadableTrades } from './product-metrics.ts';

const countIn = (served: string) => /^dutchbook_trades_unreadable_total (\d+)$/m.exec(served)?.[1];

it('counts the trades that could not be read in the metrics, and none where nothing is traded', async () => {
  const { registry } = createMetrics();
  let unreadable = 2;
  countUnreadableTrades(registry, [{ unreadableTrades: () => unreadable }]);
  expect(countIn(await registry.metrics())).toBe('2');
  unreadable = 3;
  expect(countIn(await registry.metrics())).toBe('3');
  const readOnly = createMetrics().registry;
  countUnreadableTrades(readOnly, [null]);
  expect(countIn(await readOnly.metrics())).toBe('0');
});
