/** Signs in by hand, like a user who opens the product for the first time. */
import { expect, type Page } from '@playwright/test';
import type { StartedProduct } from './started-product.ts';

export async function signIn(page: Page, { url, credentials }: StartedProduct): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Email').fill(credentials.username);
  await page.getByLabel('Password', { exact: true }).fill(credentials.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('heading', { name: `Hi, ${credentials.username}` })).toBeVisible();
}
