import { LIMITS, readLimits, writeLimits } from '@dutchbook/contract/limits.ts';
import { readSystemSettings, SETTINGS, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, type Page } from '@playwright/test';
import { test } from './browser.fixture.ts';
import { addPerson, signInAs } from './people.ts';
import { toast } from './screen.ts';

const NO_LIMITS = { per_order_usd: null, per_batch_usd: null, per_day_usd: null, open_exposure_usd: null };
const AT_POLYMARKET = { venue: 'polymarket' } as const;
/** The product is every test's own: they leave it as they found it. */
test.afterEach(async ({ product: { caller } }) => {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]));
  await caller.call(writeSystemSettings, { body: defaults });
  await caller.call(writeLimits, { query: AT_POLYMARKET, body: NO_LIMITS });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('saves what has changed, once, and says who changed it', async ({ page, product }) => {
  const sent: unknown[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()));
  await page.goto('/admin/system-settings');
  const value = page.getByLabel('MIN_ORDER_VALUE_USD');
  await value.fill('2.0');
  await expect(button(page, 'Save')).toBeDisabled();
  await value.fill('3.5');
  await page.getByLabel('MARKET_TIMING_VALIDATION_ENABLED').press('Space');
  await expect(value).toHaveAccessibleDescription(/Not saved yet, was 2\./);
  await expect(page.getByRole('list', { name: 'Changes to save' }).getByRole('listitem')).toHaveText([
    'Least value of an order from 2 to 3.5',
    'Leave markets that are about to end from on to off',
  ]);
  await button(page, 'Save').dblclick();
  await expect(toast(page, 'System settings updated successfully.')).toContainText('Success!');
  await expect(button(page, 'Save')).toBeDisabled();
  await expect(value).toHaveValue('3.5');
  await expect(value).toHaveAccessibleDescription(/Changed .+ by admin@example\.com\./);
  expect(sent).toEqual([{ MIN_ORDER_VALUE_USD: 3.5, MARKET_TIMING_VALIDATION_ENABLED: false }]);
  const { reply } = await product.caller.call(readSystemSettings);
  expect(reply).toMatchObject({ MIN_ORDER_VALUE_USD: 3.5, MARKET_TIMING_VALIDATION_ENABLED: false });

  await button(page, 'Clear Cache').click();
  await expect(toast(page, 'Settings cache cleared successfully.')).toContainText('Success!');
});

test('asks before unsaved changes are left behind, but not at a log-out', async ({ page, product }) => {
  await signInAs(page, await addPerson(product, { is_superuser: true }));
  await page.goto('/admin/system-settings');
  await page.getByLabel('MIN_ORDER_SHARES').fill('6');
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  const toBatches = page.getByRole('link', { name: 'Batch Orders' });
  await toBatches.click();
  await leave.getByRole('button', { name: 'Stay' }).click();
  await expect(leave).toBeHidden();
  await expect(page.getByLabel('MIN_ORDER_SHARES')).toHaveValue('6');
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).dismiss();
  await toBatches.click();
  await leave.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/batches');

  await page.goto('/admin/system-settings');
  await page.getByLabel('Limit per day').first().fill('100');
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/login');
});

test('sets limits beside those that another superuser sets, and takes them back', async ({
  page,
  product: { caller },
}) => {
  await page.goto('/admin/system-settings');
  const card = page.getByRole('region', { name: 'Limits at Polymarket' });
  for (const label of Object.values(LIMITS)) await expect(card.getByLabel(label)).toHaveValue('');
  await expect(card.getByLabel('Limit per day')).toHaveAccessibleDescription(
    /^\$\d+\.\d\d placed since midnight UTC\.$/,
  );
  await expect(card.getByLabel('Limit on open exposure')).toHaveAccessibleDescription(/^\$\d+\.\d\d in positions/);
  await expect(button(page, 'Save')).toBeDisabled();
  const perOrder = card.getByLabel('Limit per order');
  await perOrder.fill('0.5');
  await perOrder.blur();
  await expect(page.getByText('Limit per order must be at least 1')).toHaveCount(1);
  await button(page, 'Cancel').click();
  await expect(perOrder).toHaveValue('');
  await perOrder.fill('250.50');
  await caller.call(writeLimits, { query: AT_POLYMARKET, body: { per_day_usd: 900 } });
  await button(page, 'Save').dblclick();
  await expect(toast(page, 'Limits at Polymarket updated successfully.')).toContainText('Success!');
  await expect(card).toContainText('by admin@example.com');
  await expect(card.getByLabel('Limit per day')).toHaveValue('900');
  expect((await caller.call(readLimits, { query: AT_POLYMARKET })).reply).toMatchObject({
    ...NO_LIMITS,
    per_order_usd: usdFromNumber(250.5),
    per_day_usd: usdFromNumber(900),
  });
  await card.getByLabel('Limit per day').fill('');
  await perOrder.fill('');
  await perOrder.press('Enter');
  await expect(button(page, 'Save')).toBeDisabled();
  await expect
    .poll(async () => (await caller.call(readLimits, { query: AT_POLYMARKET })).reply)
    .toMatchObject(NO_LIMITS);
});
