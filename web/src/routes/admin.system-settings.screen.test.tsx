import { readDiscoverySettings, writeDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import { readExitSettings, writeExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import { changeReportSettings } from '@dutchbook/contract/report/report-settings.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import {
  readSystemSettings,
  SETTINGS,
  type SettingName,
  writeSystemSettings,
} from '@dutchbook/contract/system-settings.ts';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, expectProblem, expectTimes, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const NUMBERS = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  setting.kind === 'number' ? [{ name, ...setting }] : [],
);
const FLAGS = Object.entries(SETTINGS).flatMap(([name, setting]) => (setting.kind === 'flag' ? [name] : []));

const CHOICES = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  setting.kind === 'choice' ? [{ name, ...setting }] : [],
);

const UNIT = '(dollars|dollars per share|shares|percent|hours|clips|as a fraction: 1 is 100%)\\.';

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

test('shows every setting by its name, with what it does, its default and its range', async () => {
  const stored = recorded(readSystemSettings);
  const held = Promise.withResolvers<void>();
  server.answer(readSystemSettings, async () => {
    await held.promise;
    return stored;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeOutByTheClock);
  await open('/admin/system-settings');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('System Settings');
  await expect.element(page.getByText('Loading system settings...')).toBeVisible();
  await expect.poll(() => server.askedFor(readSystemSettings).length).toBeGreaterThan(0);
  vi.advanceTimersByTime(3_600_000);
  await expect.element(page.getByText('Loading system settings...')).toBeVisible();
  const asked = server.askedFor(readSystemSettings).at(-1);
  expect(asked?.signal?.aborted, 'no call is given up after a time').not.toBe(true);
  held.resolve();
  vi.useRealTimers();
  for (const { name, effect, min, max, default: initial } of NUMBERS) {
    const field = page.getByRole('textbox', { name, exact: true });
    await expect.element(field).toHaveValue(String(stored[name as keyof typeof stored]));
    await expect
      .element(field)
      .toHaveAccessibleDescription(
        new RegExp(`^${literal(effect)}.*Default ${initial}, from ${min} to ${max.toLocaleString('en-US')} ${UNIT}`),
      );
  }
  for (const name of FLAGS) {
    const flag = page.getByRole('switch', { name, exact: true });
    if (stored[name as keyof typeof stored]) await expect.element(flag).toBeChecked();
    else await expect.element(flag).not.toBeChecked();
    await expect.element(flag).toHaveAccessibleDescription(/Default (on|off)\./);
  }
  for (const { name, options } of CHOICES) {
    const list = page.getByRole('combobox', { name, exact: true });
    await expect.element(list).toHaveValue(String(stored[name as keyof typeof stored]));
    await expect
      .element(list)
      .toHaveAccessibleDescription(/Default Smallest\. ?A new installation .* begins with Best\./);
    expect([...(list.element() as HTMLSelectElement).options].map(({ text }) => text)).toEqual(
      Object.values(options).map(({ label }) => label),
    );
  }
  expect(NUMBERS.length + FLAGS.length + CHOICES.length).toBe(Object.keys(SETTINGS).length);
  await expect.element(button('Save')).toBeDisabled();
});

/** The browser's own signal follows a clock that no test can move on. */
function timeOutByTheClock(delayMs: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), delayMs);
  return controller.signal;
}

test('says on leaving a field what is wrong with it, and Cancel restores what is saved', async () => {
  const stored = recorded(readSystemSettings);
  await open('/admin/system-settings');
  for (const { name, min, max } of NUMBERS) {
    const label = SETTING_LABELS[name as SettingName];
    await expectProblem(name, '', `${label} is required`);
    await expectProblem(name, String(min > 0 ? min / 2 : -1), `${label} must be at least ${min}`);
    await expectProblem(name, String(max * 2), `${label} must be at most ${max}`);
  }
  await button('Save').click();
  await expect.element(page.getByLabelText(NUMBERS[0]?.name ?? '')).toHaveFocus();
  await button('Cancel').click();
  await expectTimes(/must be at most/, 0);
  for (const { name } of NUMBERS)
    await expect.element(page.getByLabelText(name)).toHaveValue(String(stored[name as keyof typeof stored]));
  await expect.element(button('Save')).toBeDisabled();
});

