// How long does it take until the dollars of 32 complete sets can be used? The sets of one batch, merged in one submission by
// the whole product. Budget: one second (X5) more than the chain takes itself.
import { setTimeout as pause } from 'node:timers/promises';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { readConfig } from '@dutchbook/server/platform/config/config.ts';
import { boughtBatch } from '@dutchbook/server/trading/chain-steps/chain.fixture.ts';
import { openSimulatedExchange } from './exchange.ts';
import { openProduct, timed } from './product.ts';
import { tell } from './rows.ts';

const SETS = 32;
const OWN_MS_MAX = 1000;
const POLL_MS = 20;
const BLOCK_MS = 100;
/** The relayer sends half a second after it was asked, the next block has it, and two blocks later the relayer confirms it. */
const CHAIN_MS = 500 + 3 * BLOCK_MS;
const WALLET = `0x${'d4'.repeat(20)}`;

type Listed = { conditionId: string; question: string; clobTokenIds?: string; negRisk: boolean; version: string };

await using exchange = await openSimulatedExchange();
const wallet = { POLYMARKET_SIGNATURE_TYPE: '3', POLYMARKET_FUNDER: WALLET };
await using product = await openProduct({ ...exchange.variables, ...wallet });
const { call, database } = product;
// The product has made the key that signs for the wallet.
await exchange.control('chain', { wallet: { address: WALLET }, block_ms: BLOCK_MS });
const markets = await loneMarkets();
for (const { id } of markets) await exchange.control('split', { condition_id: id, amount: '10' });
const { runtime, close } = await openRuntime(readConfig({ ...database.variables, ...exchange.variables, ...wallet }));
const bought = markets.flatMap((market) =>
  [0 as const, 1 as const].map((outcome) => ({ market, outcome, shares: '10', cost: '4.9' })),
);
const batchId = await boughtBatch({ runtime }, bought);
await close();
const path = `/arbitrage/batches/${batchId}/cash-now`;
const shownMs = await timed(() => call('POST', path));
const begunMs = performance.now();
const decidedMs = await timed(() => call('POST', `${path}?simulate=false`));
const status = async () => ((await call('GET', `/arbitrage/batches/${batchId}`)) as { status: string }).status;
while ((await status()) !== 'sold') await pause(POLL_MS);
const usableMs = performance.now() - begunMs;
const { data } = (await call('GET', '/chain-submissions')) as { data: { steps: unknown[] }[] };
if (data.length !== 1 || data[0]?.steps.length !== SETS) throw new Error('not all were merged in one submission');
const named = `${SETS} sets into dollars`;
tell({ question: `${named}: what it would bring`, figure: shownMs, unit: 'ms' });
tell({ question: `${named}: deciding it`, figure: decidedMs, unit: 'ms' });
tell({
  question: `${named}: until they can be used`,
  ...{ figure: usableMs, unit: 'ms', budget: { atMost: CHAIN_MS + OWN_MS_MAX } },
  floor: { figure: CHAIN_MS, of: 'what the chain takes' },
});

/** Markets that each stand alone. */
async function loneMarkets() {
  const answer = await fetch(`${exchange.url}/gamma/markets?limit=100`);
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
