/** A catalogue with as many open markets as the venue has, which knows none by its id. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const MARKETS = 100_000;
/** As many as the venue gives at once, whatever is asked for. */
const MARKETS_PER_PAGE = 100;
/** What is in every question, in letters of the other case. */
export const SEARCHED = 'THE TEMPERATURE';

export async function openGamma(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gamma');
    const isListing = pathname.endsWith('/markets/keyset') && !searchParams.has('condition_ids');
    const from = Number(searchParams.get('after_cursor') ?? 0);
    const next = from + MARKETS_PER_PAGE;
    const markets = isListing ? Array.from({ length: MARKETS_PER_PAGE }, (_, index) => market(from + index)) : [];
    const next_cursor = isListing && next < MARKETS ? String(next) : '';
    response.end(JSON.stringify({ events: [], markets, next_cursor }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function market(number: number) {
  return {
    conditionId: `listed-${number}`,
    question: `Will the temperature in City ${number} rise above ${number % 40} degrees on the last day of the month?`,
    outcomes: '["Yes","No"]',
    clobTokenIds: `["${number}1","${number}2"]`,
    version: 'v1',
    closed: false,
    acceptingOrders: true,
    negRisk: false,
    endDate: '2030-12-31T12:00:00Z',
    orderMinSize: 5,
    orderPriceMinTickSize: 0.01,
    feesEnabled: false,
  };
}
