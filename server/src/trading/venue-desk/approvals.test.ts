import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { ChainApproval } from '@dutchbook/venues/venue-chain.ts';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { scriptedChain } from '../chain-steps/scripted-chain.fixture.ts';
import { followApprovals } from './approvals.ts';

it('names the contracts besides the exchanges that orders need and that may move nothing, and keeps what it knew', async () => {
  await using test = await openTestRuntime();
  const chain = scriptedChain();
  const row = (changes: Partial<ChainApproval>): ChainApproval => ({
    ...{
      contract: '0x3',
      name: 'adapter of orders',
      asset: 'cash',
      holder: '0xc',
      amount: 0,
      purpose: 'trade',
      ...changes,
    },
  });
  // The exchange itself is looked at for each order; what converts shares is approved when it is needed.
  chain.allowed = [
    row({}),
    row({ contract: '0x4', name: 'exchange' }),
    row({ contract: '0x4', name: 'exchange', asset: 'shares', amount: 1 }),
    row({ contract: '0x5', name: 'router', purpose: 'conversion', asset: 'shares' }),
  ];
  const approvals = followApprovals(test.runtime, chain);
  await test.time.advance(30_000);
  expect(approvals.current()).toEqual(['adapter of orders']);
  const answer = chain.approvals;
  chain.approvals = () => Promise.reject(new VenueUnavailable('no node answers'));
  await test.time.advance(30_000);
  expect(approvals.current()).toEqual(['adapter of orders']);
  chain.approvals = answer;
  chain.allowed = [row({ amount: 1 })];
  await test.time.advance(30_000);
  expect(approvals.current()).toEqual([]);
  approvals.stop();
  expect(followApprovals(test.runtime, null).current()).toEqual([]);
});
