/** A batch whose shares were converted into dollars: its orders and its timeline. */
import { listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { listChainSubmissions, readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { readBatchTimeline } from '@dutchbook/contract/execution.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { expectCells } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import type { Wire } from '../testing/server.ts';

const BATCH = recorded(listBatches).data.find(({ status }) => status === 'completed') ?? recorded(readBatch);
const SUBMISSION = recorded(readChainSubmission);
const HASH = SUBMISSION.hash ?? '';

const [BOUGHT] = recorded(readBatchOrders).data;

type OfSubmission = Pick<Wire<typeof readBatchOrders>['data'][number], 'submission_id' | 'submission_purpose'>;

function ordersOnChain({ submission_id, submission_purpose }: OfSubmission): Wire<typeof readBatchOrders> {
  const ofSubmission = { chain_step_id: SUBMISSION.steps[0]?.id ?? '', submission_id, submission_purpose };
  if (BOUGHT === undefined) throw new Error('no order was recorded');
  const bought = { ...BOUGHT, batch_id: BATCH.id, filled_size: 12, sold_size: 12 };
  const converted = {
    ...bought,
    id: SUBMISSION.id,
    side: 'sell' as const,
    sells_order_id: bought.id,
    ...ofSubmission,
  };
  const received = { ...bought, id: BATCH.id, outcome: 'No', sold_size: 0, ...ofSubmission };
  return { data: [bought, converted, received], count: 3 };
}

function entry(event: Wire<typeof readBatchTimeline>['data'][number]['event'], second: number, detail: string | null) {
  return {
    at: `2026-11-21T22:54:${second}.000Z`,
    event,
    order_id: SUBMISSION.id,
    leg: 1,
    market_name: BOUGHT?.market_name ?? null,
    outcome: 'Yes',
    side: 'sell' as const,
    size: 12,
    price: 0.5,
    detail,
  };
}

test('says of orders on the chain what was done, leads to the submission, and offers no sale of them', async () => {
  server.answer(readBatch, BATCH);
  server.answer(readBatchOrders, ordersOnChain({ submission_id: SUBMISSION.id, submission_purpose: 'cash_now' }));
  await open(`/batches/${BATCH.id}`);
  await expectCells('Orders', 'Side', 'Buy', 'Cash Now', 'Received');
  for (const name of ['Cash Now', 'Received'])
    await expect
      .element(page.getByRole('table', { name: 'Orders' }).getByRole('link', { name }))
      .toHaveAttribute('href', `/submissions/${SUBMISSION.id}`);
  await expectCells('Orders', 'Market', BOUGHT?.market_name ?? '', /Converts c19647f6$/, BOUGHT?.market_name ?? '');
  // What the contracts handed out is held, and can be sold.
  await expectCells('Orders', 'Actions', '', '', 'Sell');
  await expectAccessible('a batch with orders on the chain');
  expect(server.askedFor(listChainSubmissions)).toEqual([]);
});

test('calls what was redeemed so, and leads to the submissions of the batch where an earlier version says none', async () => {
  server.answer(readBatch, BATCH);
  server.answer(readBatchOrders, ordersOnChain({ submission_id: SUBMISSION.id, submission_purpose: 'redeem' }));
  await open(`/batches/${BATCH.id}/orders`);
  await expectCells('Orders', 'Side', 'Buy', 'Redeem', 'Received');
  server.answer(readBatchOrders, ordersOnChain({ submission_id: null, submission_purpose: null }));
  await open(`/batches/${BATCH.id}/orders`);
  await expectCells('Orders', 'Side', 'Buy', 'On chain', 'Received');
  await expect
    .element(page.getByRole('link', { name: 'On chain' }))
    .toHaveAttribute('href', `/submissions?batchId=${BATCH.id}`);
});

test('says of each order what it cost beside the plan and when it filled, and folds the timeline by step', async () => {
  const batch = recorded(readBatch);
  server.answer(readBatch, batch);
  await open(`/batches/${batch.id}`);
  await expectCells('Orders', 'Cost', ...['$3.00', '$1.50', '$3.00'].map((cost) => `${cost}slippage $0.00`));
  await expectCells('Orders', 'Last Fill', '0.040s', '0.040s', '0.040s');
  const committed = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').filter({ hasText: 'Committed' });
  await expect.element(committed).toMatchTextContent(/Committed3 orders/);
  await expect.element(committed.getByText('Leg 1')).not.toBeVisible();
  await committed.getByText('3 orders').click();
  await expect.element(committed.getByText('Leg 1')).toBeVisible();
  await expectAccessible('a batch with a step unfolded');
});

test('tells in the timeline what became of a submission, with its hash in short, and follows it', async () => {
  const said = recorded(readBatchTimeline);
  const before = [
    entry('conversion_planned', 28, null),
    entry('conversion_sent', 30, null),
    entry('conversion_unknown', 40, 'The relayer did not answer.'),
  ];
  server.answer(readBatch, BATCH);
  server.answer(readBatchTimeline, { ...said, data: before });
  await open(`/batches/${BATCH.id}`);
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await expect
    .element(timeline)
    .toMatchTextContent(/Planned for the chain.*Sent to the chain.*Unknown on the chain.*The relayer did not answer\./);
  await expect.element(timeline).not.toMatchTextContent(/Sell/);
  const mined = `Transaction ${HASH} in block 63204418.`;
  const after = [...before, entry('conversion_mined', 45, mined), entry('conversion_confirmed', 59, mined)];
  server.answer(readBatchTimeline, { ...said, data: after });
  tell('chain', 'chain_submission', SUBMISSION.id, { ...SUBMISSION, status: 'confirmed', batch_ids: [BATCH.id] });
  await expect
    .element(timeline)
    .toMatchTextContent(/Mined.*Transaction 0x9f3c…5d68 in block 63204418\..*Confirmed on the chain/);
  await expect
    .element(timeline.getByRole('button', { name: '0x9f3c…5d68' }).first())
    .toHaveAttribute('title', `Copy ${HASH}`);
  await expectAccessible('a timeline with a submission');
});
