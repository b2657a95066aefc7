import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { ended, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { scriptedTrading } from '../execution/runner/scripted-trading.fixture.ts';
import { batches } from '../orders/table.ts';
import { startAccount } from '../venue-desk/account.ts';
import { spendableCash } from './spendable.ts';

describe('cash that may still be spent', () => {
  it('leaves out what a batch is about to spend, whatever the venue says of the balance', async () => {
    await using test = await openTestRuntime();
    const reading = { cash: usdFromText('10'), allowances: null, at: (test.runtime.clock.now() + 1) as Instant };
    expect(await spendableCash(test.runtime.db, reading, { venue: 'polymarket' })).toBe(usdFromText('10'));
    const batchId = await recordedBatch(test);
    expect(await spendableCash(test.runtime.db, reading, { venue: 'polymarket' })).toBe(usdFromText('2'));
    expect(await spendableCash(test.runtime.db, reading, { venue: 'polymarket', ownBatchId: batchId })).toBe(
      usdFromText('10'),
    );
  });

  it('believes the venue again once it was asked after the batch had ended', async () => {
    await using test = await openTestRuntime();
    const { placing } = await start(test);
    const before = { cash: usdFromText('10'), allowances: null, at: test.runtime.clock.now() };
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ended);
    expect(await spendableCash(test.runtime.db, before, { venue: 'polymarket' })).toBe(usdFromText('2'));
    await placing.stop();
    await test.time.advance(1);
    const after = { cash: usdFromText('2'), allowances: null, at: test.runtime.clock.now() };
    expect(await spendableCash(test.runtime.db, after, { venue: 'polymarket' })).toBe(usdFromText('2'));
  });

  it('leaves out what a batch took that the reading may not have counted, as reads of a venue are behind its orders', async () => {
    await using test = await openTestRuntime();
    const { placing } = await start(test);
    const before = test.runtime.clock.now();
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ended);
    await placing.stop();
    await test.time.advance(1);
    const reading = { cash: usdFromText('10'), allowances: null, at: test.runtime.clock.now() };
    const spendable = (shownTo?: Instant) =>
      spendableCash(test.runtime.db, { ...reading, ...(shownTo && { shownTo }) }, { venue: 'polymarket' });
    expect(await spendable()).toBe(usdFromText('10'));
    expect(await spendable(before)).toBe(usdFromText('2'));
  });

  it('leaves out what another process did when the venue was asked, though its clock is a little behind', async () => {
    await using test = await openTestRuntime({ DATABASE_URL: 'postgres://one-of-many/dutchbook' });
    const { runtime } = test;
    const behind = { ...runtime, clock: { now: () => instantFromMs(runtime.clock.now() - 50) } };
    const { trading } = scriptedTrading(runtime).venue;
    if (trading === null) throw new Error('the scripted venue trades');
    trading.cashBalance = async () => {
      const batchId = await recordedBatch({ ...test, runtime: behind });
      await runtime.db.update(batches).set({ status: 'completed' }).where(eq(batches.id, batchId));
      return { cash: usdFromText('10'), allowances: null };
    };
    const account = startAccount(runtime, trading);
    expect(await spendableCash(runtime.db, await account.refresh(), { venue: 'polymarket' })).toBe(usdFromText('2'));
    account.stop();
  });

  it('is unknown while the balance is unknown', async () => {
    await using test = await openTestRuntime();
    expect(await spendableCash(test.runtime.db, null, { venue: 'polymarket' })).toBeNull();
  });
});
