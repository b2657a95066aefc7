import { type Batch, readBatch } from '@dutchbook/contract/batches.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { sellAll } from '@dutchbook/contract/selling.ts';
import { readSystemSettings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect } from '@playwright/test';
import { eventually } from '../product/eventually.ts';
import type { ThreeWay } from '../product/three-way.ts';
import type { OwnSet } from './browser.fixture.ts';
import type { StartedProduct } from './started-product.ts';

/** Places 12 sets of an opportunity at a quote and answers the batch as it was recorded. */
export async function placed({ caller }: StartedProduct, opportunityId: string, quote = 0.75): Promise<Batch> {
  const params = { opportunity_id: opportunityId };
  const query = { order_size: sharesFromNumber(12), quoted_price: setPriceFromNumber(quote) };
  const answer = await caller.call(placeOrder, { params, query });
  expect(answer.detail).toBe('');
  return answer.reply;
}

/** The batch as soon as it is `such` as is waited for. */
export async function batchWhen(
  { caller }: StartedProduct,
  { id }: Batch,
  what: string,
  such: (batch: Batch) => boolean,
): Promise<Batch> {
  return await eventually(what, async () => {
    const { reply } = await caller.call(readBatch, { params: { batch_id: id } });
    return such(reply) ? reply : null;
  });
}

export const atRest = (product: StartedProduct, batch: Batch) =>
  batchWhen(product, batch, 'the batch came to rest', ({ is_active }) => !is_active);

/** Buys 12 sets of the three positions and waits until the batch holds them, and the venue says so. */
export async function bought(product: StartedProduct, { opportunityId }: ThreeWay): Promise<Batch> {
  const batch = await placed(product, opportunityId);
  const held = await batchWhen(product, batch, 'the batch completed', ({ status }) => status === 'completed');
  await eventually('the venue said how many shares are held', async () => {
    const { reply } = await product.caller.call(sellAll, { params: { batch_id: held.id }, query: { simulate: true } });
    const errors = reply.simulation ? reply.errors : [];
    return errors.some((error) => error.includes('has not said')) ? null : true;
  });
  return held;
}

/** The shares that the exchange has sold of each token for the account, since the test began. */
export async function soldAt({ exchange }: StartedProduct, { tokenIds, tradesBefore }: OwnSet) {
  const { trades } = await exchange.state();
  return tokenIds.map((tokenId) =>
    trades
      .slice(tradesBefore)
      .filter(({ asset_id, side }) => asset_id === tokenId && side === 'SELL')
      .map(({ size, price }) => `${size} at ${price}`),
  );
}

/** A batch of which the venue has refused every order; it takes orders again. */
export async function refused(product: StartedProduct, opportunityId: string, quote?: number): Promise<Batch> {
  await product.exchange.setMode('cancel_only');
  const batch = await atRest(product, await placed(product, opportunityId, quote));
  await product.exchange.setMode('normal');
  return batch;
}

/** Keeps the product from placing and retrying on its own; call the answer to let it again. */
export async function withoutAutomation({ caller }: StartedProduct): Promise<() => Promise<void>> {
  const { reply } = await caller.call(readSystemSettings);
  const set = async (automatic: boolean) => {
    const { detail } = await caller.call(writeSystemSettings, { body: { AUTO_PLACE_ORDER_ENABLED: automatic } });
    expect(detail).toBe('');
  };
  await set(false);
  return () => set(reply.AUTO_PLACE_ORDER_ENABLED);
}
