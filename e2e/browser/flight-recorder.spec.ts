import { deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import { test } from './browser.fixture.ts';
import { bought, withoutAutomation } from './placed-batch.ts';

const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' });
const momentInAddress = (page: Page) => new URL(page.url()).searchParams.get('at');
const books = (page: Page) => page.getByRole('article', { name: /, then$/ });

test('the books of the past are looked at: around a batch, and of its opportunity at the moment it was decided', async ({
  page,
  product,
  set,
}) => {
  test.slow();
  const automate = await withoutAutomation(product);
  const batch = await bought(product, set);

  await page.goto(`/batches/${batch.id}`);
  await page.getByRole('heading', { name: 'Books Then' }).scrollIntoViewIfNeeded();
  await expect(slider(page)).toBeVisible({ timeout: 60_000 });
  await expect(books(page)).toHaveCount(3);
  await expect(books(page).first()).toContainText('0.25');
  const events = page.getByRole('list', { name: 'Events' });
  await expect(events.getByRole('button', { name: /Decided/ })).toHaveAttribute('aria-current', 'step');
  await events
    .getByRole('button', { name: /Filled/ })
    .first()
    .click();
  const filled = Number(await slider(page).inputValue());
  await slider(page).press('PageDown');
  expect(Number(await slider(page).inputValue())).toBeLessThan(filled);
  await slider(page).press('End');
  await expect(books(page).first()).toContainText(/Live|Verified/);

  const at = batch.created_at;
  await page.goto(`/arbitrage/${set.opportunityId}?at=${new Date(at).toISOString()}`);
  const past = page.getByRole('region', { name: 'Look Back' });
  await expect(slider(page)).toBeVisible();
  await expect(past).toBeInViewport();
  expect(Number(await slider(page).inputValue())).toBe(at);
  await expect(past.getByText('Price of a Set')).toBeVisible();
  await expect(past).toContainText('0.7500');
  await expect(books(page)).toHaveCount(3);
  await past.getByRole('button', { name: 'Earlier' }).click();
  await expect.poll(() => momentInAddress(page)).toBe(new Date(at - 120_000).toISOString());
  await page.goBack();
  await expect.poll(() => momentInAddress(page)).toBe(new Date(at).toISOString());

  await product.caller.call(deleteOpportunity, { params: { opportunity_id: set.opportunityId } });
  await automate();
});
