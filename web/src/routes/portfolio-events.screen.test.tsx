import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server } from '../testing/screen.tsx';
import type { Wire } from '../testing/server.ts';

const SPRINT = 'Northern Sprint champion';

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** What was recorded, but for what is `given`. */
function answerWith(given: Partial<Wire<typeof readPortfolio>>): void {
  server.answer(readPortfolio, { ...recorded(readPortfolio), ...given });
}

test('folds an event to a line with the best way out, as a button where something is to be done, which unfolds to all of it', async () => {
  const { events } = recorded(readPortfolio);
  const bestIs = (way: 'sell' | 'hold') =>
    answerWith({
      events: events.map(({ routes, ...event }) => ({ ...event, routes: routes && { ...routes, best: routes[way] } })),
    });
  bestIs('hold');
  await open('/portfolio');
  await expect.element(region(SPRINT)).toMatchTextContent(/4 positions, pays \$15\.00.*\+\$0\.31.*Ends Feb 3/);
  expect(rowsOf(SPRINT)).toEqual([]);
  await expectAccessible('a folded portfolio');
  await expect.element(region(SPRINT)).toMatchTextContent(/Best: Hold/);
  await button(`Show: ${SPRINT}`).click();
  await expect.poll(() => rowsOf(SPRINT).length).toBe(4);
  await expect.element(button(`Hide: ${SPRINT}`)).toHaveAttribute('aria-expanded', 'true');
  await button(`Hide: ${SPRINT}`).click();
  expect(rowsOf(SPRINT)).toEqual([]);
  bestIs('sell');
  await open('/portfolio');
  await expect.element(button(`Sell: ${SPRINT}`)).toBeVisible();
});

test('shows the ten events that cost most on a phone, and the others on a press', async () => {
  const [held] = recorded(readPortfolio).holdings.filter(({ resolved_value }) => resolved_value === null);
  if (held === undefined) throw new Error('nothing is held');
  const holdings = Array.from({ length: 12 }, (_, nth) => ({
    ...held,
    ...{ token_id: `token ${nth}`, market_id: `market-${nth}`, event_id: `event-${nth}`, market_name: `Market ${nth}` },
  }));
  answerWith({ holdings, events: [] });
  await open('/portfolio');
  await expect.element(region('Market 11')).toBeVisible();
  await expect.element(region('Holdings')).toMatchTextContent(/^Holdings12 events/);
  await onPhone();
  await expect.element(region('Market 11')).not.toBeInTheDocument();
  await expect.element(region('Market 9')).toBeInTheDocument();
  await button('Show 2 More Events').click();
  await expect.element(region('Market 11')).toBeInTheDocument();
});

test('names the venue of each event where there are two, and is narrowed to one', async () => {
  const [held] = recorded(readPortfolio).holdings.filter(({ resolved_value }) => resolved_value === null);
  if (held === undefined) throw new Error('nothing is held');
  const holdings = ['kalshi:there', 'here'].map((id) => ({
    ...held,
    ...{ token_id: `${id} token`, market_id: `${id}-market`, event_id: id, market_name: `Market ${id}` },
  }));
  const at = (venue: 'polymarket' | 'kalshi') => ({
    ...{ venue, armed: true, armed_changed: null, arming_refusal: null, feed: 'live' as const },
  });
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venues: [at('polymarket'), at('kalshi')] as never });
  answerWith({ holdings, events: [] });
  await open('/portfolio');
  await expect.element(region('Market kalshi:there').getByText('Kalshi', { exact: true })).toBeVisible();
  await expect.element(region('Market here').getByText('Polymarket', { exact: true })).toBeVisible();
  await page.getByLabelText('Venue').selectOptions('Kalshi');
  await expect.element(region('Market here')).not.toBeInTheDocument();
  await expect.element(region('Market kalshi:there')).toBeVisible();
  await expectAccessible('a portfolio of two venues');
  await page.getByLabelText('Venue').selectOptions('All venues');
  await expect.element(region('Market here')).toBeVisible();
});
