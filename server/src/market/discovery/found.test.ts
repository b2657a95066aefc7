import { setTimeout as pause } from 'node:timers/promises';
import type { OpenBasket } from '@dutchbook/engine/desk/found-baskets.ts';
import { PRICE_ZERO, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { activeBatchOf } from '../../trading/orders/batch-store.ts';
import { opportunities } from '../opportunities/table.ts';
import { cupOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { openFoundOpportunities } from './found.ts';
import { watchedOf } from './watched.ts';

it('leaves an opportunity active whose edge is back while its pause is being stored', async () => {
  const desk = await openDiscoveryDesk();
  await using _ = desk;
  const cup = cupOf(['a', 'b', 'c', 'd']);
  desk.desk.events = [cup];
  const discovery = await desk.start();
  await desk.pass();
  await discovery.stop();
  const [row] = await desk.relations('exactly_one');
  if (row === undefined) throw new Error('the cup is not a relation');

  const found = openFoundOpportunities({
    runtime: desk.runtime,
    live: { adopt: () => {}, rowsNow: (rows) => [...rows] },
    stream: { publish: () => {}, watched: () => false },
    settings: desk.settings,
    activeBatchOf,
  });
  const members = cup.members.map((each) => (each.marketId === 'd' ? { ...each, resolvedValue: PRICE_ZERO } : each));
  const watched = watchedOf(row, new Map([[cup.id, { ...cup, members }]]));
  const legs = [0, 1, 2].map((member) => ({ member, outcome: 0 as const }));
  const now = desk.runtime.clock.now();
  const open: OpenBasket = {
    ...{ relationId: row.id, openedAt: now, triedAt: now, paidAt: now, isBusy: true },
    basket: {
      direction: 'yes',
      legs,
      payout: setPriceFromNumber(1),
      payoutWithVoids: setPriceFromNumber(1),
      cost: 950_000,
    },
    ...{ opportunityId: null, refused: null, replaces: null },
  };
  found.open(watched, open, () => {});
  await found.allStored();
  const [opened] = await desk.found();
  await desk.runtime.db.transaction(async (tx) => {
    await tx
      .select()
      .from(opportunities)
      .where(eq(opportunities.id, opened?.id ?? ''))
      .for('update');
    found.pause(row.id, 'yes');
    found.open(watched, open, () => {});
    // Long enough for what does not wait for the pause to have been stored before it.
    await pause(200);
  });
  await found.allStored();
  const sourceDetails = expect.stringMatching(/Yes on 3 of 4; .+ has resolved already, at 0$/);
  expect(await desk.found()).toMatchObject([{ id: opened?.id, active: true, sourceDetails }]);
});
