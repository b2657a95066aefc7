import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Answer, flat, ok } from '../answers.ts';
import { CALL_COST } from '../budgets.ts';
import { type Call, type Caller, type CallParts, signedRoute } from '../calls.ts';
import { count } from '../text.ts';
import type { OrderGroup } from './order-groups.ts';

const GROUPS = '/portfolio/order_groups';

const limits = {
  contracts_limit: z.int().min(1).max(1_000_000_000).optional(),
  contracts_limit_fp: z
    .string()
    .regex(/^\d{1,9}(?:\.0{1,2})?$/)
    .optional(),
};
type Limits = { contracts_limit?: number | undefined; contracts_limit_fp?: string | undefined };

const whole = z.coerce.number().int().nonnegative().optional();
/** Where a group is looked for; without an index on shard 0. */
const place = z.object({ subaccount: whole, exchange_index: whole });
type GroupCall = Call<z.infer<typeof place>, unknown>;

const NOT_FOUND = flat(404, 'not_found', 'order group not found');
const TOO_MANY_GROUPS = flat(400, 'invalid_parameters', 'too many order groups');
const WRONG_LIMIT = flat(400, 'invalid_parameters', 'contracts_limit and contracts_limit_fp differ');

export function registerOrderGroups(app: FastifyInstance, parts: CallParts): void {
  const { groups } = parts.venue;
  const write = { need: 'write::trade', costs: () => [{ shard: 0, cost: CALL_COST }] } as const;
  signedRoute(app, parts, {
    ...{ ...write, method: 'POST', path: `${GROUPS}/create`, query: z.unknown() },
    body: z.object({ ...limits, subaccount: z.int().min(0).max(63).optional(), exchange_index: z.int().optional() }),
    answer: ({ member, key }, { body: { subaccount = key.subaccount ?? 0, exchange_index: shard = 0, ...asked } }) => {
      const limit = limitIn(asked);
      if (limit === 'differs') return WRONG_LIMIT;
      const group = groups.create({ member, subaccount, shard, limit });
      return group === null
        ? TOO_MANY_GROUPS
        : ok({ order_group_id: group.id, subaccount, exchange_index: shard }, 201);
    },
  });
  signedRoute(app, parts, {
    ...{ method: 'GET', path: GROUPS, need: 'read', query: place, body: z.unknown() },
    answer: ({ member }, { query: { subaccount } }) => {
      const own = groups.of(member).filter((group) => subaccount === undefined || group.subaccount === subaccount);
      return ok({ order_groups: own.map((group) => ({ id: group.id, ...wireGroup(group) })) });
    },
  });
  /** A group of the caller, on the shard that is asked: on another it is not found. */
  const withGroup =
    (answer: (group: OrderGroup, call: GroupCall) => Answer, isOnShard = true) =>
    ({ member }: Caller, call: GroupCall): Answer => {
      const group = groups.byId(call.params.id ?? '');
      const isOwn = group !== undefined && group.member === member;
      return isOwn && (!isOnShard || group.shard === (call.query.exchange_index ?? 0))
        ? answer(group, call)
        : NOT_FOUND;
    };
  signedRoute(app, parts, {
    ...{ method: 'GET', path: `${GROUPS}/:id`, need: 'read', query: place, body: z.unknown() },
    answer: withGroup(
      (group) => ok({ ...wireGroup(group), orders: groups.ordersOf(group).map(({ id }) => id) }),
      false,
    ),
  });
  for (const [method, path, act] of [
    ['PUT', `${GROUPS}/:id/reset`, groups.reset],
    ['PUT', `${GROUPS}/:id/trigger`, groups.trigger],
    ['DELETE', `${GROUPS}/:id`, groups.remove],
  ] as const)
    signedRoute(app, parts, {
      ...{ ...write, method, path, query: place, body: z.unknown() },
      answer: withGroup((group) => {
        act.call(groups, group);
        return ok({});
      }),
    });
  signedRoute(app, parts, {
    ...{ ...write, method: 'PUT', path: `${GROUPS}/:id/limit`, query: place, body: z.object(limits) },
    answer: (caller, call) =>
      withGroup((group) => {
        const limit = limitIn(call.body);
        if (limit === 'differs') return WRONG_LIMIT;
        groups.setLimit(group, limit);
        return ok({});
      })(caller, call),
  });
}

/** Whole contracts, named in one way or in both. */
function limitIn({ contracts_limit: whole, contracts_limit_fp: text }: Limits): Shares | null | 'differs' {
  const named = [whole?.toString(), text].flatMap((each) => (each === undefined ? [] : [sharesFromText(each)]));
  const [first = null, other = first] = named;
  return first === other ? first : 'differs';
}

function wireGroup({ limit, shard, isTriggered }: OrderGroup) {
  return {
    ...(limit === null ? {} : { contracts_limit_fp: count(limit) }),
    is_auto_cancel_enabled: limit !== null && !isTriggered,
    exchange_index: shard,
  };
}
