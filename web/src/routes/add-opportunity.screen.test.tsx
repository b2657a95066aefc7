/** Building an opportunity: what the dialog says of markets, of JSON, and of what was refused. */
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { createOpportunity, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { previewOpportunity } from '@dutchbook/contract/valuation.ts';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog as dialogCalled, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

const { positions } = recorded(readOpportunity);
const EVENT = { id: 'event', title: 'The Straits accord', augmented: false, market_count: 3 };

const MARKETS: Wire<typeof listMarkets>['data'] = positions.map(({ market_id, question, token_id }) => ({
  id: market_id,
  question: question ?? '',
  event: EVENT,
  outcomes: [
    { outcome: 'Yes', token_id: token_id ?? '' },
    { outcome: 'No', token_id: `${token_id}0` },
  ],
  neg_risk: true,
  end_date: null,
  accepting_orders: true,
  resolution: null,
  tick_size: 0.01,
  min_order_size: 5,
  fee_rate: 0,
}));
const NONE = { data: [], count: 0 };
const [FIRST, SECOND] = MARKETS;

/** What one set costs at the recorded prices; nothing where a market is not one of the event's. */
function preview(body: unknown): Wire<typeof previewOpportunity> {
  const { market_combinations, target_price = 1 } = body as {
    market_combinations: Combination[];
    target_price?: number;
  };
  const ids = market_combinations.flatMap(({ markets }) => markets.map(({ id }) => id));
  const picked = positions.filter(({ market_id }) => ids.includes(market_id));
  const isPriced = picked.length === ids.length;
  return {
    target_price,
    current_price: isPriced ? picked.reduce((sum, { price }) => sum + (price ?? 0), 0) : null,
    fees_per_set: isPriced ? 0 : null,
    profit_percentage: isPriced ? 15 : null,
    max_profitable_size: isPriced ? 500 : null,
    positions: picked,
    flags: [],
    error: isPriced ? null : 'Leg 1: there is no such market',
    duplicate_of: ids.length === 2 ? recorded(readOpportunity).id : null,
  };
}

type Combination = { leg: number; markets: { id: string; outcome: string }[] };

const dialog = () => dialogCalled('Add Opportunity');
const outcome = (question: string | undefined, name: string) =>
  dialog().getByRole('button', { name: `${name}: ${question}`, exact: true });
const leg = (number: number) => dialog().getByRole('list', { name: `Leg ${number}`, exact: true });
const json = () => dialog().getByLabelText('Opportunity as JSON');
const create = () => dialog().getByRole('button', { name: 'Create' });
const tab = (name: string) => dialog().getByRole('tab', { name });
const typed = () => (json().element() as HTMLTextAreaElement).value;

async function openDialog() {
  await open('/arbitrage');
  await button('Add Opportunity').click();
  await expect.element(dialog().getByLabelText('Search Markets')).toHaveFocus();
  await typeInto(dialog().getByLabelText('Search Markets'), EVENT.title);
  await expect.element(outcome(FIRST?.question, 'Yes')).toBeVisible();
}

beforeEach(() => {
  server.answer(listMarkets, { data: MARKETS, count: 3, left_out: NONE, still_reading: false });
  server.answer(previewOpportunity, ({ body }) => preview(body));
});

test('is accessible with what was picked and what it is worth', async () => {
  await openDialog();
  await expect.element(dialog().getByText('Choose what it buys first.')).toBeVisible();
  await expect.element(create()).toHaveAttribute('data-variant', 'default');
  for (const { question } of MARKETS) await outcome(question, 'Yes').click();
  await expect.element(create()).toHaveAttribute('data-variant', 'filled');
  await expect.element(dialog().getByText('Choose what it buys first.')).not.toBeInTheDocument();
  await expect.element(outcome(SECOND?.question, 'Yes')).toHaveAttribute('aria-pressed', 'true');
  await expect.element(dialog().getByText('500.00 sh')).toBeVisible();
  await expectAccessible('adding an opportunity');
});

test('JSON says the same both ways, names its errors with their place, and is not lost to Escape', async () => {
  await openDialog();
  await outcome(FIRST?.question, 'No').click();
  await tab('JSON').click();
  const picked = { market_combinations: [{ leg: 1, markets: [{ id: FIRST?.id, outcome: 'No' }] }], target_price: 1 };
  expect(JSON.parse(typed())).toEqual({ ...picked, active: true });
  const market_combinations = [{ leg: 4, markets: [{ id: SECOND?.id, outcome: 'Yes' }] }];
  await typeInto(json(), JSON.stringify({ market_combinations, target_price: 0.3, source_details: 'by hand' }));
  await expect.element(leg(4)).toMatchTextContent(`Yes ${SECOND?.question}`);
  await expect.element(dialog().getByLabelText('Target Price')).toHaveValue('0.3');
  await expect.element(dialog()).toMatchTextContent(/Cost of One Set0\.2/);

  await typeInto(json(), '{"market_combinations": [{"leg": 1.5, "markets": [{"id": 7}]}]}');
  await expect.element(dialog().getByText('market_combinations[0].leg: Invalid input: expected int')).toBeVisible();
  await expect.element(dialog().getByText('market_combinations[0].markets[0].outcome: Invalid input')).toBeVisible();
  await expectAccessible('an opportunity as broken JSON');
  const broken = '{\n "market_combinations" 1';
  await typeInto(json(), broken);
  await expect.element(dialog().getByText(/^Line 2, column \d+: Not JSON: /)).toBeVisible();
  await tab('Search').click();
  await expect.element(leg(4)).toMatchTextContent(SECOND?.question ?? '');
  await create().click();
  await expect.element(json()).toHaveValue(broken);

  const question = page.getByRole('dialog', { name: 'Close This?' });
  await userEvent.keyboard('{Escape}');
  await expect.element(question).toMatchTextContent(/Close without saving what you have typed\?/);
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(json()).toHaveValue(broken);
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Close It' }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(button('Add Opportunity')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog().getByText('Nothing picked yet.')).toBeVisible();
  await expect.element(dialog().getByText(/this side shows what one set costs now/)).toBeVisible();
});

test('what is refused stays in the dialog, with a duplicate named, and what cannot be priced says why', async () => {
  const twin = recorded(readOpportunity).id;
  const closed = MARKETS.map((market, index) => ({ ...market, accepting_orders: index !== 1 }));
  server.answer(listMarkets, { data: closed, count: 3, left_out: NONE, still_reading: false });
  server.answer(createOpportunity, () => refusal(409, `An opportunity with these positions exists already: ${twin}`));
  await openDialog();
  await expect.element(outcome(SECOND?.question, 'Yes')).toBeDisabled();
  await expect.element(dialog().getByText('Closed')).toBeVisible();
  await tab('JSON').click();
  const two = [{ leg: 1, markets: [FIRST, SECOND].map((market) => ({ id: market?.id, outcome: 'Yes' })) }];
  await typeInto(json(), JSON.stringify({ market_combinations: two }));
  const link = dialog().getByRole('link', { name: 'Open it (in a new tab)' });
  await expect.element(link).toHaveAttribute('href', `/arbitrage/${twin}`);
  await create().click();
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(`exists already: ${twin}`);
  await expect.element(toast('Something went wrong!').first()).toMatchTextContent('exists already');
  await expect.poll(() => leg(1).getByRole('listitem').length).toBe(2);

  const unknown = (id: string) =>
    JSON.stringify({ market_combinations: [{ leg: 1, markets: [{ id, outcome: 'Yes' }] }] });
  await typeInto(json(), unknown('m'));
  await expect.element(dialog().getByText('It cannot be priced now')).toBeVisible();
  await expect.element(link).not.toBeInTheDocument();
  const input = unknown(' ');
  server.answer(createOpportunity, () =>
    refusal(422, [
      { loc: ['body', 'market_combinations'], msg: 'A market id or an outcome is blank', type: 'value_error', input },
    ]),
  );
  await typeInto(json(), input);
  await create().click();
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent('market_combinations: A market id or an outcome is blank');
  await expect.element(json()).toHaveValue(input);
});

test('a market that cannot be traded here is shown with the reason, and cannot be picked', async () => {
  const reason = 'the venue does not say which version it is, and its ids do not prove it';
  const left = { id: 'old', question: 'Will the old one be listed?', event: EVENT, reason };
  server.answer(listMarkets, { data: MARKETS, count: 3, left_out: { data: [left], count: 3 }, still_reading: false });
  await openDialog();
  await expect.element(outcome(FIRST?.question, 'Yes')).toBeEnabled();
  const leftOut = dialog().getByRole('list', { name: 'Cannot be traded here' });
  const said = () => [...leftOut.element().querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(said()).toEqual([`Will the old one be listed?${EVENT.title}: ${reason}Left out`, 'and 2 more']);
  expect(leftOut.getByRole('button').length).toBe(0);
  await expectAccessible('markets that cannot be traded');
});
