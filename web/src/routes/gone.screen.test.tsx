/** What is said of an opportunity that was found and pays no more. */
import { listRelationHits } from '@dutchbook/contract/discovery/hits.ts';
import { listOpportunities, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readOverview } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { cellsOf } from '../testing/look.ts';
import { answerOpportunity, OPPORTUNITY, openPage } from '../testing/order-ticket.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server, tell } from '../testing/screen.tsx';

const LIST = 'Arbitrage Opportunities';
const RELATION = '5e1a0001-7736-4471-83cc-07b6cc8ce901';
const BATCH = '5e1a0002-7736-4471-83cc-07b6cc8ce901';
const [ROW] = recorded(listOpportunities).data;
const [HIT] = recorded(listRelationHits).data;
if (ROW === undefined || HIT === undefined) throw new Error('no opportunity or hit was recorded');

const found = { ...ROW, source: 'found', relation_id: RELATION, triggered: false };
const ended = { ...HIT, opportunity_id: ROW.id, ended_at: '2026-11-21T10:00:07.000Z' };
const bought = {
  ...ended,
  batch_id: BATCH,
  bought_size: 288,
  bought_clips: 9,
  bounded_by: 'cash',
  why_not: null,
} as const;
const left = {
  ...ended,
  batch_id: null,
  bought_size: null,
  bought_clips: 0,
  bounded_by: null,
  why_not: 'Its books were stale',
};

const answerHit = (hit: typeof ended) => server.answer(listRelationHits, { data: [hit], count: 1 });

test('its row says until when it paid and that the desk bought it, or why it was left, once it ends', async () => {
  server.answer(listOpportunities, { data: [{ ...found, active: true, outdated: null }], count: 1 });
  answerHit(bought);
  await open('/arbitrage');
  await expect.poll(() => cellsOf(LIST, 'Status')[0]?.textContent).toContain('Active');
  expect(page.getByText(/^Paid until/).elements()).toEqual([]);
  const over = { ...found, active: false, outdated: { as_of: ended.ended_at }, updated_at: new Date().toISOString() };
  server.answer(listOpportunities, { data: [over], count: 1 });
  tell('opportunities', 'opportunity', found.id, over);
  await expect.poll(() => cellsOf(LIST, 'Status')[0]?.textContent).toContain('Inactive');
  const words = page.getByText(/^Paid until .*:07.*: bought, 9 clips, 288\.00 sh, bounded by the free cash$/);
  await expect.element(words).toBeVisible();
  await expect.element(words.getByRole('link')).toHaveAttribute('href', `/batches/${BATCH}`);
  await page.viewport(1440, 900);
  const line = words.element().parentElement as HTMLElement;
  expect([line.scrollWidth - line.clientWidth, line.scrollHeight - line.clientHeight], 'nothing is cut').toEqual([
    0, 0,
  ]);
  await expectAccessible('a list with one that has ended');
  answerHit(left);
  await onPhone();
  await open('/arbitrage');
  await expect.element(page.getByText(/^Paid until .*: left, its books were stale$/)).toBeVisible();
});

test('its page says it under the title', async () => {
  answerOpportunity();
  server.answer(readOpportunity, { ...OPPORTUNITY, relation_id: RELATION, active: false });
  answerHit({ ...left, opportunity_id: OPPORTUNITY.id });
  await openPage();
  await expect.element(page.getByText(/^Paid until .*: left, its books were stale$/)).toBeVisible();
  expect(server.askedFor(listRelationHits)[0]?.query.relation_id).toBe(RELATION);
});

test('the dashboard says it below what was found last', async () => {
  server.answer(readOverview, { ...recorded(readOverview), active_opportunities: 0 });
  const over = { ...found, active: false, outdated: { as_of: ended.ended_at } };
  server.answer(listOpportunities, ({ query }) =>
    query.active === 'false' ? { data: [over], count: 1 } : { data: [], count: 0 },
  );
  answerHit(bought);
  await open('/');
  await expect.element(page.getByText(/^Paid until .*: bought, 9 clips/)).toBeVisible();
});
