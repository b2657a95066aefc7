/** Paper trading: no page of it can be taken for real money. */
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { answerEveryScreen } from '../testing/every-screen.ts';
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

test('says so before the login too', async () => {
  await open('/login', { signedIn: false });
  await expect.element(label()).toBeVisible();
  await expect.poll(() => document.title).toBe('PAPER · Log In · Dutchbook');
  await expectAccessible('the login of paper trading');
});
