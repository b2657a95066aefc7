/** What was sent to the chain, in its list and one by one. */
import { listChainSubmissions, readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible, pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, rowsOf, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server, tell } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

type Sent = Wire<typeof readChainSubmission>;

const [SENT, REDEEMED] = recorded(listChainSubmissions).data as [Sent, Sent];
const region = (name: string) => page.getByRole('region', { name, exact: true });

const answerWith = (given: Partial<Sent>) => server.answer(readChainSubmission, { ...SENT, ...given });
const openOne = () => open(`/submissions/${SENT.id}`);

test('lists what was done, what became of it, what it brought and who asked, and how much of the quota is used', async () => {
  await open('/submissions');
  await expectCells(
    'Submissions',
    'What',
    'Cash NowMerge the whole event with 6.00 sh in 3 markets',
    'RedeemRedeem 20.00 sh of Will Oriel Tanning be the next chair of the Harbour League?',
    'ApprovalAllow 0xAdA1…cE1f to move what 0x4D97…6045 keeps',
  );
  await expectCells('Submissions', 'Status', 'Sent', 'Confirmed', 'FailedThe relayer refused the call: call blocked.');
  await expectCells('Submissions', 'Expected', '$6.00', '$20.00', '–');
  await expectCells('Submissions', 'Received', '–', '$20.00', '–');
  await expectCells('Submissions', 'Asked by', 'admin@example.com', 'By itself', 'admin@example.com');
  await expect.element(page.getByText(/^Merges 3 of 100 today, counted anew from/)).toBeVisible();
  const hash = page.getByRole('row', { name: /Cash Now/ }).getByRole('button', { name: '0x9f3c…5d68' });
  await expect.element(hash).toHaveAttribute('title', `Copy ${SENT.hash}`);
  await expectAccessible('the submissions');
});

test('calls what the venue has paid by itself after the venue, also while trading is disarmed', async () => {
  const paid = { ...REDEEMED, venue: 'kalshi' as const, by_venue: true };
  server.answer(listChainSubmissions, { data: [paid], count: 1, quota: null, quotas: [] });
  server.answer(readChainSubmission, paid);
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: false });
  await open('/submissions');
  await expectCells('Submissions', 'What', /^Paid by KalshiFor 20\.00 sh of Will Oriel Tanning/);
  await expectCells('Submissions', 'Asked by', 'The venue itself');
  await open(`/submissions/${paid.id}`);
  await expect.element(page.getByRole('heading', { name: /^Paid by Kalshi/ })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'What the Venue Did' })).toBeVisible();
  await expect.element(page.getByText(/Redeem/)).not.toBeInTheDocument();
});

test('is narrowed by status and batch, which stand in the address', async () => {
  const { address } = await open('/submissions?status=unknown');
  await expect.element(page.getByLabelText('Status')).toHaveValue('unknown');
  await page.getByLabelText('Status').selectOptions('Waiting for approval');
  await expect.poll(address).toBe('/submissions?status=approving');
  await expect.poll(() => server.askedFor(listChainSubmissions).at(-1)?.query.status).toBe('approving');
  await typeInto(page.getByLabelText('Batch ID'), SENT.batch_ids[0] ?? '');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe(`/submissions?status=approving&batchId=${SENT.batch_ids[0]}`);
  await expect.poll(() => server.askedFor(listChainSubmissions).at(-1)?.query.batch_id).toBe(SENT.batch_ids[0]);
  await button('Clear').click();
  await expect.poll(address).toBe('/submissions');
});

test('moves as the stream tells, and is read again for one that is new', async () => {
  await open('/submissions');
  await expectCells('Submissions', 'Status', 'Sent', 'Confirmed', /^Failed/);
  tell('chain', 'chain_submission', SENT.id, { ...SENT, status: 'mined', block: 63204900 });
  await expectCells('Submissions', 'Status', 'Mined', 'Confirmed', /^Failed/);
  const list = recorded(listChainSubmissions);
  const planned = { ...SENT, id: '5b1c0009-7736-4471-83cc-07b6cc8ce900', status: 'planned' as const };
  planned.created_at = '2026-11-21T22:55:00.000Z';
  server.answer(listChainSubmissions, { ...list, data: [planned, ...list.data], count: 4 });
  tell('chain', 'chain_submission', planned.id, planned);
  await expect.poll(() => rowsOf('Submissions').length).toBe(4);
});

