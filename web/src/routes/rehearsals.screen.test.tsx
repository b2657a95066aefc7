/** Settings tried on the past before they are saved, and the rehearsals that are kept. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { readDeskLimits, readLimits } from '@dutchbook/contract/limits.ts';
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import {
  cancelRehearsal,
  createRehearsal,
  deleteRehearsal,
  listRehearsalDifferences,
  listRehearsals,
  readRehearsal,
} from '@dutchbook/contract/rehearsals.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { readSystemSettings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, cellsOf, dialog, expectCells, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

type Wired = Wire<typeof readRehearsal>;
type Result = NonNullable<Wired['result']>;

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const OPPORTUNITY = recorded(readOpportunity).id;

function run(triggers: number, profits: readonly [number, number, number], unwound: number): Result['present'] {
  const model = (profit_usd: number) => ({ profit_usd, completed: 9, unwound, unfilled: 1, worst_batch_usd: -4.1 });
  const [touch, measured, pessimistic] = profits;
  return {
    ...{ triggers, batches: triggers - 2, refused: 2, refusals: [{ gate: 'limit-per-day', count: 2 }], limit_hits: 2 },
    models: { touch: model(touch), measured: model(measured), pessimistic: model(pessimistic) },
  };
}

const RESULT: Result = {
  present: run(17, [2, 2, 2], 1),
  proposed: run(41, [11.4, 10.2, 8.1], 4),
  differences: 1,
  unknown: [],
  ...{ records: 12_000, tokens: 6, took_ms: 900 },
  latency: { measured_ms: 240, pessimistic_ms: 610, is_own: true },
};

const DONE: Wired = {
  ...{ id: ID, created_at: '2026-11-21T22:10:00.000Z', created_by: 'admin@example.com', state: 'done' },
  ...{ from: '2026-11-21T21:10:00.000Z', until: '2026-11-21T22:10:00.000Z', assume_placing: false, progress: 1 },
  changes: { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.5 } },
  ...{ error: null, ended_at: '2026-11-21T22:10:04.000Z', result: RESULT },
};
const RUNNING: Wired = { ...DONE, state: 'running', progress: 0.42, ended_at: null, result: null };

const SENTENCE =
  '41 triggers instead of 17, 3 more unwound, +$8.20 (+$6.10 to +$9.40 by how orders fill), worst batch -$4.10, limits hit twice.';

const decision = (profit: number) => ({
  ...{ profit_percentage: 0.6, current_price: 0.994, size: 10, refusals: [] },
  profit_usd: { touch: profit, measured: profit, pessimistic: profit },
});
const DIFFERENCE: Wire<typeof listRehearsalDifferences>['data'][number] = {
  ...{ opportunity_id: OPPORTUNITY, title: 'Who chairs the Harbour League', present_triggers: 1, proposed_triggers: 5 },
  ...{ present_batches: 1, proposed_batches: 4, profit_usd: { touch: 3, measured: 2.5, pessimistic: 1 } },
  moments: ['01', '02', '03', '04'].map((second) => ({
    ...{ at: `2026-11-21T21:30:${second}.250Z`, present: null, proposed: decision(0.6) },
  })),
};

const threshold = page.getByLabelText('MIN_PROFIT_TRIGGER_THRESHOLD', { exact: true });
const rehearse = page.getByRole('button', { name: 'Rehearse', exact: true });

beforeEach(() => {
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: true });
  server.answer(readSystemSettings, { ...recorded(readSystemSettings), AUTO_PLACE_ORDER_ENABLED: true });
  server.answer(createRehearsal, RUNNING);
  server.answer(readRehearsal, DONE);
  server.answer(listRehearsalDifferences, { data: [DIFFERENCE], count: 1 });
  server.answer(listRehearsals, { data: [], count: 0 });
});

async function askFor(value: string) {
  await open('/admin/system-settings');
  await typeInto(threshold, value);
  await rehearse.first().click();
  await expect.element(dialog('Rehearse')).toBeVisible();
}

test('what it does otherwise is narrowed to one of several venues', async () => {
  const at = { armed: true, armed_changed: null, arming_refusal: null, feed: 'live' };
  const venues = ['polymarket', 'kalshi'].map((venue) => ({ venue, ...at }));
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venues: venues as never });
  server.answer(readDeskLimits, { ...recorded(readLimits), required: false });
  await askFor('0.5');
  const asking = dialog('Rehearse');
  await asking.getByRole('button', { name: 'Start Rehearsal' }).click();
  await asking.getByLabelText('Venue').selectOptions('Kalshi');
  await expect.poll(() => server.askedFor(listRehearsalDifferences).at(-1)?.query).toMatchObject({ venue: 'kalshi' });
});

describe('beside Save', () => {
  test('tries what is typed on the last hour, says what would have been otherwise, and saves it from there', async () => {
    await askFor('0.5');
    const asking = dialog('Rehearse');
    await expect.element(asking.getByText('Profit that triggers 0.5')).toBeVisible();
    await expect.element(asking.getByLabelText('Count as armed and placed automatically')).not.toBeChecked();
    const before = Date.now();
    await asking.getByRole('button', { name: 'Start Rehearsal' }).click();
    await expect.element(asking.getByText(SENTENCE)).toBeVisible();
    const body = server.askedFor(createRehearsal)[0]?.body as { from: string };
    expect(body).toEqual({
      from: expect.any(String),
      changes: { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.5 } },
      assume_placing: false,
    });
    expect(Math.abs(before - 3_600_000 - Date.parse(body.from))).toBeLessThan(10_000);
    await expectCells('How orders fill', 'Difference', '↑+$9.40', '↑+$8.20', '↑+$6.10');
    await expect
      .element(asking.getByText(/Of what stood there 240 ms later \(as fast as half of our own/))
      .toBeVisible();
    await expectCells('Refused by', 'Gate', 'Limit per day');
    await expectCells('Differences', 'Triggers', 'from 1 to 5');
    await expectAccessible('what a rehearsal has found');
    server.answer(writeSystemSettings, { ...recorded(readSystemSettings), MIN_PROFIT_TRIGGER_THRESHOLD: 0.5 });
    await asking.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(toast('System settings updated successfully.')).toBeVisible();
    expect(server.askedFor(writeSystemSettings)[0]?.body).toEqual({ MIN_PROFIT_TRIGGER_THRESHOLD: 0.5 });
  });

  test('leads to each moment that differs', async () => {
    await askFor('0.5');
    await dialog('Rehearse').getByRole('button', { name: 'Start Rehearsal' }).click();
    await expect.poll(() => cellsOf('Differences', 'Moments').length).toBe(1);
    const links = () =>
      [...(cellsOf('Differences', 'Moments')[0]?.querySelectorAll('a') ?? [])].map((a) => a.getAttribute('href'));
    expect(links()).toEqual(
      ['01', '02', '03', '04'].map((second) => `/arbitrage/${OPPORTUNITY}?at=2026-11-21T21%3A30%3A${second}.250Z`),
    );
    await page.getByText('1 more', { exact: true }).click();
    await button('Close').click();
  });

  test('shows how far it has come, and cancels it', async () => {
    server.answer(readRehearsal, RUNNING);
    await askFor('0.5');
    await dialog('Rehearse').getByRole('button', { name: 'Start Rehearsal' }).click();
    await expect.element(page.getByText(/^42% done\./)).toBeVisible();
    await expect.element(page.getByRole('progressbar', { name: 'Rehearsal' })).toHaveAttribute('aria-valuenow', '42');
    await expectAccessible('a rehearsal that runs');
    const canceled: Wired = { ...RUNNING, state: 'canceled' };
    server.answer(cancelRehearsal, () => {
      server.answer(readRehearsal, canceled);
      return canceled;
    });
    await button('Cancel Rehearsal').click();
    await expect.element(page.getByText('The rehearsal was canceled.')).toBeVisible();
    await button('Rehearse Again').click();
    await expect.element(button('Start Rehearsal')).toBeVisible();
    await button('Close').click();
  });

  test('counts as armed where trading is disarmed, and says why', async () => {
    server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: false });
    await askFor('0.5');
    const box = dialog('Rehearse').getByLabelText('Count as armed and placed automatically');
    await expect.element(box).toBeChecked();
    await expect.element(box).toHaveAccessibleDescription(/^Trading is disarmed: /);
    await expectAccessible('what is asked of a rehearsal');
    await button('Start Rehearsal').click();
    await expect.element(page.getByText(SENTENCE)).toBeVisible();
    expect(server.askedFor(createRehearsal)[0]?.body).toMatchObject({ assume_placing: true });
    await button('Close').click();
  });

  test('takes a span of its own, and says what is wrong with it', async () => {
    await askFor('0.5');
    await dialog('Rehearse').getByLabelText('Span').selectOptions('custom');
    const [from, until] = [page.getByLabelText('From', { exact: true }), page.getByLabelText('Until', { exact: true })];
    for (const [begin, end, problem] of [
      ['2026-01-02T10:00:00', '2026-01-02T10:00:00', 'It must begin before it ends'],
      ['2026-01-02T10:00:00', '2199-01-02T10:00:00', 'It must not end in the future'],
      ['2025-01-02T10:00:00', '2025-01-12T10:00:00', 'At most 7 days'],
      ['', '2026-01-02T10:00:00', 'Both need a date and a time'],
    ] as const) {
      await from.fill(begin);
      await until.fill(end);
      await button('Start Rehearsal').click();
      await expect.element(page.getByText(problem)).toBeVisible();
    }
    await from.fill('2025-01-02T09:00:00');
    await until.fill('2025-01-02T10:00:00');
    await button('Start Rehearsal').click();
    await expect.element(page.getByText(SENTENCE)).toBeVisible();
    expect(server.askedFor(createRehearsal).map(({ body }) => body)).toEqual([
      expect.objectContaining({
        from: new Date('2025-01-02T09:00:00').toISOString(),
        until: new Date('2025-01-02T10:00:00').toISOString(),
      }),
    ]);
    await button('Close').click();
  });

  test('rehearses limits and discovery settings as well, only what was changed, and nothing that is wrong', async () => {
    await open('/admin/system-settings');
    await expect.element(rehearse).toBeDisabled();
    const limits = page.getByRole('region', { name: 'Limits', exact: true });
    await typeInto(limits.getByLabelText('Limit per batch'), '0.2');
    await rehearse.click();
    await expect.element(limits.getByText('Limit per batch must be at least 1')).toBeVisible();
    expect(page.getByRole('dialog').query()).toBeNull();
    await typeInto(limits.getByLabelText('Limit per batch'), '12.5');
    await rehearse.click();
    await button('Start Rehearsal').click();
    await expect.element(page.getByText(SENTENCE)).toBeVisible();
    await expect.element(dialog('Rehearse').getByRole('button', { name: 'Save', exact: true })).toBeVisible();
    await button('Close').click();
    const discovery = page.getByRole('region', { name: 'Discovery', exact: true });
    await typeInto(discovery.getByLabelText('Least profit'), '2.5');
    await rehearse.click();
    await button('Start Rehearsal').click();
    await expect.element(page.getByText(SENTENCE)).toBeVisible();
    await button('Close').click();
    expect(server.askedFor(createRehearsal).map(({ body }) => (body as { changes: unknown }).changes)).toEqual([
      { limits: { per_batch_usd: 12.5 } },
      { limits: { per_batch_usd: 12.5 }, discovery: { min_profit_usd: 2.5 } },
    ]);
    expect(server.askedFor(readLimits).length).toBeGreaterThan(0);
  });

  test('shows side by side what each size policy would have made', async () => {
    const made = (policy: 'smallest' | 'best', profit: number, clips: number) => ({
      ...{ policy, totals: { ...run(17, [profit, profit, profit], 0), clips, worst_at_risk_usd: 24.5 } },
      course: ['21:40', '22:10'].map((time) => ({ at: `2026-11-21T${time}:00.000Z`, profit_usd: profit })),
    });
    server.answer(readRehearsal, {
      ...DONE,
      result: { ...RESULT, policies: [made('smallest', 0.5, 0), made('best', 9, 10)] },
    });
    await askFor('0.5');
    await button('Start Rehearsal').click();
    const figure = page.getByRole('img', { name: 'Profit by size policy' });
    await expect.element(figure).toBeVisible();
    await expect.element(page.getByText('Each size policy would have made: Smallest $0.50, Best $9.00.')).toBeVisible();
    const table = page.getByRole('table', { name: 'Size policies' });
    await expect.element(table.getByRole('row').nth(2)).toMatchTextContent(/Best.*\$9\.00.*15.*3\.0.*\$24\.50/);
    await button('Close').click();
  });

  test('says of a time that was not recorded that nothing is known of it', async () => {
    const unknown = [{ from: DONE.from, until: DONE.until, reason: 'not running' }];
    const none = run(0, [0, 0, 0], 0);
    const empty = { ...none, batches: 0, refused: 0, refusals: [], limit_hits: 0 };
    server.answer(readRehearsal, { ...DONE, result: { ...RESULT, present: empty, proposed: empty, unknown } });
    await askFor('0.5');
    await button('Start Rehearsal').click();
    await expect.element(page.getByText('Nothing is known of this time: not running.')).toBeVisible();
    await expect.element(page.getByText(/^Unknown Nov .* to Nov .*: not running$/)).toBeVisible();
    expect(page.getByRole('table', { name: 'How orders fill' }).query()).toBeNull();
    await button('Close').click();
  });

  test('says what was left out because only prices were recorded of its markets', async () => {
    server.answer(readRehearsal, { ...DONE, result: { ...RESULT, left_out: 2 } });
    await askFor('0.5');
    await button('Start Rehearsal').click();
    await expect.element(page.getByText(/^Left out: 2 opportunities that discovery would have found/)).toBeVisible();
    await button('Close').click();
  });

  test('says why it was not begun, and why it failed', async () => {
    server.answer(createRehearsal, () => refusal(409, '10 rehearsals wait already. Cancel one, or try again later.'));
    await askFor('0.5');
    await button('Start Rehearsal').click();
    await expect.element(toast(/10 rehearsals wait already/)).toBeVisible();
    server.answer(createRehearsal, RUNNING);
    server.answer(readRehearsal, { ...RUNNING, state: 'failed', error: 'It needs more memory.' });
    await button('Start Rehearsal').click();
    await expect.element(page.getByText('The rehearsal failed: It needs more memory.')).toBeVisible();
    await dialog('Rehearse').getByRole('button', { name: 'Close' }).click();
  });
});

describe('those that are kept', () => {
  const WIDER: Wired = {
    ...{ ...DONE, id: OTHER, changes: { limits: { per_day_usd: null }, settings: { ENABLE_WEBSOCKET: false } } },
    result: { ...RESULT, proposed: run(20, [2, 1, 0.5], 1) },
  };
  const QUEUED: Wired = { ...RUNNING, id: '33333333-3333-4333-8333-333333333333', state: 'queued', changes: {} };

  test('are listed, shown, and compared side by side', async () => {
    server.answer(listRehearsals, { data: [QUEUED, WIDER, DONE], count: 3 });
    const { address, back } = await open('/admin/rehearsals');
    await expectCells('Rehearsals', 'Outcome', 'Queued', '↓-$1.00', '↑+$8.20');
    await expectCells(
      'Rehearsals',
      'Changes',
      /^The same settings/,
      /^Live stream of the venue off, Limit per day none/,
      /^Profit that triggers 0\.5/,
    );
    await page.getByLabelText(/^Compare Profit that triggers/).click();
    await expect.element(page.getByText(SENTENCE)).toBeVisible();
    await expectAccessible('a rehearsal that was kept');
    await page.getByLabelText(/^Compare Live stream of the venue/).click();
    await expect.poll(address).toBe(`/admin/rehearsals?shown=${ID}%2C${OTHER}`);
    await expectCells(
      'Side by side',
      '1. Profit that triggers 0.5',
      ...Array(16)
        .fill(expect.anything())
        .map(() => /./),
    );
    const triggers = () =>
      cellsOf('Side by side', '2. Live stream of the venue off, Limit per day none').map((cell) => cell.textContent);
    expect(triggers()[3]).toBe('20');
    await expectAccessible('rehearsals side by side');
    back();
    await expect.element(page.getByText(SENTENCE)).toBeVisible();
  });

  test('are deleted once that is confirmed; one that waits is canceled', async () => {
    server.answer(listRehearsals, { data: [QUEUED, DONE], count: 2 });
    // The list is read again all the time while one waits.
    server.answer(deleteRehearsal, () => {
      server.answer(listRehearsals, { data: [QUEUED], count: 1 });
      return { message: 'Rehearsal deleted successfully' };
    });
    server.answer(cancelRehearsal, () => {
      const canceled = { ...QUEUED, state: 'canceled' } as const;
      server.answer(listRehearsals, { data: [canceled], count: 1 });
      return canceled;
    });
    await open('/admin/rehearsals');
    await button('Actions for 11111111').click();
    await page.getByRole('menuitem', { name: 'Delete Rehearsal' }).click();
    await expect.element(dialog('Delete Rehearsal').getByText(/will be deleted for good/)).toBeVisible();
    await expect.element(dialog('Delete Rehearsal').getByText('Profit that triggers 0.5')).toBeVisible();
    await dialog('Delete Rehearsal').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.element(toast('The rehearsal was deleted.')).toBeVisible();
    await expectCells('Rehearsals', 'Outcome', 'Queued');
    await button('Actions for 33333333').click();
    await page.getByRole('menuitem', { name: 'Cancel Rehearsal' }).click();
    await expectCells('Rehearsals', 'Outcome', 'Canceled');
    expect(server.askedFor(deleteRehearsal).map(({ params }) => params.rehearsal_id)).toEqual([ID]);
  });

  test('are a link away for superusers, empty at first, and nothing for others', async () => {
    const { address } = await open('/admin');
    await page.getByRole('link', { name: 'Rehearsals' }).click();
    await expect.poll(address).toBe('/admin/rehearsals');
    await expect.element(page.getByText('No rehearsals yet')).toBeVisible();
    await expectAccessible('no rehearsals');
    const before = server.askedFor(listRehearsals).length;
    server.answer(readMe, { ...recorded(readMe), is_superuser: false });
    const other = await open('/admin/rehearsals');
    await expect.poll(other.address).toBe('/');
    expect(server.askedFor(listRehearsals)).toHaveLength(before);
  });
});
