import { listApprovals } from '@dutchbook/contract/approvals.ts';
import { listBatches } from '@dutchbook/contract/batches.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { readDiscoverySettings, writeDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import { clearFeeStop } from '@dutchbook/contract/fee-stops.ts';
import { readEquity } from '@dutchbook/contract/portfolio.ts';
import { readReport } from '@dutchbook/contract/report.ts';
import { readSendingStatus } from '@dutchbook/contract/sending-status.ts';
import { listSignOffs } from '@dutchbook/contract/sign-offs.ts';
import { listActivity, readOverview, readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { APPROVE_FIRST } from '../features/session/way-to-change.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { button } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';

const SIGN_OFF = {
  id: '9d7b4c50-2f11-4a6e-8a1e-111111111111',
  kind: 'limits' as const,
  summary: 'Raise the limit per day from $100.00 to $200.00.',
  state: 'open' as const,
  requested_by: 'ada@example.com',
  requested_by_id: null,
  requested_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + 20 * 60_000).toISOString(),
  ...{ decided_by: null, decided_at: null, reason: null, outcome: null, batch_id: null },
};

function approvalsAreWell(): void {
  const data = recorded(listApprovals).data.map((approval) => ({ ...approval, problem: null }));
  server.answer(listApprovals, { data, count: data.length });
}

const card = (name: string) => page.getByRole('region', { name, exact: true });

test('says what needs the user, each with the way to where it is put right', async () => {
  approvalsAreWell();
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), feed: 'degraded', unknown_orders: 2 });
  server.answer(readOverview, {
    ...recorded(readOverview),
    unhedged_batches: 1,
    unhedged_usd: 3,
    failed_notifications: 4,
  });
  await open('/');
  const needs = card('Needs You').getByRole('link');
  await expect
    .poll(() => needs.elements().map(({ textContent }) => textContent))
    .toEqual([
      '2 orders are unknown: the venue has not said whether it has them',
      '1 batch holds shares without the rest of a set: $3.00 lost at worst',
      '4 notifications failed: tried and not delivered',
      expect.stringMatching(/^Stale: /),
    ]);
  expect(needs.elements().map((link) => link.getAttribute('href'))).toEqual([
    '/orders?unknown=true',
    '/batches?unhedged=true',
    '/notifications?status=failed',
    '/arbitrage',
  ]);
  await expectAccessible('a dashboard on which much needs the user');
});

test('counts in the title of every page what needs the user, as it changes', async () => {
  approvalsAreWell();
  const waiting = { unhedged_batches: 1, failed_notifications: 4, fee_stops: 0, redeemable: false };
  const status = { ...recorded(readSystemStatus), unknown_orders: 2, waiting };
  server.answer(readSystemStatus, status);
  server.answer(readOverview, {
    ...recorded(readOverview),
    unhedged_batches: 1,
    unhedged_usd: 3,
    failed_notifications: 4,
  });
  await open('/');
  await expect.poll(() => card('Needs You').getByRole('listitem').elements()).toHaveLength(3);
  await expect.poll(() => document.title).toBe('(3) Dashboard · Dutchbook');
  await open('/items');
  await expect.poll(() => document.title).toBe('(3) Items Management · Dutchbook');
  const asked = server.asked.length;
  tell('system', 'system', 'system', { ...status, unknown_orders: 0 });
  await expect.poll(() => document.title).toBe('(2) Items Management · Dutchbook');
  tell('system', 'system', 'system', { ...status, unknown_orders: 0, waiting: undefined });
  await expect.poll(() => document.title).toBe('Items Management · Dutchbook');
  expect(server.asked).toHaveLength(asked);
});

test.for([true, false])(
  'says which kind of fee is not trusted, and has a superuser clear it: %s',
  async (isSuperuser) => {
    const stop = {
      id: '6b0f2c56-95a1-4d8a-8f3e-1d3c1f1f7c11',
      category: 'crypto_fees',
      venue: 'polymarket' as const,
      market_id: '0x1',
      market_name: 'Will it?',
      message: 'The venue took $0.10 in fees for 10.00 shares of Yes of "Will it?", a rate of 0.04.',
      since: '2026-11-28T08:00:00.000Z',
      cleared_at: null,
      cleared_by: null,
    };
    server.answer(readMe, { ...recorded(readMe), is_superuser: isSuperuser });
    server.answer(readOverview, { ...recorded(readOverview), fee_stops: [stop] });
    server.answer(clearFeeStop, () => {
      server.answer(readOverview, { ...recorded(readOverview), fee_stops: [] });
      return { ...stop, cleared_at: stop.since, cleared_by: 'admin@example.com' };
    });
    await open('/');
    await expect.element(card('Needs You')).toMatchTextContent(stop.message);
    await expectAccessible('a dashboard with a fee that is not trusted');
    const clear = card('Needs You').getByRole('button', { name: 'Clear the stop of “crypto_fees”' });
    if (!isSuperuser) {
      await expect.element(clear).not.toBeInTheDocument();
      return;
    }
    await clear.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.element(card('Needs You')).not.toMatchTextContent(stop.message);
    expect(server.askedFor(clearFeeStop)).toMatchObject([{ params: { fee_stop_id: stop.id } }]);
  },
);

