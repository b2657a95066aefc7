import { readMe } from '@dutchbook/contract/current-user.ts';
import { deleteNotification, listNotifications, readNotification } from '@dutchbook/contract/notifications.ts';
import { readNotificationStats, readSendingStatus } from '@dutchbook/contract/sending-status.ts';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { button, cellsOf, dialog, expectTimes, rowsOf, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const LIST = 'Notifications';
const OPPORTUNITY = '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1';

type Notification = ReturnType<typeof recorded<typeof listNotifications>>['data'][number];

/** Every column that sorts, by the name it has in the address. */
const SORTED_BY = [
  ['ID', 'id'],
  ['Opp ID', 'opportunity_id'],
  ['Created', 'created_at'],
  ['Type', 'notification_type'],
  ['Message', 'message'],
  ['Status', 'status'],
  ['Sent At', 'sent_at'],
  ['Attempts', 'attempts'],
] as const;

/** One that failed, eleven that were sent and one that was muted, newest first. */
function thirteen(): Notification[] {
  const [model] = recorded(listNotifications).data;
  if (model === undefined) throw new Error('no notification was recorded');
  const numbered = Array.from({ length: 11 }, (_, index) => {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 11 - index)).toISOString();
    const sent = { status: 'sent', attempts: 1, created_at: at, sent_at: at } as const;
    return { message: `Number ${11 - index}`, opportunity_id: null, ...sent };
  });
  const failed = { message: 'The lost one', status: 'failed', attempts: 5, opportunity_id: OPPORTUNITY } as const;
  // A later version may know of more.
  const muted = {
    message: 'The odd one',
    opportunity_id: null,
    status: 'muted' as Notification['status'],
    created_at: '2025-01-01T00:00:00.000Z',
  };
  return [failed, ...numbered, muted].map((fields, index) => ({
    ...model,
    id: `${index.toString(16).padStart(8, '0')}${model.id.slice(8)}`,
    ...fields,
  }));
}

/** Answers as the server does: narrowed, reversed where that is asked for, and page by page. */
function serve(all: readonly Notification[]): void {
  server.answer(listNotifications, ({ query }) => {
    const kept = all
      .filter(({ status }) => query.status === undefined || status === query.status)
      .filter(({ opportunity_id }) => query.opportunity_id === undefined || opportunity_id === query.opportunity_id);
    const sorted = query.sort_order === 'asc' ? kept.toReversed() : kept;
    const skip = Number(query.skip);
    return { data: sorted.slice(skip, skip + Number(query.limit)), count: kept.length };
  });
}

const texts = () => rowsOf(LIST).map(({ textContent }) => textContent);
const toneOf = (nth: number) => cellsOf(LIST, 'Status')[nth]?.querySelector('[data-tone]')?.getAttribute('data-tone');

test('marks what does not come right by itself, and leads to it first', async () => {
  const [model] = recorded(listNotifications).data;
  if (model === undefined) throw new Error('no notification was recorded');
  const of = (notification_type: Notification['notification_type'], nth: number) => {
    return { ...model, notification_type, id: `${nth}${model.id.slice(1)}` };
  };
  serve([of('leg_risk', 1), of('batch_completed', 2)]);
  server.answer(readNotificationStats, { ...recorded(readNotificationStats), attention_count: 1 });
  const { address } = await open('/notifications');
  await expect
    .poll(() => cellsOf(LIST, 'Type').map(({ textContent }) => textContent))
    .toEqual(['Leg riskLook at it', 'Batch completed']);
  await page.getByRole('link', { name: '1 to look at: show them' }).click();
  await expect.poll(address).toBe('/notifications?subject=attention');
  await expect.poll(() => server.askedFor(listNotifications).at(-1)?.query.subject).toBe('attention');
});

