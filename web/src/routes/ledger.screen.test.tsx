/** The ledger: what moved and why, what each account has, and whether the venue has the same. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import {
  exportLedger,
  exportTax,
  listLedger,
  nameEntry,
  readLedgerBalances,
  stateDifference,
  verifyLedger,
} from '@dutchbook/contract/ledger.ts';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const region = (name: string) => page.getByRole('region', { name, exact: true });

test('lists what moved, in which accounts and by which cause', async () => {
  await open('/ledger');
  await expectCells('Entries', 'Kind', 'Matched', 'Deposit', 'Gas');
  await expectCells('Entries', 'Dollars', '↓-$3.79', '↑+$500.00', '–');
  await expectCells(
    'Entries',
    'Accounts',
    /^Receivable -\$3\.79Fees \+\$0\.02Traded \+\$3\.77Receivable \+12 sh 704302…9176Traded -12 sh 704302…9176$/,
    'Cash +$500.00Outside -$500.00',
    'Gas +0.0123 POLOutside -0.0123 POL',
  );
  await expectCells('Entries', 'Block', 'Not sealed yet', '7', '6');
  await expect
    .element(page.getByRole('link', { name: 'Next chair of the Harbour League' }))
    .toHaveAttribute('href', '/batches/39d519ea-f30d-430c-ae97-f8776c149f7f');
  await expect.element(page.getByText(/Wired on Friday stated by admin@example\.com/)).toBeVisible();
  await expectAccessible('the ledger');
});

test('shows the transaction that a deposit came by', async () => {
  const { data, count } = recorded(listLedger);
  const hash = `0x${'ab'.repeat(32)}`;
  server.answer(listLedger, {
    data: data.map((entry) => ({ ...entry, stated_by: null, reason: null, transaction_hash: hash })).slice(1, 2),
    count,
  });
  await open('/ledger');
  await expectCells('Entries', 'What', 'Transaction 0xabababab…');
});

test('keeps its filters in the address, and filters by whole days in UTC', async () => {
  const { address } = await open('/ledger');
  await page.getByLabelText('Kind').selectOptions('Settled');
  await page.getByLabelText('Account').selectOptions('Receivable');
  await typeInto(page.getByLabelText('Unit'), 'usd');
  await typeInto(page.getByLabelText('Batch ID'), 'part');
  await button('Apply').click();
  await expect.element(page.getByText('Enter the whole ID')).toBeVisible();
  await typeInto(page.getByLabelText('Batch ID'), '');
  await button('Apply').click();
  await expect.poll(address).toBe('/ledger?kind=settled&account=receivable&unit=usd');
  await open('/ledger?since=2026-11-20&until=2026-11-21');
  await expect
    .poll(() => server.askedFor(listLedger).at(-1)?.query)
    .toMatchObject({ since: '2026-11-20T00:00:00.000Z', until: '2026-11-22T00:00:00.000Z' });
});

test('shows what each account has, each figure with its entries, and that the venue has the same', async () => {
  const { address } = await open('/ledger');
  await expect.element(page.getByText('Dollars and shares equal to the venue')).toBeVisible();
  await expect.poll(() => figureIn(region('Balances'), 'Cash')).toBe('$812.440512');
  expect(figureIn(region('Balances'), 'Receivable')).toBe('-$3.79due to us less owed, not confirmed');
  expect(figureIn(region('Balances'), 'Gas (POL)')).toBe('0.0123 POLpaid to the chain');
  expect(figureIn(region('Balances'), 'Tokens Held')).toBe('9');
  await region('Balances').getByRole('link', { name: '-$3.79' }).click();
  await expect.poll(address).toBe('/ledger?account=receivable&unit=usd');
  await expect.poll(() => server.askedFor(listLedger).at(-1)?.query.account).toBe('receivable');
});

test('says of a coin that only its gas is booked, and that nothing of it is compared', async () => {
  const balances = recorded(readLedgerBalances);
  const pol = { account: 'cash' as const, unit: 'pol', amount: '-0.008316' };
  server.answer(readLedgerBalances, { ...balances, accounts: [...balances.accounts, pol] });
  await open('/ledger');
  await expect
    .poll(() => figureIn(region('Balances'), 'Cash (POL)'))
    .toBe('-0.008316 POLspent as gas; POL that came in is not booked, and not compared');
  await expect.element(page.getByText('Dollars and shares equal to the venue')).toBeVisible();
  await expectAccessible('a ledger with gas that was paid');
});

test('shows the cash of the venue with what the ledger had at that moment', async () => {
  const [check] = recorded(readLedgerBalances).checks;
  if (check === undefined) throw new Error('no comparison was recorded');
  server.answer(readLedgerBalances, {
    ...recorded(readLedgerBalances),
    checks: [{ ...check, venue_cash_usd: 10_000, ledger_cash_usd: 10_000 }],
  });
  await open('/ledger');
  await expect
    .poll(() => figureIn(region('Balances'), 'Cash at the Venue'))
    .toMatch(/^\$10,000\.00as of .*\d\d:\d\d:\d\d.*\$10,000\.00 by the ledger-\$9,187\.559488 booked since$/);
  // What has been booked since then is not in it.
  await expect.element(page.getByText('Dollars and shares were equal to the venue')).toBeVisible();
  expect(region('Balances').element().querySelector('[data-outdated]')?.textContent).toBe('$10,000.00');
});

test('alarms where the venue has something else, with what explains it', async () => {
  const balances = recorded(readLedgerBalances);
  const [check] = balances.checks;
  if (check === undefined) throw new Error('no comparison was recorded');
  const differing: (typeof check)[] = [
    {
      ...check,
      since: '2026-11-21T22:13:00.000Z',
      differences: [
        {
          unit: 'usd',
          market_name: null,
          amount: '-3.790000',
          explanation: 'It equals entry 3, which may not be settled.',
        },
        {
          unit: '7'.repeat(77),
          market_name: 'Mayor of Oriel',
          amount: '12.000000',
          explanation: 'Nothing explains it.',
        },
      ],
    },
  ];
  server.answer(readLedgerBalances, { ...balances, checks: differing });
  await open('/ledger');
  const alarm = page.getByRole('alert');
  await expect.element(alarm).toMatchTextContent(/-\$3\.79 at the venue\. It equals entry 3/);
  await expect.element(alarm).toMatchTextContent(/\+12 sh at the venue of Mayor of Oriel\. Nothing explains it\./);
  await expect.element(page.getByText('Differs from the venue')).toBeVisible();
  await expectAccessible('a ledger that differs from the venue');
});

test('names the venue of cash and of a difference where there are several', async () => {
  const balances = recorded(readLedgerBalances);
  const [check] = balances.checks;
  if (check === undefined) throw new Error('no comparison was recorded');
  const difference = { unit: 'usd', market_name: null, amount: '-1.000000', explanation: 'Kalshi has $1.00 less.' };
  server.answer(readLedgerBalances, {
    ...balances,
    accounts: [...balances.accounts, { account: 'cash@kalshi', unit: 'usd', amount: '40.000000' }],
    checks: [check, { ...check, venue: 'kalshi', venue_cash_usd: 39, ledger_cash_usd: 40, differences: [difference] }],
  });
  const { address } = await open('/ledger');
  await expect.element(page.getByText('Differs from the venue')).toBeVisible();
  await expect.poll(() => figureIn(region('Balances'), 'Cash at Polymarket')).toBe('$812.440512');
  expect(region('Balances').element().querySelector('[data-outdated]'), 'both are of now').toBeNull();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Kalshi has \$1\.00 less/);
  await expect
    .poll(() => figureIn(region('Balances'), 'Cash as Kalshi Says'))
    .toMatch(/^\$39\.00as of .*\$40\.00 by the ledger$/);
  await region('Balances').getByRole('link', { name: '$40.00' }).click();
  await expect.poll(address).toBe('/ledger?account=cash%40kalshi&unit=usd');
  await expect.poll(() => server.askedFor(listLedger).at(-1)?.query.account).toBe('cash@kalshi');
});

test('verifies the ledger, and says whether it is intact', async () => {
  server.answer(verifyLedger, { intact: true, blocks: 7, entries: 1234, head: 'ab'.repeat(32), broken_at: null });
  await open('/ledger');
  await button('Verify').click();
  await expect.element(page.getByText('The ledger is intact.')).toBeVisible();
  await expect.element(page.getByText('1,234 entries in 7 blocks')).toBeVisible();
  await expectAccessible('a ledger that is intact');
  server.answer(verifyLedger, { intact: false, blocks: 7, entries: 1234, head: null, broken_at: 5 });
  await button('Verify').click();
  await expect.element(page.getByText('The ledger is broken: block 5 is wrong or missing.')).toBeVisible();
});

test('exports the filtered entries as a statement, and the tax file with the chosen cost basis of a split', async () => {
  const saved: string[] = [];
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    void (file as Blob).text().then((text) => saved.push(text));
    return '#';
  });
  server.answer(exportLedger, () => new Response('statement', { headers: { 'content-type': 'text/csv' } }));
  server.answer(exportTax, () => new Response('tax', { headers: { 'content-type': 'text/csv' } }));
  await open('/ledger?kind=gas&since=2026-11-20');
  await button('Statement CSV').click();
  await expect.poll(() => saved).toEqual(['statement']);
  expect(server.askedFor(exportLedger)[0]?.query).toEqual({ kind: 'gas', since: '2026-11-20T00:00:00.000Z' });
  await page.getByLabelText('Cost of a split').selectOptions('Each outcome at the same');
  await button('Tax CSV').click();
  await expect.poll(() => saved).toEqual(['statement', 'tax']);
  expect(server.askedFor(exportTax)[0]?.query).toEqual({ since: '2026-11-20T00:00:00.000Z', split_basis: 'half' });
  create.mockRestore();
});

test('records a difference that a superuser states, and names the field that is wrong', async () => {
  server.answer(stateDifference, () => recorded(listLedger).data[1] ?? refusal(500, 'no entry'));
  await open('/ledger');
  await button('State a Difference').click();
  const form = dialog('State a Difference');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form.getByText('Input should be a number with at most six decimals')).toBeVisible();
  await expect.element(form.getByText('A reason is needed')).toBeVisible();
  await form.getByLabelText('Kind').selectOptions('Withdrawal');
  await typeInto(form.getByLabelText('Amount'), '25');
  await typeInto(form.getByLabelText('Reason'), 'To the bank');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form.getByText('A withdrawal is less than 0')).toBeVisible();
  await expectAccessible('stating a difference');
  await typeInto(form.getByLabelText('Amount'), '-25');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(toast('The entry was made.')).toBeVisible();
  expect(server.askedFor(stateDifference).map(({ body }) => body)).toEqual([
    { kind: 'withdrawal', unit: 'usd', amount: '-25', reason: 'To the bank' },
  ]);
  await expect.element(dialog('State a Difference')).not.toBeInTheDocument();
});

const unknownDollars = () => {
  const { data } = recorded(listLedger);
  const [, deposit = data[0]] = data;
  if (deposit === undefined) throw new Error('no entry was recorded');
  const lines = deposit.lines.map((line) =>
    line.account === 'cash' ? line : { ...line, account: 'unnamed' as const },
  );
  const sender = `0x57a4${'0'.repeat(36)}`;
  return { ...deposit, kind: 'unknown' as const, lines, sender, stated_by: null, reason: null };
};

test('has a superuser name dollars of unknown origin, once', async () => {
  const unknown = unknownDollars();
  server.answer(listLedger, { data: [unknown], count: 1 });
  server.answer(nameEntry, () => {
    const named = { ...unknown, id: 9, kind: 'reward' as const, names_entry_id: unknown.id, usd: 0, sender: null };
    server.answer(listLedger, { data: [named, { ...unknown, named_as: 'reward' }], count: 2 });
    return named;
  });
  await open('/ledger');
  await expectCells('Entries', 'Accounts', 'Cash +$500.00Unnamed -$500.00');
  await button('Name These Dollars').click();
  const form = dialog('Name $500.00');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form.getByText('A reason is needed')).toBeVisible();
  await form.getByLabelText('What they are').selectOptions('A reward of the venue');
  await typeInto(form.getByLabelText('Reason'), 'Announced on Friday');
  await expectAccessible('naming dollars');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(toast('The dollars were named.')).toBeVisible();
  expect(server.askedFor(nameEntry).map(({ body }) => body)).toEqual([
    { entry_id: unknown.id, kind: 'reward', reason: 'Announced on Friday' },
  ]);
  await expect.element(page.getByText('Named: Reward')).toBeVisible();
  await expect.element(button('Name These Dollars')).not.toBeInTheDocument();
});

test('lets only a superuser verify, state and name', async () => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: false });
  server.answer(listLedger, { data: [unknownDollars()], count: 1 });
  await open('/ledger');
  await expect.element(page.getByText('A superuser says what they are.')).toBeVisible();
  await expect.element(button('Name These Dollars')).not.toBeInTheDocument();
  await expect.element(button('Verify')).not.toBeInTheDocument();
  await expect.element(button('State a Difference')).not.toBeInTheDocument();
});

test('a new account has an empty ledger', async () => {
  server.answer(listLedger, { data: [], count: 0 });
  server.answer(readLedgerBalances, { accounts: [], tokens: 0, check: null, checks: [] });
  await open('/ledger');
  await expect.element(page.getByText('Nothing has moved yet.')).toBeVisible();
  await expect.element(page.getByText('Not compared with the venue yet')).toBeVisible();
  await expectAccessible('the ledger of a new account');
});

test('opens the batch of an entry by the keyboard', async () => {
  const { address } = await open('/ledger');
  await expectCells('Entries', 'Kind', 'Matched', 'Deposit', 'Gas');
  const row = page.getByRole('row', { name: /Matched/ }).element() as HTMLElement;
  row.focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toMatch(/^\/batches\/39d519ea/);
});
