import { expect, type Locator, type Page } from '@playwright/test';

/** What tells good from bad beside the words, in the light theme. */
export const RED = 'rgb(168, 30, 37)';
export const ORANGE = 'rgb(176, 70, 0)';

/** The toast that says `text`. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('alert').filter({ hasText: text });
}

/** The cell of `row` under the heading `column`. */
export function cell(row: Locator, column: string): Locator {
  return row.locator(`td[data-label="${column}"]`);
}

/** The value beside `name` among the figures or details of the panel `title`. */
export function figure(page: Page, title: string, name: string): Locator {
  return page
    .getByRole('region', { name: title, exact: true })
    .locator('dl > div', { has: page.getByRole('term').and(page.getByText(name, { exact: true })) })
    .getByRole('definition');
}

/** The rows of the table `label`, without its heading. */
export function rowsOf(page: Page, label: string): Locator {
  return page.getByRole('table', { name: label }).locator('tbody tr');
}

/** Every column of `sortedBy` sorts, by the name it has in the address of `path`; the default `unnamed` has none. */
export async function expectColumnsToSort(
  page: Page,
  path: string,
  sortedBy: readonly (readonly [string, string])[],
  unnamed = 'created_at',
) {
  for (const [name, sortBy] of sortedBy) {
    const header = page.getByRole('columnheader', { name, exact: true });
    await header.getByRole('button').click();
    await expect(page).toHaveURL(sortBy === unnamed ? path : new RegExp(`\\?sortBy=${sortBy}$`));
    await expect(header).toHaveAttribute('aria-sort', 'descending');
  }
}

/**
 * Waits for `shown` on a page that tries again before it shows that, after seconds that pass at once. Its clock has to be
 * installed.
 */
export async function expectAfterRetries(page: Page, shown: Locator) {
  await expect(async () => {
    await page.clock.fastForward(2_000);
    await expect(shown).toBeVisible({ timeout: 250 });
  }).toPass({ timeout: 15_000 });
}

/**
 * Watches for `path` of the API to be read again two seconds after `request` was answered, by the browser's clock; what it
 * answers waits for that.
 */
export function watchRefresh(page: Page, request: RegExp, path: string): () => Promise<void> {
  const answered = page.waitForResponse(request).then(async (response) => {
    await response.finished();
    const { startTime, responseEnd } = response.request().timing();
    return startTime + responseEnd;
  });
  const readsMs: number[] = [];
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname === `/api/v1${path}`) readsMs.push(request.timing().startTime);
  });
  return async () => {
    const answeredMs = await answered;
    await expect.poll(() => readsMs.some((atMs) => atMs - answeredMs > 1_900), `${path} is read again`).toBe(true);
  };
}
