/** The page of one relation: what it says, what it pays in which world, and who decides on it. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { approveRelation } from '@dutchbook/contract/discovery/decisions.ts';
import { listRelationHits } from '@dutchbook/contract/discovery/hits.ts';
import { listDistances, readRelation } from '@dutchbook/contract/relations.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { APPROVE_FIRST } from '../features/session/way-to-change.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { button, cellsOf, dialog, expectCells, figureIn, rowsOf, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const RELATION = recorded(readRelation);
const PATH = `/discover/${RELATION.id}`;

const card = (name: string) => page.getByRole('region', { name, exact: true });
const heading = page.getByRole('heading', { level: 1 });

/** What the list knows of it, as the stream sends it. */
const {
  is_followed,
  member_list,
  read_from,
  completeness,
  fingerprint,
  has_series,
  decided_by,
  decided_at,
  by_series,
  reason,
  contradiction,
  differences,
  worlds,
  ...ROW
} = RELATION;

test('says what it is, where it stands, and what it was read from', async () => {
  await open(PATH);
  await expect.element(heading).toHaveTextContent('Cambridge Mayoral Election');
  await expect.element(page.getByText('Exactly one of 6 outcomes')).toBeVisible();
  for (const badge of ['Declared', 'Needs no approval', 'Void-safe', 'Complete'])
    await expect.element(page.getByText(badge, { exact: true }).first()).toBeVisible();
  const standing = card('Where It Stands');
  await expect.element(standing.getByText('pays 0.8 c after fees')).toBeVisible();
  expect(figureIn(standing, 'Buys')).toBe('Yes on members');
  expect(figureIn(standing, 'If Voided')).toBe('pays 0.8 c');
  expect(figureIn(standing, 'Quoted Members')).toBe('6 of 6');
  await expect.element(card('Read From').getByText('negRisk = true')).toBeVisible();
  await expect.element(card('Read From').getByText(/^All 6 outcomes are listed/)).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'View Opportunity' }))
    .toHaveAttribute('href', `/arbitrage/${RELATION.opportunity_id}`);
  await expectAccessible('a relation');
});

test('shows what every leg pays in every world, voided ones too, and names the worst', async () => {
  await open(PATH);
  await expect
    .element(card('Worlds').getByText('One set costs $0.9920 with fees and pays at least $1.0000'))
    .toBeVisible();
  const rows = () =>
    rowsOf('Worlds').map((row) => [...row.children].map(({ textContent }) => textContent.trim()).join(' | '));
  expect(rows()[0]).toBe('Ida Marlow wins Worst | 1.0000 | 1 | 0 | 0 | 0 | 0 | 0');
  expect(rows().at(-1)).toBe('The whole event is voided Voided | 3.0000 | 0.5 | 0.5 | 0.5 | 0.5 | 0.5 | 0.5');
  expect(page.getByRole('table', { name: 'Worlds' }).getByText('Worst').length).toBe(1);
});

test('many worlds begin with the first, the worst wherever it stands, and all when asked', async () => {
  if (RELATION.worlds === null) throw new Error('no worlds were recorded');
  const [model] = RELATION.worlds.rows;
  if (model === undefined) throw new Error('no world was recorded');
  const rows = Array.from({ length: 40 }, (_, nth) => ({ ...model, name: `World ${nth}`, is_worst: nth === 30 }));
  server.answer(readRelation, {
    ...RELATION,
    worlds: { ...RELATION.worlds, rows, payout: 0.995, payout_with_voids: 0.5, annualised_return: 12.5 },
  });
  await open(PATH);
  await expect
    .element(
      page.getByText(
        /where a market is voided, at least \$0\.5000\. By when the cash is back, that is 12\.50% a year\./,
      ),
    )
    .toBeVisible();
  expect(rowsOf('Worlds').length).toBe(12);
  expect(rowsOf('Worlds').at(-1)?.textContent).toContain('World 30 Worst');
  await button('Show All 40 Worlds').click();
  await expect.poll(() => rowsOf('Worlds').length).toBe(40);
  await expectAccessible('a relation with many worlds');
});

