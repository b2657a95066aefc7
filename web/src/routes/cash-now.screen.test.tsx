/** What is held converted into dollars: the ways there from the portfolio, and what is under way. */
import { listChainSubmissions, readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { cashNowOfEvent, redeem } from '@dutchbook/contract/exits.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, rowsOf, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { lost, refusal, type Wire } from '../testing/server.ts';

const SPRINT = 'Northern Sprint champion';
const BATCH = '39d519ea-f30d-430c-ae97-f8776c149f7f';

const region = (name: string) => page.getByRole('region', { name, exact: true });
const way = (event: string, name: string) => region(event).getByRole('region', { name, exact: true });

/** The event's shares can be converted: what the route then says. */
function convertible(): void {
  const sent = recorded(readPortfolio);
  const [model] = sent.events.flatMap(({ routes }) => (routes === null ? [] : [routes.hold]));
  const [held] = model?.steps ?? [];
  if (model === undefined || held === undefined) throw new Error('no way out was recorded');
  const convert = {
    ...held,
    kind: 'convert',
    usd: 5,
    usable: 'after_confirmation',
    why: 'A submission can fail.',
  } as const;
  const merged = { ...model, net_usd: 5, held_least_usd: 10, held_most_usd: 10, steps: [convert, held] };
  server.answer(readPortfolio, {
    ...sent,
    events: sent.events.map(({ routes, ...event }) => ({
      ...event,
      routes: routes && { ...routes, cash_now: merged, best: merged },
    })),
  });
}

const SUBMISSION = recorded(readChainSubmission);
const QUOTA = { used: 3, allowed: 100, resets_at: null };
const TOKENS = recorded(readPortfolio).holdings.filter(({ event_id }) => event_id === '40024');

const [WAYS] = recorded(readPortfolio).events.flatMap(({ routes }) => (routes === null ? [] : [routes]));
if (WAYS === undefined) throw new Error('no way out was recorded');

const PLAN: Extract<Wire<typeof cashNowOfEvent>, { simulation: true }> = {
  simulation: true,
  routes: {
    sell: { ...WAYS.sell, net_usd: 12.5, held_least_usd: 0 },
    cash_now: { ...WAYS.hold, net_usd: 15, held_least_usd: 0 },
    hold: { ...WAYS.hold, net_usd: 0, held_least_usd: 15 },
  },
  orders: TOKENS.map(({ token_id, market_id, market_name, outcome }) => ({
    order_id: BATCH,
    batch_id: BATCH,
    leg: 1,
    market_id,
    market_name,
    token_id,
    outcome,
    free_shares: 5,
    sell: { shares: 5, usd: 3 },
    cash_now: { shares: 5, usd: 3.75 },
    hold: { shares: 5, usd: 0 },
  })),
  steps: [
    {
      kind: 'convert',
      market_ids: TOKENS.map(({ market_id }) => market_id),
      market_names: TOKENS.map(({ market_name }) => market_name),
      shares: 5,
      expected_usd: 15,
      tokens_out: TOKENS.map(({ token_id }) => ({ token_id, shares: 5 })),
      tokens_in: [],
    },
  ],
  submissions: 1,
  quota: QUOTA,
  highest_gas: { amount: '0.05', symbol: 'POL' },
  errors: [],
};

type Submitted = Extract<Wire<typeof redeem>, { simulation: false }>;

const SUBMITTED: Submitted = { simulation: false, submissions: [{ ...SUBMISSION, expected_usd: 15 }] };

/** A simulation is answered with `plan`, and what is carried out with a submission. */
function answerCashNow(plan: typeof PLAN) {
  server.answer(
    cashNowOfEvent,
    ({ query }): Wire<typeof cashNowOfEvent> => (query.simulate === 'false' ? SUBMITTED : plan),
  );
}

const cashNowDialog = () => dialog('Cash Now: Northern Sprint champion');
const press = (name: string) => cashNowDialog().getByRole('button', { name, exact: true });

test('converts what is held of an event into dollars, once its steps have been looked at', async () => {
  convertible();
  answerCashNow(PLAN);
  await open('/portfolio');
  await button('Show: Northern Sprint champion').click();
  const cashNow = way(SPRINT, 'Cash Now');
  await expect.element(cashNow.getByText('Best', { exact: true })).toBeVisible();
  await expect.element(cashNow).toMatchTextContent(/When the chain has confirmed.*A submission can fail\./);
  await expect.element(way(SPRINT, 'Best Mix')).toMatchTextContent('No mix brings more than “Cash Now” alone.');
  await button('Cash Now: Northern Sprint champion').click();
  await expect.poll(() => rowsOf('Planned calls').length).toBe(1);
  await expectCells('Planned calls', 'Call', 'Convert 5.00 sh in 4 markets');
  await expectCells('Planned calls', 'Gives', /^5\.00 of No, Will Iskra Wend be champion/);
  expect(figureIn(cashNowDialog(), 'Brings')).toBe('$15.00');
  expect(figureIn(cashNowDialog(), 'These Shares Cost')).toBe('$14.69');
  expect(figureIn(cashNowDialog(), 'Result')).toBe('↑+$0.31');
  expect(figureIn(cashNowDialog(), 'If Sold Instead')).toBe('$12.50at the bids now');
  expect(figureIn(cashNowDialog(), 'If Held, at Least')).toBe('$15.00once all has resolved');
  expect(figureIn(cashNowDialog(), 'Submissions')).toBe('1Merges: 3 of 100 today');
  expect(figureIn(cashNowDialog(), 'Gas at Most')).toBe('0.05 POL');
  await expectAccessible('the dialog that converts shares into dollars');
  await press('Cash Now').click();
  await expect.element(toast('Success!')).toMatchTextContent(/Cash Now: 1 submission planned for \$15\.00\./);
  await expect.element(cashNowDialog()).not.toBeInTheDocument();
  const [carriedOut] = server.askedFor(cashNowOfEvent).filter(({ query }) => query.simulate === 'false');
  expect(carriedOut?.params).toEqual({ event_id: '40024' });
  expect(carriedOut?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
});

test('says why nothing can be converted into dollars, and sends nothing then', async () => {
  convertible();
  answerCashNow({ ...PLAN, errors: ['The collateral adapter is not allowed to move shares.'] });
  await open('/portfolio');
  await button('Cash Now: Northern Sprint champion').click();
  await expect
    .element(cashNowDialog().getByText('The collateral adapter is not allowed to move shares.'))
    .toBeVisible();
  await expect.element(press('Cash Now')).toHaveAccessibleDescription('Nothing is sent while there are errors.');
  await expectAccessible('shares that cannot be converted into dollars');
  await press('Cash Now').click({ force: true });
  await press('Cancel').click();
  await expect.element(cashNowDialog()).not.toBeInTheDocument();
  server.answer(cashNowOfEvent, () => refusal(409, 'The chain does not answer'));
  await button('Cash Now: Northern Sprint champion').click();
  await expect.element(cashNowDialog().getByText('The chain does not answer')).toBeVisible();
  await press('Cancel').click();
  await expect.element(cashNowDialog()).not.toBeInTheDocument();
  expect(server.askedFor(cashNowOfEvent).filter(({ query }) => query.simulate === 'false')).toEqual([]);
});

test('after an answer was lost, asks again for the same under the same key', async () => {
  convertible();
  answerCashNow(PLAN);
  await open('/portfolio');
  await button('Cash Now: Northern Sprint champion').click();
  await expect.element(press('Cash Now')).toHaveAccessibleDescription(/^Plans this\./);
  server.answer(cashNowOfEvent, ({ query }) => (query.simulate === 'false' ? lost() : PLAN));
  await press('Cash Now').click();
  await expect.element(press('Cash Now')).toHaveAccessibleDescription(/does nothing twice/);
  answerCashNow(PLAN);
  await press('Cash Now').click();
  await expect.element(cashNowDialog()).not.toBeInTheDocument();
  const carriedOut = server.askedFor(cashNowOfEvent).filter(({ query }) => query.simulate === 'false');
  expect(carriedOut.length).toBe(2);
  expect(new Set(carriedOut.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('while trading is disarmed converts nothing into dollars, and says so at the button', async () => {
  convertible();
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: false });
  await open('/portfolio');
  const off = button('Cash Now: Northern Sprint champion');
  await expect.element(off).toHaveAttribute('aria-disabled', 'true');
  await expect.element(off).toHaveAccessibleDescription('Off while trading is disarmed.');
  await expectAccessible('a portfolio while trading is disarmed');
  await off.click({ force: true });
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(server.askedFor(cashNowOfEvent)).toEqual([]);
});

test('has what has won redeemed, all of it or one market', async () => {
  const [won, lostOne] = recorded(readPortfolio).holdings;
  if (won === undefined || lostOne === undefined) throw new Error('nothing resolved was recorded');
  const { market_id, market_name, token_id, outcome } = won;
  const market = { market_id, market_name, token_id, outcome, shares: 20, resolved_value: 1, usd: 20, error: null };
  const redemption: Extract<Wire<typeof redeem>, { simulation: true }> = {
    simulation: true,
    markets: [market],
    lost: [{ ...market, token_id: lostOne.token_id, resolved_value: 0, usd: 0 }],
    expected_usd: 20,
    steps: PLAN.steps.map((step) => ({ ...step, kind: 'redeem' as const })),
    submissions: 1,
    quota: null,
    highest_gas: null,
    errors: [],
  };
  const planned: Submitted = { simulation: false, submissions: [{ ...SUBMISSION, purpose: 'redeem' }] };
  server.answer(redeem, ({ query }): Wire<typeof redeem> => (query.simulate === 'false' ? planned : redemption));
  await open('/portfolio');
  await button('Redeem All').click();
  await expectCells('What has won', 'Brings', '$20.00');
  await expect.element(dialog('Redeem All').getByText(/^1 outcome has lost and pays nothing/)).toBeVisible();
  await expectAccessible('the dialog that redeems');
  await dialog('Redeem All').getByRole('button', { name: 'Redeem' }).click();
  await expect.element(toast('Success!')).toMatchTextContent(/Redeem: 1 submission planned/);
  const carriedOut = server.askedFor(redeem).filter(({ query }) => query.simulate === 'false');
  expect(carriedOut.map(({ body }) => body)).toEqual([null]);
  await button(`Redeem ${market_name}`).click();
  await expectCells('What has won', 'Outcome', 'Yes');
  expect(server.askedFor(redeem).at(-1)?.body).toEqual({ market_ids: [market_id] });
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('shows what is on its way to the chain, as the stream tells', async () => {
  await open('/portfolio');
  await expectCells('Submissions', 'Status', 'Sent');
  await expectCells('Submissions', 'What', 'Cash NowMerge the whole event with 6.00 sh in 3 markets');
  await expect.element(page.getByRole('link', { name: 'Submissions' })).toHaveAttribute('href', '/submissions');
  await expect.element(page.getByRole('link', { name: 'Approvals' })).toHaveAttribute('href', '/approvals');
  const list = recorded(listChainSubmissions);
  const ended_at = new Date().toISOString();
  const failed = { ...SUBMISSION, status: 'failed' as const, error: 'Its deadline passed unused.', ended_at };
  server.answer(listChainSubmissions, { ...list, data: [failed] });
  tell('chain', 'chain_submission', SUBMISSION.id, failed);
  await expectCells('Submissions', 'Status', 'FailedIts deadline passed unused.');
  server.answer(listChainSubmissions, { ...list, data: [] });
  tell('chain', 'chain_submission', SUBMISSION.id, failed);
  await expect.element(region('Submissions')).not.toBeInTheDocument();
});

test('says of a redemption where the venue has no chain why it cannot be', async () => {
  server.answer(redeem, () => refusal(409, 'Shares are not converted into dollars on this venue.'));
  await open('/portfolio');
  await button('Redeem All').click();
  await expect
    .element(dialog('Redeem All').getByText('Shares are not converted into dollars on this venue.'))
    .toBeVisible();
  await expect
    .element(dialog('Redeem All').getByRole('button', { name: 'Redeem' }))
    .toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});