test('is paged, sorted and filtered in the address; bad values fall back', async () => {
  serve(thirteen());
  server.answer(readNotificationStats, {
    total_notifications: 13,
    pending_count: 0,
    sent_count: 11,
    failed_count: 1,
    attention_count: 2,
    recent_notifications: 1,
    avg_attempts: 1.23,
    success_rate: 91.666667,
  });
  const { address } = await open(
    '/notifications?page=none&status=lost&opportunity_id=7&sortBy=data&sortOrder=sideways',
  );
  await expect.poll(() => texts()[0]).toContain('The lost one');
  expect(texts()).toHaveLength(10);
  await expect.element(page.getByText('1–10 of 13')).toBeVisible();
  const stats = () => [
    ...page.getByRole('region', { name: 'Notification statistics' }).element().querySelectorAll('dl > div'),
  ];
  await expect
    .poll(() => stats().map((stat) => [stat.querySelector('dt')?.textContent, stat.querySelector('dd')?.textContent]))
    .toEqual([
      ['To Look Atdoes not come right by itself', '2 to look at: show them'],
      ['Total', '13'],
      ['Last 24 Hours', '1'],
      ['Pendingwait to be sent', '0'],
      ['Sent', '11'],
      ['Failedtried and not delivered', '1'],
      ['Success Rate', '91.67%'],
      ['Avg. Attempts', '1.23'],
    ]);
  expect([toneOf(0), toneOf(1)]).toEqual(['error', 'success']);
  expect(cellsOf(LIST, 'Sent At')[1]?.querySelector('time')?.dateTime).toMatch(/^2026-01-01T00:11/);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(address).toBe('/notifications?page=2');
  await expect.poll(() => texts().at(-1)).toContain('The odd one');
  expect(cellsOf(LIST, 'Status').at(-1)?.textContent).toBe('Muted');
  expect(toneOf(2)).toBe('inactive');

  for (const [name, sortBy] of SORTED_BY) {
    const header = page.getByRole('columnheader', { name, exact: true });
    await header.getByRole('button').click();
    await expect.poll(address).toBe(`/notifications${sortBy === 'created_at' ? '' : `?sortBy=${sortBy}`}`);
    await expect.element(header).toHaveAttribute('aria-sort', 'descending');
  }
  await page.getByRole('columnheader', { name: 'Attempts' }).getByRole('button').click();
  await expect.poll(address).toBe('/notifications?sortBy=attempts&sortOrder=asc');
  await expect.poll(() => texts()[0]).toContain('The odd one');
  expect(server.askedFor(listNotifications).at(-1)?.query).toMatchObject({ sort_by: 'attempts', sort_order: 'asc' });
});

test('narrows by status, type and opportunity, and takes that back', async () => {
  serve(thirteen());
  const { address } = await open('/notifications');
  const filters = page.getByRole('region', { name: 'Filters' });
  await expect.poll(() => texts().length).toBe(10);
  await filters.getByLabelText('Status').selectOptions('Failed');
  await expect.poll(address).toBe('/notifications?status=failed');
  await expect.poll(() => texts().length).toBe(1);
  await filters.getByLabelText('Status').selectOptions('All statuses');
  await filters.getByLabelText('Type').selectOptions('Opportunity triggered');
  await expect.poll(address).toBe('/notifications?notification_type=opportunity_triggered');
  const id = filters.getByLabelText('Opportunity ID');
  await typeInto(id, '1234');
  await userEvent.keyboard('{Enter}');
  await expectTimes('Enter the whole ID', 1);
  await typeInto(id, OPPORTUNITY);
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toContain(`opportunity_id=${OPPORTUNITY}`);
  await expect.poll(() => texts().length).toBe(1);
  expect(server.askedFor(listNotifications).at(-1)?.query).toMatchObject({
    notification_type: 'opportunity_triggered',
    opportunity_id: OPPORTUNITY,
  });
  await filters.getByLabelText('Status').selectOptions('Sent');
  await expect.element(page.getByText('No notifications found.')).toBeVisible();
  await filters.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(address).toBe('/notifications');
  await expect.poll(() => texts().length).toBe(10);
});

test('says what cannot be loaded', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const full = () => refusal(500, 'The disk is full');
  server.answer(listNotifications, full);
  await open('/notifications');
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.element(page.getByText('Error loading notifications: The disk is full')).toBeVisible();
  server.answer(listNotifications, { data: [], count: 0 });
  server.answer(readNotificationStats, full);
  await open('/notifications');
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.element(page.getByText('Error loading notification statistics')).toBeVisible();
  await expect.element(page.getByText('No notifications found.')).toBeVisible();
  server.answer(readNotification, () => refusal(404, 'Notification not found'));
  await open(`/notifications/${OPPORTUNITY}`);
  await expect.element(page.getByText('Error loading notification details')).toBeVisible();
  await expect.element(page.getByRole('main').getByText('Notification not found')).toBeVisible();
  await expect.element(button('Retry Send')).not.toBeInTheDocument();
});

test('of a submission to the chain leads to it', async () => {
  const [model] = recorded(listNotifications).data;
  if (model === undefined) throw new Error('no notification was recorded');
  const data = { submission_id: OPPORTUNITY };
  server.answer(readNotification, { ...model, notification_type: 'submission_failed', data });
  await open(`/notifications/${model.id}`);
  await expect
    .element(page.getByRole('main').getByRole('link', { name: OPPORTUNITY }))
    .toHaveAttribute('href', `/submissions/${OPPORTUNITY}`);
});

