/** What two people decide together, each in a browser of their own: one asks, the other one signs it off. */
import { readSecuritySettings, writeSecuritySettings } from '@dutchbook/contract/security-settings.ts';
import { approveSignOff, listSignOffs } from '@dutchbook/contract/sign-offs.ts';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Caller } from '../product/product.ts';
import { leavePages, test } from './browser.fixture.ts';
import { addPerson, type Person, signInAs } from './people.ts';
import { rowsOf } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

const OFF = { sign_off_for_arming: false, sign_off_for_limits: false, sign_off_above_usd: null };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const waiting = (page: Page) => page.getByRole('list', { name: 'Open sign-offs' }).getByRole('listitem');
const newest = (page: Page) => rowsOf(page, 'Sign-offs').first();

/** A second superuser with a browser of their own; no sign-off is asked for any more once they leave. */
async function second(
  browser: Browser,
  product: StartedProduct,
): Promise<{ page: Page; person: Person } & AsyncDisposable> {
  const person = await addPerson(product, { is_superuser: true });
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, baseURL: product.url });
  const page = await context.newPage();
  await signInAs(page, person);
  return {
    page,
    person,
    async [Symbol.asyncDispose]() {
      await switchOff(product.caller, person.caller);
      await leavePages(context);
      await context.close();
    },
  };
}

/** Takes two as well. */
async function switchOff(asks: Caller, approves: Caller): Promise<void> {
  const { status } = await asks.call(writeSecuritySettings, { body: OFF });
  if (status === 409) {
    const { reply } = await asks.call(listSignOffs, { query: { skip: 0, limit: 1, state: 'open' } });
    const [newestOpen] = reply?.data ?? [];
    const approved = newestOpen && (await approves.call(approveSignOff, { params: { sign_off_id: newestOpen.id } }));
    expect([newestOpen?.summary, approved?.status, approved?.detail]).toEqual([expect.any(String), 200, '']);
  }
  expect((await asks.call(readSecuritySettings, {})).reply).toMatchObject(OFF);
}

async function haveSignedOff(page: Page, ...switches: string[]): Promise<void> {
  await page.goto('/admin/system-settings');
  for (const name of switches) await page.getByRole('switch', { name }).click();
  await button(page, 'Save').click();
  await expect(page.getByText('Security settings updated successfully.')).toBeVisible();
}

test('trading is armed when another superuser approves it, who sees it on whichever page they are', {
  tag: '@journey',
}, async ({ page, product, browser, mayBeRefused }) => {
  mayBeRefused(409);
  await using other = await second(browser, product);
  const { page: theirs, person } = other;
  await haveSignedOff(page, 'Sign-off of arming');
  await theirs.goto('/items');
  await button(page, 'Disarm').click();
  await button(page, 'Arm').click();
  await page.getByLabel('Type ARM to confirm').fill('ARM');
  await page.getByRole('dialog').getByRole('button', { name: 'Arm Trading' }).click();
  await expect(page.getByText(/Asked a second person to sign this off: Arm trading/)).toBeVisible();
  await button(page, 'Open it').click();
  // One at each venue.
  const another = /Another superuser has to approve it/;
  await expect(waiting(page)).toHaveText([another, another]);
  await expect(button(page, 'Approve')).toHaveCount(0);

  await expect(
    theirs
      .getByRole('alert')
      .filter({ hasText: /asks a second person to sign off/ })
      .first(),
  ).toBeVisible();
  await theirs.getByRole('link', { name: '2 waiting for a sign-off' }).click();
  await expect(waiting(theirs)).toHaveText([/Arm trading/, /Arm trading/]);
  await expect(theirs.getByText('Trading disarmed')).toBeVisible();
  await button(theirs, 'Approve').first().click();
  await expect(waiting(theirs)).toHaveCount(1);
  await button(theirs, 'Approve').click();
  for (const each of [page, theirs]) {
    await expect(each.getByText('Armed', { exact: true })).toBeVisible();
    await expect(each.getByText('Nothing waits for a second person.')).toBeVisible();
    await expect(newest(each)).toHaveText(new RegExp(`Approved.*${person.user.email}.*Trading is armed\\.`));
  }
});

test('a limit is raised when another superuser approves it, and stays when they reject it', async ({
  page,
  product,
  browser,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  await using other = await second(browser, product);
  const { page: theirs } = other;
  const limits = page.getByRole('region', { name: 'Limits at Polymarket' });
  const perDay = limits.getByRole('textbox', { name: 'Limit per day' });
  const setPerDay = async (dollars: string) => {
    await perDay.fill(dollars);
    await button(page, 'Save').click();
  };
  await haveSignedOff(page, 'Sign-off of raised limits');
  await setPerDay('900000');
  await expect(page.getByText('Limits at Polymarket updated successfully.')).toBeVisible();
  await setPerDay('950000');
  await expect(page.getByText(/Raise the limit per day from \$900,000\.00 to \$950,000\.00\./)).toBeVisible();
  await expect(perDay).toHaveValue('900000');
  await theirs.goto('/admin/sign-offs');
  await button(theirs, 'Reject').click();
  await theirs.getByRole('textbox', { name: 'Reason' }).fill('Not before the talk');
  await theirs.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await expect(newest(theirs)).toHaveText(/Rejected.*Not before the talk/);

  await setPerDay('950000');
  await button(theirs, 'Approve').click();
  await expect(newest(theirs)).toHaveText(/Approved.*The limits are set\./);
  await page.reload();
  await expect(perDay).toHaveValue('950000');
  await perDay.fill('');
  await button(page, 'Save').click();
  await button(theirs, 'Approve').click();
  await expect(newest(theirs)).toHaveText(/remove the limit per day/i);
  await expect(newest(theirs)).toHaveText(/Approved.*The limits are set\./);
});

test('an order above the dollars is placed when another superuser approves it', async ({
  page,
  product,
  set,
  browser,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  await using other = await second(browser, product);
  const { page: theirs } = other;
  await product.caller.call(writeSecuritySettings, { body: { sign_off_above_usd: 2 } });
  await page.goto(`/arbitrage/${set.opportunityId}`);
  await button(page, 'Place Order').click();
  const ticket = page.getByRole('dialog', { name: 'Place Order' });
  await expect(ticket.getByText(/and needs a second person above \$2\.00/)).toBeVisible();
  await ticket.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(page.getByText(/^Asked a second person to sign this off: Buy \d+ sets of/)).toBeVisible();
  await expect(ticket).toHaveCount(0);
  await theirs.goto('/admin/sign-offs');
  await button(theirs, 'Approve').click();
  await theirs.getByRole('link', { name: 'The batch is placed.' }).click();
  await expect(theirs.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expect(rowsOf(theirs, 'Orders')).toHaveCount(3);
});
