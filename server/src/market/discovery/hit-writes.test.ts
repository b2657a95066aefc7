import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { opportunityPrices } from '../opportunities/table.ts';
import { listHits } from '../relations/hits.ts';
import { presentHit } from '../relations/present-hit.ts';
import { cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';

const FAIR = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.20', '0.22'] } as const;
const CHEAP = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.14', '0.15'] } as const;
const CHEAPER = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.09', '0.10', '40'] } as const;

async function hitsOf({ db }: Runtime) {
  return (await listHits(db, {}, { skip: 0, limit: 100 })).rows.map((hit) => presentHit(hit, null));
}

async function openCup() {
  const desk = await openDiscoveryDesk();
  desk.desk.events = [cupOf(['a', 'b', 'c'])];
  const discovery = await desk.start();
  await desk.pass();
  desk.quote(FAIR);
  await desk.pass(2);
  return { desk, discovery };
}

describe('a time in which a relation pays', () => {
  it('is one from the first moment to the last, with the most it made, also where it was gone for a moment', async () => {
    const { desk, discovery } = await openCup();
    await using _ = desk;
    desk.quote(CHEAP);
    await desk.pass(4);
    desk.quote(FAIR);
    await desk.pass(2);
    // Ten cents a set, of which there are only 40.
    desk.quote(CHEAPER);
    await desk.pass(2);
    const [now] = await hitsOf(desk.runtime);
    expect(now).toMatchObject({
      ended_at: null,
      direction: 'yes',
      net_usd: 100_000,
      title: 'Exactly one of 3 outcomes',
    });
    desk.quote(FAIR);
    await desk.pass(8);
    const hits = await hitsOf(desk.runtime);
    expect(hits).toMatchObject([{ id: now?.id, profit_usd: 5_000_000, size: 100_000_000, lasted_ms: 8000 }]);
    expect(hits[0]?.ended_at).toBe(hits[0]?.last_at);
    expect(await desk.relations('exactly_one')).toMatchObject([{ hits: 1 }]);

    desk.quote(CHEAP);
    await desk.pass(2);
    expect(await hitsOf(desk.runtime)).toMatchObject([{ ended_at: null }, { id: now?.id }]);
    await discovery.stop();
  });

  it('says what bought it, and what refused where it was not bought', async () => {
    const { desk, discovery } = await openCup();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.quote(CHEAP);
    await desk.pass(3);
    const [found] = await desk.found();
    expect(await hitsOf(desk.runtime)).toMatchObject([
      {
        opportunity_id: found?.id,
        why_not:
          'Its profit did not reach MIN_PROFIT_TRIGGER_THRESHOLD (no price at best; 0.80% is needed at the best ask of each leg)',
      },
    ]);
    await db
      .update(opportunityPrices)
      .set({ triggered: true, refusal: 'Trading is disarmed.' })
      .where(eq(opportunityPrices.opportunityId, found?.id ?? ''));
    await desk.pass(2);
    expect(await hitsOf(desk.runtime)).toMatchObject([{ batch_id: null, why_not: 'Trading is disarmed.' }]);

    await desk.batchOf(found?.id ?? '', 'completed', { simulated: true });
    await desk.pass(2);
    expect(await hitsOf(desk.runtime)).toMatchObject([{ batch_id: null, why_not: 'Orders were only simulated.' }]);
    expect((await listHits(db, { isTaken: false }, { skip: 0, limit: 10 })).count).toBe(1);

    const batchId = await desk.batchOf(found?.id ?? '', 'completed');
    desk.quote(FAIR);
    await desk.pass(8);
    expect(await hitsOf(desk.runtime)).toMatchObject([{ batch_id: batchId, why_not: null }]);
    expect((await listHits(db, { isTaken: false }, { skip: 0, limit: 10 })).count).toBe(0);
    await discovery.stop();
  });

  it('says why no more was bought of what had been bought before it, and how near others came', async () => {
    const { desk, discovery } = await openCup();
    await using _ = desk;
    const { db } = desk.runtime;
    const prices = (changed: Partial<typeof opportunityPrices.$inferInsert>) =>
      db.update(opportunityPrices).set(changed);
    const payOnce = async (changed: Parameters<typeof prices>[0]) => {
      desk.quote(CHEAP);
      await desk.pass(3);
      await prices(changed);
      await desk.pass(2);
      // It falls below its trigger before the end of the hit is stored.
      await prices({ triggered: false });
      desk.quote(FAIR);
      await desk.pass(8);
      const [latest] = await hitsOf(desk.runtime);
      return latest?.why_not;
    };
    await payOnce({ triggered: false });
    const [found] = await desk.found();
    await desk.batchOf(found?.id ?? '', 'completed');
    await desk.pass(1);
    const above = { triggered: true, refusal: null };
    expect(await payOnce(above)).toMatch(/^The smallest size was bought .*SIZE_POLICY/);
    const noMore = 'As many clips in a row were bought as CLIPS_MAX allows (20 of 20)';
    expect(await payOnce({ ...above, refusal: noMore })).toBe(noMore);
    await desk.batchOf(found?.id ?? '', 'processing');
    await desk.pass(1);
    expect(await payOnce(above)).toBe('It was over while a batch of it was still being bought');
    expect(await payOnce({ triggered: false, profitPercentage: 420_000 as never })).toBe(
      'Its profit did not reach MIN_PROFIT_TRIGGER_THRESHOLD (0.42% at best; 0.80% is needed at the best ask of each leg)',
    );
    expect(await payOnce({ triggered: false, lastError: 'Leg 2: not enough depth' })).toBe(
      'It could not be priced: Leg 2: not enough depth',
    );
    await discovery.stop();
  });

  it('is kept of what may not be bought, and of what makes too little', async () => {
    const { desk, discovery } = await openCup();
    await using _ = desk;
    await desk.change({ min_profit_usd: 6_000_000 as never });
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await hitsOf(desk.runtime)).toMatchObject([
      { opportunity_id: null, why_not: 'It makes $5 at its best size, and the least profit is $6' },
    ]);
    await desk.change({ min_profit_usd: 0 as never, exactly_one: false });
    await desk.pass(3);
    expect(await hitsOf(desk.runtime)).toMatchObject([
      { why_not: 'Its kind, exactly one, is switched off in the discovery settings' },
    ]);
    desk.quote(FAIR);
    const towers = ['100', '200'].map((height) => memberOf(height, { question: `Will it be above ${height} m?` }));
    desk.desk.events.push(cupOf([], { id: 'tower', exclusive: null, members: towers }));
    await desk.pass(8);
    desk.quote({ '100': ['0.20', '0.25'], '200': ['0.40', '0.45'] });
    await desk.pass(3);
    expect((await hitsOf(desk.runtime))[0]).toMatchObject({
      title: 'Each of 2 steps implies the easier ones',
      why_not: 'A superuser has to approve the relation first',
    });
    await discovery.stop();
  });

  it('that a process left open has ended when that looked last', async () => {
    const { desk, discovery } = await openCup();
    await using _ = desk;
    desk.quote(CHEAP);
    await desk.pass(3);
    await discovery.stop();
    const [left] = await hitsOf(desk.runtime);
    expect(left?.ended_at).toBeNull();
    await desk.pass(20);
    desk.quote(FAIR);
    const next = await desk.start();
    await desk.pass(4);
    expect(await hitsOf(desk.runtime)).toMatchObject([{ id: left?.id, ended_at: left?.last_at }]);
    await next.stop();
  });
});
