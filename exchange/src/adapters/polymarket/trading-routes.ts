import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FaultOrder, Faults } from '../../faults/faults.ts';
import { drop } from '../../http/raw-calls.ts';
import type { Timers } from '../../matching-engine/clock.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { Account, OrderRecord } from '../../matching-engine/records.ts';
import { type Answer, INVALID_ORDER, ok, refused } from './answers.ts';
import { OrderLimits } from './order-limits.ts';
import { submitOrder, tokenIdsIn, verifyOrder } from './place-order.ts';
import { cancelRefusal, placingRefusal } from './trading-modes.ts';

const MAX_BATCH = 15;
const MAX_CANCELS = 1_000;
const cancelBody = z.object({ orderID: z.string() });
const cancelsBody = z.array(z.string()).max(MAX_CANCELS);
const cancelMarketBody = z.object({ market: z.string().optional(), asset_id: z.string().optional() });
const refusal = z.object({ error: z.string() });

const HANG_MS = 10_000;
const NOT_FOUND = 'Order not found or already canceled';
const CANCEL_REFUSALS: Readonly<Record<string, string>> = {
  MATCHED: 'already canceled or matched',
  DELAYED: 'order match delayed due to market conditions',
};
const RETRY_AFTER_MS = 1000;
const TOO_MANY_REQUESTS = refused(429, 'Too Many Requests');

export interface TradingParts {
  readonly engine: MatchingEngine;
  readonly faults: Faults;
  readonly timers: Timers;
  readonly authenticate: (request: FastifyRequest) => Account | undefined;
  /** Absent: calls are carried out as they arrive. */
  readonly arrival?: Arrival | undefined;
}

/** The hook between a call that places or cancels and the books. */
export interface Arrival {
  /** Resolves when orders for these tokens reach their books; with a refusal where they cannot. */
  orders(tokenIds: readonly string[]): Promise<Answer | undefined>;
  cancel(): Promise<undefined>;
}

type ServingParts = TradingParts & { readonly limits: OrderLimits };

type Handler = (account: Account, body: unknown) => Promise<Answer> | Answer;

/** Placing and cancelling: the calls that need an L2 signature and that faults may strike. */
export function registerTrading(app: FastifyInstance, parts: TradingParts): void {
  const { engine } = parts;
  const limits = new OrderLimits(engine.clock);
  const route = (method: 'POST' | 'DELETE', url: string, handler: Handler) =>
    app.route({ method, url, handler: (request, reply) => serve({ ...parts, limits }, handler, request, reply) });

  route('POST', '/order', (account, body) => placeOne(body, account, engine));
  route('POST', '/orders', (account, body) => placeBatch(body, account, engine));
  route('DELETE', '/order', (account, body) => {
    const parsed = cancelBody.safeParse(body);
    return parsed.success ? ok(cancelIds([parsed.data.orderID], account, engine)) : INVALID_ORDER;
  });
  route('DELETE', '/orders', (account, body) => {
    const parsed = cancelsBody.safeParse(body);
    return parsed.success ? ok(cancelIds(parsed.data, account, engine)) : INVALID_ORDER;
  });
  route('DELETE', '/cancel-all', (account) => ok(cancelWhere(() => true, account, engine)));
  route('DELETE', '/cancel-market-orders', (account, body) => {
    const parsed = cancelMarketBody.safeParse(body ?? {});
    if (!parsed.success) return INVALID_ORDER;
    const { market, asset_id } = parsed.data;
    const isMeant = (order: OrderRecord) =>
      (!market || order.conditionId === market) && (!asset_id || order.tokenId === asset_id);
    return ok(cancelWhere(isMeant, account, engine));
  });
}

function placeOne(body: unknown, account: Account, engine: MatchingEngine): Answer {
  const verified = verifyOrder(body, account, engine);
  return 'status' in verified ? verified : submitOrder(verified, engine);
}

/** Entries succeed or fail each on its own; a refused one reads `success: true` with an `errorMsg` and no id. */
function placeBatch(body: unknown, account: Account, engine: MatchingEngine): Answer {
  if (!Array.isArray(body) || body.length === 0) return INVALID_ORDER;
  if (body.length > MAX_BATCH) {
    return refused(400, `Too many orders in payload: ${body.length}, max allowed: ${MAX_BATCH}`);
  }
  const verified = body.map((entry) => verifyOrder(entry, account, engine));
  const answers = verified.map((entry) => ('status' in entry ? entry : submitOrder(entry, engine)));
  return ok(answers.map((answer) => (answer.status === 200 ? answer.body : refusedEntry(answer))));
}

