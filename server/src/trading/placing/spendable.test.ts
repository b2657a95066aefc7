import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { batches } from '../../world/schema.ts';
import { openTestWorld, testDatabases } from '../../world/test-world.ts';
import { startAccount } from '../account.ts';
import { ended, recordedBatch, start, until } from './placing.fixture.ts';
import { scriptedTrading } from './scripted-trading.fixture.ts';
import { spendableCash } from './spendable.ts';

describe.each(testDatabases)('cash that may still be spent, on %s', (kind) => {
  it('leaves out what a batch is about to spend, whatever the venue says of the balance', async () => {
    await using test = await openTestWorld(kind);
    const reading = { cash: usdFromText('10'), at: (test.world.clock.now() + 1) as Instant };
    expect(await spendableCash(test.world.db, reading)).toBe(usdFromText('10'));
    const batchId = await recordedBatch(test);
    expect(await spendableCash(test.world.db, reading)).toBe(usdFromText('2'));
    expect(await spendableCash(test.world.db, reading, batchId)).toBe(usdFromText('10'));
  });

  it('believes the venue again once it was asked after the batch had ended', async () => {
    await using test = await openTestWorld(kind);
    const { placing } = await start(test);
    const before = { cash: usdFromText('10'), at: test.world.clock.now() };
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ended);
    expect(await spendableCash(test.world.db, before)).toBe(usdFromText('2'));
    await placing.stop();
    await test.time.advance(1);
    const after = { cash: usdFromText('2'), at: test.world.clock.now() };
    expect(await spendableCash(test.world.db, after)).toBe(usdFromText('2'));
  });

  it('leaves out what another process did when the venue was asked, though its clock is a little behind', async () => {
    await using test = await openTestWorld(kind, { DATABASE_URL: 'postgres://one-of-many/dutchbook' });
    const { world } = test;
    const behind = { ...world, clock: { now: () => instantFromMs(world.clock.now() - 50) } };
    const { trading } = scriptedTrading(world).venue;
    if (trading === null) throw new Error('the scripted venue trades');
    trading.cashBalance = async () => {
      const batchId = await recordedBatch({ ...test, world: behind });
      await world.db.update(batches).set({ status: 'completed' }).where(eq(batches.id, batchId));
      return usdFromText('10');
    };
    const account = startAccount(world, trading);
    expect(await spendableCash(world.db, await account.refresh())).toBe(usdFromText('2'));
    account.stop();
  });

  it('is unknown while the balance is unknown', async () => {
    await using test = await openTestWorld(kind);
    expect(await spendableCash(test.world.db, null)).toBeNull();
  });
});
