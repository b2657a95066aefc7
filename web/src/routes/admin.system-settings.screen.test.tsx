import { readSystemSettings, SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { button, expectProblem, expectTimes } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const NUMBERS = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  setting.kind === 'number' ? [{ name, ...setting }] : [],
);
const FLAGS = Object.entries(SETTINGS).flatMap(([name, setting]) => (setting.kind === 'flag' ? [name] : []));

const UNIT = '(dollars|dollars per share|shares|percent|hours|as a fraction: 1 is 100 %)\\.';

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
  expect(NUMBERS.length + FLAGS.length).toBe(17);
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
    await expectProblem(name, '', `${name} is required`);
    await expectProblem(name, String(min / 2), `${name} must be at least ${min}`);
    await expectProblem(name, String(max * 2), `${name} must be at most ${max}`);
  }
  await button('Save').click();
  await expect.element(page.getByLabelText(NUMBERS[0]?.name ?? '')).toHaveFocus();
  await button('Cancel').click();
  await expectTimes(/must be at most/, 0);
  for (const { name } of NUMBERS)
    await expect.element(page.getByLabelText(name)).toHaveValue(String(stored[name as keyof typeof stored]));
  await expect.element(button('Save')).toBeDisabled();
});