test('asks for the word of arming before order simulation is switched off on a real venue', async () => {
  const stored = { ...recorded(readSystemSettings), ORDER_SIMULATION_ENABLED: true };
  server.answer(readSystemSettings, stored);
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue: 'polymarket_live' });
  server.answer(writeSystemSettings, { ...stored, ORDER_SIMULATION_ENABLED: false });
  await open('/admin/system-settings');
  await page.getByRole('switch', { name: 'ORDER_SIMULATION_ENABLED', exact: true }).click();
  await button('Save').click();
  const dialog = page.getByRole('dialog', { name: 'Switch Order Simulation Off' });
  await expect.element(dialog.getByText('Polymarket (live)')).toBeVisible();
  await expect.element(dialog.getByText(/^Trading is disarmed with it/)).toBeVisible();
  await expectAccessible('switching order simulation off');
  await dialog.getByLabelText('Type ARM to confirm').fill('arm');
  await dialog.getByRole('button', { name: 'Switch Off' }).click();
  await expect.element(dialog.getByLabelText('Type ARM to confirm')).toHaveAttribute('aria-invalid', 'true');
  expect(server.askedFor(writeSystemSettings)).toEqual([]);
  await dialog.getByLabelText('Type ARM to confirm').fill('ARM');
  await dialog.getByRole('button', { name: 'Switch Off' }).click();
  await expect.element(toast('System settings updated successfully.')).toBeVisible();
  expect(server.askedFor(writeSystemSettings)).toMatchObject([
    { query: { confirmation: 'ARM' }, body: { ORDER_SIMULATION_ENABLED: false } },
  ]);
  await expect.element(button('Save')).toBeDisabled();
});

test('shows what discovery does, and saves only what was changed', async () => {
  const saved = recorded(readDiscoverySettings);
  await open('/admin/system-settings');
  const card = page.getByRole('region', { name: 'Discovery', exact: true });
  for (const [name, isOn] of [
    ['Discovery', saved.enabled],
    ['Pair', saved.pair],
    ['At most one', saved.at_most_one],
    ['Exactly one', saved.exactly_one],
    ['Ladder', saved.ladder],
    ['Buckets', saved.buckets],
    ['Place found opportunities automatically', saved.auto_place_found],
  ] as const) {
    const flag = card.getByRole('switch', { name, exact: true });
    await (isOn ? expect.element(flag).toBeChecked() : expect.element(flag).not.toBeChecked());
    await expect.element(flag).toHaveAccessibleDescription(/\.$/);
  }
  await expect.element(card.getByText(/^Changed .* by admin@example\.com\.$/)).toBeVisible();
  await expect.element(page.getByText(/^Set .* by the first start\.$/)).toBeVisible();
  const save = button('Save');
  await expect.element(save).toBeDisabled();
  await expectProblem('Least profit', '', 'Least profit must be a number');
  await expectProblem('Least profit', '-1', 'Least profit must be at least 0');
  await expectProblem(
    'Lowest price of a found position',
    '0.0005',
    'Lowest price must be between 0.001 and 0.5 dollars',
  );
  await button('Cancel').click();
  await expect.element(save).toBeDisabled();
  await typeInto(page.getByLabelText('Least profit'), String(saved.min_profit_usd).concat('.0'));
  // An equal amount, typed differently.
  await expect.element(save).toBeDisabled();
  await typeInto(page.getByLabelText('Least profit'), '2.5');
  await card.getByRole('switch', { name: 'Buckets' }).click();
  await typeInto(page.getByLabelText('Lowest price of a found position'), '');
  await typeInto(page.getByLabelText('Highest price of a found position'), '0.99');
  server.answer(writeDiscoverySettings, {
    ...{ ...saved, buckets: true, min_profit_usd: 2.5 },
    ...{ price_low: null, price_high: 0.99 },
  });
  await save.click();
  await expect.element(toast('Discovery settings updated successfully.')).toBeVisible();
  expect(server.askedFor(writeDiscoverySettings)[0]?.body).toEqual({
    ...{ buckets: true, min_profit_usd: 2.5 },
    ...{ price_low: null, price_high: 0.99 },
  });
  await expect.element(save).toBeDisabled();
  await expectAccessible('the settings of discovery');
});

