import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { paysAtMost } from './pays-at-most.ts';
import { marketOf } from './quotes.fixture.ts';

const EVENT = { id: 'race', negRisk: true } as NonNullable<ReturnType<typeof marketOf>['event']>;

/** "a-yes b-no": positions of members of one event, of which one comes true at most. */
function setOf(text: string, event: typeof EVENT | null = EVENT) {
  return text.split(' ').map((tokenId) => {
    const [marketId = ''] = tokenId.split('-');
    return { marketId, tokenId, market: marketOf(marketId, { event }) };
  });
}

it.each([
  ['both outcomes of a market', 'a-yes a-no', 1],
  ['one outcome of a market', 'a-yes', 0],
  ['Yes of some members', 'a-yes b-yes c-yes', 1],
  ['No of three members', 'a-no b-no c-no', 2],
  ['Yes of one and No of another, which may both lose', 'a-no b-yes', 0],
  ['a pair of one member and No of two others', 'a-yes a-no b-no c-no', 2],
])('%s pays so many dollars at most', (_, positions, dollars) => {
  expect(paysAtMost(setOf(positions))).toBe(dollars * PRICE_ONE);
});

it('says nothing of markets that the venue does not bind to each other, nor of one that is not known', () => {
  expect(paysAtMost(setOf('a-no b-no', null))).toBeNull();
  expect(paysAtMost(setOf('a-no b-no', { ...EVENT, negRisk: false }))).toBeNull();
  expect(paysAtMost([...setOf('a-no'), ...setOf('b-no', { ...EVENT, id: 'other' })])).toBeNull();
  expect(paysAtMost([{ marketId: 'a', tokenId: 'a-yes', market: undefined }])).toBeNull();
  expect(paysAtMost([])).toBeNull();
});
