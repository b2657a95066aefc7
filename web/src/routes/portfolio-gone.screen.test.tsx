import { listBatches } from '@dutchbook/contract/batches.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';

const SPRINT = 'Northern Sprint champion';
const BATCH = '39d519ea-f30d-430c-ae97-f8776c149f7f';

const sprint = () => page.getByRole('region', { name: SPRINT, exact: true });

function sellAllOfIt(): void {
  const sent = recorded(readPortfolio);
  const gone = sent.events.find(({ title }) => title === SPRINT)?.event_id;
  server.answer(readPortfolio, {
    ...sent,
    events: sent.events.filter(({ event_id }) => event_id !== gone),
    holdings: sent.holdings.filter(({ event_id }) => event_id !== gone),
  });
  tell('batches', 'batch', BATCH, recorded(listBatches).data[0]);
}

test('an event of which nothing is held any more keeps its place under the pointer, and offers nothing', async () => {
  await open('/portfolio');
  await expect.element(sprint()).toBeVisible();
  await userEvent.hover(sprint());
  sellAllOfIt();
  await expect.element(sprint().getByText('Nothing of it is held any more.')).toBeVisible();
  await expect.element(sprint()).not.toHaveTextContent('$');
  const buttons = sprint().getByRole('button').elements() as HTMLButtonElement[];
  expect(buttons.map(({ disabled }) => disabled)).toEqual([true]);
  await expectAccessible('a portfolio with an event that is gone');
  await userEvent.hover(page.getByRole('heading', { level: 1 }));
  await expect.element(sprint()).not.toBeInTheDocument();
});

test('an unfolded event of which nothing is held any more lets nothing be pressed', async () => {
  await open('/portfolio');
  await button(`Show: ${SPRINT}`).click();
  await expect.poll(() => rowsOf(SPRINT).length).toBe(4);
  await userEvent.hover(page.getByRole('table', { name: SPRINT }));
  sellAllOfIt();
  await expect.element(sprint().getByText('Nothing of it is held any more.')).toBeVisible();
  expect(sprint().element().querySelector('[inert] table')).not.toBeNull();
});
