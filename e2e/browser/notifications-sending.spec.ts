/** How notifications reach people: the channel on /settings, and what a page tells at once. Telegram is a server on loopback. */
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { createItem } from '@dutchbook/contract/items.ts';
import { switchSending, testNotifications, writeTelegram } from '@dutchbook/contract/notification-sending.ts';
import {
  openTelegramServer,
  TEST_TOKEN,
  type TelegramServer,
} from '@dutchbook/server/platform/telegram/telegram-server.fixture.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessibleEverywhere, PHONE } from './accessibility.ts';
import { test as deskTest } from './browser.fixture.ts';
import { addPerson, signInAs } from './people.ts';
import { batchWhen, placed, withoutAutomation } from './placed-batch.ts';
import { figure, toast } from './screen.ts';
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
  await page.goto('/settings?tab=telegram');
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
  await card.getByLabel('User IDs that may mute').fill('7, ada');
  await card.getByRole('button', { name: 'Set Channel' }).click();
  await expect(card.getByText('User IDs must be whole numbers above 0, 50 at most')).toBeVisible();
  await card.getByLabel('User IDs that may mute').fill('7, 8');
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
  await expect(card.getByLabel('User IDs that may mute')).toHaveValue('7, 8');
  await expectAccessibleEverywhere(page, 'the channel');
  expect(await page.content()).not.toContain(TEST_TOKEN);
  expect(product.output()).not.toContain(TEST_TOKEN.split(':')[1]);

  const theirs = await browser.newContext();
  const ordinary = await theirs.newPage();
  await signInAs(ordinary, await addPerson(product));
  await ordinary.goto('/settings?tab=telegram');
  await expect(ordinary.getByRole('tabpanel', { name: 'My profile' })).toBeVisible();
  await expect(ordinary.getByRole('region', { name: 'Notifications by Telegram' })).toHaveCount(0);
  await theirs.close();
});

/** What another tab saves comes into these forms, but for the field that is being typed into. */
async function expectToFollowAnotherTab(page: Page, card: Locator) {
  await card.getByLabel('Chat ID').fill('77');
  const otherTab = await page.context().newPage();
  await otherTab.goto('/settings?tab=telegram');
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

test('a user on any page sees leg risk at once, and that another user has disarmed trading', {
  tag: '@journey',
}, async ({ page, product, set }) => {
  const automate = await withoutAutomation(product);
  const other = await addPerson(product, { is_superuser: true });
  await openFollowed(page, product);
  await product.exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
  const running = await placed(product, set.opportunityId);
  await batchWhen(product, running, 'it is filled in part', ({ unhedged }) => unhedged !== null);
  await product.exchange.advanceClock(11_000);
  await expect(toast(page, 'Leg risk')).toContainText('a batch is unhedged');

  await other.caller.call(disarmTrading, { query: {} });
  // At both venues.
  await expect(toast(page, 'Kill switch').first()).toContainText(`disarmed by ${other.user.email}`);
  await automate();
});

test('a toast does not cover the top bar, an open menu, or what lies beneath', async ({ page, product }) => {
  const other = await addPerson(product, { is_superuser: true });
  const reported = toast(page, 'Kill switch');
  const close = reported.getByRole('button', { name: 'Close' });
  const tellOfDisarming = async () => {
    await product.caller.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
    await other.caller.call(disarmTrading, { query: { venue: 'polymarket' } });
    await expect(reported).toBeVisible();
  };
  const closeIt = async () => {
    await close.click();
    await expect(reported).toHaveCount(0);
  };
  await product.caller.call(createItem, { body: { title: 'Straw hat' } });

  await openFollowed(page, product);
  await page.getByTestId('user-menu').click();
  await tellOfDisarming();
  for (const entry of await page.getByRole('menuitem').all())
    expect(await isInReach(entry), 'an entry of the menu is in reach').toBe(true);
  await page.getByRole('menuitem', { name: 'My Profile' }).click();
  await expect(page).toHaveURL('/settings');
  await closeIt();

  await page.getByRole('link', { name: 'Items' }).click();
  const addItem = page.getByRole('button', { name: 'Add Item' });
  await expect(addItem).toBeVisible();
  await tellOfDisarming();
  await expectBeside(reported, page.getByRole('banner'));
  expect(await isInReach(addItem), 'what lies beneath is in reach').toBe(true);
  await closeIt();

  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu).toBeVisible();
  await tellOfDisarming();
  expect(await isInReach(close), 'the menu lies above').toBe(false);
  await menu.getByRole('link', { name: 'Items' }).click();
  await expect(menu).toHaveCount(0);
  await expectBeside(reported, page.getByRole('banner'));
  await closeIt();

  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete Item' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Item' });
  await expect(dialog).toBeVisible();
  await tellOfDisarming();
  await expectBeside(reported, dialog.getByRole('button', { name: 'Cancel' }));
  await expectBeside(reported, dialog.getByRole('button', { name: 'Delete' }));
  await closeIt();
  await product.caller.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
});

test('a notification that waits says until when, also one recorded after the wait began', async ({
  page,
  product: { caller },
  telegram,
}) => {
  await caller.call(writeTelegram, { body: { bot_token: TEST_TOKEN, chat_id: '42', enabled: true } });
  await caller.call(switchSending, { query: { enabled: true, throttle_seconds: 0 } });
  const isAsked = telegram.untilAsked(telegram.asked.length + 1);
  telegram.next({ code: 429, description: 'Too Many Requests: retry after 600', retryAfter: 600 });
  await caller.call(testNotifications, { body: {} });
  await isAsked;
  const { reply: later } = await caller.call(testNotifications, { body: {} });
  await page.goto(`/notifications/${later.id}`);
  const why = page.getByRole('region', { name: 'Error Message' });
  await expect(why).toContainText(/Waits until .+\. Telegram: 429 Too Many Requests: retry after 600/);
  await expect(why.getByRole('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/);
  await expect(figure(page, 'Basic Information', 'Status')).toHaveText('Pending');
  await expectAccessibleEverywhere(page, 'a notification that waits');

  await caller.call(writeTelegram, { body: { enabled: true } });
  // What the tests before have left waiting goes first, one a second.
  await expect(figure(page, 'Basic Information', 'Status')).toHaveText('Sent', { timeout: 60_000 });
  await expect(why).toHaveCount(0);
  await caller.call(writeTelegram, { body: { enabled: false } });
});

/** Opens a page that has nothing to do with notifications, and waits until it hears of them. */
async function openFollowed(page: Page, product: StartedProduct): Promise<void> {
  let isReceived = false;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      isReceived ||= String(payload).includes('"topic":"notifications"');
    }),
  );
  await page.goto('/items');
  await expect
    .poll(async () => {
      await product.caller.call(testNotifications, { body: {} });
      return isReceived;
    })
    .toBe(true);
}

/** Whether a click at its middle would reach it now; clicking waits until what lies above has gone. */
function isInReach(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

/** Neither lies over the other. */
async function expectBeside(one: Locator, other: Locator): Promise<void> {
  const [above, below] = [await boxOf(one), await boxOf(other)].sort((a, b) => a.y - b.y);
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
}

async function boxOf(target: Locator) {
  const box = await target.boundingBox();
  if (box === null) throw new Error('it is not on screen');
  return box;
}
