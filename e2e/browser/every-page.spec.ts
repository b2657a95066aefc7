/** Every page as it is met: on a phone no longer than a thumb scrolls, with controls a finger hits; on all widths nothing moves. */
import { listBatches } from '@dutchbook/contract/batches.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { listRelations } from '@dutchbook/contract/relations.ts';
import { expect, type Page } from '@playwright/test';
import { eventually } from '../product/eventually.ts';
import { expectNoViolations, PHONE, WITH_TARGET_SIZE } from './accessibility.ts';
import { type OwnSet, test } from './browser.fixture.ts';
import { smallTargets, watchReads, watchShifts } from './every-page.ts';
import { atRest, bought, placed, withoutAutomation } from './placed-batch.ts';
import type { StartedProduct } from './started-product.ts';

/** Limits. */
const LENGTH_MAX_PX = 3_000;
const TARGET_MIN_PX = 44;
const SHIFT_MAX = 0.02;
/** As many as a list shows. */
const BATCHES = 10;
const QUIET_MS = 4_000;

const PAGES = [
  '/',
  '/arbitrage',
  '/batches',
  '/discover',
  '/discover/census',
  '/orders',
  '/portfolio',
  '/submissions',
  '/approvals',
  '/report',
  '/report?tab=execution',
  '/report?tab=missed',
  '/report/batches',
  '/report/missed',
  '/ledger',
  '/notifications',
  '/items',
  '/settings',
  '/settings?tab=password',
  '/settings?tab=second-factor',
  '/settings?tab=sessions',
  '/settings?tab=api-tokens',
  '/settings?tab=appearance',
  '/settings?tab=telegram',
  '/admin',
  '/admin?tab=audit',
  '/admin?tab=api-tokens',
  '/admin/system-settings',
  '/admin/sign-offs',
  '/admin/recordings',
  '/admin/rehearsals',
  '/admin/simulator',
  '/no/such/page',
];

/** All that is about one thing is no list of ten rows, and as long as the thing is large. */
const LONG = [/^\/admin\/system-settings/, /^\/approvals/, /^\/report\?/];

async function everyPage(product: StartedProduct, set: OwnSet): Promise<string[]> {
  const { id } = await bought(product, set);
  for (let count = 1; count < BATCHES; count += 1) await atRest(product, await placed(product, set.opportunityId));
  const { reply: notifications } = await product.caller.call(listNotifications, { query: { limit: 1 } });
  const { reply: relations } = await product.caller.call(listRelations, { query: { limit: 1 } });
  return [
    ...PAGES,
    `/arbitrage/${set.opportunityId}`,
    `/batches/${id}`,
    `/batches/${id}/orders`,
    ...notifications.data.map((notification) => `/notifications/${notification.id}`),
    ...relations.data.map((relation) => `/discover/${relation.id}`),
  ];
}

/** Opens a page and waits until nothing on it loads. */
async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true], [role=status][aria-label=Loading]')).toHaveCount(0);
}

const shiftOf = (page: Page) => page.evaluate(() => window.shifts);

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true });

  test('no page is longer than 3,000 pixels with ten rows, every control is 44 pixels for a finger, and nothing moves', async ({
    page,
    product,
    set,
  }) => {
    test.setTimeout(600_000);
    await page.addInitScript(watchShifts);
    for (const path of await everyPage(product, set)) {
      await openWhole(page, path);
      const shifts = await shiftOf(page);
      expect
        .soft(
          shifts.reduce((sum, { value }) => sum + value, 0),
          `${path} moves: ${JSON.stringify(shifts)}`,
        )
        .toBeLessThanOrEqual(SHIFT_MAX);
      const length = await page.evaluate(() => document.documentElement.scrollHeight);
      if (!LONG.some((long) => long.test(path)))
        expect.soft(length, `length of ${path}`).toBeLessThanOrEqual(LENGTH_MAX_PX);
      expect.soft(await page.evaluate(smallTargets, TARGET_MIN_PX), `small on ${path}`).toEqual([]);
      await expectNoViolations(page, `${path} on a phone`, WITH_TARGET_SIZE);
    }
  });
});

for (const width of [1024, 1440]) {
  test(`nothing moves on any page that is ${width} pixels wide, and each is accessible`, async ({
    page,
    product,
    set,
  }) => {
    test.setTimeout(600_000);
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(watchShifts);
    for (const path of await everyPage(product, set)) {
      await openWhole(page, path);
      const shifts = await shiftOf(page);
      expect
        .soft(
          shifts.reduce((sum, { value }) => sum + value, 0),
          `${path} moves: ${JSON.stringify(shifts)}`,
        )
        .toBeLessThanOrEqual(SHIFT_MAX);
      await expectNoViolations(page, `${path} at ${width}`, WITH_TARGET_SIZE);
    }
  });
}

test('no page asks for the same thing twice', async ({ page, product, set }) => {
  test.setTimeout(600_000);
  const automate = await withoutAutomation(product);
  const reads = watchReads(page);
  const paths = await everyPage(product, set);
  await quiet(product);
  for (const path of paths) {
    reads.forget();
    await openWhole(page, path);
    expect.soft(reads.twice(), `${path} reads twice`).toEqual([]);
  }
  await automate();
});

/** Waits until batches change no more, which has pages read again what is counted over them: their trades have to be final first. */
async function quiet({ caller }: StartedProduct): Promise<void> {
  const rows = async () => JSON.stringify((await caller.call(listBatches, { query: { limit: 100 } })).reply.data);
  await eventually('no batch changed for a while', async () => {
    const before = await rows();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    return (await rows()) === before ? true : null;
  });
}
