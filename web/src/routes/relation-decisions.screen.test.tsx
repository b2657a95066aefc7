/** What superusers decide on one relation, and what is said of one that has changed or is contradicted. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { approveRelation, followRelation, rejectRelation } from '@dutchbook/contract/discovery/decisions.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const RELATION = recorded(readRelation);
const PATH = `/discover/${RELATION.id}`;

const card = (name: string) => page.getByRole('region', { name, exact: true });

test('a relation without a series is approved by itself', async () => {
  server.answer(readRelation, { ...RELATION, has_series: false, is_void_safe: false });
  server.answer(approveRelation, { ...RELATION, state: 'approved' });
  await open(PATH);
  await button('Approve').click();
  await expect
    .element(dialog('Approve Relation').getByText('It pays less than its payout where a market is voided.'))
    .toBeVisible();
  expect(page.getByRole('radio').length).toBe(0);
  await dialog('Approve Relation').getByRole('button', { name: 'Approve' }).click();
  await expect
    .poll(() => server.askedFor(approveRelation)[0]?.body)
    .toEqual({ scope: 'relation', fingerprint: RELATION.fingerprint });
});

test('an approval of what has changed meanwhile is not one, and the page says so', async () => {
  await open(PATH);
  await button('Approve').click();
  server.answer(approveRelation, () => refusal(409, 'The relation has changed since it was read.'));
  server.answer(readRelation, { ...RELATION, title: 'Exactly one of 7 outcomes', fingerprint: 'another' });
  await dialog('Approve Relation').getByRole('button', { name: 'Approve' }).click();
  await expect.element(page.getByText('Nothing was approved.')).toBeVisible();
  await expect.element(page.getByText('The relation has changed since it was read.')).toBeVisible();
  await expect.element(page.getByText('Exactly one of 7 outcomes').first()).toBeVisible();
  await expectAccessible('a relation that has changed');
  server.answer(approveRelation, () => refusal(503, 'The database is away'));
  await button('Approve').click();
  await dialog('Approve Relation').getByRole('button', { name: 'Approve' }).click();
  await expect.element(toast('The database is away')).toBeVisible();
  expect(server.askedFor(approveRelation).at(-1)?.body).toEqual({ scope: 'relation', fingerprint: 'another' });
});

test('a superuser rejects with a reason', async () => {
  server.answer(rejectRelation, {
    ...RELATION,
    state: 'rejected',
    may_trade: false,
    reason: 'The rules allow a tie.',
    decided_by: null,
    decided_at: '2026-11-21T22:00:00.000Z',
  });
  await open(PATH);
  await button('Reject').click();
  await expect.element(dialog('Reject Relation').getByText(/If its series was approved, that ends/)).toBeVisible();
  await dialog('Reject Relation').getByRole('button', { name: 'Reject' }).click();
  await expect.element(page.getByText('Reason is required')).toBeVisible();
  await expectAccessible('rejecting');
  await typeInto(page.getByLabelText('Reason'), '  The rules allow a tie. ');
  await dialog('Reject Relation').getByRole('button', { name: 'Reject' }).click();
  await expect.element(toast('Relation rejected.')).toBeVisible();
  expect(server.askedFor(rejectRelation)[0]?.body).toEqual({ reason: 'The rules allow a tie.' });
  await expect.element(card('Decision').getByText('The rules allow a tie.')).toBeVisible();
  await expect.element(card('Decision').getByText(/^Rejected by a deleted user/)).toBeVisible();
  await expect.element(button('Reject')).not.toBeInTheDocument();
});

test('other users see who decides, and follow', async () => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: false });
  server.answer(followRelation, ({ body }) => ({ ...RELATION, is_followed: (body as { follow: boolean }).follow }));
  await open(PATH);
  await expect.element(card('Decision').getByText('Superusers approve and reject relations.')).toBeVisible();
  await expect
    .element(
      card('Decision').getByText(
        /^Nothing has to be decided\. Approved, it creates opportunities also while its kind is/,
      ),
    )
    .toBeVisible();
  expect(button('Approve').length + button('Reject').length).toBe(0);
  await button('Follow').click();
  await button('Unfollow').click();
  await expect.element(button('Follow')).toBeVisible();
  expect(server.askedFor(followRelation).map(({ body }) => body)).toEqual([{ follow: true }, { follow: false }]);
  await expectAccessible('a relation as other users see it');
});

test('a void relation shows what has changed, before beside after', async () => {
  const beginning = 'The market resolves to the person who is sworn in as mayor. '.repeat(4);
  server.answer(readRelation, {
    ...RELATION,
    state: 'void',
    may_trade: false,
    is_void_safe: false,
    reason: 'The rules of one member have changed.',
    differences: [
      {
        market_id: RELATION.member_list[0]?.market_id ?? null,
        question: 'Will Ida Marlow win?',
        field: 'description',
        before: `${beginning}A tie is no win.`,
        after: `${beginning}A tie is <b>half</b> a win.`,
      },
      { market_id: null, question: null, field: 'members', before: null, after: '0xabc' },
      { market_id: null, question: null, field: 'end_date', before: '2026-12-31', after: null },
    ],
  });
  await open(PATH);
  await expect.element(page.getByText('Void: nothing is bought by this relation.')).toBeVisible();
  await expect.element(page.getByText('The rules of one member have changed.').first()).toBeVisible();
  await expectCells(
    'What changed',
    'Field',
    'DescriptionWill Ida Marlow win?',
    'MembersOf the event',
    'End dateOf the event',
  );
  await expectCells('What changed', 'Before', /^….*A tie is no win\.$/, 'Was not there', '2026-12-31');
  await expectCells('What changed', 'After', /^….*A tie is <b>half<\/b> a win\.$/, '0xabc', 'Is gone');
  const marked = (tag: string) => document.querySelector(`td ${tag}`)?.textContent;
  expect([marked('del'), marked('ins')]).toEqual(['no', '<b>half</b> a']);
  await expectAccessible('a void relation');
  await button('Approve').click();
  await expect.element(dialog('Approve Relation')).toBeVisible();
  await userEvent.keyboard('{Escape}');
});

test('a relation that is contradicted says by what, and cannot be approved', async () => {
  const both = 'Ida Marlow and Renata Quill both came true';
  server.answer(readRelation, {
    ...RELATION,
    state: 'void',
    may_trade: false,
    reason: `Contradicted: ${both}`,
    contradiction: both,
    worlds: null,
  });
  await open(PATH);
  await expect.element(page.getByText(`Contradicted: ${both}`).first()).toBeVisible();
  await expect.element(page.getByText(/^It cannot be approved while/)).toBeVisible();
  await expect.element(button('Reject')).toBeVisible();
  expect(button('Approve').length).toBe(0);
  await expectAccessible('a relation that is contradicted');
});
