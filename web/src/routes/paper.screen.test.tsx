/** Paper trading: no page of it can be taken for real money. */
import { beginStartOver, giveUpStartOver, listRuns } from '@dutchbook/contract/accounts/runs.ts';
import { transferOnPaper } from '@dutchbook/contract/ledger.ts';
import { readReport } from '@dutchbook/contract/report.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { answerEveryScreen } from '../testing/every-screen.ts';
import { button, dialog, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import type { Wire } from '../testing/server.ts';

const mark = document.createElement('meta');
mark.name = 'paper-fills';
mark.content = 'latency';

beforeEach(() => {
  answerEveryScreen();
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue: 'paper', paper: { fills: 'latency' } });
  server.answer(listRuns, { runs: RUNS.slice(1), start_over: null });
  document.head.append(mark);
});
afterEach(() => mark.remove());

const label = () => page.getByText('PAPER · fills by latency', { exact: true });

test('has a frame with the fill model and says PAPER in the title', async () => {
  await open('/report');
  await expect.element(label()).toBeVisible();
  await expect.poll(() => document.title).toMatch(/^(\(\d+\) )?PAPER · Report · Dutchbook$/);
  await expect.element(page.getByText('Paper: Polymarket, latency fills')).toBeVisible();
  await expectAccessible('the report of paper trading');
});

test('has a superuser deposit into its account, and says what is no amount', async () => {
  server.answer(transferOnPaper, { message: 'The dollars are on their way in' });
  await open('/ledger');
  await button('Deposit or Withdraw').click();
  const form = dialog('Deposit or Withdraw');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form.getByText('Amount must be a number')).toBeVisible();
  await expectAccessible('depositing on paper');
  await typeInto(form.getByLabelText('Amount'), '250.5');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(server.askedFor(transferOnPaper).map(({ body }) => body)).toEqual([{ kind: 'deposit', usd: 250.5 }]);
});

test('has a superuser choose the venue where several are on paper', async () => {
  const status = {
    ...recorded(readSystemStatus),
    venue: 'paper_several' as const,
    paper: { fills: 'latency' as const },
  };
  server.answer(readSystemStatus, status);
  server.answer(transferOnPaper, { message: 'The dollars are on their way out' });
  await open('/ledger');
  await expect.element(button('Start Over')).toBeVisible();
  await button('Deposit or Withdraw').click();
  const form = dialog('Deposit or Withdraw');
  await form.getByLabelText('Venue').selectOptions('Kalshi');
  await form.getByLabelText('Kind').selectOptions('Withdrawal');
  await typeInto(form.getByLabelText('Amount'), '20');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form).not.toBeInTheDocument();
  const sent = { kind: 'withdrawal', usd: 20, venue: 'kalshi' };
  expect(server.askedFor(transferOnPaper).map(({ body }) => body)).toEqual([sent]);
});

const RUNS: Wire<typeof listRuns>['runs'] = [
  { number: 2, began_at: '2026-11-20T10:00:00Z', ended_at: null },
  { number: 1, began_at: null, ended_at: '2026-11-20T10:00:00Z' },
];
const STARTED: Wire<typeof beginStartOver> = {
  ...{
    id: 'c0ffee00-0000-4000-8000-00000000000a',
    status: 'recorded',
    reason: null,
    may_be_given_up: true,
    cash_usd: 500,
  },
  ...{ requested_by: 'boss@example.com', created_at: '2026-11-29T10:00:00Z', ended_at: null },
};

test('has a superuser start over with the cash that is chosen, and says how far it is', async () => {
  let last: Wire<typeof listRuns>['start_over'] = null;
  server.answer(listRuns, () => ({ runs: RUNS.slice(1), start_over: last }));
  server.answer(beginStartOver, () => {
    last = { ...STARTED, reason: 'The last trades are not a minute old.' };
    return STARTED;
  });
  await open('/ledger');
  await button('Start Over').click();
  const form = dialog('Start Over');
  await typeInto(form.getByLabelText('Cash of the New Run'), '');
  await form.getByRole('button', { name: 'Start Over' }).click();
  await expect.element(form.getByText('Cash must be a number')).toBeVisible();
  await expectAccessible('starting over on paper');
  await typeInto(form.getByLabelText('Cash of the New Run'), '500');
  await form.getByRole('button', { name: 'Start Over' }).click();
  await expect.element(form).not.toBeInTheDocument();
  await expect
    .element(page.getByText('Starting over with $500.00: The last trades are not a minute old. It is asked again'))
    .toBeVisible();
  expect(server.askedFor(beginStartOver).map(({ body }) => body)).toEqual([{ cash_usd: 500, id: expect.any(String) }]);
});

test('says which venue refuses to start over and why, and has a superuser give it up while no venue has ended the run', async () => {
  const books = 'Kalshi: the books of 2 markets that are held are out of reach at the real venue.';
  let last: Wire<typeof giveUpStartOver> = { ...STARTED, reason: books };
  server.answer(listRuns, () => ({ runs: RUNS.slice(1), start_over: last }));
  server.answer(giveUpStartOver, () => {
    last = { ...last, status: 'rejected', reason: 'boss@example.com gave it up.', may_be_given_up: false };
    return last;
  });
  await open('/ledger');
  await expect
    .element(page.getByText(`Starting over with $500.00: ${books} It is asked again every two seconds.`))
    .toBeVisible();
  await button('Give Up').click();
  const asked = dialog('Give Up Starting Over');
  await expectAccessible('giving up starting over');
  await asked.getByRole('button', { name: 'Give Up' }).click();
  await expect.element(asked).not.toBeInTheDocument();
  const gone = 'was given up, and nothing was closed: boss@example.com gave it up.';
  await expect.element(page.getByText(`Starting over with $500.00 ${gone}`)).toBeVisible();
  await expect.element(button('Give Up')).not.toBeInTheDocument();
  expect(server.askedFor(giveUpStartOver).map(({ body }) => body)).toEqual([{ id: STARTED.id }]);
});

test('the report is about the present run, or the one that is chosen', async () => {
  server.answer(listRuns, { runs: RUNS, start_over: null });
  await open('/report');
  await expect.element(page.getByLabelText('Run', { exact: true })).toHaveValue('');
  expect(server.askedFor(readReport).at(-1)?.query).not.toHaveProperty('run');
  await open('/report?run=1');
  await expect.element(page.getByLabelText('Run', { exact: true })).toHaveDisplayValue('Run 1, to 2026-11-20');
  await expect.poll(() => server.askedFor(readReport).at(-1)?.query).toMatchObject({ run: '1' });
});

test('says so before the login too', async () => {
  await open('/login', { signedIn: false });
  await expect.element(label()).toBeVisible();
  await expect.poll(() => document.title).toBe('PAPER · Log In · Dutchbook');
  await expectAccessible('the login of paper trading');
});