test('says that the disk is full and the log is not written', async () => {
  const log_failure = { reason: 'no space left on device', dropped: 1200 };
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), disk_full: true, log_failure });
  await open('/');
  await expect.element(card('Needs You')).toMatchTextContent(/The disk of the data folder is full/);
  await expect
    .element(card('Needs You'))
    .toMatchTextContent(/The log is not written \(no space left on device\): 1,200 lines are lost/);
});

test.for([
  ['all', /orders leave, by hand and automatically\./],
  [
    'brought',
    /orders leave by hand, and automatically for opportunities that were added\. Found ones are placed only by hand\./,
  ],
  ['off', /orders leave only by hand\. Automatic placing is off\./],
] as const)('says what leaves automatically where that is %s', async ([automatic, sentence]) => {
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: true, automatic });
  await open('/');
  await expect.element(card('Venue and feed')).toMatchTextContent(sentence);
});

test('says that nothing needs the user', async () => {
  approvalsAreWell();
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), feed: 'live', unknown_orders: 0 });
  server.answer(readOverview, { ...recorded(readOverview), unhedged_batches: 0, failed_notifications: 0 });
  await open('/');
  await expect.element(card('Needs You')).toMatchTextContent(/No order is unknown/);
});

test('shows what the account is worth by its parts, what it earned, and its curve with how far it fell', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T22:00:00Z'), toFake: ['Date'] });
  await open('/');
  const head = card('Account Equity');
  await expect.element(head).toMatchTextContent('$1,003.41');
  await expect.element(head).toMatchTextContent(/Cash\$812\.44Locked sets pay\$181\.07Other shares at the bid\$9\.90/);
  await expect.element(head).toMatchTextContent(/Today \(UTC\)since .*↑\+\$3\.417 dayssince .*↑\+\$3\.41/);
  await expect.element(head.getByRole('img', { name: 'Equity of the last seven days' })).toBeVisible();
  await expect
    .element(head)
    .toMatchTextContent('Its deepest fall was $1.20 in these days; it is $0.40 below its peak now.');
  await head.getByText('Show as a table').click();
  await expect.element(head.getByRole('row').nth(1)).toMatchTextContent('$1,003.41');
  await expectAccessible('a dashboard with the table of its equity');
  server.answer(readEquity, {
    ...recorded(readEquity),
    equity_usd: null,
    today: null,
    week: null,
    curve: [],
    unpriced: 2,
  });
  await open('/');
  await expect.element(head).toMatchTextContent('The ledger begins once the venue has said what the account has.');
  await expect.element(head).toMatchTextContent('2 without a price count with nothing');
  await expect.element(head).toMatchTextContent(/Cash–Locked sets pay–Other shares at the bid–/);
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue: 'several_read_only' });
  await open('/');
  await expect
    .element(head)
    .toMatchTextContent('There is no key: prices are read, nothing is bought, and no account is known.');
});

test.for([768, 1360])('keeps the parts of the equity within their rows at %i pixels', async (width) => {
  await page.viewport(width, 900);
  server.answer(readEquity, { ...recorded(readEquity), locked_usd: 123_456.78 });
  await open('/');
  const head = card('Account Equity');
  await expect.element(head).toMatchTextContent('Locked sets pay$123,456.78');
  for (const figure of head.element().querySelectorAll('dd')) {
    const row = figure.parentElement?.getBoundingClientRect();
    expect(figure.getBoundingClientRect().right).toBeLessThanOrEqual((row?.right ?? 0) + 1);
  }
});

test('shows what is tied up, and what was realised today', async () => {
  server.answer(readOverview, { ...recorded(readOverview), realised_today_usd: -1.25 });
  await open('/');
  await expect.element(card('Open exposure')).toMatchTextContent('$187.56');
  await expect.element(card('Realised today (UTC)')).toMatchTextContent(/-\$1\.25/);
});

