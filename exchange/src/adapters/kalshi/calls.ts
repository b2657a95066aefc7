import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { drop, jsonOf } from '../../http/raw-calls.ts';
import type { ExchangeClock } from '../../matching-engine/clock.ts';
import { type Answer, BAD_SIGNATURE, flat, TOO_MANY } from './answers.ts';
import { type Budgets, CALL_COST } from './budgets.ts';
import type { ApiKey, Member } from './members.ts';
import { isSignedBy, signedText } from './signatures.ts';
import type { KalshiVenue } from './venue.ts';

/** Everything below this is the venue's REST interface. */
export const BASE_PATH = '/trade-api/v2';

export interface CallParts {
  readonly venue: KalshiVenue;
  readonly budgets: Budgets;
}

/** Who calls, and with which key. */
export interface Caller {
  readonly member: Member;
  readonly key: ApiKey;
}

export interface Call<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
}

export type Need = 'read' | 'read::portfolio_balance' | 'write::trade' | 'write::transfer';

interface SignedHeaders {
  readonly headers: FastifyRequest['headers'];
  readonly method: string;
  readonly path: string;
}

/** Whose signature a call or a connection carries; undefined where none is right, or its time is far off. */
export function callerOf({ headers, method, path }: SignedHeaders, venue: KalshiVenue): Caller | undefined {
  const text = (name: string) => String(headers[name] ?? '');
  const found = venue.members.withKey(text('kalshi-access-key'));
  const timestamp = text('kalshi-access-timestamp');
  if (found === undefined || !isFresh(Number(timestamp), venue.engine.clock)) return undefined;
  const signed = signedText(timestamp, method, path);
  return isSignedBy(found.key.publicKey, signed, text('kalshi-access-signature')) ? found : undefined;
}

function isFresh(ms: number, clock: ExchangeClock): boolean {
  const { readings, withinMs } = clock.readings();
  return readings.some((reading) => Math.abs(reading - ms) <= withinMs);
}

/** A key with a scope has what is below it: `write` is every kind of writing. */
export function isAllowed({ scopes }: ApiKey, need: Need): boolean {
  return scopes.some((scope) => need === scope || need.startsWith(`${scope}::`));
}

/** A call that needs no key. */
export function publicGet<Query>(
  app: FastifyInstance,
  { budgets }: Pick<CallParts, 'budgets'>,
  path: string,
  query: z.ZodType<Query>,
  answer: (call: Call<Query, undefined>) => Answer | Promise<Answer>,
): void {
  app.get(`${BASE_PATH}${path}`, async (request, reply) => {
    if (!budgets.takeWithoutKey()) return send(reply, TOO_MANY);
    const parsed = query.safeParse(request.query);
    if (!parsed.success) return send(reply, flat(400, 'invalid_parameters', parsed.error.issues[0]?.message ?? ''));
    return send(reply, await answer({ params: paramsOf(request), query: parsed.data, body: undefined }));
  });
}

export interface SignedRoute<Query, Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly need: Need;
  readonly query: z.ZodType<Query>;
  readonly body: z.ZodType<Body>;
  /** What each shard's bucket pays; a read costs ten from the bucket of reads where it is absent. */
  readonly costs?: (call: Call<Query, Body>) => readonly { readonly shard: number; readonly cost: number }[];
  readonly answer: (caller: Caller, call: Call<Query, Body>) => Answer;
  /** The markets whose books have to be there before it is answered. */
  readonly meets?: (call: Call<Query, Body>) => readonly string[];
}

/** A call that is signed. Faults strike it as they do the calls of the other venue. */
export function signedRoute<Query, Body>(
  app: FastifyInstance,
  { venue, budgets }: CallParts,
  route: SignedRoute<Query, Body>,
): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const caller = callerOf({ headers: request.headers, method: request.method, path }, venue);
    if (caller === undefined) return send(reply, BAD_SIGNATURE);
    if (!isAllowed(caller.key, route.need))
      return send(reply, flat(403, 'permission_denied', `the key has no ${route.need}`));
    const query = route.query.safeParse(request.query);
    const body = route.body.safeParse(route.method === 'GET' ? undefined : jsonOf(request.body));
    const wrong = query.error ?? body.error;
    if (!query.success || !body.success)
      return send(reply, flat(400, 'invalid_parameters', wrong?.issues[0]?.message ?? ''));
    const call = { params: paramsOf(request), query: query.data, body: body.data };
    if (!isPaid(budgets, caller.key.id, route.costs?.(call))) return send(reply, TOO_MANY);
    const met = route.meets?.(call) ?? [];
    if (route.method === 'GET') {
      await venue.mirror?.reading(met);
      return send(reply, route.answer(caller, call));
    }
    await venue.mirror?.arrival(met);
    return struck(venue, reply, () => route.answer(caller, call));
  };
  app.route({ method: route.method, url: `${BASE_PATH}${route.path}`, handler: handle });
}

type Costs = readonly { readonly shard: number; readonly cost: number }[];

function isPaid(budgets: Budgets, keyId: string, costs: Costs | undefined): boolean {
  if (costs === undefined) return budgets.take(keyId, 'read', CALL_COST);
  return costs.every(({ shard, cost }) => budgets.take(keyId, { shard }, cost));
}

const HANG_MS = 30_000;

/** A write that a fault has chosen: it is not looked at, or it is and its answer is lost. */
async function struck(venue: KalshiVenue, reply: FastifyReply, act: () => Answer): Promise<FastifyReply> {
  const { faults } = venue;
  if (faults.strike('rate_limit_429') !== undefined) return send(reply, TOO_MANY);
  const dropped = faults.strike('drop_response');
  if (dropped?.before === true) return drop(reply);
  const answer = act();
  const hang = faults.strike('hang');
  if (hang !== undefined) await pause(hang.ms ?? HANG_MS);
  if (dropped !== undefined) return drop(reply);
  if (faults.strike('accept_then_500') !== undefined)
    return send(reply, flat(500, 'internal_server_error', 'internal server error'));
  return send(reply, answer);
}

function paramsOf(request: FastifyRequest): Record<string, string> {
  return request.params as Record<string, string>;
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body);
}
