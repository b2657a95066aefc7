import { LIMITS, readLimits, writeLimits } from '@dutchbook/contract/limits.ts';
import { readSystemSettings, SETTINGS, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, type Page } from '@playwright/test';
import { test } from './desk-test.ts';
import { toast } from './screen.ts';

const NO_LIMITS = { per_order_usd: null, per_batch_usd: null, per_day_usd: null, open_exposure_usd: null };
const NUMBERS = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  setting.kind === 'number' ? [{ name, ...setting }] : [],
);
const FLAGS = Object.entries(SETTINGS).flatMap(([name, setting]) => (setting.kind === 'flag' ? [name] : []));

const UNIT = '(dollars|dollars per share|shares|percent|hours|as a fraction: 1 is 100 %)\\.';

/** The product is every test's own: they leave it as they found it. */
test.afterEach(async ({ product: { caller } }) => {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]));
  await caller.call(writeSystemSettings, { body: defaults });
  await caller.call(writeLimits, { body: NO_LIMITS });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('shows every setting by its name, with what it does, its default and its range', async ({ page, product }) => {
  const { reply } = await product.caller.call(readSystemSettings);
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/system-settings/', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.clock.install();
  await page.addInitScript(timeOutByTheClock);
  const asking = page.waitForRequest('**/api/v1/system-settings/');
  await page.goto('/admin/system-settings');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('System Settings');
  await expect(page.getByText('Loading system settings...')).toBeVisible();
  const asked = await asking;
  await page.clock.fastForward('01:00:00');
  await expect(page.getByText('Loading system settings...')).toBeVisible();
  held.resolve();
  expect((await asked.response())?.status(), 'no call is given up after a time').toBe(200);
  for (const { name, effect, min, max, default: initial } of NUMBERS) {
    const field = page.getByRole('textbox', { name, exact: true });
    await expect(field).toHaveValue(String(reply[name as keyof typeof reply]));
    await expect(field).toHaveAccessibleDescription(
      new RegExp(`^${literal(effect)}.*Default ${initial}, from ${min} to ${max.toLocaleString('en-US')} ${UNIT}`),
    );
  }
  for (const name of FLAGS) {
    const flag = page.getByRole('switch', { name, exact: true });
    await expect(flag).toBeChecked({ checked: reply[name as keyof typeof reply] === true });
    await expect(flag).toHaveAccessibleDescription(/Default (on|off)\./);
  }
  expect(NUMBERS.length + FLAGS.length).toBe(17);
  await expect(button(page, 'Save')).toBeDisabled();
});

/** Runs in the page: the browser's own signal follows a clock that no test can move on. */
function timeOutByTheClock() {
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), delayMs);
    return controller.signal;
  };
}

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

test('says on leaving a field what is wrong with it, and Cancel restores what is saved', async ({ page }) => {
  await page.goto('/admin/system-settings');
  for (const { name, min, max } of NUMBERS) {
    const field = page.getByLabel(name);
    for (const [typed, said] of [
      ['', `${name} is required`],
      [String(min / 2), `${name} must be at least ${min}`],
      [String(max * 2), `${name} must be at most ${max}`],
    ] as const) {
      await field.fill(typed);
      await field.blur();
      await expect(page.getByText(said, { exact: true })).toHaveCount(1);
    }
  }
  await button(page, 'Save').click();
  await expect(page.getByLabel(NUMBERS[0]?.name ?? '')).toBeFocused();
  await button(page, 'Cancel').click();
  await expect(page.getByText(/must be at most/)).toHaveCount(0);
  for (const { name, default: initial } of NUMBERS) await expect(page.getByLabel(name)).toHaveValue(String(initial));
  await expect(button(page, 'Save')).toBeDisabled();
});

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
    'MIN_ORDER_VALUE_USD 2 → 3.5',
    'MARKET_TIMING_VALIDATION_ENABLED on → off',
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

test('asks before unsaved changes are left behind, but not whoever logs out', async ({ page }) => {
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
  await page.getByLabel('Limit per day').fill('100');
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/login');
});

test('sets limits beside those that somebody else sets, and takes them back', async ({ page, product: { caller } }) => {
  await page.goto('/admin/system-settings');
  const card = page.getByRole('region', { name: 'Limits' });
  for (const label of Object.values(LIMITS)) await expect(card.getByLabel(label)).toHaveValue('');
  await expect(card.getByLabel('Limit per day')).toHaveAccessibleDescription(
    /^\$\d+\.\d\d placed since midnight UTC\.$/,
  );
  await expect(card.getByLabel('Limit on open exposure')).toHaveAccessibleDescription(/^\$\d+\.\d\d in positions/);
  await expect(button(page, 'Set Limits')).toBeDisabled();
  const perOrder = card.getByLabel('Limit per order');
  await perOrder.fill('0.5');
  await perOrder.blur();
  await expect(page.getByText('Limit per order must be at least 1')).toHaveCount(1);
  await button(page, 'Undo').click();
  await expect(perOrder).toHaveValue('');
  await perOrder.fill('250.50');
  await caller.call(writeLimits, { body: { per_day_usd: 900 } });
  await button(page, 'Set Limits').dblclick();
  await expect(toast(page, 'Limits updated successfully.')).toContainText('Success!');
  await expect(card).toContainText('by admin@example.com');
  await expect(card.getByLabel('Limit per day')).toHaveValue('900');
  expect((await caller.call(readLimits)).reply).toMatchObject({
    ...NO_LIMITS,
    per_order_usd: usdFromNumber(250.5),
    per_day_usd: usdFromNumber(900),
  });
  await card.getByLabel('Limit per day').fill('');
  await perOrder.fill('');
  await perOrder.press('Enter');
  await expect(button(page, 'Set Limits')).toBeDisabled();
  await expect.poll(async () => (await caller.call(readLimits)).reply).toMatchObject(NO_LIMITS);
});