test('fold behind the newest of their kind, which opens; single rows are one press away; a filter asks what needs a person', async () => {
  const [newest, ...others] = thirteen().map((each) => ({
    ...each,
    opportunity_id: OPPORTUNITY,
    message: `Rain · Yes: ${each.message}`,
    data: { name: 'Rain · Yes' },
  }));
  if (newest === undefined) throw new Error('there is none');
  const folded = { count: 41, first_at: '2026-01-01T00:00:00.000Z', failed: 3 };
  server.answer(listNotifications, ({ query }) => {
    if (query.like !== undefined) return { data: [newest, ...others.slice(0, 2)], count: 41 };
    if (query.folded !== 'true') return { data: [newest, ...others.slice(0, 9)], count: 41 };
    return {
      data: [
        { ...newest, folded },
        { ...others[0], folded: { ...folded, count: 1 } },
      ] as never,
      count: 2,
    };
  });
  await open('/notifications?status=failed');
  await expect.poll(() => rowsOf(LIST).length).toBe(2);
  await expect.element(page.getByText('1–2 of 2')).toBeVisible();
  expect(cellsOf(LIST, 'Message')[0]?.querySelector('strong')?.textContent).toBe('Rain · Yes');
  server.answer(deleteNotification, { message: '41 notifications deleted successfully' });
  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Delete All 41' }).click();
  const asked = dialog('Delete Notification');
  await expect.element(asked).toMatchTextContent('It and the 40 like it behind it will be deleted');
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expect.element(toast('41 notifications deleted successfully')).toBeVisible();
  expect(server.askedFor(deleteNotification).map(({ params, query }) => [params, query])).toEqual([
    [{ notification_id: newest.id }, { status: 'failed', folded: 'true' }],
  ]);
  const { address } = await open('/notifications?status=failed');
  await expect.poll(() => rowsOf(LIST).length).toBe(2);
  // Itself failed, and two of those behind it.
  const more = page.getByRole('button', { name: /^40 more like it since .*, 2 failed$/ });
  await more.click();
  await expect.poll(() => rowsOf(LIST).length).toBe(4);
  expect(server.askedFor(listNotifications).at(-1)?.query).toMatchObject({ like: newest.id, status: 'failed' });
  await expect
    .element(page.getByRole('link', { name: 'All 41' }))
    .toHaveAttribute('href', `/notifications?like=${newest.id}&each=true`);
  await more.click();
  await expect.poll(() => rowsOf(LIST).length).toBe(2);
  await button('Single Rows').click();
  await expect.poll(address).toBe('/notifications?status=failed&each=true');
  await expect.poll(() => rowsOf(LIST).length).toBe(10);
  await button('Fold Equal Ones').click();
  await expect.poll(address).toBe('/notifications?status=failed');
  await page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('region', { name: 'Filters' }).getByLabelText('About').selectOptions('What needs me');
  await expect.poll(address).toBe('/notifications?subject=attention');
  expect(server.askedFor(listNotifications).at(-1)?.query).toMatchObject({ subject: 'attention' });
});

test('where no channel is set up, nothing waits: it says so, with the way to set one up', async () => {
  serve(thirteen().map((each, nth) => (nth === 1 ? { ...each, status: 'pending' } : each)));
  server.answer(readSendingStatus, {
    enabled: true,
    throttle_seconds: 0,
    channels: { telegram: { configured: false, enabled: false } },
  });
  await open('/notifications');
  await expect
    .element(page.getByRole('region', { name: 'Notification statistics' }))
    .toMatchTextContent(
      /^To Look At.*show themTotal\d+Last 24 Hours\d+Not Sentno channel was set up\d+Failedtried and not delivered\d+$/,
    );
  await expect
    .poll(() =>
      cellsOf(LIST, 'Status')
        .map(({ textContent }) => textContent)
        .slice(0, 3),
    )
    .toEqual(['Failed', 'Not Sent', 'Sent']);
  const status = page.getByRole('region', { name: 'Filters' }).getByLabelText('Status').element() as HTMLSelectElement;
  expect([...status.options].map(({ value, text }) => `${value} ${text}`)).toEqual([
    ...[' All statuses', 'pending Not Sent', 'sent Sent', 'failed Failed'],
  ]);
  await expect
    .element(page.getByRole('link', { name: 'Set Up Telegram' }))
    .toHaveAttribute('href', '/settings?tab=telegram');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect
    .element(main.getByRole('listitem').filter({ hasText: 'Notifications' }))
    .not.toMatchTextContent(/pending/);
  const me = recorded(readMe);
  server.answer(readMe, { ...me, is_superuser: false });
  await open('/notifications');
  await expect.element(page.getByText('A superuser can set one up.')).toBeVisible();
});
