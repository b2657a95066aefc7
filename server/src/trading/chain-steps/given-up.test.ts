/** The transaction of a Safe or of a proxy wallet does not expire: what its relayer gives up may be carried out until its nonce is used. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { boughtBatch, nextBlocks, onChain } from './chain.fixture.ts';
import { type KeptDesk, keptDesk } from './chain-desk.fixture.ts';
import { isReleaseDue } from './release.ts';
import type { Submission } from './store.ts';

/** Longer than the loop waits from one look to the next, and shorter than anything that it waits for. */
const SWEEP_MS = 5000;

const rowOf = async ({ desk }: KeptDesk, requestId: string) => (await desk.submissions(requestId))[0]?.row;

async function reported({ test }: KeptDesk) {
  return await test.runtime.db
    .select({ type: notifications.notificationType, message: notifications.message })
    .from(notifications)
    .where(eq(notifications.notificationType, 'submission_unknown'))
    .orderBy(asc(notifications.seq));
}

/** One of which the relayer has taken nothing, and that holds up no other any more. */
async function givenUp(kept: KeptDesk) {
  const pair = await kept.boughtPair();
  await kept.site.control.fault('relayer_gives_up', { times: 3, reason: 'simulation failed' });
  const { requestId } = await kept.desk.cashNow({ batchId: pair.batchId });
  await kept.test.time.advance(1000);
  await nextBlocks(kept.site);
  await kept.test.time.leap(120_000, SWEEP_MS);
  expect(await rowOf(kept, requestId)).toMatchObject({ status: 'unknown', givenUpAt: null });
  const waits = await kept.boughtPair();
  const waiting = await kept.desk.cashNow({ batchId: waits.batchId });
  await kept.test.time.advance(10_000);
  expect(await rowOf(kept, waiting.requestId)).toMatchObject({ status: 'planned', sentAt: null });
  return { ...pair, requestId, waits, waiting };
}

describe.each([
  ['a Safe', 2],
  ['a proxy wallet', 1],
] as const)('a submission of %s that its relayer gives up', (_, signatureType) => {
  const kept = keptDesk(signatureType);

  it('holds up no other: the next has its nonce, and once that is used it has failed and its shares are free', async () => {
    const { tokens, batchId, requestId, waits, waiting } = await givenUp(kept);
    const all = [...tokens, ...waits.tokens];
    const before = await onChain(kept.site, all);
    await kept.test.time.advance(30_000);
    const first = await rowOf(kept, requestId);
    expect(first).toMatchObject({
      status: 'unknown',
      givenUpAt: expect.any(Number),
      error: 'Given up: the relayer says "simulation failed".',
    });
    expect(await reported(kept)).toEqual([
      {
        type: 'submission_unknown',
        message: expect.stringMatching(
          /^Cash Now of \$10\.00, asked for by op@example\.com, is not carried out by the relayer\. .* Given up: the relayer says "simulation failed"\.$/,
        ),
      },
    ]);
    await kept.desk.untilIdle();
    const second = await rowOf(kept, waiting.requestId);
    expect(second).toMatchObject({ status: 'confirmed', nonce: first?.nonce });
    expect(await rowOf(kept, requestId)).toMatchObject({ status: 'failed', bookedAt: expect.any(Number) });
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    const again = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await rowOf(kept, again.requestId)).toMatchObject({ status: 'confirmed' });
    const after = await onChain(kept.site, all);
    expect(after).toEqual({ cash: before.cash + 20_000_000, shares: [0, 0, 0, 0] });
  });
});

