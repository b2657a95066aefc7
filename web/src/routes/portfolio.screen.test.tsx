import { cancelBatch, listBatches, readBatch } from '@dutchbook/contract/batches.ts';
import { listChainSubmissions } from '@dutchbook/contract/chain-steps.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible, pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { button, expectCells, figureIn, rowsOf, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server, tell } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

type Sent = Wire<typeof readPortfolio>;
type SentHolding = Sent['holdings'][number];

const SPRINT = 'Northern Sprint champion';
const BANK = 'Will the Bank of Aldmark decide on a cut of half a point at its next meeting?';
const BATCH = '39d519ea-f30d-430c-ae97-f8776c149f7f';

const region = (name: string) => page.getByRole('region', { name, exact: true });
const way = (event: string, name: string) => region(event).getByRole('region', { name, exact: true });
const asked = () => server.askedFor(readPortfolio).length;

/** Opens the portfolio with what is held of `events` unfolded. */
async function openUnfolded(...events: string[]): Promise<void> {
  await open('/portfolio');
  for (const event of events) await button(`Show: ${event}`).click();
}

/** What was recorded, with each holding as `change` makes it. */
function answerWith(change: (holding: SentHolding) => Partial<SentHolding>, given: Partial<Sent> = {}): Sent {
  const sent = recorded(readPortfolio);
  const answer = { ...sent, holdings: sent.holdings.map((holding) => ({ ...holding, ...change(holding) })), ...given };
  server.answer(readPortfolio, answer);
  return answer;
}

test('says that no less is paid at resolution than what whole sets pay, which may be sets over several events', async () => {
  // 20.00 of it has resolved.
  answerWith(() => ({}), { locked_usd: 36.5 });
  await open('/portfolio');
  const pays = () => figureIn(region('Holdings'), 'Pays at Resolution');
  await expect.poll(pays).toBe('$16.50Up to $20.00$1.81 above cost');
});

test('greys figures that no newer answer has followed, and says of when they are', async () => {
  const now = new Date().toISOString();
  const { cash } = recorded(readPortfolio);
  answerWith(() => ({}), { read_at: now, cash: { ...cash, read_at: now } });
  await open('/portfolio');
  await expect.element(region('Holdings')).toBeVisible();
  expect(document.querySelectorAll('[data-outdated]')).toHaveLength(0);
  answerWith(() => ({}));
  await open('/portfolio');
  await expect.poll(() => region('Cash').element().querySelectorAll('[data-outdated]').length).toBe(4);
  expect(figureIn(region('Holdings'), 'Value at the Bid')).toMatch(/as of /);
});

test('shows what is held first, and of it what it surely pays before what it would bring now', async () => {
  const { events, cash } = recorded(readPortfolio);
  answerWith(() => ({}), {
    cash: {
      ...cash,
      by_venue: (['polymarket', 'kalshi'] as const).map((venue) => ({ ...cash, venue, in_orders_usd: 0 })),
    },
    events: events.map((event) => ({ ...event, pays_least_usd: 20, pays_most_usd: 20, locked_usd: 20 })),
  });
  await open('/portfolio');
  const cost = () => figureIn(region('Holdings'), 'Cost');
  await expect.poll(cost, { message: 'what has resolved is no part of what waits for it' }).toBe('$14.69With fees');
  await expect.element(region(SPRINT)).toMatchTextContent(/4 positions, pays \$20\.00.*\+\$5\.31/);
  const shown = page
    .getByRole('heading', { level: 2 })
    .elements()
    .map(({ textContent }) => textContent);
  expect(shown.slice(0, 2)).toEqual(['Holdings', 'Cash']);
  const names = [...region('Holdings').element().querySelectorAll('dt')].map(({ textContent }) => textContent);
  expect(names).toEqual(['Pays at Resolution', 'Cost', 'Locked Sets', 'Value at the Bid', 'Unrealised']);
  expect(figureIn(region('Cash'), 'In Open Orders'), 'nothing is not said of each venue').not.toMatch(/Kalshi/);
  expect(figureIn(region('Cash'), 'Free')).toMatch(/Kalshi: \$/);
});