test('says that trading is disarmed, by whom, and what can be redeemed, each with its button', async () => {
  const armed_changed = { at: '2026-11-21T10:00:00.000Z', by: 'ada@example.com' };
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: false, armed_changed });
  server.answer(readEquity, { ...recorded(readEquity), redeemable_usd: 12.5 });
  await open('/');
  const needs = card('Needs You');
  await expect.element(needs).toMatchTextContent(/Trading is disarmed: no order leaves\. Disarmed by ada@example\.com/);
  await expect.element(needs.getByRole('button', { name: 'Arm' })).toBeVisible();
  await expect.element(needs).toMatchTextContent('$12.50 of resolved markets can be redeemed');
  await expect.element(needs.getByRole('button', { name: 'Redeem All' })).toBeVisible();
});

test('shows figures of money that stand side by side together, and none before all of them are read', async () => {
  await open('/');
  await expect.element(card('Open exposure')).toMatchTextContent('$187.56');
  const equity = card('Account Equity');
  await expect.element(equity).toBeVisible();
  let answer = () => {};
  const waits = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.answer(readOverview, { ...recorded(readOverview), open_exposure_usd: 90 });
  server.answer(readEquity, async () => {
    await waits;
    return { ...recorded(readEquity), equity_usd: 777 };
  });
  const [batch] = recorded(listBatches).data;
  const asked = () => server.askedFor(readOverview).length;
  const before = asked();
  tell('batches', 'batch', batch?.id ?? '', batch);
  await expect.poll(asked).toBeGreaterThan(before);
  await expect.poll(() => server.askedFor(readEquity).length).toBeGreaterThan(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await expect.element(card('Open exposure')).toMatchTextContent('$187.56');
  answer();
  await expect.element(equity).toMatchTextContent(/\$777\.00/);
  await expect.element(card('Open exposure')).toMatchTextContent('$90.00');
});

test('shows what the desk has done as it happens, and on other pages its last line, which opens', async () => {
  const { data } = recorded(listActivity);
  await open('/');
  const list = page.getByRole('list', { name: 'Latest activity' });
  await expect.element(list).toMatchTextContent(/Cash\$20\.00 came from whole sets that were merged.*Bought/);
  await expect.element(list.getByRole('link')).toHaveAttribute('href', `/batches/${data[1]?.batch_id}`);
  const refused = {
    ...{ id: 'refused', kind: 'refused' as const, at: '2026-11-21T21:56:09.000Z', text: 'Cup. Leg 1 is short.' },
    ...{ opportunity_id: null, batch_id: null, usd: null },
  };
  const cash = { ...data[0], id: 'more', text: '$15.00 came from whole sets that were merged', usd: 15 };
  server.answer(listActivity, { data: [refused, cash, ...data] as never });
  const [batch] = recorded(listBatches).data;
  tell('batches', 'batch', batch?.id ?? '', batch);
  await expect.element(list).toMatchTextContent(/RefusedCup\. Leg 1 is short\./);
  await button('2 times, $35.00 together').click();
  const both = page.getByRole('list', { name: 'Each of them' });
  await expect.element(both).toMatchTextContent(/\$15\.00 came.*\$20\.00 came/);
  await open('/items');
  const line = page.getByRole('region', { name: 'Activity' });
  await expect.element(line).toMatchTextContent(/Refused/);
  await expect.element(line).not.toMatchTextContent(/Bought/);
  await line.getByRole('button', { name: 'Show activity' }).click();
  await expect.element(line).toMatchTextContent(/Bought/);
  await expectAccessible('items with the opened line of activity');
});

test('says what waits for a sign-off and for how long, and that notifications are not sent', async () => {
  const venue = 'polymarket_live' as const;
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue, open_sign_offs: 1 });
  server.answer(listSignOffs, { data: [SIGN_OFF], count: 1 });
  const sending = recorded(readSendingStatus);
  server.answer(readSendingStatus, { ...sending, channels: { telegram: { configured: false, enabled: false } } });
  await open('/');
  const needs = card('Needs You');
  await expect.element(needs).toMatchTextContent(/asks for a sign-off, which ends in \d+m: Raise the limit per day/);
  await expect.element(needs).toMatchTextContent('Notifications are not sent');
});

test('leads to each of what was missed because its relation waits for approval', async () => {
  const missed_today = [{ reason: APPROVE_FIRST, example: null, count: 2, usd: 1, bound: null }];
  server.answer(readOverview, { ...recorded(readOverview), missed_today });
  await open('/');
  await expect
    .element(card('Needs You').getByRole('link', { name: 'Approve', exact: true }))
    .toHaveAttribute('href', expect.stringMatching(/^\/report\/missed\?reason=A/));
});

