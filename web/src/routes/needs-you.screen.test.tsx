import { listApprovals } from '@dutchbook/contract/approvals.ts';
import { readOverview, readSystemStatus } from '@dutchbook/contract/status.ts';
import { readSystemSettings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const needs = page.getByRole('region', { name: 'Needs You', exact: true });

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

test('says that nothing is bought automatically, switches that on, and says of an earlier refusal that trading was disarmed', async () => {
  const status = { ...recorded(readSystemStatus), armed: true };
  const missed_today = [{ reason: 'Trading is disarmed', example: null, count: 18, usd: 215.33, bound: null }];
  server.answer(readOverview, { ...recorded(readOverview), missed_today });
  server.answer(listApprovals, { data: [], count: 0 });
  server.answer(readSystemStatus, { ...status, automatic: 'off' });
  server.answer(writeSystemSettings, () => {
    server.answer(readSystemStatus, { ...status, automatic: 'all' });
    return { ...recorded(readSystemSettings), AUTO_PLACE_ORDER_ENABLED: true };
  });
  await open('/');
  await expect.element(needs).toMatchTextContent(/Nothing is bought automatically: what triggers waits for a person/);
  await expect.element(needs).toMatchTextContent('18 opportunities paid $215.33: trading was disarmed.');
  expect(needs.getByText(/^No order is unknown/).elements()).toEqual([]);
  await needs.getByRole('button', { name: 'Switch On' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch On' }).click();
  await expect.element(needs.getByText(/^Nothing is bought automatically/)).not.toBeInTheDocument();
  expect(server.askedFor(writeSystemSettings)).toMatchObject([{ body: { AUTO_PLACE_ORDER_ENABLED: true } }]);
});

test('ticks nothing off while found opportunities that paid are placed only by hand', async () => {
  const reason = 'Found opportunities are not placed automatically, which a superuser can switch on';
  const missed_today = [{ reason, example: null, count: 5, usd: 77, bound: null }];
  server.answer(listApprovals, { data: [], count: 0 });
  server.answer(readOverview, {
    ...recorded(readOverview),
    unhedged_batches: 0,
    failed_notifications: 0,
    missed_today,
  });
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), unknown_orders: 0, automatic: 'brought' });
  await open('/');
  await expect.element(needs.getByRole('button', { name: 'Switch On' })).toBeVisible();
  const whole = needs.getByText(/^No order is unknown/);
  await expect.element(whole).toBeVisible();
  expect(whole.element().querySelector('svg')).toBeNull();
});