test('says what cash there is and what the holdings are worth, each figure with the way to what it is made of', async () => {
  await open('/portfolio');
  await expect.element(region('Cash')).toBeVisible();
  expect(figureIn(region('Cash'), 'Free')).toMatch(/^\$812\.44As of [A-Z][a-z]{2} \d+, /);
  expect(figureIn(region('Cash'), 'In Open Orders')).toBe('$4.25Open buys');
  expect(figureIn(region('Cash'), 'Matched, Not Confirmed')).toBe('$1.10Sales');
  expect(figureIn(region('Cash'), 'Waiting for Redemption')).toBe('$20.00What has won');
  expect(figureIn(region('Holdings'), 'Value at the Bid')).toMatch(
    /^\$14\.85as of .+By eventAll sold now, after \$0\.20 of fees: \$0\.04 below cost$/,
  );
  await expect.poll(() => figureIn(region('Holdings'), 'Locked Sets')).toBe('$15.00At what they pay');
  expect(figureIn(region('Holdings'), 'Pays at Resolution')).toBe('$15.00Up to $20.00$0.31 above cost');
  expect(figureIn(region('Holdings'), 'Cost')).toBe('$14.69With fees');
  expect(figureIn(region('Holdings'), 'Unrealised')).toBe(
    '↑+$0.31+2.09%Whole sets at what they pay, other shares at the bid',
  );
  expect(region('Holdings').element().textContent).not.toMatch('Without a Price');
  for (const [name, href] of [
    ['Open buys', '/orders?status=open&side=buy'],
    ['Sales', '/orders?side=sell'],
    ['What has won', '/portfolio#redeem'],
    ['By event', '/portfolio#holdings'],
  ] as const)
    await expect.element(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
  await expect.poll(() => document.querySelector('#redeem'), { message: 'what a figure leads to' }).not.toBeNull();
  await expectAccessible('the portfolio');
});

test.for([
  ['proposed', 'Resolution proposed: pays unless it is disputed in time'],
  ['disputed', 'Resolution disputed: pays once the vote has ended'],
] as const)('says of an event whose resolution is %s why its dollars are late', async ([resolution, words]) => {
  const { events } = recorded(readPortfolio);
  answerWith(() => ({}), { events: events.map((event) => ({ ...event, resolution })) });
  await open('/portfolio');
  await expect.element(region(SPRINT)).toMatchTextContent(words);
  await expectAccessible('a portfolio that waits');
});

test('says what a share is announced to pay, and that it may still be changed', async () => {
  const { holdings } = recorded(readPortfolio);
  answerWith(() => ({}), { holdings: holdings.map((row) => ({ ...row, announced_value: 0.37 })) });
  await openUnfolded(SPRINT);
  await expect.element(region(SPRINT)).toMatchTextContent('to pay 0.3700, not final yet');
});

test('shows what a set that is being bought has cost, and the gain or loss of shares alone that no set needs', async () => {
  const { events, holdings } = recorded(readPortfolio);
  const cost = holdings
    .filter(({ resolved_value }) => resolved_value === null)
    .map(({ cost_usd }) => Math.round(cost_usd * 1_000_000))
    .reduce((sum, micros) => sum + micros);
  const worth = (loose_usd: number) =>
    events.map((event) => ({ ...event, pays_least_usd: null, pays_most_usd: null, locked_usd: 0, loose_usd }));
  answerWith(() => ({ buying_shares: 5 }), { events: worth(cost / 1_000_000) });
  await open('/portfolio');
  await expect.element(region(SPRINT)).toMatchTextContent(/4 positions, cost \$14\.69 being bought/);
  answerWith(() => ({ set_shares: 0 }), { events: worth(14.85), locked_usd: 20, loose_usd: 14.85 });
  await openUnfolded(SPRINT);
  await expectCells(SPRINT, 'Unrealised', '↓-$0.14-3.23%', '↑+$0.00+0.08%', '↑+$0.10+2.74%', '↑+$0.19+6.05%');
});

test('lists what is held of an event, and each row leads to its batches and orders', async () => {
  await openUnfolded(SPRINT);
  await expectCells(SPRINT, 'Shares', '5.00', '5.00', '5.00', '5.00');
  await expectCells(SPRINT, 'Average Cost', '0.8371', '0.7594', '0.7105', '0.6318');
  await expectCells(SPRINT, 'Value', '$4.05', '$3.80', '$3.65', '$3.35');
  await expectCells(SPRINT, 'Unrealised', ...Array.from({ length: 4 }, () => 'in whole sets'));
  await expect.element(region(SPRINT)).toMatchTextContent(/Ends Feb 3/);
  await expect.element(region(SPRINT)).toMatchTextContent('Together $14.85 at the bid for $14.69');
  const [first] = recorded(readPortfolio).holdings.filter(({ market_name }) => /Iskra/.test(market_name));
  const row = region(SPRINT).getByRole('row', { name: /Iskra/ });
  await expect
    .element(row.getByRole('link', { name: /Iskra/ }))
    .toHaveAttribute('href', `/orders?marketId=${first?.market_id}`);
  await expect
    .element(row.getByRole('link', { name: 'Northern Sprint champion · No on all 4' }))
    .toHaveAttribute('href', `/batches/${BATCH}`);
});

test('shows the ways out side by side, marks the best, and says when its dollars can be used and what may go wrong', async () => {
  await openUnfolded(SPRINT);
  await expect.element(way(SPRINT, 'Sell')).toMatchTextContent(/Net Dollars\$13\.06.*Nothing is left/);
  await expect.element(way(SPRINT, 'Sell')).toMatchTextContent('The bids may move before the order arrives');
  await expect.element(way(SPRINT, 'Cash Now')).toMatchTextContent('convert nothing of it into dollars now');
  await expect.element(way(SPRINT, 'Hold')).toMatchTextContent(/\$13\.00 to \$18\.00.*When the event has resolved/);
  await expect.element(way(SPRINT, 'Best Mix')).toMatchTextContent(/Best MixBestNet Dollars\$4\.26/);
  await expect.element(way(SPRINT, 'Hold').getByText('Best', { exact: true })).not.toBeInTheDocument();
  await way(SPRINT, 'Sell').getByText('4 steps').click();
  await expect
    .element(way(SPRINT, 'Sell').getByText('Sell 3.00 sh of No, Will Iskra Wend be champion of the Northern Sprint?'))
    .toBeVisible();
  await expect.element(region(SPRINT)).toMatchTextContent('Planned for 18.00 of 20.00 sh');
  await expectAccessible('a way out with its steps');
});

test('says which batch keeps shares from leaving, with the button that ends it', async () => {
  const { data } = recorded(listBatches);
  const [batch] = data;
  if (batch === undefined) throw new Error('no batch was recorded');
  server.answer(readBatch, { ...batch, status: 'processing', is_active: true, cancel_requested: false });
  server.answer(cancelBatch, batch);
  answerWith(({ market_name }) =>
    /Maren/.test(market_name)
      ? { buying_shares: 2, buying_batch_ids: [batch.id], batch_ids: [batch.id], batch_names: ['Sprint · No on all 4'] }
      : {},
  );
  await openUnfolded(SPRINT);
  const sprint = region(SPRINT);
  await expect.element(sprint).toMatchTextContent(/Batch Sprint · No on all 4 still buys: cancel it first\./);
  await sprint.getByRole('button', { name: 'Cancel Batch' }).click();
  await page.getByRole('dialog', { name: 'Cancel Batch' }).getByRole('button', { name: 'Cancel Batch' }).click();
  await expect.poll(() => server.askedFor(cancelBatch).map(({ params }) => params.batch_id)).toEqual([batch.id]);
});

test('reads cash again, and once more, when the chain has confirmed a submission', async () => {
  await open('/portfolio');
  await expect.poll(() => server.askedFor(readPortfolio).length).toBeGreaterThan(0);
  const before = server.askedFor(readPortfolio).length;
  const [submission] = recorded(listChainSubmissions).data;
  if (submission === undefined) throw new Error('no submission was recorded');
  tell('chain', 'chain_submission', submission.id, { ...submission, status: 'confirmed' });
  await expect.poll(() => server.askedFor(readPortfolio).length).toBeGreaterThan(before + 1);
});

test('marks what is not ours, what the venue does not have, and what is under way', async () => {
  answerWith(({ market_name }) =>
    /Maren/.test(market_name)
      ? { settling_shares: 2, in_sale_shares: 1.5, venue_shares: 3 }
      : /Bram/.test(market_name)
        ? { venue_shares: 12.5, external_shares: 7.5 }
        : {},
  );
  await openUnfolded(SPRINT, BANK);
  await expectCells(
    SPRINT,
    'Market',
    /Missing ?the venue has 3\.00$/,
    /2\.00 settling ?1\.50 in a sale$/,
    /7\.50 not ours ?bought elsewhere; the venue says 12\.50$/,
    /Batch ?Northern Sprint champion · No on all 4$/,
  );
  await expectCells(BANK, 'Market', /Not ours ?bought elsewhere; the venue says 12\.00$/);
  await expectCells(BANK, 'Shares', '12.00');
  await expectCells(BANK, 'Value', '–');
  await expect.element(region(BANK)).toMatchTextContent('No way out is planned for what is not ours.');
  await expectAccessible('marked holdings');
});

test('shows what has resolved apart, and keeps what has lost hidden once it was', async () => {
  await open('/portfolio');
  const lost = region('Resolved, Lost (2)');
  await expectCells('Resolved, to redeem', 'Pays', '$20.00');
  await expectCells('Resolved, to redeem', 'Result', '↑+$13.63+213.92%');
  // Its batch alone knows whether the set of a leg made money: the leg has no colour.
  await expectCells('Resolved, lost', 'Result', '-$6.37', '-$6.37');
  expect(lost.element().querySelector('[data-sign="loss"]')).toBeNull();
  await expect.element(lost).toMatchTextContent(/\$12\.74 paid/);
  await expectCells('Resolved, lost', 'Belongs To', ...[/^Leg of .*: its other legs were/, /^Leg of .*, as the batch/]);
  await button('Hide').click();
  expect(rowsOf('Resolved, lost')).toEqual([]);
  await open('/portfolio');
  await expect.element(button('Show')).toHaveAttribute('aria-expanded', 'false');
  expect(rowsOf('Resolved, lost')).toEqual([]);
  await expectAccessible('what has lost is hidden');
  await button('Show').click();
  await expect.poll(() => rowsOf('Resolved, lost').length).toBe(2);
});

test('a holding without a price is worth what is not known, and the totals say so', async () => {
  const unpriced = { best_bid: null, value_usd: null, sale_fee_usd: null, unrealised_usd: null };
  answerWith(({ market_name }) => (/Iskra/.test(market_name) ? unpriced : {}), {
    value_usd: 30.8,
    unrealised_usd: 1.17836,
    unvalued: 1,
  });
  await openUnfolded(SPRINT);
  await expectCells(SPRINT, 'Bid', 'no price', /0\.7600/, /0\.7300/, /0\.6700/);
  await expectCells(SPRINT, 'Value', 'not known', '$3.80', '$3.65', '$3.35');
  expect(figureIn(region('Holdings'), 'Without a Price')).toBe('1Counted as nothing');
  expect(figureIn(region('Holdings'), 'Cost')).toBe('$14.69$4.19 unpriced');
  await expect.element(region(SPRINT)).toMatchTextContent('1 without a price');
  await expectAccessible('a holding without a price');
});

test('while the venue is down shows what is ours, and nothing unknown as nothing', async () => {
  const unsaid = { free_usd: null, redeemable_usd: null, read_at: null };
  const { cash, events } = recorded(readPortfolio);
  answerWith(
    () => ({
      venue_shares: null,
      external_shares: 0,
      best_bid: null,
      value_usd: null,
      sale_fee_usd: null,
      unrealised_usd: null,
      resolved_value: null,
      announced_value: null,
      set_shares: 0,
    }),
    {
      locked_usd: 0,
      cash: { ...cash, ...unsaid },
      events: events.map((event) => ({ ...event, pays_least_usd: null, pays_most_usd: null, routes: null })),
      venue_error: 'The venue did not answer: positions: 503.',
    },
  );
  await openUnfolded(SPRINT);
  await expect.element(page.getByText('The venue did not answer: positions: 503.')).toBeVisible();
  expect(figureIn(region('Cash'), 'Free')).toBe('Not knownThe venue has not said');
  expect(figureIn(region('Cash'), 'Waiting for Redemption')).toBe('Not knownThe venue has not said');
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue: 'polymarket_read_only' });
  await openUnfolded(SPRINT);
  await expect.poll(() => figureIn(region('Cash'), 'Free')).toBe('Not knownThere is no key');
  expect(figureIn(region('Holdings'), 'Value at the Bid')).toBe('Not knownBy event');
  expect(figureIn(region('Holdings'), 'Unrealised')).toBe('Not known');
  await expectCells(SPRINT, 'Value', ...Array.from({ length: 4 }, () => 'not known'));
  await expect.element(region(SPRINT)).toMatchTextContent('Together of no known price for $14.69');
  await expect.element(region(SPRINT)).toMatchTextContent('No way out can be planned');
  expect(page.getByText(/Missing/).length).toBe(0);
  await expectAccessible('a portfolio while the venue is down');
});

