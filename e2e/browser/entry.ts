/** What the pages before the login have in common. */
import { expect, type Locator, type Page } from '@playwright/test';

/** The field that carries `label` as its whole name, which is also what stands in it while it is empty. */
export function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true }).and(page.getByPlaceholder(label, { exact: true }));
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Leaving the field with `typed` in it says `problem`, once on the page. */
export async function expectProblem(page: Page, label: string, typed: string, problem: string) {
  await field(page, label).fill(typed);
  await field(page, label).blur();
  await expect(page.getByText(problem, { exact: true }), `${label}: ${typed}`).toHaveCount(1);
}

export async function expectNoProblem(page: Page, label: string, typed: string) {
  await field(page, label).fill(typed);
  await field(page, label).blur();
  await expect(field(page, label)).not.toHaveAttribute('aria-invalid', 'true');
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
