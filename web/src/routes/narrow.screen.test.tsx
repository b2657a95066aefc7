/** Every page in the narrowest window. `npm test` runs this file with React in development: the warnings of each page are read. */
import { readBatch } from '@dutchbook/contract/batches.ts';
import { readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { answerEveryScreen } from '../testing/every-screen.ts';
import { recorded } from '../testing/recorded.ts';
import { open } from '../testing/screen.tsx';

const OPPORTUNITY = recorded(readOpportunity).id;
const BATCH = recorded(readBatch).id;
const RELATION = recorded(readRelation).id;
const SUBMISSION = recorded(readChainSubmission).id;

const PATHS = [
  '/',
  '/arbitrage',
  `/arbitrage/${OPPORTUNITY}`,
  '/batches',
  `/batches/${BATCH}`,
  `/batches/${BATCH}/orders`,
  '/notifications',
  '/items',
  '/settings',
  '/settings?tab=password',
  '/admin',
  '/admin/system-settings',
  '/admin/sign-offs',
  '/discover',
  `/discover/${RELATION}`,
  '/discover/census?why=mayoral',
  '/portfolio',
  '/submissions',
  `/submissions/${SUBMISSION}`,
  '/approvals',
  '/report',
  '/report/batches',
  '/report/missed',
  '/ledger',
  '/no/such/page',
];

beforeEach(answerEveryScreen);

async function openWhole(path: string): Promise<void> {
  await open(path);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const loads = () => document.querySelectorAll('[aria-busy=true], [role=status][aria-label=Loading]').length;
  await expect.poll(loads, { message: `${path} still loads` }).toBe(0);
}

test('nothing stands beyond the edge of a window of 320 pixels', async () => {
  await page.viewport(320, 640);
  for (const path of PATHS) {
    await openWhole(path);
    expect.soft(pixelsBeyondTheEdge(), path).toBe(0);
  }
});

/** Has a column for each leg; its first one stays where it is. */
const SCROLLS = 'Worlds';

test('no table has to be scrolled sideways in a window of 1024 pixels', async () => {
  await page.viewport(1024, 800);
  for (const path of PATHS) {
    await openWhole(path);
    const hidden = [...document.querySelectorAll('table')].map(({ parentElement: frame, ariaLabel, caption }) => ({
      table: ariaLabel ?? caption?.textContent,
      pixels: frame === null ? 0 : frame.scrollWidth - frame.clientWidth,
    }));
    expect
      .soft(
        hidden.filter(({ table, pixels }) => pixels > 0 && table !== SCROLLS),
        path,
      )
      .toEqual([]);
  }
});