test('is empty where nothing was bought, and leads to where it can be', async () => {
  const { cash } = recorded(readPortfolio);
  server.answer(readPortfolio, {
    ...recorded(readPortfolio),
    cash: { ...cash, redeemable_usd: 0 },
    holdings: [],
    events: [],
  });
  await open('/portfolio');
  await expect.element(page.getByText('Nothing is held.')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Go to Arbitrage' })).toHaveAttribute('href', '/arbitrage');
  expect(figureIn(region('Cash'), 'Waiting for Redemption')).toBe('$0.00Nothing has won');
  await expectAccessible('an empty portfolio');
});

test('says that it loads, what failed, and reads again when asked to', async () => {
  server.answer(readPortfolio, () => new Promise<never>(() => {}));
  await open('/portfolio');
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expectAccessible('a portfolio that loads');
  server.answer(readPortfolio, () => refusal(409, 'Come back later'));
  await open('/portfolio');
  await expect.element(page.getByText('Error loading the portfolio')).toBeVisible();
  await expect.element(page.getByText('Come back later')).toBeVisible();
  await expectAccessible('a portfolio that failed');
  server.answer(readPortfolio, recorded(readPortfolio));
  await button('Try Again').click();
  await expect.element(region('Cash')).toBeVisible();
});

test('is read again as batches move, and no row moves under the pointer', async () => {
  await openUnfolded(SPRINT);
  await expect.poll(() => rowsOf(SPRINT).length).toBe(4);
  await userEvent.hover(page.getByRole('table', { name: SPRINT }));
  const sent = recorded(readPortfolio);
  const moved: Sent = {
    ...sent,
    holdings: [...sent.holdings].reverse().map((holding) => ({ ...holding, best_bid: 0.9 })),
  };
  server.answer(readPortfolio, moved);
  const before = asked();
  tell('batches', 'batch', BATCH, recorded(listBatches).data[0]);
  await expect.poll(asked).toBeGreaterThan(before);
  await expectCells(SPRINT, 'Bid', /0\.9000/, /0\.9000/, /0\.9000/, /0\.9000/);
  expect(rowsOf(SPRINT)[0]?.textContent).toMatch(/Iskra/);
  await userEvent.hover(page.getByRole('heading', { level: 1 }));
  await expect.poll(() => rowsOf(SPRINT)[0]?.textContent).toMatch(/Signe/);
});

test('what needs more room waits until the pointer is elsewhere', async () => {
  await openUnfolded(SPRINT, BANK);
  await expect.poll(() => rowsOf(SPRINT).length).toBe(4);
  await userEvent.hover(page.getByRole('table', { name: SPRINT }));
  answerWith(({ shares, best_bid }) => ({
    settling_shares: shares,
    best_bid: best_bid === null ? null : 0.9,
  }));
  const before = asked();
  tell('batches', 'batch', BATCH, recorded(listBatches).data[0]);
  await expect.poll(asked).toBeGreaterThan(before);
  // What is not ours has nothing that settles, and is shown as it is.
  await expectCells(BANK, 'Bid', /0\.9000/);
  await expectCells(SPRINT, 'Bid', /0\.8100/, /0\.7600/, /0\.7300/, /0\.6700/);
  await userEvent.hover(page.getByRole('heading', { level: 1 }));
  await expectCells(SPRINT, 'Bid', /0\.9000/, /0\.9000/, /0\.9000/, /0\.9000/);
  await expectCells(SPRINT, 'Market', /settling/, /settling/, /settling/, /settling/);
});

test('fits a phone, with long names as well', async () => {
  answerWith(({ market_name, batch_ids, batch_names }) => ({
    market_name: `${market_name} ${'Endless'.repeat(20)}`,
    outcome: 'W'.repeat(40),
    batch_ids: batch_ids.flatMap((id) => Array.from({ length: 20 }, (_, nth) => `${10 + nth}${id.slice(2)}`)),
    batch_names: batch_names.flatMap((name) => Array.from({ length: 20 }, (_, nth) => `${name} ${nth}`)),
  }));
  await openUnfolded(SPRINT);
  await onPhone();
  await expect.poll(() => rowsOf(SPRINT).length).toBe(4);
  expect(pixelsBeyondTheEdge()).toBe(0);
  await expect.element(region(SPRINT).getByRole('link', { name: '17 more' }).first()).toBeVisible();
  await expectAccessible('a portfolio with long names');
});

test('is reached from the sidebar, by g and p, and from the palette', async () => {
  const { address } = await open('/');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await userEvent.keyboard('gp');
  await expect.poll(address).toBe('/portfolio');
  await expect
    .element(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Portfolio' }))
    .toHaveAttribute('aria-current', 'page');
  await userEvent.keyboard('{Control>}k{/Control}');
  await typeInto(page.getByRole('combobox', { name: 'Search' }), 'portf');
  await expect.element(page.getByRole('option', { name: /Portfolio/ })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('combobox', { name: 'Search' })).not.toBeInTheDocument();
});
