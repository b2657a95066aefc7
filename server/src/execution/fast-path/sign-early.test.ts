import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { OrderRequest, SignedOrder } from '@dutchbook/venues/venue.ts';
import { describe, expect, it } from 'vitest';
import { signEarly } from './sign-early.ts';

const request: OrderRequest = {
  tokenId: 'rain:yes',
  market: marketOf('rain'),
  side: 'buy',
  price: priceFromText('0.4'),
  size: sharesFromText('5'),
  remainder: 'rest',
};

function openSigning() {
  const asked: OrderRequest[] = [];
  const sign = async (order: OrderRequest): Promise<SignedOrder> => {
    asked.push(order);
    if (order.tokenId === 'unknown') throw new Error('no such token');
    return { orderHash: `${asked.length}`, salt: '1', payload: '' };
  };
  return { asked, sign };
}

describe('orders that are signed early', () => {
  it('are what is asked for afterwards, once', async () => {
    const { asked, sign } = openSigning();
    const signing = signEarly(sign, [request]);
    expect(asked).toHaveLength(1);
    expect(await signing({ ...request })).toMatchObject({ orderHash: '1' });
    expect(await signing(request)).toMatchObject({ orderHash: '2' });
  });

  it.each<Partial<OrderRequest>>([
    { price: priceFromText('0.41') },
    { size: sharesFromText('6') },
    { tokenId: 'rain:no' },
    { side: 'sell' },
    { remainder: 'kill' },
    { market: marketOf('rain', { tick: tickFromText('0.001') }) },
  ])('are not used for an order that differs in %o', async (change) => {
    const { asked, sign } = openSigning();
    await signEarly(sign, [request])({ ...request, ...change });
    expect(asked).toEqual([request, { ...request, ...change }]);
  });

  it('say why they could not be signed to whoever asks, and to nobody else', async () => {
    const { sign } = openSigning();
    const unknown = { ...request, tokenId: 'unknown' };
    const signing = signEarly(sign, [unknown]);
    await new Promise((resolve) => setTimeout(resolve));
    await expect(signing(unknown)).rejects.toThrow('no such token');
  });
});