test('says where the discovery settings cannot be read, and what the server refuses', async () => {
  server.answer(writeDiscoverySettings, () =>
    refusal(422, [
      { loc: ['body', 'min_profit_usd'], msg: 'Least profit is too small', type: 'value_error', input: 0 },
    ]),
  );
  await open('/admin/system-settings');
  await typeInto(page.getByLabelText('Least profit'), '0');
  await button('Save').click();
  await expectTimes('Least profit is too small', 1);
  server.answer(readDiscoverySettings, () => refusal(409, 'Come back later'));
  await open('/admin/system-settings');
  await expect.element(page.getByText('Error loading the discovery settings')).toBeVisible();
});

test('shows what is converted into dollars by itself, off at first, and saves only what was changed', async () => {
  const saved = recorded(readExitSettings);
  await open('/admin/system-settings');
  const card = page.getByRole('region', { name: 'Exits', exact: true });
  for (const name of ['Cash Now by itself', 'Redeem by itself']) {
    const flag = card.getByRole('switch', { name, exact: true });
    await expect.element(flag).not.toBeChecked();
    await expect.element(flag).toHaveAccessibleDescription(/\.$/);
  }
  await expect.element(card.getByRole('link', { name: 'Approvals' })).toHaveAttribute('href', '/approvals');
  const save = button('Save');
  await expect.element(save).toBeDisabled();
  await expectProblem('Least dollars', '', 'Least dollars must be a number');
  await expectProblem('Least dollars', '0', 'Least dollars must be at least 0.01');
  await expectProblem('Least dollars', '1000001', 'Least dollars must be at most 1000000');
  await typeInto(page.getByLabelText('Least dollars'), '2.5');
  await card.getByRole('switch', { name: 'Cash Now by itself' }).click();
  server.answer(writeExitSettings, { ...saved, auto_cash_now: true, auto_cash_now_min_usd: 2.5 });
  await save.click();
  await expect.element(toast('Exit settings updated successfully.')).toBeVisible();
  expect(server.askedFor(writeExitSettings)[0]?.body).toEqual({ auto_cash_now: true, auto_cash_now_min_usd: 2.5 });
  await expect.element(save).toBeDisabled();
  await expectAccessible('the exit settings');
  server.answer(readExitSettings, () => refusal(409, 'Come back later'));
  await open('/admin/system-settings');
  await expect.element(page.getByText('Error loading the exit settings')).toBeVisible();
});

test('sets the hurdle and the share of failed settlements that pauses buying, both in percent', async () => {
  await open('/admin/system-settings');
  const save = button('Save');
  await expect.element(page.getByLabelText('Hurdle')).toHaveValue('4.4');
  await expect.element(page.getByLabelText('Pause above failed settlements')).toHaveValue('');
  await expectProblem('Hurdle', '', 'Hurdle must be a number');
  await expectProblem('Hurdle', '101', 'Hurdle must be at most 100');
  await expectProblem('Hurdle', '-1', 'Hurdle must be at least 0');
  await typeInto(page.getByLabelText('Hurdle'), '5');
  await typeInto(page.getByLabelText('Pause above failed settlements'), '7');
  server.answer(changeReportSettings, { hurdle: 0.05, pause_above_failed: 0.07 });
  await save.click();
  await expect.element(toast('Report settings updated successfully.')).toBeVisible();
  expect(server.askedFor(changeReportSettings)[0]?.body).toEqual({ hurdle: 0.05, pause_above_failed: 0.07 });
  await expect.element(save).toBeDisabled();
});

test('says of a limit below the dollars of a clip what it does to clips, before it is saved', async () => {
  server.answer(readSystemSettings, { ...recorded(readSystemSettings), SIZE_POLICY: 'best', CLIP_USD: 250 });
  await open('/admin/system-settings');
  const field = page.getByRole('textbox', { name: 'Limit per day', exact: true });
  await typeInto(field, '250');
  await expect.element(field).not.toHaveAccessibleDescription(/Most dollars of a clip/);
  await typeInto(field, '249.5');
  await expect
    .element(field)
    .toHaveAccessibleDescription(/Below “Most dollars of a clip”, which is \$250\.00: no clip as large/);
});