test('shows rules as text, whatever stands in them', async () => {
  const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>[click](javascript:1) ${'W'.repeat(5_000)}`;
  const members = RELATION.member_list.map((member) => ({
    ...member,
    question: '<b>Will it?</b>',
    group_title: '<i>He</i>',
    rules: hostile,
    resolution_source: 'javascript:alert(1)',
  }));
  server.answer(readRelation, { ...RELATION, title: '<u>One</u>', member_list: members });
  await open(PATH);
  await expect.element(page.getByText('<u>One</u>')).toBeVisible();
  await page.getByText('Rules', { exact: true }).first().click();
  const text = page.getByRole('textbox', { name: /^Text of the rules of/ });
  await expect.element(text).toHaveValue(hostile);
  await expect.element(page.getByText('Resolved by: javascript:alert(1)').first()).toBeVisible();
  expect(document.querySelectorAll('main :is(img, script, b, i, u, a[href^="javascript"])').length).toBe(0);
  expect(document.title).not.toContain('owned');
  await expectAccessible('a relation with hostile rules');
});

test('says of each member whether it is open, resolved, closed, left out or not quoted', async () => {
  const states = [
    {},
    { closed: true, resolved_value: 0 },
    { closed: true },
    { left_out: 'Its end differs from the others.' },
    { best_bid: null, best_ask: null, book_age_ms: null, end_date: null, rules: '', resolution_source: '' },
  ];
  const members = states.map((state, nth) => ({ ...RELATION.member_list[nth], ...state })) as typeof member_list;
  server.answer(readRelation, { ...RELATION, member_list: members });
  await open(PATH);
  await expectCells(
    'Members',
    'Status',
    'Open',
    'Resolved at 0.0000',
    'Closed',
    'Left outIts end differs from the others.',
    'Not quoted',
  );
  expect(cellsOf('Members', 'Bid / Ask')[4]?.textContent).toBe('– / –');
  expect(cellsOf('Members', 'Ends')[4]?.textContent).toBe('Not said');
  expect(cellsOf('Members', 'Member')[4]?.textContent).toContain('No rules are given.');
});

test('reads as a table and in a sentence how far it was from paying', async () => {
  await open(PATH);
  await expect
    .element(page.getByText('It moved between paying 2.1 c and 2.6 c away. In this picture it began to pay 2 times.'))
    .toBeVisible();
  await page.getByText('Show as a table').click();
  await expect.poll(() => rowsOf('Distance from paying').length).toBe(25);
  expect(rowsOf('Distance from paying')[0]?.textContent).toContain('pays 0.8 c');
  server.answer(listDistances, { data: [] });
  await open(PATH);
  await expect.element(page.getByText('No distances recorded yet')).toBeVisible();
  server.answer(listDistances, () => refusal(409, 'Come back later'));
  await open(PATH);
  await expect.element(page.getByText('Error loading the distances')).toBeVisible();
});

test('says of each time it paid how long, how much, and what came of it', async () => {
  await open(PATH);
  const hits = card('Times It Paid');
  await expect.element(hits.getByText('Pays now')).toBeVisible();
  expect(cellsOf('Times It Paid', 'Lasted').map(({ textContent }) => textContent)).toEqual([
    'Pays now',
    '2 min',
    '0.4 s',
  ]);
  expect(cellsOf('Times It Paid', 'Best Dollars')[1]?.textContent).toBe('$8.90');
  const outcomes = cellsOf('Times It Paid', 'What Came of It').map(({ textContent }) => textContent);
  expect(outcomes[0]).toMatch(/not placed automatically/);
  expect(outcomes[2]).toBe('It makes $0.006 at its best size, and the least profit is $0.01');
  expect(outcomes[1]).toBe('Bought 3 clips, 40.00 sh, bounded by the depth of a book');
  await expect
    .element(hits.getByRole('link', { name: 'Bought' }))
    .toHaveAttribute('href', '/batches/0d3f0000-0000-4000-8000-000000000001');

  server.answer(listRelationHits, { data: [], count: 0 });
  await open(PATH);
  await expect.element(card('Distance over Time')).toBeVisible();
  await expect.element(hits).not.toBeInTheDocument();
  server.answer(listRelationHits, () => refusal(409, 'Come back later'));
  await open(PATH);
  await expect.element(page.getByText('Error loading the times it paid')).toBeVisible();
});

test('moves as the stream tells, and reads its worlds again', async () => {
  await open(PATH);
  await expect.element(card('Where It Stands').getByText('pays 0.8 c after fees')).toBeVisible();
  const read = server.askedFor(readRelation).length;
  const again = Promise.withResolvers<typeof RELATION>();
  server.answer(readRelation, () => again.promise);
  tell(`relation:${RELATION.id}`, 'relation', RELATION.id, {
    ...ROW,
    distance: 0.016,
    limited_by: 'leg 3: Renata Quill',
    profit_usd: 0,
    size: 0,
  });
  await expect.element(card('Where It Stands').getByText('1.6 c away after fees')).toBeVisible();
  await expect.element(card('Where It Stands').getByText('limited by leg 3: Renata Quill')).toBeVisible();
  await expect.element(card('Times It Paid').getByText('Until just now')).toBeVisible();
  await expect.element(card('Times It Paid').getByText('Pays now')).not.toBeInTheDocument();
  await expect.poll(() => server.askedFor(readRelation).length).toBeGreaterThan(read);
  again.resolve(RELATION);
  await expect.element(card('Where It Stands').getByText('pays 0.8 c after fees')).toBeVisible();
});

test('leads to the opportunity that is made of it after it was read', async () => {
  const paying = { ...RELATION, may_trade: true, distance: -0.008 };
  server.answer(readRelation, { ...paying, opportunity_id: null });
  await open(PATH);
  await expect.element(card('Where It Stands').getByText('pays 0.8 c after fees')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'View Opportunity' })).not.toBeInTheDocument();
  server.answer(readRelation, { ...paying, opportunity_id: '0d3f0000-0000-4000-8000-000000000002' });
  await expect.element(page.getByRole('link', { name: 'View Opportunity' })).toBeVisible();
});

test('of one that waits for an approval and loses now, says that first and urges none', async () => {
  const { id: relation_id, event_title, title, updated_at: ended_at } = RELATION;
  const hit = {
    ...{ id: relation_id, relation_id, event_title, title, direction: 'yes' as const, lasted_ms: 900 },
    ...{
      first_at: ended_at,
      last_at: ended_at,
      ended_at,
      net_usd: 0.01,
      profit_usd: 1,
      size: 100,
      opportunity_id: null,
    },
    ...{ batch_id: null, bought_size: null, bought_clips: 0, bounded_by: null, why_not: APPROVE_FIRST },
  };
  server.answer(readMe, { ...recorded(readMe), is_superuser: true });
  const waiting = { ...RELATION, basis: 'parsed' as const, may_trade: false };
  server.answer(readRelation, {
    ...{ ...waiting, distance: 0.016, profit_usd: 0 },
    worlds: RELATION.worlds && { ...RELATION.worlds, cost: RELATION.worlds.payout + 0.016, annualised_return: null },
  });
  server.answer(listRelationHits, { data: [hit], count: 1 });
  await open(PATH);
  await expect.element(page.getByText('Bought now, it loses 1.6 c a set after fees.', { exact: true })).toBeVisible();
  await expect.element(card('Worlds').getByText(/That is a loss of 1\.6 c a set/)).toBeVisible();
  await expect.element(card('Times It Paid').getByText('It was not approved')).toBeVisible();
  const look = () => button('Approve').element().getAttribute('data-variant');
  expect(look()).toBe('default');
  await button('Approve').click();
  await expect.element(page.getByRole('dialog').getByText(/^Bought now, it loses 1\.6 c/)).toBeVisible();
  server.answer(readRelation, waiting);
  await open(PATH);
  await expect.poll(look).toBe('filled');
});

test('a relation that cannot be priced says so', async () => {
  server.answer(readRelation, {
    ...RELATION,
    distance: null,
    direction: null,
    distance_with_voids: null,
    oldest_book_ms: null,
    quoted: 2,
    last_hit_at: null,
    opportunity_id: null,
    worlds: null,
  });
  await open(PATH);
  await expect.element(page.getByText('2 of 6 members are quoted')).toBeVisible();
  await expect.element(page.getByText(/^No basket can be priced now/)).toBeVisible();
  await expect.element(page.getByText('It has not paid yet.')).toBeVisible();
  expect(page.getByRole('link', { name: 'View Opportunity' }).length).toBe(0);
  await expectAccessible('a relation without prices');
});

test('a superuser approves what was shown, alone or with its series', async () => {
  server.answer(approveRelation, {
    ...RELATION,
    updated_at: '2026-11-21T22:00:01.000Z',
    state: 'approved',
    decided_by: 'admin@example.com',
    decided_at: '2026-11-21T22:00:00.000Z',
    by_series: true,
  });
  await open(PATH);
  await button('Approve').click();
  await expect.element(dialog('Approve Relation').getByRole('radio', { name: 'This relation' })).toBeChecked();
  // What comes meanwhile is not what was shown.
  server.answer(readRelation, { ...RELATION, fingerprint: 'another' });
  tell(`relation:${RELATION.id}`, 'relation', RELATION.id, { ...ROW, updated_at: '2026-11-21T22:00:00.000Z' });
  await dialog('Approve Relation').getByRole('radio', { name: 'Every event of its series' }).click();
  await expectAccessible('approving');
  await dialog('Approve Relation').getByRole('button', { name: 'Approve' }).click();
  await expect.element(toast('Relation approved.')).toBeVisible();
  expect(server.askedFor(approveRelation)[0]?.body).toEqual({ scope: 'series', fingerprint: RELATION.fingerprint });
  await expect
    .element(card('Decision').getByText(/^Approved by admin@example\.com, .* with every event of its series\.$/))
    .toBeVisible();
});

test('says what is not there, what failed and that it loads', async () => {
  server.answer(readRelation, () => refusal(404, 'Relation not found'));
  await open(PATH);
  await expect.element(page.getByText('Relation not found', { exact: true }).first()).toBeVisible();
  await expectAccessible('no relation');
  server.answer(readRelation, () => refusal(409, 'Come back later'));
  await open(PATH);
  await expect.element(page.getByText('Error loading relation')).toBeVisible();
  server.answer(readRelation, () => new Promise<never>(() => {}));
  await open(PATH);
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expectAccessible('a relation on its way');
});
