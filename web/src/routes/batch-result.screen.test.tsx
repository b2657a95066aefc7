import { readBatchResult } from '@dutchbook/contract/batch-results.ts';
import { listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { expectCells, figureIn, rowsOf, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

test('says on the page of a batch what it promised and its result, leg by leg', async () => {
  await open(`/batches/${recorded(readBatch).id}`);
  const panel = page.getByRole('region', { name: 'Predicted and Realised', exact: true });
  await expect.element(panel).toBeInTheDocument();
  panel.element().scrollIntoView();
  const LEGS = 'Predicted and realised by leg';
  await expectCells(LEGS, 'Predicted Price', '0.3100');
  await expectCells(LEGS, 'Average Price', '0.3142');
  await expectCells(LEGS, 'Slippage', '+$0.05');
  await expectCells(LEGS, 'Before Send', '+$0.02');
  await expectCells(LEGS, 'In Flight', '+$0.03');
  expect(figureIn(panel, 'Predicted')).toBe('↑+$1.54for $10.46 and $0.05 fees');
  expect(figureIn(panel, 'Locked')).toBe('↑+$1.44');
  await expect
    .element(panel.getByText(/After the trigger: sent 9 ms, matched 41 ms, confirmed 2\.310 s\./))
    .toMatchTextContent(/The oldest book was 140 ms old/);
  await expect
    .element(panel.getByRole('link', { name: 'Entries in the Ledger' }))
    .toHaveAttribute('href', `/ledger?batchId=${recorded(readBatch).id}`);
  await expectAccessible('the result of a batch');
  server.answer(readBatchResult, () => refusal(404, 'Batch not found'));
  await open(`/batches/${recorded(readBatch).id}`);
  await expect.element(panel).toBeInTheDocument();
  panel.element().scrollIntoView();
  await expect.element(page.getByText('Nothing of it has been counted yet.', { exact: false })).toBeVisible();
  await expect.element(toast('Batch not found')).not.toBeInTheDocument();
  // One that has just been placed is counted a moment later.
  server.answer(readBatchResult, recorded(readBatchResult));
  tell('batches', 'batch', recorded(readBatch).id, recorded(listBatches).data[0]);
  await expectCells(LEGS, 'Predicted Price', '0.3100');
});

test('what stands below the orders keeps its place when they come', async () => {
  const orders = recorded(readBatchOrders);
  const held = Promise.withResolvers<void>();
  server.answer(readBatchOrders, async () => {
    await held.promise;
    return {
      ...orders,
      data: orders.data.map((order) => ({ ...order, market_name: 'A market of two lines '.repeat(3) })),
    };
  });
  await page.viewport(1440, 900);
  await open(`/batches/${recorded(readBatch).id}`);
  const heightsOf = () => rowsOf('Orders').map((row) => row.getBoundingClientRect().height);
  await expect.poll(() => heightsOf().length).toBe(recorded(readBatch).expected_orders);
  const reserved = heightsOf();
  held.resolve();
  await expectCells('Orders', 'Market', ...orders.data.map(() => /^A market of two lines/));
  for (const [nth, height] of heightsOf().entries()) expect(Math.abs(height - (reserved[nth] ?? 0))).toBeLessThan(16);
});
