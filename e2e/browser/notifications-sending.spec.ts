/** How notifications reach people: the channel on /settings, and what a page tells at once. Telegram is a server on loopback. */
import { disarmTrading } from '@dutchbook/contract/arming.ts';
import { testNotifications } from '@dutchbook/contract/notification-sending.ts';
import {
  openTelegramServer,
  TEST_TOKEN,
  type TelegramServer,
} from '@dutchbook/server/world/telegram-server.fixture.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './accessibility.ts';
import { test as deskTest } from './desk-test.ts';
import { addPerson, signInAs } from './people.ts';
import { batchWhen, placed, withoutAutomation } from './placed-batch.ts';
import { toast } from './screen.ts';
import { type StartedProduct, startOnServer } from './started-product.ts';

const test = deskTest.extend<object, { telegram: TelegramServer }>({
  telegram: [
    async ({ browser: _browser }, use) => {
      await using server = await openTelegramServer();
      await use(server);
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ telegram }, use) => {
      const product = await startOnServer({ TELEGRAM_API_ROOT: telegram.root });
      await product.exchange.pause();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test('a superuser sets the channel up, tries it, and never sees the token again', async ({
  page,
  product,
  telegram,
  browser,
}) => {
  await page.goto('/settings');
  const card = page.getByRole('region', { name: 'Notifications by Telegram' });
  const token = card.getByLabel('Bot token');
  const tryIt = card.getByRole('button', { name: 'Send Test Message' });
  await expect(tryIt).toBeDisabled();
  await token.fill('not a token');
  await card.getByLabel('Chat ID').fill('42');
  await card.getByRole('button', { name: 'Set Channel' }).click();
  await expect(
    card.getByText('Bot token may hold letters, digits, colons, hyphens and underscores only'),
  ).toBeVisible();
  await token.fill(TEST_TOKEN);
  await card.getByRole('button', { name: 'Set Channel' }).click();
  await expect(toast(page, 'Telegram channel updated successfully.')).toBeVisible();
  await expect(token).toHaveValue('');
  await expect(token).toHaveAttribute('placeholder', /^Stored/);

  await tryIt.click();
  await expect(card.getByRole('status')).toContainText('Sent');
  expect(telegram.delivered.map(({ chatId, text }) => [chatId, text.includes('to see whether')])).toEqual([
    ['42', true],
  ]);
  telegram.next({ code: 403, description: 'Forbidden: bot was blocked by the user' });
  await tryIt.click();
  await expect(card.getByRole('link', { name: 'Telegram: 403 Forbidden: bot was blocked by the user' })).toBeVisible();

  await card.getByLabel('Seconds between two messages about the same').fill('86401');
  await card.getByRole('button', { name: 'Set Pace' }).click();
  await expect(card.getByText('A whole number from 0 to 86400')).toBeVisible();
  await card.getByLabel('Seconds between two messages about the same').fill('5');
  await card.getByLabel('Send notifications').uncheck();
  await card.getByRole('button', { name: 'Set Pace' }).click();
  await expect(toast(page, 'Sending updated successfully.')).toBeVisible();
  await expect(tryIt).toBeDisabled();
  await expectToFollowAnotherTab(page, card);
  await page.reload();
  await expect(card.getByLabel('Send notifications')).not.toBeChecked();
  await expect(card.getByLabel('Chat ID')).toHaveValue('42');
  await expectAccessibleEverywhere(page, 'the channel');
  expect(await page.content()).not.toContain(TEST_TOKEN);
  expect(product.output()).not.toContain(TEST_TOKEN.split(':')[1]);

  const theirs = await browser.newContext();
  const ordinary = await theirs.newPage();
  await signInAs(ordinary, await addPerson(product));
  await ordinary.goto('/settings');
  await expect(ordinary.getByRole('tabpanel', { name: 'My profile' })).toBeVisible();
  await expect(ordinary.getByRole('region', { name: 'Notifications by Telegram' })).toHaveCount(0);
  await theirs.close();
});

/** What another tab saves comes into these forms, but for the field that is being typed into. */
async function expectToFollowAnotherTab(page: Page, card: Locator) {
  await card.getByLabel('Chat ID').fill('77');
  const otherTab = await page.context().newPage();
  await otherTab.goto('/settings');
  const elsewhere = otherTab.getByRole('region', { name: 'Notifications by Telegram' });
  await elsewhere.getByLabel('Send to this chat').uncheck();
  await elsewhere.getByRole('button', { name: 'Set Channel' }).click();
  await elsewhere.getByLabel('Seconds between two messages about the same').fill('7');
  await elsewhere.getByRole('button', { name: 'Set Pace' }).click();
  await expect(card.getByLabel('Seconds between two messages about the same')).toHaveValue('7');
  await expect(card.getByRole('button', { name: 'Set Pace' })).toBeDisabled();
  await expect(card.getByLabel('Send to this chat')).not.toBeChecked();
  await expect(card.getByLabel('Chat ID')).toHaveValue('77');
  await otherTab.close();
  await card.getByLabel('Chat ID').fill('42');
  await expect(card.getByRole('button', { name: 'Set Channel' })).toBeDisabled();
}

test('whoever is on any page is told at once of leg risk, and that somebody else has disarmed trading', async ({
  page,
  product,
  set,
}) => {
  const automate = await withoutAutomation(product);
  const other = await addPerson(product, { is_superuser: true });
  await openFollowed(page, product);
  await product.exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
  const running = await placed(product, set.opportunityId);
  await batchWhen(product, running, 'it is filled in part', ({ unhedged }) => unhedged !== null);
  await product.exchange.advanceClock(11_000);
  await expect(toast(page, 'Leg risk')).toContainText('A batch is unhedged');

  await other.caller.call(disarmTrading, {});
  await expect(toast(page, 'Kill switch')).toContainText(`Trading was disarmed by ${other.user.email}`);
  await automate();
});

/** Opens a page that has nothing to do with notifications, and waits until it hears of them. */
async function openFollowed(page: Page, product: StartedProduct): Promise<void> {
  let isHeard = false;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      isHeard ||= String(payload).includes('"topic":"notifications"');
    }),
  );
  await page.goto('/items');
  await expect
    .poll(async () => {
      await product.caller.call(testNotifications, { body: {} });
      return isHeard;
    })
    .toBe(true);
}
