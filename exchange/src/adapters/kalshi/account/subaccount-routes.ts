import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Answer, flat, ok, page } from '../answers.ts';
import { CALL_COST } from '../budgets.ts';
import { type Caller, type CallParts, signedRoute } from '../calls.ts';
import { SHARDS } from '../members.ts';
import { dollars, seconds } from '../text.ts';
import type { KalshiVenue } from '../venue.ts';
import { limited } from './account-part.ts';
import {
  INSUFFICIENT,
  LOCKED_KEY,
  NO_SUBACCOUNT,
  pageQuery,
  shardIndex,
  subaccountNumber,
  TRANSFERS_PAUSED,
} from './transfer-routes.ts';
import { centsIn, type Transfer, usdFromCents } from './transfers.ts';

const SUBACCOUNTS = '/portfolio/subaccounts';

const transferBody = z.object({
  client_transfer_id: z.string().min(1).max(64),
  from_subaccount: subaccountNumber,
  to_subaccount: subaccountNumber,
  amount_cents: z.int().positive(),
  exchange_index: shardIndex.default(0),
});
const nettingBody = z.object({ subaccount_number: subaccountNumber, enabled: z.boolean() });

/** The subaccounts of a member: opening them, what each has, cash between them, and whether each nets. */
export function registerSubaccounts(app: FastifyInstance, parts: CallParts): void {
  const { venue, budgets } = parts;
  const read = { method: 'GET', need: 'read', body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...{ method: 'POST', path: SUBACCOUNTS, need: 'write::transfer', query: z.unknown() },
    body: z.object({ exchange_index: shardIndex.optional() }).optional(),
    costs: ({ body }) => [{ shard: body?.exchange_index ?? 0, cost: CALL_COST }],
    answer: ({ member, key }) => {
      if (key.subaccount !== null) return LOCKED_KEY;
      if (budgets.limits.tier === 'basic') return flat(403, 'permission_denied', 'subaccounts need the advanced tier');
      const opened = venue.members.openSubaccount(member);
      return opened === null
        ? flat(400, 'invalid_parameters', 'there are 63 subaccounts')
        : ok({ subaccount_number: opened }, 201);
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: `${SUBACCOUNTS}/balances`, query: z.unknown() },
    answer: (caller) => ok({ subaccount_balances: wireBalances(venue, caller) }),
  });
  signedRoute(app, parts, {
    ...{ method: 'POST', path: `${SUBACCOUNTS}/transfer`, need: 'write::transfer', query: z.unknown() },
    body: transferBody,
    costs: ({ body }) => [{ shard: body.exchange_index, cost: CALL_COST }],
    answer: (caller, { body }) => transfer(venue, caller, body),
  });
  signedRoute(app, parts, {
    ...{ ...read, path: `${SUBACCOUNTS}/transfers`, query: pageQuery },
    answer: ({ member, key }, { query }) => {
      const own = venue.transfers
        .of(member)
        .filter(({ source, destination }) => source.shard === destination.shard)
        .filter(({ source, destination }) => isSeen(key.subaccount, source.subaccount, destination.subaccount))
        .reverse();
      const { items, cursor } = page(own, query.cursor, limited(venue, query.limit));
      return ok({ transfers: items.map(wireSubaccountTransfer), cursor });
    },
  });
  registerNetting(app, parts);
}

/** A key of one subaccount sees what is of it. */
function isSeen(locked: number | null, ...subaccounts: readonly number[]): boolean {
  return locked === null || subaccounts.includes(locked);
}

function registerNetting(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  const path = `${SUBACCOUNTS}/netting`;
  signedRoute(app, parts, {
    ...{ method: 'GET', path, need: 'read', query: z.unknown(), body: z.unknown() },
    answer: (caller) => ok({ netting_configs: wireNetting(venue, caller) }),
  });
  signedRoute(app, parts, {
    ...{ method: 'PUT', path, need: 'write::trade', query: z.unknown(), body: nettingBody },
    costs: () => [{ shard: 0, cost: CALL_COST }],
    answer: ({ member, key }, { body }) => {
      if (!isSeen(key.subaccount, body.subaccount_number))
        return flat(403, 'permission_denied', 'the key is of another subaccount');
      if (!member.subaccounts.has(body.subaccount_number)) return NO_SUBACCOUNT;
      venue.members.setNetting(member, body.subaccount_number, body.enabled);
      return ok({});
    },
  });
}

function transfer(venue: KalshiVenue, { member, key }: Caller, body: z.infer<typeof transferBody>): Answer {
  const { from_subaccount: from, to_subaccount: to, exchange_index: shard } = body;
  if (key.subaccount !== null) return LOCKED_KEY;
  if (!venue.states.shard(shard).transfersActive) return TRANSFERS_PAUSED;
  if (![from, to].every((each) => member.subaccounts.has(each))) return NO_SUBACCOUNT;
  if (from === to) return flat(400, 'invalid_parameters', 'source and destination are the same');
  const [source, destination] = [
    { subaccount: from, shard },
    { subaccount: to, shard },
  ];
  const of = { source, destination, usd: usdFromCents(body.amount_cents) };
  return venue.transfers.move(member, of, body.client_transfer_id) === null ? INSUFFICIENT : ok({});
}

export function wireBalances(venue: KalshiVenue, { member, key }: Caller) {
  const updated = seconds(venue.engine.clock.now());
  return [...member.subaccounts]
    .filter((subaccount) => isSeen(key.subaccount, subaccount))
    .toSorted((one, other) => one - other)
    .flatMap((subaccount) =>
      SHARDS.map(({ index }) => ({
        subaccount_number: subaccount,
        exchange_index: index,
        balance: dollars(venue.orders.freeCash(member.pocket(subaccount, index))),
        updated_ts: updated,
      })),
    );
}

export function wireNetting({ members }: KalshiVenue, { member, key }: Caller) {
  return [...member.subaccounts]
    .filter((subaccount) => isSeen(key.subaccount, subaccount))
    .flatMap((subaccount) =>
      SHARDS.map(({ index }) => ({
        subaccount_number: subaccount,
        enabled: members.nets(member.pocket(subaccount, index)),
        exchange_index: index,
      })),
    );
}

export function wireSubaccountTransfer({ id, source, destination, usd, createdAt }: Transfer) {
  return {
    transfer_id: id,
    from_subaccount: source.subaccount,
    to_subaccount: destination.subaccount,
    amount_cents: centsIn(usd),
    created_ts: seconds(createdAt),
    exchange_index: source.shard,
  };
}