test('says what paid and was not bought, and has found opportunities placed automatically from then on', async () => {
  const reason = 'Found opportunities are not placed automatically, which a superuser can switch on';
  const missed_today = [
    { reason, example: null, count: 5, usd: 77, bound: null },
    {
      ...{ reason: 'Orders were smaller than what paid, bounded by the loss allowance of a clip', example: null },
      ...{ count: 4, usd: 207, bound: 'LOSS_ALLOWANCE_USD' },
    },
    { reason: 'A leg is short of # shares', example: 'Leg 2 is short of 4 shares.', count: 1, usd: 3, bound: null },
  ];
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), automatic: 'brought' });
  server.answer(readOverview, { ...recorded(readOverview), missed_today });
  server.answer(writeDiscoverySettings, () => {
    server.answer(readSystemStatus, { ...recorded(readSystemStatus), automatic: 'all' });
    return { ...recorded(readDiscoverySettings), auto_place_found: true };
  });
  await open('/');
  const needs = card('Needs You');
  await expect
    .element(needs)
    .toMatchTextContent('5 found opportunities paid $77.00: found ones are placed only by hand.');
  await expect
    .element(needs.getByRole('link', { name: '1 opportunity paid $3.00: leg 2 is short of 4 shares.' }))
    .toHaveAttribute('href', expect.stringContaining('/report/missed?'));
  await expect
    .element(needs.getByRole('link', { name: /^\$207\.00 of profit was left: .* the loss allowance of a clip\.$/ }))
    .toHaveAttribute('href', expect.stringContaining('tab=missed'));
  await expect
    .element(needs.getByRole('link', { name: 'Most that a clip may lose' }))
    .toHaveAttribute('href', '/admin/system-settings#LOSS_ALLOWANCE_USD');
  await expectAccessible('a dashboard on which something paid and was not bought');
  await needs.getByRole('button', { name: 'Rehearse' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Rehearse' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await needs.getByRole('button', { name: 'Switch On' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch On' }).click();
  await expect.element(needs.getByRole('button', { name: 'Switch On' })).not.toBeInTheDocument();
  expect(server.askedFor(writeDiscoverySettings)).toMatchObject([{ body: { auto_place_found: true } }]);
});

test('leads a new desk through four steps that tick themselves off, and is without them once all are made', async () => {
  localStorage.removeItem('first-steps-done');
  const first_steps = { found: true, judged: false, bought: false, exited: false };
  server.answer(readOverview, { ...recorded(readOverview), first_steps });
  await open('/');
  const steps = card('First Steps');
  await expect
    .poll(() =>
      steps
        .getByRole('heading', { level: 3 })
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Find – done', '2Judge', '3Buy', '4Exit']);
  for (const word of ['relation', 'leg', 'set', 'locked']) await expect.element(steps).toMatchTextContent(word);
  await expectAccessible('a dashboard with first steps');
  server.answer(readOverview, {
    ...recorded(readOverview),
    first_steps: { ...first_steps, judged: true, bought: true },
  });
  const [batch] = recorded(listBatches).data;
  tell('batches', 'batch', batch?.id ?? '', batch);
  await expect.element(steps.getByRole('heading', { name: 'Buy – done' })).toBeVisible();
  await steps.getByRole('button', { name: 'Hide' }).click();
  await expect.element(steps).not.toBeInTheDocument();
  localStorage.removeItem('first-steps-done');
  server.answer(readOverview, recorded(readOverview));
  await open('/');
  await expect.element(steps.getByRole('heading', { name: 'Exit – done' })).toBeVisible();
  await open('/');
  await expect.element(card('Account Equity')).toBeVisible();
  await expect.element(steps).not.toBeInTheDocument();
});

test('shows the results of today and the last seven days, each figure with its batches', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
  server.answer(readReport, ({ query }) => ({
    ...recorded(readReport),
    paid_usd: query.since === '2026-11-21' ? 1.5 : 12.4,
  }));
  await open('/');
  const today = card('Today (UTC)');
  const week = card('Last 7 Days (UTC)');
  await expect.element(today).toMatchTextContent(/Paid↑\+\$1\.50Locked↑\+\$3\.75At Risk\$1\.20/);
  await expect.element(week).toMatchTextContent(/Paid↑\+\$12\.40/);
  await expect
    .element(week.getByRole('link', { name: '+$12.40' }))
    .toHaveAttribute('href', '/report/batches?sortBy=paid_usd&cashSince=2026-11-15');
  await expect.element(today.getByRole('link', { name: 'Report' })).toHaveAttribute('href', '/report?since=2026-11-21');
});
