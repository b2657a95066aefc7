import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { previewOpportunity } from '@dutchbook/contract/valuation.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../../../calls/call.ts';
import { pageQuery } from '../../../calls/call-query.ts';
import type { NewOpportunity } from './draft-json.ts';

const CATALOGUE_FRESH_MS = 30_000;
/** More may match by then. */
const READ_ON_MS = 2_000;
/** Prices move while a set is being picked. */
const PREVIEW_AGAIN_MS = 5_000;

export const STILL_READING = 'The venue is still being read: more may be found.';

export function marketSearchQuery(search: string, limit: number) {
  const query = { skip: 0, limit, ...(search === '' ? {} : { search }) };
  const stillReading = ({ state }: { state: { data?: { still_reading: boolean } | undefined } }) =>
    state.data?.still_reading === true ? READ_ON_MS : false;
  const often = { staleTime: CATALOGUE_FRESH_MS, refetchInterval: stillReading };
  return pageQuery(['markets', query], listMarkets, { query }, often);
}

/** Every market of one event that the venue lists. */
export function eventMarketsQuery(event: string) {
  return queryOptions({
    queryKey: ['markets', { event }],
    queryFn: async ({ signal }): Promise<MarketReply[]> =>
      (await call(listMarkets, { query: { skip: 0, limit: 1_000, event }, signal })).data,
    staleTime: CATALOGUE_FRESH_MS,
  });
}

export const previewKey = ['opportunity-preview'] as const;

/** What `body` would be worth; nothing is asked while there is none. */
export function previewQuery(body: NewOpportunity | undefined) {
  const asked = body && { market_combinations: body.market_combinations, target_price: body.target_price };
  return queryOptions({
    queryKey: [...previewKey, asked && z.encode(previewOpportunity.body, asked)],
    queryFn: ({ signal }) => {
      if (asked === undefined) throw new Error('There is no set to be priced');
      return call(previewOpportunity, { body: asked, signal });
    },
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: PREVIEW_AGAIN_MS,
  });
}