test('is empty where nothing was sent, and says what could not be read', async () => {
  server.answer(listChainSubmissions, { data: [], count: 0, quota: null, quotas: [] });
  await open('/submissions');
  await expect.element(page.getByText('Nothing was sent to the chain yet.')).toBeVisible();
  await expect.element(page.getByText(/^Merges/)).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Go to Portfolio' })).toHaveAttribute('href', '/portfolio');
  await expectAccessible('no submissions');
  server.answer(listChainSubmissions, () => refusal(409, 'Come back later'));
  await open('/submissions?page=2');
  await expect.element(page.getByText('Error loading submissions: Come back later')).toBeVisible();
});

test('opens what was called, what the chain says of it, and when', async () => {
  const { address } = await open('/submissions');
  await page.getByRole('link', { name: 'Cash Now' }).click();
  await expect.poll(address).toBe(`/submissions/${SENT.id}`);
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Cash Now 5b1c0001');
  await expect.poll(() => figureIn(region('Result'), 'Expected')).toBe('$6.000000');
  expect(figureIn(region('Result'), 'Received')).toBe('–');
  expect(figureIn(region('Result'), 'Nonce')).toBe('41');
  expect(figureIn(region('Result'), 'Deadline')).toMatch(/Nov 21, \d\d:04:30/);
  expect(figureIn(region('Times'), 'Sent')).toMatch(/54:30/);
  expect(figureIn(region('Times'), 'Mined')).toBe('–');
  await expectCells('Calls', 'Gives', '6.00 of 704302…04176.00 of 676032…84736.00 of 105654…5742');
  await expectCells('Balances', 'Before', '$812.440512', '12.000000', '12.000000', '12.000000');
  await expectCells('Balances', 'After', '–', '–', '–', '–');
  await expectAccessible('a submission');
});

test('shows by how much less came in than was expected, and the balances to the last unit', async () => {
  server.answer(readChainSubmission, { ...REDEEMED, received_usd: 19.999999 });
  await open(`/submissions/${REDEEMED.id}`);
  await expect.poll(() => figureIn(region('Result'), 'Difference')).toBe('↓-$0.000001');
  expect(figureIn(region('Result'), 'Gas')).toBe('0.0123 POL, at most 0.05 POL');
  expect(figureIn(region('Result'), 'Block')).toBe('63204418');
  await expectCells('Balances', 'Change', '↑+$20.000000', '↓-20.000000');
  await expectAccessible('a submission that has ended');
});

test('follows the stream from unknown to failed, with the reason', async () => {
  answerWith({
    status: 'unknown',
    error: 'The relayer did not answer, and may still carry it out until its deadline.',
  });
  await openOne();
  await expect.element(page.getByText(/^The relayer did not answer/)).toBeVisible();
  await expectAccessible('an unknown submission');
  tell('chain', 'chain_submission', SENT.id, { ...SENT, status: 'failed', error: 'Its deadline passed unused.' });
  await expect.element(page.getByText('Its deadline passed unused.')).toBeVisible();
  await expect.element(page.getByText(/^The relayer did not answer/)).not.toBeInTheDocument();
});

test('says of one that is not there or cannot be read what it knows', async () => {
  server.answer(readChainSubmission, () => refusal(404, 'Submission not found'));
  await openOne();
  await expect.element(page.getByText('Submission not found').first()).toBeVisible();
  await expectAccessible('no such submission');
  server.answer(readChainSubmission, () => refusal(409, 'Come back later'));
  await openOne();
  await expect.element(page.getByText('Error loading submission: Come back later')).toBeVisible();
});

test('fits a phone with many batches and long names', async () => {
  const many = Array.from({ length: 30 }, (_, nth) => `${10 + nth}${(SENT.batch_ids[0] ?? '').slice(2)}`);
  const steps = SENT.steps.map((step) => ({
    ...step,
    market_names: step.market_names.map(() => 'Endless'.repeat(30)),
  }));
  const batch_names = many.map((_, nth) => `${nth + 1} of ${'Endless'.repeat(30)}`);
  const long = { ...SENT, batch_ids: many, batch_names, steps, requested_by: `${'w'.repeat(60)}@example.com` };
  server.answer(listChainSubmissions, { data: [long], count: 1, quota: null, quotas: [] });
  server.answer(readChainSubmission, long);
  for (const path of ['/submissions', `/submissions/${SENT.id}`]) {
    await open(path);
    await onPhone();
    await expect.element(page.getByRole('link', { name: /^1 of Endless/ })).toBeVisible();
    expect(pixelsBeyondTheEdge(), path).toBe(0);
  }
});

test('is found in the palette', async () => {
  const { address } = await open('/');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await typeInto(page.getByRole('combobox', { name: 'Search' }), 'submis');
  await page.getByRole('option', { name: /Submissions/ }).click();
  await expect.poll(address).toBe('/submissions');
  await expect.element(dialog('Go To')).not.toBeInTheDocument();
});
