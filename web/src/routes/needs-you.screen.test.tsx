import { listApprovals } from '@dutchbook/contract/approvals.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

test('lists in Needs You the approvals that are not as they should be, and a shard that cannot pay for a batch', async () => {
  const { data } = recorded(listApprovals);
  const [approval] = data;
  if (approval === undefined) throw new Error('no approval was recorded');
  const wrong = { ...approval, problem: 'The exchange may not move your shares: no order settles.' };
  server.answer(listApprovals, { data: [wrong, approval, { ...wrong, holder: 'another' }], count: 3 });
  const pockets = [
    { name: '0', free_usd: 1.86 },
    { name: '1', free_usd: 7350 },
  ];
  const kalshi = {
    ...({ venue: 'kalshi', armed: true, armed_changed: null, arming_refusal: null, feed: 'live' } as const),
    cash: { free_usd: 7351.86, pockets },
  };
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venues: [kalshi] });
  await open('/');
  const needs = page.getByRole('region', { name: 'Needs You', exact: true });
  await expect
    .element(needs.getByText(/^2 approvals are not as they should be: The exchange may not move your shares/))
    .toBeVisible();
  await expect.element(needs.getByRole('link', { name: 'Approvals' })).toHaveAttribute('href', '/approvals');
  await expect.element(needs.getByText(/^Shard 0 of Kalshi has \$1\.86, another \$7,350\.00/)).toBeVisible();
  await expect
    .element(needs.getByRole('link', { name: 'Move Cash' }))
    .toHaveAttribute('href', '/portfolio?cashTo=%220%22');
  expect(needs.getByText(/^No order is unknown/).elements()).toEqual([]);
});
