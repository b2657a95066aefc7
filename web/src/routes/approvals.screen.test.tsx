/** What the venue's contracts may move. */
import { changeApproval, listApprovals } from '@dutchbook/contract/approvals.ts';
import { readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const SUBMISSION = recorded(readChainSubmission);
const { data: APPROVALS } = recorded(listApprovals);
const ADAPTER = APPROVALS[2];

test('says which contract may move what, what for, and what is wrong with it', async () => {
  // As the server names them.
  const named = APPROVALS.map((approval) => ({ ...approval, name: approval.name.toLowerCase() }));
  server.answer(listApprovals, { data: named, count: 4 });
  await open('/approvals');
  await expectCells(
    'Approvals',
    'Contract',
    /^Collateral adapterShares become dollars by it/,
    /^Negative-risk adapter, retiredThe venue uses it no more/,
    /^ExchangeOrders settle by it/,
    /^ExchangeOrders settle by it/,
  );
  await expectCells('Approvals', 'May Move', /^Shares/, /^Shares/, /^Dollars/, /^Shares/);
  await expectCells('Approvals', 'State', 'Not allowed', 'AllowedRetired', 'Allowed', 'Allowed');
  await expectCells(
    'Approvals',
    'Problem',
    'Pairs cannot be merged and winners not redeemed until this is allowed.',
    'The venue has retired this contract, and it may still move shares.',
    'None',
    'None',
  );
  await expectCells('Approvals', 'Actions', 'Allow', 'Revoke', 'Revoke', 'Revoke');
  await expect.element(page.getByText('2 approvals are not as they should be.')).toBeVisible();
  await expectAccessible('the approvals');
});

test('allows a contract once that is confirmed, and then leads to what changes it', async () => {
  server.answer(changeApproval, { ...SUBMISSION, purpose: 'approval' });
  await open('/approvals');
  await button('Allow Collateral adapter, shares').click();
  await expect
    .element(dialog('Allow Collateral adapter'))
    .toMatchTextContent(/may then move the shares of the account/);
  await expectAccessible('the question before an approval');
  expect(server.askedFor(changeApproval)).toEqual([]);
  const changing = APPROVALS.map((each) => (each === ADAPTER ? { ...each, submission_id: SUBMISSION.id } : each));
  server.answer(listApprovals, { data: changing, count: 4 });
  await dialog('Allow Collateral adapter').getByRole('button', { name: 'Allow' }).click();
  await expect.element(toast('The change is planned.')).toBeVisible();
  const { contract, holder } = ADAPTER ?? {};
  const [asked] = server.askedFor(changeApproval);
  expect(asked?.body).toEqual({ contract, holder, is_allowed: true, venue: 'polymarket' });
  expect(asked?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  await expect
    .element(page.getByRole('link', { name: 'Its submission' }))
    .toHaveAttribute('href', `/submissions/${SUBMISSION.id}`);
  await expectCells('Approvals', 'Actions', '', 'Revoke', 'Revoke', 'Revoke');
  server.answer(listApprovals, { data: [], count: 0 });
  tell('chain', 'chain_submission', SUBMISSION.id, SUBMISSION);
  await expect.element(page.getByText('Nothing has to be allowed.')).toBeVisible();
});

test('revokes what a retired contract may move, and says what the server refuses', async () => {
  server.answer(changeApproval, () => refusal(409, 'Trading is disarmed.'));
  await open('/approvals');
  await button('Revoke Negative-risk adapter, retired, shares').click();
  const question = dialog('Revoke Negative-risk adapter, retired');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect.element(toast('Failed to change the approval')).toMatchTextContent(/Trading is disarmed\./);
  expect(server.askedFor(changeApproval)[0]?.body).toMatchObject({ is_allowed: false });
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
});

test('offers no change but to a superuser', async () => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: false });
  await open('/approvals');
  await expectCells('Approvals', 'State', 'Not allowed', 'AllowedRetired', 'Allowed', 'Allowed');
  await expect.element(page.getByText('Actions')).not.toBeInTheDocument();
});

test('says where nothing has to be allowed, and what could not be read', async () => {
  server.answer(listApprovals, { data: [], count: 0 });
  await open('/approvals');
  await expect.element(page.getByText(/^Shares are not converted into dollars on this venue/)).toBeVisible();
  await expectAccessible('no approvals');
  server.answer(listApprovals, () => refusal(409, 'The chain does not answer'));
  await open('/approvals');
  await expect.element(page.getByText('Error loading approvals: The chain does not answer')).toBeVisible();
});
