import type { Instant } from '@dutchbook/units/instant.ts';
import { asc, eq, inArray } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { releaseLease, takeLease } from '../execution/runner/batch-lease.ts';
import { ensureControls, storeArmed } from '../trading-controls/store.ts';
import { nextBlocks } from './chain.fixture.ts';
import { keptDesk } from './chain-desk.fixture.ts';
import { DISARMED } from './chain-loop-parts.ts';
import { fail } from './send.ts';
import { chainSubmissions } from './table.ts';

const kept = keptDesk();

/** The notifications of submissions, oldest first. */
async function reported() {
  return await kept.test.runtime.db
    .select({ type: notifications.notificationType, message: notifications.message, data: notifications.data })
    .from(notifications)
    .where(inArray(notifications.notificationType, ['submission_failed', 'submission_unknown']))
    .orderBy(asc(notifications.seq));
}

describe('a submission', () => {
  it('sends nothing while trading is disarmed, and follows what was sent to its end', async () => {
    const { batchId: sent } = await kept.boughtPair();
    const { batchId: planned } = await kept.boughtPair();
    const { requestId: first } = await kept.desk.cashNow({ batchId: sent });
    await kept.test.time.advance(1000);
    const { requestId: second } = await kept.desk.cashNow({ batchId: planned });
    kept.desk.controls.armed = false;
    await kept.desk.untilIdle();
    expect(await kept.statusOf(first)).toEqual([['cash_now', 'confirmed', null]]);
    expect(await kept.statusOf(second)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect((await kept.desk.stateOf(planned)).sales).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect(await kept.desk.cashNow({ batchId: planned })).toMatchObject({ refusal: 'Trading is disarmed.' });
  });

  it('looks at the kill switch in the database before a byte leaves: this process may not know it yet', async () => {
    const { batchId } = await kept.boughtPair();
    await kept.loop.stop();
    const { requestId } = await kept.desk.cashNow({ batchId });
    await ensureControls(kept.test.runtime.db, 'simulated', 'polymarket');
    await storeArmed(
      kept.test.runtime.db,
      { ...kept.test.runtime, mode: 'simulated', of: 'polymarket', userId: null },
      false,
    );
    const { transactions } = await kept.site.control.chain();
    kept.loop = kept.desk.keep();
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect((await kept.site.control.chain()).transactions.length).toBe(transactions.length);
  });

  it('sends nothing that the chain would refuse, and says what it has', async () => {
    const { market, batchId, tokens } = await kept.boughtPair();
    await kept.loop.stop();
    const { requestId, refusal } = await kept.desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    await kept.desk.parts.chain.submit(
      await kept.desk.parts.chain.prepare([{ kind: 'merge', marketIds: [market.id], shares: 4_000_000 as never }]),
    );
    await nextBlocks(kept.site);
    kept.loop = kept.desk.keep();
    await kept.desk.untilIdle();
    const error = `Not sent: the chain has only 6 shares of token ${tokens[0]}.`;
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'failed', error]]);
  });

  it('is sent once where two processes both take themselves for the leader', async () => {
    const { batchId } = await kept.boughtPair();
    const { transactions } = await kept.site.control.chain();
    const others = [kept.desk.keep(), kept.desk.keep()];
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
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
      await kept.loop.stop();
      const { runtime } = kept.test;
      const pass = (point: string) => (point === 'chain_marked' ? atMark() : undefined);
      const clock = { ...runtime.clock, now: () => (runtime.clock.now() + lateMs()) as Instant };
      kept.loop = kept.desk.keep({ runtime: { ...runtime, pass, clock } });
    };
    await keepWith(
      () => {
        kept.desk.controls.armed = false;
      },
      () => 0,
    );
    const disarmed = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle(2);
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
    await kept.desk.untilIdle();
    expect(await kept.statusOf(late.requestId)).toEqual([['cash_now', 'confirmed', null]]);
    expect([sentAtMarks.length, await sent()]).toEqual([2, 1]);
  });

  it('that fails is notified once, with what it was, who asked, why, and where to look', async () => {
    const { batchId } = await kept.boughtPair();
    await kept.site.control.fault('chain_revert', { reason: 'paused' });
    const others = [kept.desk.keep(), kept.desk.keep()];
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    await Promise.all(others.map((other) => other.stop()));
    const [{ row } = {}] = await kept.desk.submissions(requestId);
    expect(await reported()).toEqual([
      {
        type: 'submission_failed',
        message:
          'Cash Now of $10.00, asked for by op@example.com, has failed: nothing of it was carried out. Taken back by the chain: paused.',
        data: {
          ...{ submission_id: row?.id, purpose: 'cash_now', status: 'failed', batch_ids: [batchId], hash: row?.hash },
          ...{ expected_usd: 10, automatic: false, requested_by: 'op@example.com', error: row?.error },
        },
      },
    ]);
    const again = await kept.desk.cashNow({ batchId });
    kept.desk.controls.armed = false;
    await kept.desk.untilIdle();
    expect((await reported()).map(({ message }) => message).slice(1)).toEqual([
      expect.stringMatching(/nothing of it was carried out\. Not sent: trading is disarmed\.$/),
    ]);
    expect(await kept.statusOf(again.requestId)).toMatchObject([['cash_now', 'failed', DISARMED]]);
  });

  it('whose contract the venue has retired since it was planned fails with its reason, and its shares are free again', async () => {
    const { batchId } = await kept.boughtPair();
    await kept.site.control.fault('relayer_call_blocked');
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([
      [
        'cash_now',
        'failed',
        expect.stringMatching(
          /^Refused: .*call blocked: call to 0x[0-9a-f]{40} is not allowed.* Not carried out: its deadline has passed/i,
        ),
      ],
    ]);
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    const again = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.statusOf(again.requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('that stays unknown past its deadline is notified once, and once more where it has failed then', async () => {
    const { db, clock } = kept.test.runtime;
    const { batchId } = await kept.boughtPair();
    await kept.site.control.fault('chain_answer_lost', { before: true });
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    const status = async () => (await kept.desk.submissions(requestId))[0]?.row.status;
    expect(await status()).toBe('unknown');
    // The blocks of the exchange are ahead of the clock of this test.
    const deadline = (clock.now() + 30_000) as Instant;
    await db.update(chainSubmissions).set({ deadline }).where(eq(chainSubmissions.requestId, requestId));
    const other = kept.desk.keep();
    await kept.test.time.advance(85_000);
    expect(await reported()).toEqual([]);
    await kept.test.time.advance(15_000);
    expect(await reported()).toMatchObject([
      {
        type: 'submission_unknown',
        message: expect.stringMatching(/^Cash Now of \$10\.00, asked for by op@example\.com, stays unknown: /),
        data: { status: 'unknown', requested_by: 'op@example.com' },
      },
    ]);
    await kept.test.time.advance(60_000);
    await other.stop();
    expect([await status(), (await reported()).length]).toEqual(['unknown', 1]);
    await nextBlocks(kept.site, 20);
    await kept.desk.untilIdle();
    expect(await status()).toBe('failed');
    expect((await reported()).map(({ type }) => type)).toEqual(['submission_unknown', 'submission_failed']);
  });

  it('that waits long for a block is notified once, since it keeps its shares and all others waiting', async () => {
    const { db, clock } = kept.test.runtime;
    const { batchId } = await kept.boughtPair();
    // Until the first block that the test has made.
    await kept.site.control.fault('chain_stuck', { ms: 30_000, times: 1 });
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    const sentAt = (clock.now() - 590_000) as Instant;
    await db.update(chainSubmissions).set({ sentAt }).where(eq(chainSubmissions.requestId, requestId));
    await kept.test.time.advance(6000);
    expect([(await kept.statusOf(requestId))[0]?.[1], await reported()]).toEqual(['sent', []]);
    await kept.test.time.advance(15_000);
    expect(await reported()).toMatchObject([
      {
        type: 'submission_unknown',
        message:
          'Cash Now of $10.00, asked for by op@example.com, is in no block ten minutes after it was sent. It is looked up until it is, or cannot be any more, and no other is sent before.',
        data: { status: 'sent' },
      },
    ]);
    await kept.desk.untilIdle();
    expect([(await kept.statusOf(requestId))[0]?.[1], (await reported()).length]).toEqual(['confirmed', 1]);
  });

  it('is not failed by who does not know yet that another has sent it', async () => {
    const { batchId } = await kept.boughtPair();
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    const [{ row } = {}] = await kept.desk.submissions(requestId);
    expect(row?.status).toBe('sent');
    expect(await fail({ runtime: kept.test.runtime }, row?.id ?? '', DISARMED)).toBe(false);
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('is not sent by a process that is not the leader, or cannot prove to be it', async () => {
    await kept.loop.stop();
    const { batchId } = await kept.boughtPair();
    const { partitions } = onlyEngine();
    const claim = { partition: 0, owner: kept.test.runtime.random.uuid(), token: 7 };
    const others = [
      kept.desk.keep({ partitions: { ...partitions, held: () => [5] } }),
      kept.desk.keep({ partitions: { ...partitions, held: () => [0], claimOf: () => claim } }),
    ];
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle(2);
    await Promise.all(others.map((other) => other.stop()));
    expect(await kept.desk.submissions(requestId)).toMatchObject([{ row: { status: 'planned', sentAt: null } }]);
    kept.loop = kept.desk.keep();
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('waits for the worker of a batch before it books', async () => {
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
    const startedAt = kept.test.runtime.clock.now();
    kept.site.clock.passedMs = () => kept.test.runtime.clock.now() - startedAt;
    onTestFinished(() => {
      kept.site.clock.passedMs = () => 0;
    });
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
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });
});
