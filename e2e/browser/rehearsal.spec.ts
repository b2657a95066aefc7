import { readSystemSettings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { expect, type Page } from '@playwright/test';
import { eventually } from '../product/eventually.ts';
import { type OwnSet, test } from './browser.fixture.ts';
import { withoutAutomation } from './placed-batch.ts';
import { cell, rowsOf, toast } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

const RISES = 3;
/** What is recorded of books and decisions is on the disk within this time. */
const ON_DISK_MS = 4000;

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Rehearse' });

/** The first position becomes too dear for the set to pay, and cheap again, so often. */
async function risesAgain({ exchange }: StartedProduct, { tokenIds: [first = ''] }: OwnSet): Promise<void> {
  const bids = [{ price: '0.2', size: '500' }];
  for (let rise = 0; rise < RISES; rise += 1)
    for (const price of ['0.9', '0.25']) {
      await exchange.setBook(first, bids, [{ price, size: '500' }]);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
}

/** Done when: a setting is changed and rehearsed, the difference read, one of its moments opened, and it is saved, or not. */
test('tries a setting on what was recorded before it is saved', async ({ page, product, set, context }) => {
  const automationAgain = await withoutAutomation(product);
  await risesAgain(product, set);
  await new Promise((resolve) => setTimeout(resolve, ON_DISK_MS));
  await page.goto('/admin/system-settings');
  const threshold = page.getByLabel('MIN_PROFIT_TRIGGER_THRESHOLD', { exact: true });
  const rehearse = page.getByRole('button', { name: 'Rehearse', exact: true });
  await expect(rehearse.first()).toBeDisabled();
  await threshold.fill('90');
  await rehearse.first().click();
  await dialog(page).getByLabel('Span').selectOption('The last 10 minutes');
  await dialog(page).getByRole('button', { name: 'Start Rehearsal' }).click();
  await expect(
    dialog(page).getByText(/^0 triggers instead of [1-9]\d*, .* as far as this time is known\.$/),
  ).toBeVisible({ timeout: 60_000 });
  await expect(dialog(page).getByRole('list', { name: 'Unknown' })).toContainText(/Unknown .* to .*: /);

  const differing = rowsOf(page, 'Differences').filter({
    has: page.locator(`a[href^="/arbitrage/${set.opportunityId}"]`),
  });
  await expect(cell(differing, 'Triggers')).toHaveText(/^from [1-9]\d* to 0$/);
  const opened = context.waitForEvent('page');
  await cell(differing, 'Moments').getByRole('link').last().click();
  const moment = await opened;
  await expect(moment).toHaveURL(new RegExp(`/arbitrage/${set.opportunityId}\\?at=`));
  await expect(moment.getByRole('region', { name: 'Look Back' })).toContainText('0.2500');
  await moment.close();

  const { reply: kept } = await product.caller.call(readSystemSettings);
  expect(kept.MIN_PROFIT_TRIGGER_THRESHOLD).not.toBe(90);
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, 'System settings updated successfully.')).toBeVisible();
  await eventually('the setting is saved', async () => {
    const { reply } = await product.caller.call(readSystemSettings);
    return reply.MIN_PROFIT_TRIGGER_THRESHOLD === 90 ? true : null;
  });

  await page.goto('/admin/rehearsals');
  const [row] = [rowsOf(page, 'Rehearsals').first()];
  await expect(cell(row, 'Changes')).toContainText('Profit that triggers 90');
  await row.click();
  await page.getByLabel(/^Compare Profit that triggers/).check();
  await expect(page.getByRole('region', { name: 'Result' }).getByText(/^0 triggers instead of/)).toBeVisible();
  await product.caller.call(writeSystemSettings, { body: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 } });
  await automationAgain();
});
