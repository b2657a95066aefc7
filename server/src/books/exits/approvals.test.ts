import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../../platform/http/ask.fixture.ts';
import { type ExitSite, openExitSite } from './exits.fixture.ts';

let site: ExitSite;
beforeEach(async () => {
  site = await openExitSite();
});
afterEach(() => site[Symbol.asyncDispose]());

/** The chain loop may already have sent it when the answer is read. */
const RECORDED = expect.stringMatching(/^(planned|sent|confirmed)$/);

describe('what contracts may move', () => {
  const adapter = { contract: `0x${'2'.repeat(40)}`, holder: `0x${'d'.repeat(40)}` };

  it('is shown with what is wrong, and changed by a submission', async () => {
    for (const one of site.chain.allowed) if (one.name === 'adapter') one.amount = 0;
    const listed = async () => (await site.call('GET', '/approvals')).body.data as Record<string, unknown>[];
    expect(
      (await listed()).map(({ name, purpose, is_allowed, problem }) => [name, purpose, is_allowed, problem]),
    ).toEqual([
      ['exchange', 'trade', true, null],
      ['exchange', 'trade', true, null],
      ['adapter', 'conversion', false, expect.stringContaining('may not move your shares')],
    ]);
    const [status, body] = await ask(site, site.superuser, 'POST', '/approvals', { ...adapter, is_allowed: true });
    expect([status, body]).toMatchObject([
      200,
      { purpose: 'approval', status: RECORDED, requested_by: 'boss@example.com' },
    ]);
    expect((await listed()).find(({ name }) => name === 'adapter')).toMatchObject({ submission_id: body.id });
    await site.untilIdle();
    expect((await listed()).find(({ name }) => name === 'adapter')).toMatchObject({
      is_allowed: true,
      problem: null,
      submission_id: null,
    });
    expect(await site.actions()).toEqual([['chain.approved', 'adapter']]);
    const again = await ask(site, site.superuser, 'POST', '/approvals', { ...adapter, is_allowed: true });
    expect(again).toEqual([409, { detail: 'The adapter is approved already.' }]);
  });

  it('flags a retired contract, and refuses to approve one, or what is unknown', async () => {
    site.chain.allowed.push({
      ...adapter,
      contract: `0x${'9'.repeat(40)}`,
      name: 'old adapter',
      asset: 'shares',
      amount: 1,
      purpose: null,
    });
    const { data } = (await site.call('GET', '/approvals')).body as { data: Record<string, unknown>[] };
    expect(data.at(-1)).toMatchObject({ purpose: 'retired', problem: expect.stringContaining('revoke its approval') });
    const retired = { contract: `0x${'9'.repeat(40)}`, holder: adapter.holder, is_allowed: true };
    expect(await ask(site, site.superuser, 'POST', '/approvals', retired)).toEqual([
      409,
      { detail: 'The old adapter is retired.' },
    ]);
    const unknown = { ...retired, contract: `0x${'8'.repeat(40)}` };
    expect((await ask(site, site.superuser, 'POST', '/approvals', unknown))[0]).toBe(404);
    site.controls.armed = false;
    const back = { ...retired, is_allowed: false };
    expect(await ask(site, site.superuser, 'POST', '/approvals', back)).toEqual([
      409,
      { detail: 'Trading is disarmed.' },
    ]);
  });
});
