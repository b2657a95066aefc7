import type { Instant } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { onlyEngine } from '../engines/engines.ts';
import { releaseLease, takeLease } from '../execution/runner/batch-lease.ts';
import { ensureControls, storeArmed } from '../trading-controls/store.ts';
import { nextBlocks } from './chain.fixture.ts';
import { keptDesk } from './kept-desk.fixture.ts';
import { DISARMED, fail } from './send.ts';

const kept = keptDesk();

describe('a submission', () => {
  it('sends nothing while trading is disarmed, and follows what was sent to its end', async () => {
    const { batchId: sent } = await kept.boughtPair();
    const { batchId: planned } = await kept.boughtPair();
    const { requestId: first } = await kept.desk.cashNow({ batchId: sent });
    await kept.test.time.advance(1000);
    const { requestId: second } = await kept.desk.cashNow({ batchId: planned });
    kept.desk.controls.armed = false;
    await kept.desk.settle();
    expect(await kept.statusOf(first)).toEqual([['cash_now', 'confirmed', null]]);
    expect(await kept.statusOf(second)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect((await kept.desk.stateOf(planned)).sales).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect(await kept.desk.cashNow({ batchId: planned })).toMatchObject({ refusal: 'Trading is disarmed.' });
  });

  it('looks at the kill switch in the database before a byte leaves: this process may not have heard of it', async () => {
    const { batchId } = await kept.boughtPair();
    await kept.keeper.stop();
    const { requestId } = await kept.desk.cashNow({ batchId });
    await ensureControls(kept.test.runtime.db, 'simulated');
    await storeArmed(kept.test.runtime.db, { ...kept.test.runtime, mode: 'simulated', userId: null }, false);
    const { transactions } = await kept.site.control.chain();
    kept.keeper = kept.desk.keep();
    await kept.desk.settle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect((await kept.site.control.chain()).transactions.length).toBe(transactions.length);
  });

  it('sends nothing that the chain would refuse, and says what it has', async () => {
    const { market, batchId, tokens } = await kept.boughtPair();
    await kept.keeper.stop();
    const { requestId, refusal } = await kept.desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    await kept.desk.parts.chain.submit(
      await kept.desk.parts.chain.prepare([{ kind: 'merge', marketIds: [market.id], shares: 4_000_000 as never }]),
    );
    await nextBlocks(kept.site);
    kept.keeper = kept.desk.keep();
    await kept.desk.settle();
    const error = `Not sent: the chain has only 6 shares of token ${tokens[0]}.`;
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'failed', error]]);
  });

  it('is sent once where two processes both take themselves for the keeper', async () => {
    const { batchId } = await kept.boughtPair();
    const { transactions } = await kept.site.control.chain();
    const others = [kept.desk.keep(), kept.desk.keep()];
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.settle();
    await Promise.all(others.map((other) => other.stop()));
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
    expect((await kept.site.control.chain()).transactions.length - transactions.length).toBe(1);
    const { fills, attempts } = await kept.desk.stateOf(batchId);
    expect([fills.length, attempts.length]).toEqual([4, 4]);
  });

  it('is not sent by who was disarmed, or stood still, after marking it', async () => {
    const { batchId } = await kept.boughtPair();
    const { transactions } = await kept.site.control.chain();
    const sent = async () => (await kept.site.control.chain()).transactions.length - transactions.length;
    const keepWith = async (atMark: () => void, lateMs: () => number) => {
      await kept.keeper.stop();
      const { runtime } = kept.test;
      const pass = (point: string) => (point === 'chain_marked' ? atMark() : undefined);
      const clock = { ...runtime.clock, now: () => (runtime.clock.now() + lateMs()) as Instant };
      kept.keeper = kept.desk.keep({ runtime: { ...runtime, pass, clock } });
    };
    await keepWith(
      () => {
        kept.desk.controls.armed = false;
      },
      () => 0,
    );
    const disarmed = await kept.desk.cashNow({ batchId });
    await kept.desk.settle(2);
    expect(await kept.statusOf(disarmed.requestId)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect(await sent()).toBe(0);

    kept.desk.controls.armed = true;
    let lateMs = 0;
    const sentAtMarks: number[] = [];
    await keepWith(
      () => {
        lateMs = 600;
        void sent().then((count) => sentAtMarks.push(count));
      },
      () => lateMs,
    );
    const late = await kept.desk.cashNow({ batchId });
    await kept.desk.settle();
    expect(await kept.statusOf(late.requestId)).toEqual([['cash_now', 'confirmed', null]]);
    expect([sentAtMarks.length, await sent()]).toEqual([2, 1]);
  });

  it('is not failed by who does not know yet that another has sent it', async () => {
    const { batchId } = await kept.boughtPair();
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    const [{ row } = {}] = await kept.desk.submissions(requestId);
    expect(row?.status).toBe('sent');
    expect(await fail({ runtime: kept.test.runtime }, row?.id ?? '', DISARMED)).toBe(false);
    await kept.desk.settle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('is not sent by who is no keeper, or cannot prove to be it', async () => {
    await kept.keeper.stop();
    const { batchId } = await kept.boughtPair();
    const { partitions } = onlyEngine();
    const claim = { partition: 0, owner: kept.test.runtime.random.uuid(), token: 7 };
    const others = [
      kept.desk.keep({ partitions: { ...partitions, held: () => [5] } }),
      kept.desk.keep({ partitions: { ...partitions, held: () => [0], claimOf: () => claim } }),
    ];
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.settle(2);
    await Promise.all(others.map((other) => other.stop()));
    expect(await kept.desk.submissions(requestId)).toMatchObject([{ row: { status: 'planned', sentAt: null } }]);
    kept.keeper = kept.desk.keep();
    await kept.desk.settle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('waits for whoever works on a batch before it books', async () => {
    const { batchId } = await kept.boughtPair();
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    await nextBlocks(kept.site);
    const lease = await takeLease(kept.test.runtime, kept.test.runtime.random.uuid(), batchId);
    await kept.test.time.advance(2000);
    expect(await kept.desk.submissions(requestId)).toMatchObject([{ row: { status: 'confirmed', bookedAt: null } }]);
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([
      { status: 'processing' },
      { status: 'processing' },
    ]);
    if (lease !== null) await releaseLease(kept.test.runtime.db, lease);
    await kept.test.time.advance(1000);
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([{ status: 'filled' }, { status: 'filled' }]);
  });

  it('waits where the venue takes no more merges, and signs anew when it does', async () => {
    const { batchId } = await kept.boughtPair();
    await kept.site.control.fault('relayer_quota', { ms: 60_000 });
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(2000);
    const [{ row } = {}] = await kept.desk.submissions(requestId);
    expect(row).toMatchObject({ status: 'planned', payload: null, sentAt: null });
    expect(row?.error).toMatch(/^Waits: the venue takes no more now: .*quota/i);
    await kept.site.control.clearFaults();
    await kept.test.time.advance(30_000);
    expect(await kept.statusOf(requestId)).toMatchObject([['cash_now', 'planned', expect.stringMatching(/^Waits/)]]);
    await kept.test.time.advance(60_000);
    await kept.desk.settle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });
});
