import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { previewOpportunity } from '@dutchbook/contract/valuation.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../../../calls/call.ts';
import { pageQuery } from '../../../calls/call-query.ts';
import type { NewOpportunity } from './draft-json.ts';

const CATALOGUE_FRESH_MS = 30_000;
/** Prices move while a set is being picked. */
const PREVIEW_AGAIN_MS = 5_000;

export function marketSearchQuery(search: string, limit: number) {
  const query = { skip: 0, limit, ...(search === '' ? {} : { search }) };
  return pageQuery(['markets', query], listMarkets, { query }, { staleTime: CATALOGUE_FRESH_MS });
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
