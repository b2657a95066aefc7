import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { orderInstants } from '../../../market/decision-journal/ordered-instants.ts';
import { openDesk } from '../../../market/prices/live-prices.fixture.ts';
import { startLivePrices } from '../../../market/prices/live-prices.ts';
import { startQuotes } from '../../../market/prices/quotes/quotes.ts';
import { onlyEngine } from '../../../platform/engines/engines.ts';
import { batches } from '../../orders/table.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { oneDesk } from '../../venue-desk/desks.fixture.ts';
import { ended, start, until } from '../runner/runner.fixture.ts';
import { openPlacing, triggeredBy } from './placing.ts';
import type { PlaceParts } from './request.ts';

const DAY_MS = 86_400_000;
const DEAR = { asks: [['1.00', '500']] as const };

it.each([
  { ask: '0.85', how: 'leaves as much' },
  { ask: '0.90', how: 'leaves less' },
])(
  'of two that come up in one frame with cash for one, that is bought which $how and has it back sooner',
  async ({ ask }) => {
    await using desk = await openDesk();
    const { test, venue, settings } = desk;
    const { runtime } = test;
    const inDays = (days: number): Instant => instantFromMs(runtime.clock.now() + days * DAY_MS);
    venue.list('rain', { endDate: inDays(300) });
    venue.list('snow', { endDate: inDays(3) });
    venue.setBooks({ 'rain:yes': DEAR, 'snow:yes': DEAR });
    const [rain, snow] = [await desk.add(['rain Yes']), await desk.add(['snow Yes'])];
    const quotes = startQuotes(runtime, venue.venue, settings);
    const controls = scriptedControls();
    const reading = { cash: usdFromText('8'), allowances: null, at: runtime.clock.now() };
    const account = { reading: () => reading, refresh: async () => reading, stop: () => {} };
    const { placing } = await start(test, undefined, { controls, account, quotes });
    const { catalogue } = venue.venue;
    const parts: PlaceParts = {
      ...{ runtime, quotes, catalogue, settings, desks: oneDesk({ controls, account }) },
      readiness: () => ({ reconciled: true, placesFound: false, corruptSettings: [] }),
    };
    const { ofDecision } = orderInstants(runtime.clock);
    const live = await startLivePrices({
      ...{ runtime, quotes, settings, stream: desk.hub, partitions: onlyEngine().partitions, journal: desk.journal },
      blockersOf: async () => [],
      onTrigger: {
        isReady: () => true,
        buy: (opportunity, seen) => openPlacing(parts, placing, triggeredBy(opportunity, seen, ofDecision)),
      },
    });
    await test.time.advance(1);
    venue.setBooks({ 'rain:yes': { asks: [['0.85', '500']] }, 'snow:yes': { asks: [[ask, '500']] } });
    await desk.untilStored(rain.id, { triggered: true });
    await desk.untilStored(snow.id, { triggered: true });
    expect((await desk.stored(snow.id)).refusal).toBeNull();
    expect((await desk.stored(rain.id)).refusal).toMatch(/^The balance is \$3\.\d\d, needs \$4\.25/);
    const bought = await runtime.db.select().from(batches);
    expect(bought.map(({ opportunityId }) => opportunityId)).toEqual([snow.id]);
    for (const { id } of bought) await until(test, id, ended);
    await live.stop();
    await placing.stop();
    await quotes.stop();
  },
);
