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
  const text = 'Aurora Cup winner · Yes on all 8: 20 sets are bought';
  server.answer(listActivity, { data: [{ ...bought, text }] as never });
  await onPhone();
  await open('/items');
  const line = page.getByRole('region', { name: 'Activity' }).getByRole('link', { name: text });
  await expect.element(line).toBeVisible();
  // Another font is wider.
  await document.fonts.ready;
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

test('gives the names of what was found last the room of when that was, on a dashboard of 1440 pixels', async () => {
  await page.viewport(1440, 900);
  const { data } = recorded(listOpportunities);
  const over = data.slice(0, 3).map((row) => ({ ...row, active: false }));
  server.answer(listOpportunities, ({ query }) =>
    query.active === 'false' ? { data: over, count: 3 } : { data: [], count: 0 },
  );
  await open('/');
  const name = page.getByRole('table', { name: 'Last opportunities' }).getByRole('cell').first();
  await expect.element(name).toBeVisible();
  expect(name.element().getBoundingClientRect().width).toBeGreaterThan(200);
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

test('shows what eight legs pay in every world at once in a window of 1440 pixels', async () => {
  await page.viewport(1440, 900);
  const relation = recorded(readRelation);
  const { worlds } = relation;
  const [leg] = worlds?.legs ?? [];
  const [world] = worlds?.rows ?? [];
  if (worlds === null || leg === undefined || world === undefined) throw new Error('no world was recorded');
  const legs = Array.from({ length: 8 }, (_, nth) => ({ ...leg, leg: nth + 1 }));
  const rows = ['Windlass comes true', 'none of them comes true', 'Windlass is voided, another comes true'].map(
    (name, nth) => ({ ...world, name, voided: nth === 2, is_worst: nth === 2, pays: legs.map(() => 0.5) }),
  );
  server.answer(readRelation, { ...relation, worlds: { ...worlds, legs, rows } });
  await open(`/discover/${relation.id}`);
  const table = page.getByRole('table', { name: 'Worlds' });
  await expect.element(table.getByText('Leg 8')).toBeVisible();
  expect(isCut(table.element().parentElement as HTMLElement)).toBe(false);
});