describe('a submission of a Safe that its relayer has given up', () => {
  const kept = keptDesk(2);

  it('is released by a call that changes nothing where no other comes, and its shares are free again', async () => {
    const { tokens, batchId } = await kept.boughtPair();
    const before = await onChain(kept.site, tokens);
    const rights = await kept.desk.parts.chain.approvals();
    await kept.site.control.fault('relayer_gives_up', { times: 4, reason: 'simulation failed' });
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    await nextBlocks(kept.site);
    await kept.test.time.leap(700_000, SWEEP_MS);
    expect(await rowOf(kept, requestId)).toMatchObject({ status: 'unknown', givenUpAt: expect.any(Number) });
    expect(await kept.desk.submissions()).toHaveLength(1);
    // The relayer gives up what uses its nonce too, until that is posted again.
    await kept.test.time.leap(100_000, SWEEP_MS);
    expect(await kept.desk.submissions()).toHaveLength(2);
    await kept.test.time.leap(80_000, SWEEP_MS);
    await kept.desk.untilIdle();
    const released = await kept.desk.submissions();
    expect(released.map(({ row }) => [row.purpose, row.status, row.automatic]).toSorted()).toEqual([
      ['approval', 'confirmed', true],
      ['cash_now', 'failed', false],
    ]);
    expect((await rowOf(kept, requestId))?.error).toMatch(
      /^Given up: the relayer says "simulation failed"\. Not carried out: /,
    );
    expect(await reported(kept)).toHaveLength(1);
    expect(await kept.desk.parts.chain.approvals()).toEqual(rights);
    expect(await onChain(kept.site, tokens)).toEqual(before);
    const again = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await rowOf(kept, again.requestId)).toMatchObject({ status: 'confirmed', received: 10_000_000 });
  });

  it('is not made again by another of the same calls, which would be proven by the same transaction', async () => {
    const { market, tokens, batchId } = await kept.boughtPair();
    await kept.site.control.fault('relayer_gives_up', { times: 3, reason: 'simulation failed' });
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    await nextBlocks(kept.site);
    await kept.test.time.leap(160_000, SWEEP_MS);
    expect(await rowOf(kept, requestId)).toMatchObject({ status: 'unknown', givenUpAt: expect.any(Number) });
    await kept.site.control.split(market.id, '10');
    const bought = ['4', '5'].map((cost, side) => ({ market, outcome: side as 0 | 1, shares: '10', cost }));
    const twin = await boughtBatch(kept.test, bought);
    const before = await onChain(kept.site, tokens);
    const asked = await kept.desk.cashNow({ batchId: twin });
    await kept.test.time.advance(2000);
    expect(await kept.statusOf(asked.requestId)).toEqual([
      [
        'cash_now',
        'failed',
        'Not sent: another submission makes the same calls with the same nonce, and may still be carried out.',
      ],
    ]);
    await kept.test.time.leap(620_000, SWEEP_MS);
    await kept.desk.untilIdle();
    expect(await rowOf(kept, requestId)).toMatchObject({ status: 'failed' });
    expect((await onChain(kept.site, tokens)).cash).toBe(before.cash);
    for (const id of [batchId, twin]) {
      const again = await kept.desk.cashNow({ batchId: id });
      await kept.desk.untilIdle();
      expect(await rowOf(kept, again.requestId)).toMatchObject({ status: 'confirmed', received: 10_000_000 });
    }
    expect((await onChain(kept.site, tokens)).cash - before.cash).toBe(20_000_000);
  });

  it('is booked where it is carried out in place of the one that has its nonce, which has failed then', async () => {
    const { tokens, batchId, requestId, waits, waiting } = await givenUp(kept);
    const all = [...tokens, ...waits.tokens];
    const before = await onChain(kept.site, all);
    const first = (await kept.desk.submissions(requestId))[0];
    await kept.site.control.fault('relayer_gives_up', { times: 1, reason: '' });
    await kept.test.time.advance(30_000);
    expect(await rowOf(kept, waiting.requestId)).toMatchObject({ status: 'unknown', nonce: first?.row.nonce });
    const { preparedId, nonce, deadline, highestCost, payload } = first?.row ?? {};
    if (!preparedId || nonce == null || !payload) throw new Error('it is signed');
    const bytes = { id: preparedId, nonce, deadline: deadline ?? null, highestCost: highestCost ?? null, payload };
    expect(await kept.desk.parts.chain.submit(bytes)).toMatchObject({ kind: 'sent' });
    await kept.desk.untilIdle(8);
    expect([await rowOf(kept, requestId), await rowOf(kept, waiting.requestId)]).toMatchObject([
      { status: 'confirmed', received: 10_000_000 },
      { status: 'failed' },
    ]);
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([{ status: 'filled' }, { status: 'filled' }]);
    expect((await kept.desk.stateOf(waits.batchId)).sales).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    const after = await onChain(kept.site, all);
    expect(after.cash - before.cash).toBe(10_000_000);
  });

  it('is booked where the relayer carries out what is posted again, whatever it says of the first', async () => {
    const { tokens, batchId } = await kept.boughtPair();
    const before = await onChain(kept.site, tokens);
    await kept.site.control.fault('relayer_gives_up', { times: 1, reason: 'simulation failed' });
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    expect(await rowOf(kept, requestId)).toMatchObject({ status: 'unknown' });
    await kept.test.time.leap(65_000, SWEEP_MS);
    await kept.desk.untilIdle(8);
    expect(await rowOf(kept, requestId)).toMatchObject({ status: 'confirmed', received: 10_000_000, givenUpAt: null });
    expect((await onChain(kept.site, tokens)).cash - before.cash).toBe(10_000_000);
  });
});

it('uses the nonce of what was given up three times at most, and only where nothing else does', () => {
  const givenUpAt = (ms: number | null, status = 'unknown') =>
    ({ row: { status, givenUpAt: ms as Instant | null } }) as Submission;
  const isDue = (sent: Submission[], unsent: Submission[] = []) => isReleaseDue(sent, unsent, instantFromMs(600_000));
  expect(isDue([givenUpAt(0)])).toBe(true);
  expect(isDue([0, 0, 0].map((at) => givenUpAt(at)))).toBe(true);
  expect(isDue([0, 0, 0, 0].map((at) => givenUpAt(at)))).toBe(false);
  expect(isDue([givenUpAt(1)])).toBe(false);
  expect(isDue([givenUpAt(0), givenUpAt(null, 'sent')])).toBe(false);
  expect(isDue([givenUpAt(0, 'mined')])).toBe(false);
  expect(isDue([givenUpAt(0)], [givenUpAt(null, 'planned')])).toBe(false);
  expect(isDue([])).toBe(false);
});