function refusedEntry({ body }: Answer) {
  const { error } = refusal.parse(body);
  return { success: true, errorMsg: error, orderID: '', status: '', makingAmount: '', takingAmount: '' };
}

function cancelIds(ids: readonly string[], account: Account, engine: MatchingEngine) {
  const canceled: string[] = [];
  const refusals: Record<string, string> = {};
  for (const id of new Set(ids)) {
    const order = engine.register.orders.get(id);
    if (order === undefined || order.account !== account.address) refusals[id] = NOT_FOUND;
    else if (engine.cancel(id)) canceled.push(id);
    else refusals[id] = CANCEL_REFUSALS[order.status] ?? NOT_FOUND;
  }
  return { canceled, not_canceled: refusals };
}

function cancelWhere(isMeant: (order: OrderRecord) => boolean, account: Account, engine: MatchingEngine) {
  const open = engine.register.openOrders().filter((order) => order.account === account.address && isMeant(order));
  return cancelIds(
    open.map((order) => order.id),
    account,
    engine,
  );
}

/** Authenticates, lets faults that refuse strike, acts, then lets faults that lose the answer strike. */
async function serve(parts: ServingParts, handler: Handler, request: FastifyRequest, reply: FastifyReply) {
  const account = parts.authenticate(request);
  if (account === undefined) return send(reply, refused(401, 'Unauthorized/Invalid api key'));
  const body = parseJson(request.body);
  if (body === MALFORMED) return send(reply, INVALID_ORDER);
  const entries = Array.isArray(body) ? body : [body];
  const tokenIds = tokenIdsIn(entries);
  const isPlacing = request.method === 'POST';
  const { tradingMode } = parts.engine;
  if (isPlacing) {
    const { isAdmitted, headers } = parts.limits.admit(account.address, entries.length);
    reply.headers(headers);
    if (!isAdmitted) return send(reply, TOO_MANY_REQUESTS);
  }
  const refusal =
    refusalByFault(parts.faults, tokenIds) ??
    (isPlacing ? placingRefusal(tradingMode, entries) : cancelRefusal(tradingMode));
  if (refusal !== undefined) return send(reply, refusal);
  if (isPlacing && parts.faults.strike('drop_response', tokenIds, isBeforeAcceptance)) return drop(reply);
  if (parts.arrival !== undefined) {
    const late = isPlacing ? await parts.arrival.orders(tokenIds) : await parts.arrival.cancel();
    if (late !== undefined) return send(reply, late);
  }
  const answer = await handler(account, body);
  return isPlacing ? sendOrLose(parts, tokenIds, answer, reply) : send(reply, answer);
}

function refusalByFault(faults: Faults, tokenIds: readonly string[]): Answer | undefined {
  const limited = faults.strike('rate_limit_429', tokenIds);
  if (limited !== undefined) {
    const headers = {
      'retry-after': String(Math.ceil((limited.ms ?? RETRY_AFTER_MS) / 1000)),
      'poly-ratelimit-remaining': '0',
    };
    return { ...TOO_MANY_REQUESTS, headers };
  }
  return faults.strike('restart_425', tokenIds) ? { status: 425, body: '' } : undefined;
}

async function sendOrLose(
  { faults, timers }: TradingParts,
  tokenIds: readonly string[],
  answer: Answer,
  reply: FastifyReply,
) {
  const hang = faults.strike('hang', tokenIds);
  if (hang !== undefined) await new Promise<void>((done) => timers.setTimeout(done, hang.ms ?? HANG_MS));
  if (faults.strike('drop_response', tokenIds, (fault) => !isBeforeAcceptance(fault))) return drop(reply);
  const isLost = answer.status === 200 && faults.strike('accept_then_500', tokenIds) !== undefined;
  return send(reply, isLost ? refused(500, 'could not insert order') : answer);
}

function isBeforeAcceptance({ before }: FaultOrder): boolean {
  return before === true;
}

export function send(reply: FastifyReply, answer: Answer) {
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .send(answer.body);
}

const MALFORMED = Symbol('malformed JSON');

/** The JSON of a raw body; undefined when there is none, a symbol of its own when it is malformed. */
export function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return MALFORMED;
  }
}
