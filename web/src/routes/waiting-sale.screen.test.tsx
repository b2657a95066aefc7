/** A sale that waits in the book: asked for in the dialog that sells one order, shown under Orders, and canceled there. */
import { readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { listOrders } from '@dutchbook/contract/orders.ts';
import { cancelOrder, sellAll, sellOrder } from '@dutchbook/contract/selling.ts';
import { expect, test } from 'vitest';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const BATCH = { ...recorded(readBatch), is_active: false, status: 'completed' as const, unhedged: null };
const [FIRST] = recorded(readBatchOrders).data;
if (FIRST === undefined) throw new Error('no order was recorded');
const HELD = {
  ...FIRST,
  batch_id: BATCH.id,
  side: 'buy' as const,
  status: 'filled' as const,
  filled_size: 12,
  sold_size: 0,
  average_price: 0.4,
};
const UNTIL = new Date(Date.now() + 3_600_000).toISOString();
const WAITING = {
  ...{ ...HELD, id: crypto.randomUUID(), side: 'sell' as const, status: 'open' as const, size: 12, price: 0.6 },
  ...{ filled_size: 0, average_price: null, sells_order_id: HELD.id, error: null },
  waiting: { until: UNTIL, cancel_requested_at: null, cancel_reason: null },
};

test('a sale waits at a price above the bids, which is said before it is placed', async () => {
  server.answer(readBatch, BATCH);
  server.answer(readBatchOrders, { data: [HELD], count: 1 });
  server.answer(sellAll, () => refusal(409, 'The venue is away'));
  server.answer(sellOrder, WAITING);
  await open(`/batches/${BATCH.id}`);
  await button(`Sell ${HELD.outcome} of ${HELD.market_name}`).click();
  const sale = dialog('Sell Order');
  await sale.getByLabelText('Wait at This Price').selectOptions('Wait for 1 day');
  await expect.element(sale).toMatchTextContent(/Enter the price that the sale waits for/);
  await sale.getByLabelText('Sell Price').fill('0.6');
  await expect
    .element(sale)
    .toMatchTextContent(
      /12\.00 shares wait in the book at 0\.6000, for 1 day at most: \$7\.20 before fees if all are bought/,
    );
  await expectAccessible('a sale that waits');
  await sale.getByRole('button', { name: 'Place Sale' }).click();
  await expect.element(toast('Success!')).toBeVisible();
  const [asked] = server.askedFor(sellOrder).map(({ query }) => query);
  expect(asked).toMatchObject({ sell_price: '0.6', wait: 'true' });
  const ahead = Date.parse(String(asked?.wait_until)) - Date.now();
  expect(ahead / 3_600_000).toBeGreaterThan(23.99);
  expect(ahead / 3_600_000).toBeLessThanOrEqual(24);
});

test('a sale that waits says until when under Orders, and is canceled there, but not by a viewer', async () => {
  server.answer(listOrders, { data: [WAITING], count: 1 });
  server.answer(cancelOrder, WAITING);
  await open('/orders');
  const cancel = button(`Cancel the sale of ${WAITING.outcome} of ${WAITING.market_name}`);
  await expect.element(cancel).toBeVisible();
  await expect.element(document.querySelector('main') as HTMLElement).toMatchTextContent(/waits until/);
  server.answer(listOrders, {
    data: [
      {
        ...WAITING,
        status: 'canceled',
        waiting: { ...WAITING.waiting, cancel_requested_at: UNTIL, cancel_reason: 'disarmed' },
      },
    ],
    count: 1,
  });
  await cancel.dblClick();
  await expect.element(toast('Success!')).toBeVisible();
  expect(server.askedFor(cancelOrder)).toHaveLength(1);
  await expect
    .element(document.querySelector('main') as HTMLElement)
    .toMatchTextContent(/canceled: trading was disarmed/);
  await expect.element(cancel).not.toBeInTheDocument();
  server.answer(listOrders, { data: [WAITING], count: 1 });
  server.answer(readMe, { ...recorded(readMe), is_superuser: false, role: 'viewer' });
  await open('/orders');
  await expect.element(cancel).toBeDisabled();
});
