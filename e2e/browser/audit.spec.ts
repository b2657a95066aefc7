import { readFile } from 'node:fs/promises';
import { verifyAuditLog } from '@dutchbook/contract/audit.ts';
import { createUser, updateUser } from '@dutchbook/contract/users.ts';
import { expect, type Page } from '@playwright/test';
import { test } from './browser.fixture.ts';
import { addPerson } from './people.ts';
import { cell, rowsOf } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

const entries = (page: Page) => rowsOf(page, 'Audit Log');

/** A superuser who has logged in, added `count` users and renamed the last of them: `count + 2` entries of their own. */
async function busySuperuser(product: StartedProduct, count: number) {
  const { caller, user } = await addPerson(product, { is_superuser: true });
  let last = user;
  for (let index = 0; index < count; index += 1) {
    const email = `made-${index}-by-${user.email}`;
    last = (await caller.call(createUser, { body: { email, password: 'a long enough password' } })).reply;
  }
  await caller.call(updateUser, { params: { user_id: last.id }, body: { full_name: 'Renamed' } });
  return { actor: user.email, last };
}

test('shows who did what to what, newest first, ten a page, narrowed in the address', async ({ page, product }) => {
  const { actor, last } = await busySuperuser(product, 10);
  await page.goto('/admin');
  await page.getByRole('tab', { name: 'Audit Log' }).click();
  await expect(page).toHaveURL('/admin?tab=audit');
  await expect(page.getByRole('tabpanel', { name: 'Audit Log' })).toBeVisible();
  await page.getByLabel('Who').fill(actor);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/tab=audit&actor=/);
  await expect(page.getByText('1–10 of 12')).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText(['When', 'Who', 'From', 'What', 'On what', 'Change']);
  await expect(cell(entries(page), 'Who')).toHaveText(Array(10).fill(actor));
  await expect(cell(entries(page), 'What')).toHaveText(['Changed a user', ...Array(9).fill('Added a user')]);
  const newest = entries(page).first();
  await expect(cell(newest, 'From')).toHaveText('127.0.0.1');
  await expect(cell(newest, 'When').getByRole('time')).toHaveAttribute('title', /\d{4}.*:\d\d:\d\d/);
  await expect(cell(newest, 'On what').getByRole('button')).toHaveAttribute('title', /^Copy \S+$/);
  await expect(newest.getByText('Renamed')).toBeHidden();
  await newest.locator('summary').click();
  await expect(newest.locator('del')).toHaveText('empty');
  await expect(newest.locator('ins')).toHaveText('Renamed');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(cell(entries(page), 'What')).toHaveText(['Added a user', 'Logged in']);

  await page.getByLabel('What', { exact: true }).selectOption('Added a user');
  const object = ((await cell(entries(page).first(), 'On what').getByRole('button').getAttribute('title')) ?? '').slice(
    5,
  );
  await page.getByLabel('On what').fill(object);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  await expect(page.getByLabel('On what')).toHaveValue(object);
  expect(object).not.toBe(last.email);
});

test('narrows by days of the reader’s calendar, says when there is nothing, and shows what it has no words for', async ({
  page,
  product,
}) => {
  const { actor } = await busySuperuser(product, 1);
  const day = (daysAhead: number) => new Date(Date.now() + daysAhead * 86_400_000).toLocaleDateString('sv');
  await page.goto(`/admin?tab=audit&actor=${actor}&from=${day(-1)}&until=${day(1)}`);
  await expect(entries(page)).toHaveCount(3);
  await page.getByLabel('Until day').fill(day(-2));
  await page.getByLabel('From day').fill('');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('No entries found.')).toBeVisible();
  await page.getByRole('button', { name: 'Show All' }).click();
  await expect(page).toHaveURL('/admin?tab=audit');
  await expect(entries(page).first()).toBeVisible();
  await page.route('**/api/v1/audit-log/?*', async (route) => {
    const response = await route.fetch();
    const { data, count } = await response.json();
    await route.fulfill({ response, json: { data: [{ ...data[0], action: 'cow.jumped' }, ...data.slice(1)], count } });
  });
  await page.goto('/admin?tab=audit&action=cow.jumped&from=2026-02-31&page=x');
  await expect(cell(entries(page).first(), 'What')).toHaveText('cow.jumped');
});

test('downloads what matches, with no token in the address, and verifies the chain', async ({
  page,
  context,
  product,
}) => {
  const { actor } = await busySuperuser(product, 1);
  await page.goto(`/admin?tab=audit&actor=${actor}&action=user.changed`);
  await expect(entries(page)).toHaveCount(1);
  const asked = page.waitForRequest(/audit-log\/export/);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await asked).headers().authorization).toMatch(/^Bearer /);
  expect((await asked).url()).not.toContain(product.caller.token);
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(/^audit_log_\d{4}-\d\d-\d\d\.jsonl$/);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ actor, action: 'user.changed' }]);

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('The log is intact.')).toBeVisible();
  const { reply } = await product.caller.call(verifyAuditLog);
  await expect(page.getByText(`${reply.entries.toLocaleString('en-US')} entries`)).toBeVisible();
  await page.getByTitle(`Copy ${reply.head}`).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(reply.head);

  await page.route('**/audit-log/verify', (route) =>
    route.fulfill({ json: { intact: false, entries: 20, head: 'cut off', broken_at: 17 } }),
  );
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('The log is broken: entry 17 is wrong or missing.')).toBeVisible();
});
