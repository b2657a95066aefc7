/** What waits for a second person, and how a request is shown. */
import { armTrading } from '@dutchbook/contract/arming.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { writeLimits } from '@dutchbook/contract/limits.ts';
import { writeSecuritySettings } from '@dutchbook/contract/security-settings.ts';
import {
  approveSignOff,
  listSignOffs,
  rejectSignOff,
  type SignOffState,
  withdrawSignOff,
} from '@dutchbook/contract/sign-offs.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, cellsOf, dialog, expectCells, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

type Row = Wire<typeof approveSignOff>;

const ID = '0199e000-0000-7000-8000-0000000000a1';
const STATUS = recorded(readSystemStatus);
const SUMMARY = 'Raise the limit per day from $400.00 to $1,000.00';

function rowOf(changes: Partial<Row> = {}): Row {
  return {
    id: ID,
    kind: 'limits',
    summary: SUMMARY,
    state: 'open',
    requested_by: 'ada@example.com',
    requested_by_id: '0199e000-0000-7000-8000-0000000000ad',
    requested_at: new Date(Date.now() - 60_000).toISOString(),
    expires_at: new Date(Date.now() + 14.5 * 60_000).toISOString(),
    decided_by: null,
    decided_at: null,
    reason: null,
    outcome: null,
    batch_id: null,
    ...changes,
  };
}

/** What the server has, by its state. */
function answerWith(...rows: Row[]): void {
  server.answer(listSignOffs, ({ query }) => {
    const data = rows.filter(({ state }) => query.state === undefined || state === query.state);
    return { data, count: data.length };
  });
}

const decided = (state: SignOffState, more: Partial<Row> = {}) =>
  rowOf({ state, decided_by: 'ben@example.com', decided_at: '2026-01-01T12:00:00.000Z', ...more });

const waiting = () => page.getByRole('list', { name: 'Open sign-offs' }).getByRole('listitem', { name: SUMMARY });

test('shows what waits, who asked and what approving does, and what became of the others', async () => {
  const others = [
    decided('approved', { id: ID.replace('a1', 'a2'), kind: 'batch', batch_id: ID, outcome: 'The batch is placed.' }),
    decided('rejected', { id: ID.replace('a1', 'a3'), reason: 'Not before the talk' }),
    rowOf({ id: ID.replace('a1', 'a4'), state: 'expired' }),
  ];
  answerWith(rowOf(), ...others);
  await open('/admin/sign-offs');
  await expect.element(waiting()).toMatchTextContent(/Asked by ada@example.com, ends .* in 14m/);
  await expect.element(waiting()).toMatchTextContent(/Approved, the limits are set at once/);
  await expectCells('Sign-offs', 'State', 'Open', 'Approved', 'Rejected', 'Expired');
  const heights = cellsOf('Sign-offs', 'By').map((cell) => cell.firstElementChild?.getBoundingClientRect().height);
  expect(Math.max(...heights.map((height) => height ?? 99))).toBeLessThan(30);
  await expectCells('Sign-offs', 'Outcome', 'N/A', 'The batch is placed.', 'Not before the talk', 'N/A');
  await expect
    .element(page.getByRole('link', { name: 'The batch is placed.' }))
    .toHaveAttribute('href', `/batches/${ID}`);
  await expectAccessible('the sign-offs');
});

test('says plainly that nothing waits', async () => {
  answerWith();
  await open('/admin/sign-offs');
  await expect.element(page.getByText('Nothing waits for a second person.')).toBeVisible();
  await expect.element(page.getByText('Nothing has been asked of a second person yet.')).toBeVisible();
});

test('approves at once, and tells what came of it, also where it was refused anew', async () => {
  answerWith(rowOf());
  await open('/admin/sign-offs');
  const refused = decided('failed', { outcome: 'The limits were changed after it was asked for.' });
  server.answer(approveSignOff, refused);
  await waiting().getByRole('button', { name: 'Approve' }).click();
  await expect.element(toast(/It was not done: The limits were changed after it was asked for\./)).toBeVisible();
  answerWith(decided('approved', { outcome: 'The limits are set.' }));
  server.answer(approveSignOff, decided('approved', { outcome: 'The limits are set.' }));
  await waiting().getByRole('button', { name: 'Approve' }).click();
  await expect.element(toast(/Signed off\. The limits are set\./)).toBeVisible();
  await expect.element(page.getByText('Nothing waits for a second person.')).toBeVisible();
  expect(server.askedFor(approveSignOff)).toMatchObject([{ params: { sign_off_id: ID } }, {}]);
});

test('says who was faster, and shows what they decided', async () => {
  answerWith(rowOf());
  await open('/admin/sign-offs');
  await expect.element(waiting()).toBeVisible();
  const detail = 'ben@example.com rejected it: Not before the talk';
  server.answer(approveSignOff, refusal(409, detail));
  answerWith(decided('rejected', { reason: 'Not before the talk' }));
  await waiting().getByRole('button', { name: 'Approve' }).click();
  await expect.element(toast(detail)).toBeVisible();
  await expectCells('Sign-offs', 'State', 'Rejected');
});

