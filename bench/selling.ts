// How long does it take to sell a whole batch of 200 orders: to see what it would bring, to record the decision, and until
// the last order has ended? A simulated batch, filled and sold against the books of the simulated exchange, in the whole
// product. Budget: 300 ms to see it and to decide it, as for a batch of any size.
//
//     node_modules/.bin/node bench/selling.ts

import { setTimeout as pause } from 'node:timers/promises';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { Config } from '@dutchbook/server/config/config.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { recordBatch } from '@dutchbook/server/orders/record-batch.ts';
import { start } from '@dutchbook/server/start.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { callerOf, timed } from './calls.ts';
import { openDatabase } from './databases.ts';
import { openExchangeThread } from './exchange/exchange.ts';
import { EMPTY, fill } from './filled.ts';
import { tell } from './rows.ts';

const ORDERS = 200;
const ASK = '0.5';
const CALL_MS_MAX = 300;
const POLL_MS = 50;

type Market = { id: string; question: string; outcomes: { outcome: string; token_id: string }[] };

await measure();

async function measure(): Promise<void> {
  await using exchange = await openExchangeThread();
  await using database = await openDatabase();
  const { config, authorization } = await fill({ ...database.variables, ...exchange.variables }, EMPTY);
  const markets = await listedMarkets(exchange.url);
  for (const { outcomes } of markets) exchange.setBook({ tokenId: outcomes[0]?.token_id ?? '', ask: ASK });
  const batchId = await record(config, markets);
  const { url, stop } = await start(config, () => {});
  const call = callerOf(`${url}/api/v1/arbitrage`, authorization);
  const statusWithin = async (statuses: readonly string[]) => {
    while (!statuses.includes(String(((await call('GET', `/batches/${batchId}`)) as { status: string }).status)))
      await pause(POLL_MS);
  };
  const bought = await timed(() => statusWithin(['completed']));
  await call('POST', `/batch/${batchId}/sell-all`);
  const seen = await timed(() => call('POST', `/batch/${batchId}/sell-all`));
  const decided = await timed(() => call('POST', `/batch/${batchId}/sell-all?simulate=false`));
  const sold = await timed(() => statusWithin(['sold']));
  await stop();
  const row = (question: string, figure: number, atMost: number | null) =>
    tell({
      question: `${ORDERS} orders: ${question}`,
      figure,
      unit: 'ms',
      budget: atMost === null ? null : { atMost },
      floor: null,
    });
  row('bought after the start', bought, null);
  row('what selling all would bring', seen, CALL_MS_MAX);
  row('deciding to sell all', decided, CALL_MS_MAX);
  row('decided to all sold', sold, null);
}

async function listedMarkets(exchangeUrl: string): Promise<Market[]> {
  type Listed = {
    conditionId: string;
    question: string;
    outcomes: string;
    clobTokenIds?: string;
    positionIds?: string[];
  };
  const answer = await fetch(`${exchangeUrl}/gamma/markets?limit=100`);
  return ((await answer.json()) as Listed[]).map(({ conditionId, question, outcomes, clobTokenIds, positionIds }) => {
    const tokens = positionIds ?? (JSON.parse(clobTokenIds ?? '[]') as string[]);
    const names = JSON.parse(outcomes) as string[];
    return {
      id: conditionId,
      question,
      outcomes: names.map((outcome, index) => ({ outcome, token_id: tokens[index] ?? '' })),
    };
  });
}

/** A batch of many orders that the loop fills against the books as soon as it runs. */
async function record(config: Config, markets: readonly Market[]): Promise<string> {
  const { runtime, close } = await openRuntime(config);
  const price = priceFromText(ASK);
  const dollars = usdFromText('50');
  const orders = Array.from({ length: ORDERS }, (_, index) => {
    const market = markets[index % markets.length];
    return {
      leg: index + 1,
      marketId: market?.id ?? '',
      marketName: market?.question ?? '',
      outcome: market?.outcomes[0]?.outcome ?? '',
      tokenId: market?.outcomes[0]?.token_id ?? '',
      side: 'buy' as const,
      size: sharesFromText('100'),
      limitPrice: price,
      averagePrice: price,
      cost: dollars,
      fee: usdFromText('0'),
      spends: null,
      reserve: dollars,
    };
  });
  const all = usdFromText('10000');
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, { default: value }]) => [name, value]));
  const id = await recordBatch(runtime.db, runtime, {
    opportunityId: runtime.random.uuid(),
    targetPrice: priceFromText('1'),
    quotedPrice: null,
    plan: {
      size: sharesFromText('100'),
      orders,
      totalCost: all,
      totalFees: usdFromText('0'),
      totalReserve: all,
      expectedProfit: usdFromText('1'),
      expectedProfitPct: null,
      worstCaseLoss: all,
      shortOf: [],
    },
    feeSchedules: new Map(orders.map(({ tokenId }) => [tokenId, feeOf(0.05)])),
    bookAges: new Map(),
    settings: { ...(defaults as Settings), ORDER_SIMULATION_ENABLED: true },
    automatic: false,
    createdBy: null,
    warning: null,
  });
  await close();
  if (id === null) throw new Error('the batch was not recorded');
  return id;
}
