/** What the pages before the login have in common. */
import { expect, type Locator, type Page } from '@playwright/test';

/** The field that carries `label` as its whole name, which is also what stands in it while it is empty. */
export function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true }).and(page.getByPlaceholder(label, { exact: true }));
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

export async function logIn(page: Page, { username, password }: { username: string; password: string }) {
  await field(page, 'Email').fill(username);
  await field(page, 'Password').fill(password);
  await button(page, 'Log In').click();
}

export async function storedToken(page: Page): Promise<string | undefined> {
  const { origins } = await page.context().storageState();
  return origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'access_token')?.value;
}

export async function expectLoggedOut(page: Page) {
  await expect(page).toHaveURL('/login');
  await expect(button(page, 'Log In')).toBeVisible();
  expect(await storedToken(page)).toBeUndefined();
}