test('rejects with a reason', async () => {
  answerWith(rowOf());
  server.answer(rejectSignOff, decided('rejected'));
  await open('/admin/sign-offs');
  await waiting().getByRole('button', { name: 'Reject' }).click();
  const asking = dialog('Reject Sign-Off');
  await expectAccessible('the question for a reason');
  await asking.getByRole('button', { name: 'Reject' }).click();
  await expect.element(asking.getByText('Reason is required')).toBeVisible();
  await asking.getByRole('textbox', { name: 'Reason' }).fill('Not before the talk');
  answerWith();
  await asking.getByRole('button', { name: 'Reject' }).click();
  await expect.element(toast('The sign-off was rejected.')).toBeVisible();
  expect(server.askedFor(rejectSignOff)).toMatchObject([{ body: { reason: 'Not before the talk' } }]);
});

test('the user who asked withdraws it, and decides nothing, superuser or not', async () => {
  const me = recorded(readMe);
  server.answer(readMe, { ...me, is_superuser: false, role: 'operator' });
  answerWith(rowOf({ requested_by: me.email, requested_by_id: me.id }));
  server.answer(withdrawSignOff, decided('withdrawn'));
  await open('/admin/sign-offs');
  await expect.element(waiting()).toMatchTextContent(/Another superuser has to approve it/);
  expect(waiting().getByRole('button', { name: 'Approve' }).elements()).toEqual([]);
  answerWith();
  await waiting().getByRole('button', { name: 'Withdraw' }).click();
  await expect.element(toast('The sign-off was withdrawn.')).toBeVisible();
  expect(server.askedFor(withdrawSignOff)).toMatchObject([{ params: { sign_off_id: ID } }]);
});

test('a decision elsewhere shows as soon as it is published, and the count beside the menu goes with it', async () => {
  server.answer(readSystemStatus, { ...STATUS, open_sign_offs: 1 });
  answerWith(rowOf());
  await open('/admin/sign-offs');
  const count = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: '1 waiting for a sign-off' });
  await expect.element(count).toHaveAttribute('href', '/admin/sign-offs');
  await expect.element(waiting()).toBeVisible();
  answerWith(decided('approved'));
  tell('system', 'system', 'system', STATUS);
  await expect.element(page.getByText('Nothing waits for a second person.')).toBeVisible();
  await expect.element(count).not.toBeInTheDocument();
});

const asked = (what: string) =>
  Response.json({ detail: `Asked a second person to sign this off: ${what}.`, sign_off_id: ID }, { status: 409 });

test('arming that needs a second person says so, and leads there', async () => {
  server.answer(readSystemStatus, { ...STATUS, armed: false, arming_refusal: null });
  server.answer(armTrading, asked('Arm trading'));
  answerWith(rowOf());
  const screen = await open('/items');
  await button('Arm').click();
  await dialog('Arm Trading').getByRole('textbox').fill('ARM');
  await dialog('Arm Trading').getByRole('button', { name: 'Arm Trading' }).click();
  await expect.element(page.getByText('Asked a second person to sign this off: Arm trading.')).toBeVisible();
  await expect.element(dialog('Arm Trading')).not.toBeInTheDocument();
  expect(page.getByText('Failed to arm trading').elements()).toEqual([]);
  await button('Open it').click();
  await expect.element(waiting()).toBeVisible();
  expect(screen.address()).toMatch(/^\/admin\/sign-offs/);
});

test('limits that need a second person go back to what they are until then', async () => {
  server.answer(writeLimits, asked(SUMMARY));
  answerWith(rowOf());
  const screen = await open('/admin/system-settings');
  const field = page.getByRole('textbox', { name: 'Limit per day' });
  await expect.element(field).toBeVisible();
  const { value } = field.element() as HTMLInputElement;
  await field.fill('1000');
  await button('Save').click();
  await expect.element(page.getByText(`Asked a second person to sign this off: ${SUMMARY}.`)).toBeVisible();
  await expect.element(field).toHaveValue(value);
  await button('Open it').click();
  await expect.element(waiting()).toBeVisible();
  expect(screen.address()).toMatch(/^\/admin\/sign-offs/);
});

test('a superuser has arming, limits and large batches signed off', async () => {
  server.answer(writeSecuritySettings, {
    ...{ second_factor_for_all: false, sign_off_for_arming: true, sign_off_for_limits: true, sign_off_above_usd: 300 },
    ...{ changed_at: null, changed_by: null },
  });
  await open('/admin/system-settings');
  await page.getByRole('switch', { name: 'Sign-off of arming' }).click();
  await page.getByRole('switch', { name: 'Sign-off of raised limits' }).click();
  const above = page.getByRole('textbox', { name: 'Sign-off of batches above' });
  await above.fill('0.5');
  await button('Save').click();
  await expect.element(page.getByText('Dollars of a batch must be at least 1')).toBeVisible();
  await above.fill('300');
  await button('Save').click();
  await expect.element(page.getByText('Security settings updated successfully.')).toBeVisible();
  expect(server.askedFor(writeSecuritySettings).map(({ body }) => body)).toEqual([
    { sign_off_for_arming: true, sign_off_for_limits: true, sign_off_above_usd: 300 },
  ]);
});
