import { microToText } from '@dutchbook/units/micro.ts';
import type { z } from 'zod';
import { TOO_MANY_REQUESTS } from '../transport.ts';
import { VenueUnavailable } from '../venue.ts';
import type { CashMove, CashMoveOutcome, Pocket, Pockets } from '../venue-pockets.ts';
import { haveReadsPassed } from './account-reads.ts';
import { type Answer, type KalshiApi, venueTimeAtMost } from './api.ts';
import type { KalshiConfig } from './config.ts';
import { isSuccess, refusalIn } from './placing.ts';
import { balanceAllocation, shardStatuses, transferMade } from './wire.ts';

const TRANSFER = '/portfolio/intra_exchange_instance_transfer';
const ALLOCATION = '/portfolio/target_balance_allocation';
/** The call takes hundredths of a cent. */
const CENTICENT = 100;

type PocketParts = {
  api: KalshiApi;
  /** Signed with the key that may move cash; null where there is none. */
  movingApi: KalshiApi | null;
  config: Pick<KalshiConfig, 'subaccount'>;
};

/** The shards of the exchange, each of which an account has cash on. */
export function openPockets({ api, movingApi, config }: PocketParts): Pockets {
  return {
    list: () => listPockets(api),
    hasPassed: (at) => haveReadsPassed(api, venueTimeAtMost(api, at)),
    ...(movingApi === null ? {} : { move: (move: CashMove) => moveCash(movingApi, config, move) }),
  };
}

async function listPockets(api: KalshiApi): Promise<Pocket[]> {
  const [statuses, allocation] = await Promise.all([
    read(api, '/exchange/status', shardStatuses),
    // What the account itself keeps where is worth showing, and nothing depends on it.
    read(api, ALLOCATION, balanceAllocation).catch(() => null),
  ]);
  const targets = new Map(allocation?.allocations?.map(({ exchange_index, percent }) => [exchange_index, percent]));
  return statuses.exchange_index_statuses.map((shard) => ({
    name: String(shard.exchange_index),
    description: shard.description ?? '',
    trades: shard.exchange_active && shard.trading_active,
    takesMoves: shard.intra_exchange_transfers_active ?? true,
    targetPercent: targets.get(shard.exchange_index) ?? null,
  }));
}

async function read<Shape extends z.ZodType>(api: KalshiApi, path: string, shape: Shape): Promise<z.output<Shape>> {
  const parsed = shape.safeParse(await api.get(path, {}, 'display'));
  if (!parsed.success) throw new VenueUnavailable(`${path} came in an unknown shape`);
  return parsed.data;
}

/** One call, which the venue has no name for: it is made once, and its answer proves that it was taken and not that it was made. */
async function moveCash(
  api: KalshiApi,
  { subaccount }: Pick<KalshiConfig, 'subaccount'>,
  { from, to, amount }: CashMove,
): Promise<CashMoveOutcome> {
  if (amount <= 0 || amount % CENTICENT !== 0)
    return { kind: 'rejected', reason: `$${microToText(amount)} is no whole number of hundredths of a cent` };
  const body = {
    ...{ source: 'event_contract', destination: 'event_contract', amount: amount / CENTICENT },
    ...{ source_exchange_shard: Number(from), destination_exchange_shard: Number(to) },
    ...(subaccount === null ? {} : { source_subaccount: subaccount, destination_subaccount: subaccount }),
  };
  try {
    return judgeAnswer(await api.send('POST', TRANSFER, body), subaccount);
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return { kind: 'unknown', reason: `no answer: ${error.message}` };
  }
}

/** `subaccount`: the one whose cash is moved; null for the account itself. */
export function judgeAnswer({ status, body }: Answer, subaccount: number | null): CashMoveOutcome {
  if (isSuccess({ status, body }))
    return transferMade.safeParse(body).success
      ? { kind: 'taken' }
      : { kind: 'unknown', reason: 'the answer could not be read' };
  const refusal = refusalIn(body);
  const reason = (refusal?.message || refusal?.code || `status ${status}`).slice(0, REASON_LENGTH_MAX);
  // Of a subaccount it is made in up to three steps, of which the first may have been made.
  const isProven = NOT_BEGUN.has(status) || (REFUSED.has(status) && refusal !== null && !subaccount);
  return { kind: isProven ? 'rejected' : 'unknown', reason };
}

/** With these the venue has not looked at it. Of a 404 and a 5xx nothing is known. */
const NOT_BEGUN: ReadonlySet<number> = new Set([401, 403, TOO_MANY_REQUESTS]);
/** With these it has, and moves nothing, where they are its own words. */
const REFUSED: ReadonlySet<number> = new Set([400, 409]);
const REASON_LENGTH_MAX = 300;
