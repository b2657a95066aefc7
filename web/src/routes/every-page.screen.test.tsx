/**
 * Every page, opened once, on a phone, a small desk and a wide one. `npm test` runs this file with React in development: the
 * warnings of each page are read.
 */
import { readBatch } from '@dutchbook/contract/batches.ts';
import { readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible, pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { answerEveryScreen } from '../testing/every-screen.ts';
import { button, cellsOf, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onDesk, onPhone, open } from '../testing/screen.tsx';

const OPPORTUNITY = recorded(readOpportunity).id;
const BATCH = recorded(readBatch).id;
const RELATION = recorded(readRelation).id;
const SUBMISSION = recorded(readChainSubmission).id;

/** With a text that axe waits for; where there is none, the test of that screen has axe look at the page. */
const PAGES: readonly (readonly [path: string, sign?: string])[] = [
  ['/', 'lost at worst by'],
  ['/arbitrage', '0.8720'],
  [`/arbitrage/${OPPORTUNITY}`, 'Blockers'],
  ['/batches', '3/3'],
  [`/batches/${BATCH}`, '12.00 / 12.00'],
  [`/batches/${BATCH}/orders`, '12.00 / 12.00'],
  ['/notifications', 'the profit has come up to'],
  ['/items', 'Watch item 6'],
  ['/settings', 'Full name'],
  ['/settings?tab=password'],
  ['/settings?tab=telegram', 'Send to this chat'],
  ['/settings?tab=appearance', 'Light Mode'],
  ['/admin', 'new@example.com'],
  ['/admin/system-settings'],
  ['/admin/sign-offs'],
  ['/discover'],
  [`/discover/${RELATION}`],
  ['/discover/census?why=mayoral'],
  ['/portfolio'],
  ['/submissions'],
  [`/submissions/${SUBMISSION}`],
  ['/approvals'],
  ['/report'],
  ['/report/batches'],
  ['/report/missed'],
  ['/ledger'],
  ['/no/such/page', 'Oops!'],
];

/** Has a column for each leg; its first one stays where it is. */
const SCROLLS = 'Worlds';

beforeEach(answerEveryScreen);

test.for(PAGES)(
  '%s fits a narrow window, scrolls no table sideways at 1024 pixels, and is accessible',
  async ([path, sign]) => {
    await page.viewport(320, 640);
    await openWhole(path);
    expect.soft(pixelsBeyondTheEdge(), 'pixels beyond the edge of 320').toBe(0);
    await page.viewport(1024, 800);
    await expect.poll(hiddenColumns, { message: 'hidden at 1024 pixels' }).toEqual([]);
    if (sign === undefined) return;
    await onDesk();
    await expect.element(page.getByText(sign).first()).toBeVisible();
    await expectAccessible(path);
  },
);

test('on a phone a card shows what matters of a row and a list its rows: the rest, and the filters, once they are opened', async () => {
  await onPhone();
  await openWhole('/batches');
  await expect.poll(() => cellsOf('Batch Orders', 'Actual Profit').length).toBeGreaterThan(0);
  expect(cellsOf('Batch Orders', 'Actual Profit').length).toBe(rowsOf('Batch Orders').length);
  expect(cellsOf('Batch Orders', 'Retries')).toEqual([]);
  await page.getByRole('button', { name: 'Show All' }).first().click();
  await expect.poll(() => cellsOf('Batch Orders', 'Retries').length).toBe(1);
  await button('Show Less').click();
  await expect.poll(() => cellsOf('Batch Orders', 'Retries').length).toBe(0);
  const field = page.getByLabelText('Retry Status', { exact: true });
  await expect.element(field).not.toBeInTheDocument();
  await button('Filters').click();
  await expect.element(field).toBeVisible();
});

async function openWhole(path: string): Promise<void> {
  await open(path);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const loads = () => document.querySelectorAll('[aria-busy=true], [role=status][aria-label=Loading]').length;
  await expect.poll(loads, { message: `${path} still loads` }).toBe(0);
}

/** The tables of which only a part can be seen without scrolling. */
function hiddenColumns() {
  return [...document.querySelectorAll('table')]
    .map(({ parentElement: frame, ariaLabel, caption }) => ({
      table: ariaLabel ?? caption?.textContent,
      pixels: frame === null ? 0 : frame.scrollWidth - frame.clientWidth,
    }))
    .filter(({ table, pixels }) => pixels > 0 && table !== SCROLLS);
}
