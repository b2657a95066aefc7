import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Answer, flat, NOT_FOUND, ok, page } from '../answers.ts';
import { CALL_COST } from '../budgets.ts';
import { type Caller, type CallParts, signedRoute } from '../calls.ts';
import { SHARDS, SUBACCOUNT_MAX } from '../members.ts';
import { dollars, seconds } from '../text.ts';
import type { KalshiVenue } from '../venue.ts';
import { limited } from './account-part.ts';
import { type Transfer, usdFromCenticents } from './transfers.ts';

export const shardIndex = z
  .int()
  .min(0)
  .max(SHARDS.length - 1);
export const subaccountNumber = z.int().min(0).max(SUBACCOUNT_MAX);
const transferBody = z.object({
  source: z.enum(['event_contract', 'margined']),
  destination: z.enum(['event_contract', 'margined']),
  amount: z.int().positive(),
  source_exchange_shard: shardIndex.default(0),
  destination_exchange_shard: shardIndex.default(0),
  source_subaccount: subaccountNumber.default(0),
  destination_subaccount: subaccountNumber.default(0),
});
const allocationBody = z.object({
  allocations: z.array(z.object({ exchange_index: shardIndex, percent: z.int().min(0).max(100) })).max(SHARDS.length),
  resting_margin_reservation: z.enum(['max', 'sum']).default('sum'),
});

const whole = z.coerce.number().int().nonnegative().optional();
export const pageQuery = z.object({ limit: whole, cursor: z.string().optional() });

/** Cash between shards. */
export function registerTransfers(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  const read = { method: 'GET', need: 'read', body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...{ method: 'POST', path: '/portfolio/intra_exchange_instance_transfer', need: 'write::transfer' },
    ...{ query: z.unknown(), body: transferBody },
    costs: ({ body }) => [{ shard: body.source_exchange_shard, cost: CALL_COST }],
    answer: (caller, { body }) => transfer(venue, caller, body),
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/intra_exchange_instance_transfers', query: pageQuery },
    answer: (caller, { query }) => {
      const { items, cursor } = page(betweenShards(venue, caller), query.cursor, limited(venue, query.limit));
      return ok({ transfers: items.map(wireTransfer), cursor });
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/intra_exchange_instance_transfers/:id', query: z.unknown() },
    answer: (caller, { params }) => {
      const found = betweenShards(venue, caller).find(({ id }) => id === params.id);
      return found === undefined || venue.transfers.isHidden ? NOT_FOUND : ok({ transfer: wireTransfer(found) });
    },
  });
  registerAllocation(app, parts);
}

function registerAllocation(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  const path = '/portfolio/target_balance_allocation';
  signedRoute(app, parts, {
    ...{ method: 'GET', path, need: 'read', query: z.unknown(), body: z.unknown() },
    answer: ({ member }) => {
      const allocations = venue.transfers.allocationsOf(member.id);
      return ok({
        allocations: allocations.map(({ shard: index, percent }) => ({ exchange_index: index, percent })),
        resting_margin_reservation: member.marginReservation,
      });
    },
  });
  signedRoute(app, parts, {
    ...{ method: 'POST', path, need: 'write::transfer', query: z.unknown(), body: allocationBody },
    costs: () => [{ shard: 0, cost: CALL_COST }],
    answer: ({ member, key }, { body }) => {
      if (key.subaccount !== null) return LOCKED_KEY;
      const wanted = body.allocations.map(({ exchange_index: shard, percent }) => ({ shard, percent }));
      const sum = wanted.reduce((all, { percent }) => all + percent, 0);
      const isOnce = new Set(wanted.map(({ shard }) => shard)).size === wanted.length;
      if (wanted.length > 0 && (sum !== 100 || !isOnce))
        return flat(400, 'invalid_parameters', 'percentages add up to 100, each shard once');
      member.marginReservation = body.resting_margin_reservation;
      venue.transfers.allocate(member.id, wanted);
      venue.members.onSettings(member);
      return ok({});
    },
  });
}

export const LOCKED_KEY = flat(403, 'permission_denied', 'a key of one subaccount moves no money');
export const TRANSFERS_PAUSED = flat(409, 'transfers_are_paused', 'transfers are paused');
export const INSUFFICIENT = flat(400, 'insufficient_balance', 'insufficient balance');

function transfer(venue: KalshiVenue, { member, key }: Caller, body: z.infer<typeof transferBody>): Answer {
  const source = { subaccount: body.source_subaccount, shard: body.source_exchange_shard };
  const destination = { subaccount: body.destination_subaccount, shard: body.destination_exchange_shard };
  if (key.subaccount !== null) return LOCKED_KEY;
  if (body.source !== 'event_contract' || body.destination !== 'event_contract')
    return flat(400, 'invalid_parameters', 'only event contracts are traded here');
  if (![source, destination].every(({ shard }) => venue.states.shard(shard).transfersActive)) return TRANSFERS_PAUSED;
  if (source.shard === destination.shard && source.subaccount === destination.subaccount)
    return flat(400, 'invalid_parameters', 'source and destination are the same');
  if (!member.subaccounts.has(destination.subaccount)) return NO_SUBACCOUNT;
  const made = venue.transfers.move(member, { source, destination, usd: usdFromCenticents(body.amount) });
  return made === null ? INSUFFICIENT : ok({ transfer_id: made.id }, 201);
}

export const NO_SUBACCOUNT = flat(400, 'invalid_parameters', 'there is no such subaccount');

/** The newest first; those on one shard are in the list of subaccounts. A key of one subaccount sees none. */
function betweenShards(venue: KalshiVenue, { member, key }: Caller): Transfer[] {
  if (key.subaccount !== null) return [];
  return venue.transfers
    .of(member)
    .filter(({ source, destination }) => source.shard !== destination.shard)
    .reverse();
}

export function wireTransfer({ id, source, destination, usd, isComplete, createdAt }: Transfer) {
  return {
    transfer_id: id,
    source: 'event_contract',
    destination: 'event_contract',
    source_exchange_shard: source.shard,
    destination_exchange_shard: destination.shard,
    amount: dollars(usd),
    status: isComplete ? 'complete' : 'pending',
    created_ts: seconds(createdAt),
  };
}
