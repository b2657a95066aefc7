import { clearFeeStop, listFeeStops } from '@dutchbook/contract/fee-stops.ts';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import { followFeeStops, stopWhereSourcesDiffer } from './follow.ts';
import { registerFeeStops } from './routes.ts';

describe('categories of fees that are stopped', () => {
  it('are those of which the sources of a market go on to differ, once each, until a superuser clears them', async () => {
    await using site = await openTestApp();
    const { runtime, time } = site.test;
    registerFeeStops(site.app, runtime);
    const followed = await followFeeStops(runtime);
    const note = stopWhereSourcesDiffer(runtime);
    const say = (rate: string | null, id = 'm1') =>
      note(
        id,
        marketOf(id, {
          feeCategory: 'crypto_fees',
          differences: rate === null ? [] : [{ field: 'fee', says: `fee rate 0.01 in Gamma, ${rate} at the CLOB` }],
        }),
      );
    // What changes in one source before the other is no difference.
    say('0.04');
    await time.advance(10_000);
    say('0.04');
    say(null);
    await time.advance(30_000);
    say('0.04');
    say('0.04', 'm2');
    expect([...followed.current()]).toEqual([]);
    await time.advance(30_000);
    for (const id of ['m1', 'm2', 'm1']) say('0.04', id);
    await expect.poll(() => [...followed.current()]).toEqual(['crypto_fees']);
    const { headers } = await site.signedIn({ email: 'boss@example.com', isSuperuser: true });
    const { headers: others } = await site.signedIn({ email: 'operator@example.com' });
    const list = async () => (await ask(site, others, 'GET', `${listFeeStops.path}?standing=true`))[1];
    const { data } = (await list()) as { data: { id: string; message: string }[] };
    expect(data).toMatchObject([
      {
        category: 'crypto_fees',
        market_id: 'm1',
        message: `The venue's own sources differ on the fee of "Will m1 happen?": fee rate 0.01 in Gamma, 0.04 at the CLOB. Nothing is bought there, and nothing automatically where fees are "crypto_fees", until a superuser clears it.`,
        cleared_at: null,
      },
    ]);
    const path = clearFeeStop.path.replace('{fee_stop_id}', data[0]?.id ?? '');
    expect(await ask(site, others, 'POST', path)).toMatchObject([403, {}]);
    expect(await ask(site, headers, 'POST', path)).toMatchObject([200, { cleared_by: 'boss@example.com' }]);
    expect(await ask(site, headers, 'POST', path)).toMatchObject([409, { detail: 'It was cleared before.' }]);
    expect(await list()).toMatchObject({ data: [], count: 0 });
    await expect.poll(() => [...followed.current()]).toEqual([]);
    // A repeated finding is no new one; a different rate is.
    await time.advance(30_000);
    say('0.04');
    say('0.05', 'm2');
    await time.advance(30_000);
    say('0.04');
    say('0.05', 'm2');
    await expect.poll(list).toMatchObject({ data: [{ market_id: 'm2' }], count: 1 });
    followed.stop();
  });
});
