/** What a narrow window leaves whole. */
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { listActivity } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server } from '../testing/screen.tsx';

const isCut = (element: Element) => element.scrollWidth > element.clientWidth;

test('says on a phone what happened last in two lines, with what became of it', async () => {
  const [, bought] = recorded(listActivity).data;
  const text = 'Aurora Cup winner · Yes on all 8: 20 sets are being bought automatically';
  server.answer(listActivity, { data: [{ ...bought, text }] as never });
  await onPhone();
  await open('/items');
  const line = page.getByRole('region', { name: 'Activity' }).getByRole('link', { name: text });
  await expect.element(line).toBeVisible();
  const link = line.element();
  expect(isCut(link)).toBe(false);
  expect(link.scrollHeight).toBeLessThanOrEqual(link.clientHeight);
  const { bottom } = link.getBoundingClientRect();
  expect(bottom).toBeLessThanOrEqual(link.closest('section')?.getBoundingClientRect().bottom ?? 0);
});

test('does not cut what pays now in a window of 1024 pixels', async () => {
  await page.viewport(1024, 800);
  const { data, count } = recorded(listOpportunities);
  const name = 'Grand Regatta line honours of the northern fleet in the second week of the season · Yes on all 8';
  const named = data.map((row) => ({ ...row, name, active: true, outdated: null, profit_usd: 12.5 }));
  server.answer(listOpportunities, { data: named, count });
  await open('/arbitrage');
  const now = page.getByText(/^Pays most now: /);
  await expect.element(now).toBeVisible();
  expect(isCut(now.element())).toBe(false);
});

test('leaves to the messages of a narrow list the room of ids, which each of them has on its page', async () => {
  await page.viewport(1024, 800);
  server.answer(listNotifications, recorded(listNotifications));
  await open('/notifications');
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await expect.element(head('Message')).toBeVisible();
  expect([head('ID').query(), head('Opp ID').query()]).toEqual([null, null]);
});

test('keeps the page of a relation short on a phone: what is read less often is opened', async () => {
  await onPhone();
  await open(`/discover/${recorded(readRelation).id}`);
  const members = page.getByRole('region', { name: 'Members', exact: true });
  await expect.element(members).toBeVisible();
  await expect.element(members.getByRole('table')).not.toBeInTheDocument();
  expect(document.querySelector('main')?.getBoundingClientRect().height).toBeLessThan(3000);
  await members.getByRole('button', { name: 'Show Members' }).click();
  await expect.element(members.getByRole('table')).toBeVisible();
});
