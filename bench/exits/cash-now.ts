// How long does it take until the dollars of 32 complete sets can be used? The sets of one batch, merged in one submission by
// the whole product. Budget: one second (X5) more than the chain takes itself.
//
//     node_modules/.bin/node bench/exits/cash-now.ts

import { setTimeout as pause } from 'node:timers/promises';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { start } from '@dutchbook/server/start.ts';
import { boughtBatch } from '@dutchbook/server/trading/chain-steps/chain.fixture.ts';
import { callerOf, timed } from '../calls.ts';
import { openDatabase } from '../databases.ts';
import { openExchangeThread } from '../exchange/exchange.ts';
import { EMPTY, fillDatabase } from '../filled.ts';
import { tell } from '../rows.ts';

const SETS = 32;
const OWN_MS_MAX = 1000;
const POLL_MS = 20;
const BLOCK_MS = 100;
/** The relayer sends half a second after it was asked, the next block has it, and two blocks later the relayer confirms it. */
const CHAIN_MS = 500 + 3 * BLOCK_MS;
const WALLET = `0x${'d4'.repeat(20)}`;

type Listed = { conditionId: string; question: string; clobTokenIds?: string; negRisk: boolean; version: string };
type Submission = { status: string; steps: unknown[]; error: string | null; booked_at: string | null };

await measure();

async function measure(): Promise<void> {
  await using exchange = await openExchangeThread();
  await using database = await openDatabase();
  const wallet = { POLYMARKET_SIGNATURE_TYPE: '3', POLYMARKET_FUNDER: WALLET };
  const { config, authorization } = await fillDatabase(
    { ...database.variables, ...exchange.variables, ...wallet },
    EMPTY,
  );
  const { url, stop } = await start(config, () => {});
  // The product has made the key that signs for the wallet.
  await exchange.control('chain', { wallet: { address: WALLET }, block_ms: BLOCK_MS });
  const call = callerOf(`${url}/api/v1`, authorization);
  const markets = await loneMarkets(exchange.url);
  for (const { id } of markets) await exchange.control('split', { condition_id: id, amount: '10' });
  const { runtime, close } = await openRuntime(config);
  const bought = markets.flatMap((market) =>
    [0, 1].map((outcome) => ({ market, outcome: outcome as 0 | 1, shares: '10', cost: '4.9' })),
  );
  const batchId = await boughtBatch({ runtime }, bought);
  await close();
  const path = `/arbitrage/batches/${batchId}/cash-now`;
  const shownMs = await timed(() => call('POST', path));
  const begun = performance.now();
  const decidedMs = await timed(() => call('POST', `${path}?simulate=false`));
  const status = async () => ((await call('GET', `/arbitrage/batches/${batchId}`)) as { status: string }).status;
  while ((await status()) !== 'sold') await pause(POLL_MS);
  const usableMs = performance.now() - begun;
  const { data } = (await call('GET', '/chain-submissions')) as { data: Submission[] };
  await stop();
  const [submission, another] = data;
  if (another !== undefined || submission?.steps.length !== SETS)
    throw new Error('not all were merged in one submission');
  const row = (question: string, figure: number) =>
    ({ question: `${SETS} sets into dollars: ${question}`, figure: Math.round(figure), unit: 'ms' }) as const;
  tell(row('what it would bring', shownMs));
  tell(row('deciding it', decidedMs));
  tell({
    ...row('until they can be used', usableMs),
    budget: { atMost: CHAIN_MS + OWN_MS_MAX },
    floor: { figure: CHAIN_MS, of: 'what the chain takes' },
  });
}

/** Markets that each stand alone. */
async function loneMarkets(exchangeUrl: string) {
  const answer = await fetch(`${exchangeUrl}/gamma/markets?limit=100`);
  const listed = ((await answer.json()) as Listed[]).filter(({ negRisk, version }) => !negRisk && version === 'v1');
  return listed.slice(0, SETS).map(({ conditionId, question, clobTokenIds = '[]' }) => {
    const [yes = '', no = ''] = JSON.parse(clobTokenIds) as string[];
    const outcomes = [
      { outcome: 'Yes', tokenId: yes },
      { outcome: 'No', tokenId: no },
    ];
    return marketOf(conditionId, { question, outcomes });
  });
}
