/** Stating a relation: whose members are found, ordered and refused. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { addRelation } from '@dutchbook/contract/discovery/decisions.ts';
import { listMarkets } from '@dutchbook/contract/markets.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog as dialogCalled, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

const RELATION = recorded(readRelation);
const FED = { id: 'fed', title: 'The bank meets in March', augmented: false, market_count: 2 };
const YEAR = { id: 'year', title: 'Rates this year', augmented: false, market_count: 1 };

function market(id: string, question: string, event: typeof FED, accepting_orders = true) {
  return {
    ...{
      id,
      question,
      event,
      accepting_orders,
      neg_risk: false,
      end_date: null,
      resolution: null,
      tick_size: 0.01,
      min_order_size: 5,
    },
    outcomes: [
      { outcome: 'Yes', token_id: `${id}1` },
      { outcome: 'No', token_id: `${id}2` },
    ],
    fee_rate: 0,
  };
}

const MARKETS: Wire<typeof listMarkets>['data'] = [
  market('cut', 'Will the bank cut in March?', FED),
  market('twice', 'Will the bank cut twice in March?', FED),
  market('year', 'Will rates be cut this year?', YEAR),
  market('over', 'Was there a cut in January?', YEAR, false),
];

const dialog = () => dialogCalled('Add Relation');
const member = (question: string) => dialog().getByRole('button', { name: `Member: ${question}` });
const chosen = () =>
  [...dialog().element().querySelectorAll('ol > li')].map((item) => item.querySelector('p')?.textContent);
const field = (label: string) => dialog().getByLabelText(label, { exact: true });
const add = () => dialog().getByRole('button', { name: 'Add', exact: true });
const sent = () => server.askedFor(addRelation).map(({ body }) => body);

async function openDialog() {
  const opened = await open('/discover');
  await button('Add Relation').click();
  await expect.element(field('Search Markets')).toHaveFocus();
  await expect.element(member('Will the bank cut in March?')).toBeVisible();
  return opened;
}

async function chooseLadder() {
  await field('Kind').selectOptions('Ladder');
  await member('Will rates be cut this year?').click();
  await member('Will the bank cut in March?').click();
}

beforeEach(() => {
  server.answer(listMarkets, {
    data: MARKETS,
    count: MARKETS.length,
    left_out: { data: [], count: 0 },
    still_reading: false,
  });
});

test('a superuser finds markets, orders them from the hardest, and adds the relation', async () => {
  server.answer(addRelation, { ...RELATION, kind: 'ladder', basis: 'human', state: 'proposed' });
  const { address } = await openDialog();
  await typeInto(field('Search Markets'), 'cut');
  await expect.poll(() => server.askedFor(listMarkets).at(-1)?.query).toMatchObject({ search: 'cut' });
  await expect.element(member('Was there a cut in January?')).toBeDisabled();
  await expect.element(dialog().getByText('Choose two markets or more first.')).toBeVisible();
  await expect.element(add()).toHaveAttribute('data-variant', 'default');
  await chooseLadder();
  await expect.element(add()).toHaveAttribute('data-variant', 'filled');
  await expect.element(dialog().getByText('Members, hardest first: each implies the next')).toBeVisible();
  expect(chosen()).toEqual(['Will rates be cut this year?', 'Will the bank cut in March?']);
  await dialog().getByRole('button', { name: 'Harder: Will the bank cut in March?' }).click();
  expect(chosen()).toEqual(['Will the bank cut in March?', 'Will rates be cut this year?']);
  await expect.element(dialog().getByText('implies', { exact: true })).toBeVisible();
  await typeInto(field('Note'), '  A cut in March is one this year. ');
  await expectAccessible('adding a relation');
  await add().click();
  await expect.element(toast('Relation added.')).toBeVisible();
  expect(sent()).toEqual([
    { kind: 'ladder', market_ids: ['cut', 'year'], title: null, note: 'A cut in March is one this year.' },
  ]);
  await expect.poll(address).toBe(`/discover/${RELATION.id}`);
});

test('what is wrong stands where it is wrong, and nothing is lost', async () => {
  await openDialog();
  await add().click();
  await expect.element(dialog().getByText('At least 2 markets are needed')).toBeVisible();
  await expect.element(dialog().getByText('Note is required')).toBeVisible();
  await expectAccessible('a relation with nothing in it');
  expect(sent()).toEqual([]);

  await chooseLadder();
  await typeInto(field('Title'), 'A cut is a cut');
  await typeInto(field('Note'), 'Because');
  const closed = {
    loc: ['body', 'market_ids', 1],
    msg: '"Will the bank cut in March?" is closed',
    type: 'value_error',
  };
  server.answer(addRelation, () => refusal(422, [closed]));
  await add().click();
  await expect.poll(() => dialog().getByText(closed.msg).length).toBe(1);
  expect(chosen()).toEqual(['Will rates be cut this year?', 'Will the bank cut in March?']);
  await expect.element(field('Title')).toHaveValue('A cut is a cut');
  await expectAccessible('a relation with a member that is refused');

  await dialog().getByRole('button', { name: 'Remove: Will the bank cut in March?' }).click();
  await expect.poll(() => dialog().getByText(closed.msg).length).toBe(0);
  await member('Will the bank cut twice in March?').click();
  const known = 'These markets are a relation already: "One cut", rejected';
  server.answer(addRelation, () => refusal(422, [{ loc: ['body', 'market_ids'], msg: known, type: 'value_error' }]));
  await add().click();
  await expect.element(dialog().getByText(known)).toBeVisible();

  server.answer(addRelation, () => refusal(503, 'The database is away'));
  await add().click();
  await expect.element(toast('The database is away')).toBeVisible();
  await expect.element(field('Note')).toHaveValue('Because');
  expect(sent().at(-1)).toEqual({
    ...{ kind: 'ladder', market_ids: ['year', 'twice'], title: 'A cut is a cut', note: 'Because' },
  });
});

test('all markets of an event are taken at once, none twice, and are not lost to Escape', async () => {
  await openDialog();
  await member('Will the bank cut twice in March?').click();
  expect(dialog().getByRole('button', { name: /^Add all/ }).length).toBe(0);
  await member('Will the bank cut twice in March?').click();
  await dialog().getByRole('button', { name: 'Add all 2 shown: The bank meets in March' }).click();
  expect(chosen()).toEqual(['Will the bank cut in March?', 'Will the bank cut twice in March?']);
  expect(dialog().getByRole('button', { name: /^Harder/ }).length).toBe(0);
  const question = page.getByRole('dialog', { name: 'Close This?' });
  await userEvent.keyboard('{Escape}');
  await expect.element(question).toMatchTextContent(/Close without saving what you have typed\?/);
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  expect(chosen().length).toBe(2);
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Close It' }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(button('Add Relation')).toHaveFocus();
});

test('the search says that it loads, finds nothing and failed, by keys as well', async () => {
  await openDialog();
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(member('Will the bank cut in March?')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(chosen()).toEqual(['Will the bank cut in March?']);
  server.answer(listMarkets, { data: [], count: 0, left_out: { data: [], count: 0 }, still_reading: false });
  await typeInto(field('Search Markets'), 'nothing');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog().getByText('No open market has these words in its question or event.')).toBeVisible();
  expect(sent()).toEqual([]);
  server.answer(listMarkets, { data: [], count: 0, left_out: { data: [], count: 0 }, still_reading: true });
  await typeInto(field('Search Markets'), 'soon');
  await expect.element(dialog().getByText('The venue is still being read: more may be found.')).toBeVisible();
  server.answer(listMarkets, () => refusal(429, 'Ask again later'));
  await typeInto(field('Search Markets'), 'much');
  await expect.element(dialog().getByText('Ask again later')).toBeVisible();
});

test('is for superusers', async () => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: false });
  await open('/discover');
  await expect.element(page.getByRole('link', { name: 'Census' })).toBeVisible();
  expect(button('Add Relation').length).toBe(0);
});
