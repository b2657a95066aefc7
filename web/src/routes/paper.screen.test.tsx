/** Paper trading: no page of it can be taken for real money. */
import { transferOnPaper } from '@dutchbook/contract/ledger.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { answerEveryScreen } from '../testing/every-screen.ts';
import { button, dialog, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const mark = document.createElement('meta');
mark.name = 'paper-fills';
mark.content = 'latency';

beforeEach(() => {
  answerEveryScreen();
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue: 'paper', paper: { fills: 'latency' } });
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

test('says so before the login too', async () => {
  await open('/login', { signedIn: false });
  await expect.element(label()).toBeVisible();
  await expect.poll(() => document.title).toBe('PAPER · Log In · Dutchbook');
  await expectAccessible('the login of paper trading');
});
