import { priceFromText } from '@dutchbook/units/price.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { readDraft } from './draft.ts';
import { insertDrafts } from './insert-drafts.ts';
import { countOpportunities, storedOpportunities } from './store.ts';
import { opportunities, opportunityPrices } from './table.ts';

const STATES = [undefined, true, false];
const FILTERS = STATES.flatMap((active) => STATES.map((triggered) => ({ active, triggered })));

async function expectTrueCounts(db: Db): Promise<void> {
  const rows = await storedOpportunities(db);
  for (const { active, triggered } of FILTERS) {
    const matching = rows.filter(
      (row) => row.active === (active ?? row.active) && row.triggered === (triggered ?? row.triggered),
    );
    expect(await countOpportunities(db, { active, triggered })).toBe(matching.length);
  }
}

function draftsOf(name: string, howMany: number) {
  return Array.from({ length: howMany }, (_, index) => {
    const legs = [{ leg: 1, markets: [{ id: `${name}-${index}`, outcome: 'Yes' }] }];
    const result = readDraft({ market_combinations: legs, active: index % 3 > 0 });
    if (result.kind === 'refused') throw new Error(result.reason);
    return result.draft;
  });
}

describe('the count of opportunities', () => {
  it('is true after every kind of change, and in the transaction that makes it', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await expectTrueCounts(db);
    await insertDrafts(test.runtime, draftsOf('a', 20));
    await insertDrafts(test.runtime, draftsOf('a', 25));
    await expectTrueCounts(db);
    await db
      .update(opportunityPrices)
      .set({ triggered: true })
      .where(sql`${opportunityPrices.opportunityId}::text < '8'`);
    await db.update(opportunities).set({ active: sql`not ${opportunities.active}`, targetPrice: priceFromText('1') });
    await expectTrueCounts(db);
    const undone = db.transaction(async (tx) => {
      await tx.delete(opportunities).where(eq(opportunities.active, true));
      await expectTrueCounts(tx);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await expectTrueCounts(db);
    await db.delete(opportunities).where(sql`${opportunities.id}::text < '4'`);
    await expectTrueCounts(db);
    await db.execute(sql`truncate opportunities cascade`);
    await expectTrueCounts(db);
  });

  it('is true after changes that were made at once', async () => {
    await using test = await openTestRuntime();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map((name) => insertDrafts(test.runtime, draftsOf(name, 30))));
    await Promise.all(
      [true, false].flatMap((active) => [
        test.runtime.db.update(opportunities).set({ active: !active }).where(eq(opportunities.active, active)),
        insertDrafts(test.runtime, draftsOf(`later-${active}`, 10)),
      ]),
    );
    expect(await countOpportunities(test.runtime.db, {})).toBe(200);
    await expectTrueCounts(test.runtime.db);
  });
});
