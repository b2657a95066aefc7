import { readMe } from '@dutchbook/contract/current-user.ts';
import { clearFeeStop } from '@dutchbook/contract/fee-stops.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { listRelations } from '@dutchbook/contract/relations.ts';
import { readReport } from '@dutchbook/contract/report.ts';
import { readOverview, readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { cellsOf, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const card = (name: string) => page.getByRole('region', { name, exact: true });

test('says what needs somebody, each with the way to where it is put right', async () => {
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
      '4 notifications have reached no one',
      expect.stringMatching(/^Stale: /),
    ]);
  expect(needs.elements().map((link) => link.getAttribute('href'))).toEqual([
    '/orders?unknown=true',
    '/batches?unhedged=true',
    '/notifications?status=failed',
    '/arbitrage',
  ]);
  await expectAccessible('a dashboard on which much needs somebody');
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

test('says that nothing needs anybody', async () => {
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), feed: 'live', unknown_orders: 0 });
  server.answer(readOverview, { ...recorded(readOverview), unhedged_batches: 0, failed_notifications: 0 });
  await open('/');
  await expect.element(card('Needs You')).toMatchTextContent(/Nothing: no order is unknown/);
});

test('shows cash, what is tied up, and what was realised today', async () => {
  await open('/');
  await expect.element(card('Cash')).toMatchTextContent('$812.44');
  await expect.element(card('Cash')).toMatchTextContent(/\$34\.85 held.*\+\$1\.04 unrealised/);
  await expect
    .element(card('Cash').getByRole('link', { name: 'Show the portfolio' }))
    .toHaveAttribute('href', '/portfolio');
  await expect.element(card('Open exposure')).toMatchTextContent('$187.56');
  server.answer(readOverview, { ...recorded(readOverview), realised_today_usd: -1.25 });
  await open('/');
  await expect.element(card('Realised today (UTC)')).toMatchTextContent(/-\$1\.25/);
  server.answer(readOverview, { ...recorded(readOverview), cash_usd: null });
  server.answer(readPortfolio, () => refusal(409, 'Come back later'));
  await open('/');
  await expect.element(card('Cash')).toMatchTextContent('the venue has not said');
  await expect.element(card('Cash')).toMatchTextContent('what is held is not known');
});

test('shows the five that pay most, in dollars and percent, as prices move', async () => {
  const [model] = recorded(listOpportunities).data;
  if (model === undefined) throw new Error('no opportunity was recorded');
  const data = Array.from({ length: 5 }, (_, nth) => ({
    ...model,
    id: `${nth.toString(16).padStart(8, '0')}${model.id.slice(8)}`,
    target_price: 1,
    current_price: 0.95,
    fees_per_set: 0.0012,
    profit_percentage: 5 - nth,
  }));
  server.answer(listOpportunities, { data, count: 26 });
  await open('/');
  const best = 'Best opportunities';
  await expect
    .poll(() => cellsOf(best, 'Profit per Set').map(({ textContent }) => textContent))
    .toEqual(data.map(() => '+$0.0488'));
  expect(server.askedFor(listOpportunities)[0]?.query).toMatchObject({
    active: 'true',
    sort_by: 'profit_percentage',
    sort_order: 'desc',
    limit: '5',
  });
  tell('opportunities', 'opportunity', data[1]?.id ?? '', { ...data[1], current_price: 1.01, profit_percentage: -1.1 });
  await expect.poll(() => cellsOf(best, 'Profit per Set')[1]?.textContent).toBe('-$0.0112');
  expect(cellsOf(best, 'Profit %')[1]?.textContent).toContain('-1.10%');
  expect(rowsOf(best)[0]?.querySelector('a')?.getAttribute('href')).toBe(`/arbitrage/${data[0]?.id}`);
});

test('shows the five relations that would make most and the five nearest to paying, as prices move', async () => {
  const { data } = recorded(listRelations);
  const five = data.slice(0, 5);
  server.answer(listRelations, { data: five, count: 31 });
  await open('/');
  const nearest = 'Nearest Relations';
  await expect.poll(() => cellsOf(nearest, 'Distance')[2]?.textContent).toMatch(/^1\.6 c away after fees/);
  expect(cellsOf('Best Relations', 'Dollars')[0]?.textContent).toBe('$3.42at 428.00 sh');
  expect(server.askedFor(listRelations).map(({ query }) => query)).toEqual(
    expect.arrayContaining([
      { skip: '0', limit: '5', min_profit_usd: '0.01', sort_by: 'profit_usd', sort_order: 'desc' },
      { skip: '0', limit: '5', sort_by: 'distance', sort_order: 'asc' },
    ]),
  );
  const third = five[2];
  tell('relations', 'relation', third?.id ?? '', { ...third, distance: -0.012, limited_by: null });
  await expect.poll(() => cellsOf(nearest, 'Distance')[2]?.textContent).toBe('↑ pays 1.2 c after fees');
  expect(rowsOf(nearest)[0]?.querySelector('a')?.getAttribute('href')).toBe(`/discover/${five[0]?.id}`);
  await expectAccessible('a dashboard with relations');
});

test('has no place for relations while none is watched', async () => {
  server.answer(listRelations, { data: [], count: 0 });
  await open('/');
  await expect.element(card('Best Opportunities')).toBeVisible();
  await expect.poll(() => server.askedFor(listRelations).length).toBeGreaterThan(1);
  expect(card('Nearest Relations').length + card('Best Relations').length).toBe(0);
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
  await expect.element(today).toMatchTextContent(/At Risk\$1\.20Locked↑\+\$3\.75Paid↑\+\$1\.50/);
  await expect.element(week).toMatchTextContent(/Paid↑\+\$12\.40/);
  await expect
    .element(week.getByRole('link', { name: '+$12.40' }))
    .toHaveAttribute('href', '/report/batches?sortBy=paid_usd&cashSince=2026-11-15');
  await expect.element(today.getByRole('link', { name: 'Report' })).toHaveAttribute('href', '/report?since=2026-11-21');
});
