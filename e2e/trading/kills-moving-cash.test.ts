/**
 * Kills the product (SIGKILL, a real process on a real database) at every step of moving cash between two shards. The venue's call
 * has no idempotency key: once marked as sent it is never sent again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { listCashMoves, moveCash } from '@dutchbook/contract/accounts/cash-moves.ts';
import { usdFromNumber, usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratedDatabase } from '../product/database.ts';
import { eventually } from '../product/eventually.ts';
import { type Chain, openChain } from './crash-chain.fixture.ts';

const AMOUNT = 40;
/** Several times the interval at which the loop looks at a move. */
const LOOKS_MS = 5_000;

let chain: Chain;
let pocketsBefore: string[];

beforeAll(async () => {
  chain = await openChain({ DATABASE_URL: await migratedDatabase() }, 'kalshi');
  await chain.start(null);
  pocketsBefore = (await atVenue()).pockets;
});
afterAll(() => chain?.close());

type KalshiState = { transfers: { usd: string }[]; pockets: Record<string, { usd: string }> };

/** Transfers between the shards, and the cash of both. */
async function atVenue() {
  const response = await fetch(`${chain.exchange.url}/_control/kalshi/state`);
  const { transfers, pockets } = (await response.json()) as KalshiState;
  const cash = ['member/0#0', 'member/0#2'].map((name) => usdToText(usdFromText(pockets[name]?.usd ?? '0')));
  return { moved: transfers.map(({ usd }) => usdToText(usdFromText(usd))), pockets: cash };
}

/** The cash of both shards after this many moves. */
function pocketsAfter(moves: number): string[] {
  const moved = usdFromNumber(AMOUNT) * moves;
  const [from = '', to = ''] = pocketsBefore;
  return [usdToText((usdFromText(from) - moved) as never), usdToText((usdFromText(to) + moved) as never)];
}

async function ask(): Promise<void> {
  const body = { venue: 'kalshi', from_pocket: '0', to_pocket: '2', amount_usd: AMOUNT } as const;
  const asked = await chain.product().call(moveCash, { body: { id: randomUUID(), ...body } });
  expect(asked.status).toBe(200);
}

/** Newest first. */
async function statuses(): Promise<string[]> {
  const { reply } = await chain.product().call(listCashMoves, { query: {} });
  return reply?.data.map(({ status }) => status) ?? [];
}

it('recorded: a move that nothing was sent of is sent by the next product, once', async () => {
  await ask();
  chain.product().running.kill('SIGKILL');
  await chain.dies();
  expect((await atVenue()).moved).toEqual([]);
  await chain.diesInRecovery('move_answered');
  expect(await atVenue()).toEqual({ moved: [String(AMOUNT)], pockets: pocketsAfter(1) });
});

it('answered, and proven: a move whose answer was not recorded is proven by both shards, and not sent again', async () => {
  await chain.diesInRecovery('move_ended');
  await chain.start('move_marked');
  expect(await statuses()).toEqual(['done']);
  expect(await atVenue()).toEqual({ moved: [String(AMOUNT)], pockets: pocketsAfter(1) });
});

it('sent: a move that was marked and never left is not sent, and not called made', async () => {
  await ask();
  await chain.dies();
  await chain.start(null);
  await eventually(
    'the engine of the product that died is followed',
    async () => (await statuses()).length === 2 || null,
  );
  await pause(LOOKS_MS);
  expect(await statuses()).toEqual(['sent', 'done']);
  expect(await atVenue()).toEqual({ moved: [String(AMOUNT)], pockets: pocketsAfter(1) });
  await chain.stops();
});
