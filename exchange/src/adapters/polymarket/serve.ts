import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Faults } from '../../faults/faults.ts';
import { Upgrades } from '../../http/upgrades.ts';
import type { Timers } from '../../matching-engine/clock.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { Account } from '../../matching-engine/records.ts';
import { registerAccount } from './account-routes.ts';
import { GatheringSocket } from './connection.ts';
import { verifyL2 } from './credentials.ts';
import { registerGamma } from './gamma-routes.ts';
import { registerHeartbeat } from './heartbeat-route.ts';
import { type Followers, MarketStream } from './market-stream.ts';
import { registerPublic } from './public-routes.ts';
import { type Arrival, registerTrading } from './trading-routes.ts';
import { UserStream } from './user-stream.ts';

export interface PolymarketParts {
  readonly engine: MatchingEngine;
  readonly faults: Faults;
  readonly timers: Timers;
  readonly seed: number;
  /** Where the exchange mirrors a real venue: what stands in for the parts that it makes up otherwise. */
  readonly mirror?: MirroredParts | undefined;
}

export interface MirroredParts {
  readonly followers: Followers;
  readonly arrival: Arrival;
  registerGamma(app: FastifyInstance): void;
}

export interface PolymarketServer {
  readonly app: FastifyInstance;
  readonly upgrades: Upgrades;
  readonly marketStream: MarketStream;
  readonly userStream: UserStream;
}

/** Polymarket's wire: CLOB REST at the root, Gamma under `/gamma`, streams under `/ws/market` and `/ws/user`. */
export function servePolymarket(parts: PolymarketParts): PolymarketServer {
  const app = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 200 } });
  app.removeAllContentTypeParsers();
  // Signatures cover the bytes as they came, so bodies stay raw until their route reads them.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) process.stderr.write(`${error.stack}\n`);
    return reply.code(status).send({ error: status >= 500 ? 'internal server error' : error.message });
  });
  const authenticate = (request: FastifyRequest) => authenticated(request, parts.engine);
  registerPublic(app, parts.engine, parts.faults);
  registerAccount(app, { ...parts, authenticate });
  registerTrading(app, { ...parts, authenticate, arrival: parts.mirror?.arrival });
  registerHeartbeat(app, { engine: parts.engine, authenticate });
  if (parts.mirror === undefined) registerGamma(app, parts.engine);
  else parts.mirror.registerGamma(app);
  const marketStream = new MarketStream(parts.engine, parts.faults, parts.mirror?.followers);
  const userStream = new UserStream(parts.engine, parts.faults, parts.timers);
  const upgrades = new Upgrades(app);
  serveStreams(app, upgrades, [
    ['/ws/market', marketStream],
    ['/ws/user', userStream],
  ]);
  return { app, upgrades, marketStream, userStream };
}

function authenticated(request: FastifyRequest, engine: MatchingEngine): Account | undefined {
  const signed = {
    headers: request.headers,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
  return verifyL2(signed, (apiKey) => engine.register.accounts.get(apiKey), engine.clock.readings());
}

function serveStreams(
  app: FastifyInstance,
  upgrades: Upgrades,
  streams: readonly [string, MarketStream | UserStream][],
): void {
  const sockets = new WebSocketServer({ noServer: true });
  for (const [path, stream] of streams)
    upgrades.at(path, (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (client) => stream.connect(new GatheringSocket(client, socket))),
    );
  app.addHook('preClose', () => {
    for (const client of sockets.clients) client.terminate();
  });
}
