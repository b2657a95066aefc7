import type { Locator, Page } from '@playwright/test';

/** The toast that says `text`. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('alert').filter({ hasText: text });
}

/** The cell of `row` under the heading `column`. */
export function cell(row: Locator, column: string): Locator {
  return row.locator(`td[data-label="${column}"]`);
}

/** The value beside `name` among the figures or facts of the panel `title`. */
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
