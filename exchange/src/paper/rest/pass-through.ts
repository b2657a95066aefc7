import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refused } from '../../adapters/polymarket/answers.ts';
import { send } from '../../adapters/polymarket/trading-routes.ts';
import { jsonOf } from '../../http/raw-calls.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { UpstreamCalls } from '../upstream/calls.ts';

/** Lists of tokens, whose answers are lists, or objects by token. */
const LIST_PATHS: ReadonlySet<string> = new Set(['/books', '/prices', '/midpoints', '/spreads', '/last-trades-prices']);
const TOKEN_PATHS: ReadonlySet<string> = new Set(['/book', '/price', '/midpoint', '/spread', '/last-trade-price']);
/** Market calls passed on: their fields may differ from the catalogue's, and clients compare the two. */
const MARKET_PATHS = /^\/(clob-markets|markets-by-token)\/[^/]+$/;
const UNREACHABLE = refused(502, 'the real venue does not answer');
/** Marks a call of this hook to the exchange itself. */
const OWN = 'x-paper-own';

/**
 * Public reads of books and prices: tokens whose book is mirrored are answered from here, where what the paper account has taken is
 * gone; all others by the venue.
 */
export function passReadsOn(app: FastifyInstance, engine: MatchingEngine, calls: UpstreamCalls): void {
  const isHere = (tokenId: unknown) =>
    typeof tokenId === 'string' && engine.directory.token(tokenId)?.market.hasBooks === true;
  app.addHook('preHandler', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (request.headers[OWN] !== undefined) return undefined;
    if (request.method === 'POST' && LIST_PATHS.has(path)) return answerTokens({ app, calls, isHere }, request, reply);
    if (request.method !== 'GET') return undefined;
    const { token_id } = request.query as Record<string, unknown>;
    const isElsewhere = TOKEN_PATHS.has(path) ? !isHere(token_id) : MARKET_PATHS.test(path);
    if (!isElsewhere) return undefined;
    return passOn(calls, request, reply);
  });
}

interface Parts {
  readonly app: FastifyInstance;
  readonly calls: UpstreamCalls;
  readonly isHere: (tokenId: unknown) => boolean;
}

async function answerTokens({ app, calls, isHere }: Parts, request: FastifyRequest, reply: FastifyReply) {
  const asked = jsonOf(request.body);
  if (!Array.isArray(asked)) return undefined;
  const idOf = (entry: unknown) => (entry as { token_id?: unknown } | null)?.token_id;
  const elsewhere = asked.filter((entry) => !isHere(idOf(entry)));
  if (elsewhere.length === 0) return undefined;
  const here = asked.filter((entry) => isHere(idOf(entry)));
  try {
    const passed = await calls.pass('POST', request.url, JSON.stringify(elsewhere));
    if (passed.status !== 200) return reply.code(passed.status).type('application/json').send(passed.text);
    if (here.length === 0) return reply.type('application/json').send(passed.text);
    const own = await app.inject({
      ...{ method: 'POST', url: request.url, payload: JSON.stringify(here) },
      headers: { [OWN]: '1', 'content-type': 'application/json' },
    });
    return reply.send(joined(own.json(), JSON.parse(passed.text)));
  } catch {
    return send(reply, UNREACHABLE);
  }
}

function joined(own: unknown, passed: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(passed)) return [...(own as unknown[]), ...(passed as unknown[])];
  return Object.assign({}, passed, own);
}

async function passOn(calls: UpstreamCalls, request: FastifyRequest, reply: FastifyReply) {
  try {
    const { status, text } = await calls.pass('GET', request.url);
    return reply.code(status).type('application/json').send(text);
  } catch {
    return send(reply, UNREACHABLE);
  }
}
