/** What people and venues write is text, and nothing but text. Every test here also fails on a broken content security policy. */
import { createItem, deleteItem } from '@dutchbook/contract/items.ts';
import { testNotifications } from '@dutchbook/contract/notification-sending.ts';
import { deleteNotification } from '@dutchbook/contract/notifications.ts';
import { createOpportunity, deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { createUser, deleteUser } from '@dutchbook/contract/users.ts';
import { expect, type Page } from '@playwright/test';
import { leavePages, test } from './browser.fixture.ts';

const IMAGE = '<img src=x onerror=alert(1)>';
const SCRIPT = '<script>alert(2)</script>';
const BREAKOUT = '"><svg onload=alert(3)>';
const TEMPLATE = '{{7*7}} javascript:alert(4)';

async function shows(page: Page, url: string, ...texts: string[]) {
  await page.goto(url);
  for (const text of texts) await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
}

test('text that would be script is shown as text, wherever people and venues can put it', { tag: '@journey' }, async ({
  page,
  context,
  product,
}) => {
  const { call } = product.caller;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const item = await call(createItem, { body: { title: IMAGE, description: BREAKOUT } });
  const user = await call(createUser, {
    body: { email: 'hostile@example.com', password: 'correct horse battery', full_name: SCRIPT },
  });
  const reported = await call(testNotifications, { body: { message: `${SCRIPT} ${TEMPLATE}` } });
  const withMarket = (id: string) =>
    call(createOpportunity, {
      body: {
        ...{ source: SCRIPT, source_details: TEMPLATE, active: false },
        market_combinations: [{ leg: 1, markets: [{ id, outcome: BREAKOUT }] }],
      },
    });
  expect((await withMarket(IMAGE)).detail).toMatch(/^A market id must be of letters/);
  const opportunity = await withMarket('1');
  expect([item, user, reported, opportunity].map(({ detail }) => detail)).toEqual(['', '', '', '']);
  await shows(page, '/items', IMAGE, BREAKOUT);
  await shows(page, '/admin', SCRIPT);
  await shows(page, '/notifications', SCRIPT);
  await shows(page, `/notifications/${reported.reply.id}`, TEMPLATE);
  await shows(page, `/arbitrage/${opportunity.reply.id}`, SCRIPT, TEMPLATE, BREAKOUT);
  await page.goto(`/arbitrage?page=1&sortBy=${encodeURIComponent(IMAGE)}&sortOrder=${encodeURIComponent(SCRIPT)}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Arbitrage Opportunities');
  expect(dialogs).toEqual([]);
  expect(await page.locator('img[src="x"], svg[onload]').count()).toBe(0);
  await leavePages(context);
  await call(deleteItem, { params: { id: item.reply.id } });
  await call(deleteUser, { params: { user_id: user.reply.id } });
  await call(deleteNotification, { params: { notification_id: reported.reply.id } });
  await call(deleteOpportunity, { params: { opportunity_id: opportunity.reply.id } });
});
