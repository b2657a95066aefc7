/** Killed around the approval of a batch that one person may not place alone: repeated requests buy it once. */
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { writeSecuritySettings } from '@dutchbook/contract/security-settings.ts';
import { approveSignOff, listSignOffs } from '@dutchbook/contract/sign-offs.ts';
import { createUser } from '@dutchbook/contract/users.ts';
import type { CrashPoint } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { expect } from 'vitest';
import { signedInCaller } from '../product/product.ts';
import type { ThreeWay } from '../product/three-way.ts';
import type { Chain } from './crash-chain.fixture.ts';
import { describeKills } from './kill-steps.fixture.ts';
import { begin, expectBoughtOnce, SIZE, type Step, untilAccepted } from './kills-while-buying.fixture.ts';
import { batchesOf, orderedAt } from './venue-truth.fixture.ts';

const APPROVER = { username: 'ben@example.com', password: 'another horse battery' };

const ask = (chain: Chain, { opportunityId }: ThreeWay) =>
  chain.product().call(placeOrder, {
    params: { opportunity_id: opportunityId },
    query: { order_size: SIZE },
    headers: { 'idempotency-key': opportunityId },
  });

/** Asks for the set, as its idempotency key names it. @returns the sign-off that waits for the approver */
async function askedFor(chain: Chain, set: ThreeWay): Promise<string> {
  await untilAccepted('asking', async () => {
    const answer = await ask(chain, set);
    return answer.detail.startsWith('Asked a second person') ? { ...answer, status: 200 } : answer;
  });
  const { reply } = await chain.product().call(listSignOffs, { query: { state: 'open' } });
  expect(reply.data).toHaveLength(1);
  return reply.data[0]?.id ?? '';
}

/** The answer never comes where the product dies meanwhile. */
async function approve(chain: Chain, id: string): Promise<void> {
  const approver = await signedInCaller(chain.product().url, APPROVER);
  await approver.call(approveSignOff, { params: { sign_off_id: id } }).catch(() => null);
}

async function openSignOffs(chain: Chain): Promise<string[]> {
  const { reply } = await chain.product().call(listSignOffs, { query: { state: 'open' } });
  return reply.data.map(({ id }) => id);
}

/** What was approved is bought once; the key of the call that asked answers its batch. */
async function expectOneBatch(chain: Chain, set: ThreeWay): Promise<void> {
  for (const id of await openSignOffs(chain)) await approve(chain, id);
  await expectBoughtOnce(chain, set);
  expect(await openSignOffs(chain)).toEqual([]);
  const again = await ask(chain, set);
  const [batch] = await batchesOf(chain, set);
  expect([again.status, again.reply?.id]).toEqual([200, batch?.id]);
  await expectBoughtOnce(chain, set);
}

function approvedThenAt(next: CrashPoint): Step {
  return {
    says: 'the next product has one batch of what was approved',
    async run(chain) {
      const set = await chain.newSet();
      await approve(chain, await askedFor(chain, set));
      await chain.dies();
      await chain.start(next);
      await expectOneBatch(chain, set);
    },
  };
}

describeKills({
  asked: {
    says: 'what was asked before a product was killed is approved in the next',
    async run(chain) {
      await begin(chain, 'outcomes_recorded');
      const { call } = chain.product();
      const body = {
        ...{ email: APPROVER.username, password: APPROVER.password, full_name: 'Ben' },
        ...{ is_superuser: true, is_active: true },
      };
      expect((await call(createUser, { body })).status).toBe(200);
      expect((await call(writeSecuritySettings, { body: { sign_off_above_usd: 1 } })).status).toBe(200);
      const set = await chain.newSet();
      const id = await askedFor(chain, set);
      chain.product().running.kill('SIGKILL');
      await chain.dies();
      await chain.start('outcomes_recorded');
      expect(await openSignOffs(chain)).toEqual([id]);
      await approve(chain, id);
      await chain.dies();
      await chain.start('venue_answered');
      await expectOneBatch(chain, set);
    },
  },
  // Each product recovers from a later point than it dies at.
  venue_answered: approvedThenAt('marked_sent'),
  marked_sent: approvedThenAt('attempts_committed'),
  attempts_committed: approvedThenAt('orders_signed'),
  orders_signed: {
    says: 'nothing was recorded and nothing has left; what was approved can be approved again',
    async run(chain) {
      const set = await chain.newSet();
      const id = await askedFor(chain, set);
      await approve(chain, id);
      await chain.dies();
      expect(await orderedAt(chain, set, 'BUY')).toEqual([]);
      await chain.start('batch_recorded');
      expect(await openSignOffs(chain)).toEqual([id]);
      expect(await batchesOf(chain, set)).toEqual([]);
      chain.note('approved', set);
    },
  },
  batch_recorded: {
    says: 'the next product has one batch of what was approved',
    async run(chain) {
      const set = chain.noted('approved');
      const [id = ''] = await openSignOffs(chain);
      await approve(chain, id);
      await chain.dies();
      await chain.start(null);
      await expectOneBatch(chain, set);
    },
  },
});
