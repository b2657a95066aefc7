import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Answer, flat, ok } from './answers.ts';
import { CALL_COST } from './budgets.ts';
import { type Caller, type CallParts, signedRoute } from './calls.ts';
import { SHARDS } from './members.ts';
import { usdFromCenticents } from './transfers.ts';
import type { KalshiVenue } from './venue.ts';

const shard = z
  .int()
  .min(0)
  .max(SHARDS.length - 1)
  .default(0);
const subaccount = z.int().min(0).max(63).default(0);
const transferBody = z.object({
  source: z.enum(['event_contract', 'margined']),
  destination: z.enum(['event_contract', 'margined']),
  amount: z.int().positive(),
  source_exchange_shard: shard,
  destination_exchange_shard: shard,
  source_subaccount: subaccount,
  destination_subaccount: subaccount,
});
type TransferBody = z.infer<typeof transferBody>;

/** Cash between shards. A transfer cannot be looked up: the venue answers 404 of some that it has made. */
export function registerTransfers(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  signedRoute(app, parts, {
    ...{ method: 'POST', path: '/portfolio/intra_exchange_instance_transfer', need: 'write::transfer' },
    ...{ query: z.unknown(), body: transferBody },
    costs: ({ body }) => [{ shard: body.source_exchange_shard, cost: CALL_COST }],
    answer: (caller, { body }) => transfer(venue, caller, body),
  });
  signedRoute(app, parts, {
    ...{ method: 'GET', path: '/portfolio/target_balance_allocation', need: 'read' },
    ...{ query: z.unknown(), body: z.unknown() },
    answer: ({ member }) => {
      const allocations = venue.transfers.allocations.get(member.id) ?? [];
      return ok({
        allocations: allocations.map(({ shard: index, percent }) => ({ exchange_index: index, percent })),
        resting_margin_reservation: 'sum',
      });
    },
  });
}

function transfer(venue: KalshiVenue, { member, key }: Caller, body: TransferBody): Answer {
  const { source_exchange_shard: from, destination_exchange_shard: to } = body;
  if (key.subaccount !== null) return flat(403, 'permission_denied', 'a key of one subaccount moves no money');
  if (body.source !== 'event_contract' || body.destination !== 'event_contract')
    return flat(400, 'invalid_parameters', 'only event contracts are traded here');
  if (![from, to].every((each) => venue.states.shard(each).transfersActive))
    return flat(409, 'transfers_are_paused', 'transfers are paused');
  const pocketFrom = member.pocket(body.source_subaccount, from);
  const pocketTo = member.pocket(body.destination_subaccount, to);
  if (pocketFrom === pocketTo) return flat(400, 'invalid_parameters', 'source and destination are the same');
  const made = venue.transfers.move(pocketFrom, pocketTo, usdFromCenticents(body.amount));
  return made === null ? flat(400, 'insufficient_balance', 'insufficient balance') : ok({ transfer_id: made.id }, 201);
}
