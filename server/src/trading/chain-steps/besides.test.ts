/** Transactions of a plain key hold one call each: several are on their way at once. */
import { describe, expect, it } from 'vitest';
import { boughtBatch, nextBlocks, onChain } from './chain.fixture.ts';
import { keptDesk } from './chain-desk.fixture.ts';

const kept = keptDesk(0);

const rowOf = async (requestId: string) => (await kept.desk.submissions(requestId))[0]?.row;

async function asked(count: number) {
  const pairs = [];
  for (let nth = 0; nth < count; nth += 1) pairs.push(await kept.boughtPair());
  const requests = [];
  for (const { batchId } of pairs) requests.push((await kept.desk.cashNow({ batchId })).requestId);
  return { tokens: pairs.flatMap(({ tokens }) => tokens), requests, pairs };
}

describe('submissions of a plain key', () => {
  it('that move different shares are on their way at once, each with the nonce after the last', async () => {
    const before = await onChain(kept.site, []);
    const { tokens, requests } = await asked(3);
    const spent = before.cash - (await onChain(kept.site, [])).cash;
    await kept.test.time.advance(10_000);
    const rows = await Promise.all(requests.map(rowOf));
    expect(rows.map((row) => [row?.sentAt, row?.endedAt])).toEqual(Array(3).fill([expect.any(Number), null]));
    const nonces = rows.map((row) => row?.nonce ?? 0).sort((one, other) => one - other);
    expect(nonces.map((nonce) => nonce - (nonces[0] ?? 0))).toEqual([0, 1, 2]);
    await nextBlocks(kept.site);
    await kept.test.time.advance(10_000);
    for (const request of requests)
      expect(await rowOf(request)).toMatchObject({ status: 'confirmed', received: 10_000_000 });
    expect(await onChain(kept.site, tokens)).toEqual({
      cash: before.cash - spent + 30_000_000,
      shares: tokens.map(() => 0),
    });
  });

  it('that move the same shares go one after the other', async () => {
    const { market, batchId } = await kept.boughtPair();
    await kept.site.control.split(market.id, '10');
    const bought = [0, 1].map((outcome) => ({ market, outcome: outcome as 0 | 1, shares: '10', cost: '4' }));
    const second = await boughtBatch(kept.test, bought);
    const requests = [];
    for (const id of [batchId, second]) requests.push((await kept.desk.cashNow({ batchId: id })).requestId);
    await kept.test.time.advance(10_000);
    expect((await Promise.all(requests.map(rowOf))).filter((row) => row?.sentAt === null)).toHaveLength(1);
    await kept.desk.untilIdle(8);
    for (const request of requests) expect(await rowOf(request)).toMatchObject({ status: 'confirmed' });
  });

  it('wait for one of which it is not known whether it is on its way', async () => {
    await kept.site.control.fault('chain_answer_lost', { before: true });
    const { requests } = await asked(2);
    await kept.test.time.advance(10_000);
    expect((await Promise.all(requests.map(rowOf))).map((row) => row?.status).sort()).toEqual(['planned', 'unknown']);
    await kept.test.time.advance(60_000);
    await kept.desk.untilIdle(8);
    for (const request of requests) expect(await rowOf(request)).toMatchObject({ status: 'confirmed' });
  });
});
