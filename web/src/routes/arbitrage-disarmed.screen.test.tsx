import { listOpportunities, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { dialog, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const LIST = 'Arbitrage Opportunities';

test('while trading is disarmed a row simulates in place of placing', async () => {
  const [first] = recorded(listOpportunities).data;
  if (first === undefined) throw new Error('no opportunity was recorded');
  const paying = { active: true, profit_percentage: 4, last_error: null, outdated: null };
  server.answer(listOpportunities, { data: [{ ...first, ...paying }], count: 1 });
  server.answer(readOpportunity, { ...recorded(readOpportunity), ...paying, id: first.id });
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: false });
  await page.viewport(1440, 900);
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(1);
  const row = page.elementLocator(rowsOf(LIST)[0] as Element);
  expect(row.getByRole('button', { name: 'Place' }).elements()).toHaveLength(0);
  await row.getByRole('button', { name: `Simulate ${first.name}` }).click();
  await expect.element(dialog('Simulate Order')).toBeVisible();
});

test('an armed desk that places nothing automatically says so', async () => {
  const armed = { ...recorded(readSystemStatus), armed: true, venues: undefined };
  server.answer(readSystemStatus, { ...armed, automatic: 'off' });
  await open('/arbitrage');
  const banner = page.getByRole('banner');
  await expect.element(banner.getByText('Armed by hand', { exact: true })).toBeVisible();
  server.answer(readSystemStatus, { ...armed, armed: false, automatic: 'off' });
  await open('/arbitrage');
  await banner.getByRole('button', { name: 'Arm', exact: true }).click();
  await expect
    .element(dialog('Arm Trading').getByText('those placed by hand. Automatic placing is off.'))
    .toBeVisible();
});
