import { eventOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { expect, test } from 'vitest';
import { resolvedValues } from './resolved-values.ts';

test('no share is paid for while what it pays may still be changed', async () => {
  const market = marketOf('m1', { closed: true, event: eventOf({ id: 'e1' }) });
  const lot = { tokenId: 'm1-no', marketId: 'm1', resolvedValue: null };
  const paid = async (state: Partial<EventMember>) => {
    const member = { marketId: 'm1', tokenIds: ['m1-yes', 'm1-no'], resolvedValue: priceFromText('0.37'), ...state };
    const catalogue = {
      marketsById: async () => new Map([['m1', market]]),
      eventsById: async () => [{ id: 'e1', members: [member] } as Partial<CatalogueEvent> as CatalogueEvent],
    };
    return (await resolvedValues(catalogue, [lot], [], 'following')).get('m1-no');
  };
  expect(await paid({})).toBe(priceFromText('0.63'));
  expect(await paid({ isProvisional: true })).toBeUndefined();
});