test('one Save sends what was changed in every group, keeps back what is wrong, and Cancel restores all', async () => {
  const exits = recorded(readExitSettings);
  server.answer(writeExitSettings, { ...exits, auto_redeem: true });
  server.answer(writeSystemSettings, { ...recorded(readSystemSettings), MIN_ORDER_SHARES: 6 });
  await open('/admin/system-settings');
  await typeInto(page.getByLabelText('MIN_ORDER_SHARES'), '6');
  await page.getByRole('switch', { name: 'Redeem by itself' }).click();
  await typeInto(page.getByLabelText('Hurdle'), '101');
  const changes = page.getByRole('list', { name: 'Changes to save' }).getByRole('listitem');
  await expect
    .poll(() => changes.elements().map(({ textContent }) => textContent))
    .toEqual(['Least shares of an order from 5 to 6', 'Redeem by itself from off to on', 'Hurdle from 4.4 to 101']);
  await button('Save').click();
  await expect.element(toast('Exit settings updated successfully.')).toBeVisible();
  await expect.element(page.getByLabelText('Hurdle')).toHaveFocus();
  expect(server.askedFor(writeSystemSettings).map(({ body }) => body)).toEqual([{ MIN_ORDER_SHARES: 6 }]);
  expect(server.askedFor(writeExitSettings).map(({ body }) => body)).toEqual([{ auto_redeem: true }]);
  expect(server.askedFor(changeReportSettings)).toEqual([]);
  await expect.poll(() => changes.elements().length).toBe(1);
  await button('Cancel').click();
  await expect.element(page.getByLabelText('Hurdle')).toHaveValue('4.4');
  await expect.element(button('Save')).toBeDisabled();
});

test('comes into sight where the address names a setting, with the focus in its field', async () => {
  await open('/admin/system-settings#LOSS_ALLOWANCE_USD');
  const field = page.getByLabelText('LOSS_ALLOWANCE_USD');
  await expect.element(field).toHaveFocus();
  await expect.element(field).toBeInViewport();
  for (const [anchor, label] of [
    ['per_day_usd', 'Limit per day'],
    ['discovery-ladder', 'Ladder'],
  ] as const) {
    await open(`/admin/system-settings#${anchor}`);
    await expect.element(page.getByLabelText(label, { exact: true })).toHaveFocus();
  }
});

test('on a phone stands folded by subject, keeps what was typed, and opens where the address names a setting', async () => {
  await onPhone();
  await open('/admin/system-settings');
  await button('Show Orders').click();
  const field = page.getByLabelText('MIN_ORDER_SHARES');
  await typeInto(field, '6');
  await button('Hide Orders').click();
  await expect.element(field).not.toBeVisible();
  await expect.element(button('Save')).toBeEnabled();
  await expect.poll(() => document.documentElement.scrollHeight).toBeLessThan(3_000);
  await expectAccessible('folded system settings');
  await onPhone();
  await open('/admin/system-settings#discovery-ladder');
  await expect.element(page.getByLabelText('Ladder', { exact: true })).toHaveFocus();
  await expect.element(page.getByLabelText('MIN_ORDER_SHARES')).not.toBeVisible();
  await button('Hide Discovery').click();
  await expect.element(page.getByLabelText('Ladder', { exact: true })).not.toBeVisible();
});

test('leaves in sight the settings that have the words that are looked for', async () => {
  await open('/admin/system-settings');
  const find = page.getByRole('searchbox', { name: 'Find a Setting' });
  const clip = page.getByRole('textbox', { name: 'CLIP_USD', exact: true });
  const stream = page.getByRole('switch', { name: 'ENABLE_WEBSOCKET', exact: true });
  await expect.element(stream).toBeVisible();
  await typeInto(find, 'dollars clip');
  await expect.element(stream).not.toBeInTheDocument();
  await expect.element(clip).toBeVisible();
  await expectAccessible('settings that were found');
  await typeInto(find, 'hurdle');
  await expect.element(page.getByLabelText('Hurdle')).toBeVisible();
  await expect.element(clip).not.toBeInTheDocument();
  await typeInto(find, 'zebra');
  await expect.element(page.getByText('No setting has these words.')).toBeVisible();
  await typeInto(find, '');
  await expect.element(stream).toBeVisible();
});
