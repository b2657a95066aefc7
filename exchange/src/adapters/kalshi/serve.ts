import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Upgrades } from '../../http/upgrades.ts';
import { registerSubaccounts } from './account/subaccount-routes.ts';
import { registerTransfers } from './account/transfer-routes.ts';
import { Budgets } from './budgets.ts';
import { BASE_PATH, type Caller, callerOf, isAllowed } from './calls.ts';
import { registerCandles } from './candle-routes.ts';
import { registerKalshiControl } from './control.ts';
import { registerHistory, registerPublicHistory } from './history-routes.ts';
import { registerAmendments } from './orders/amend-routes.ts';
import { registerOrderGroups } from './orders/order-group-routes.ts';
import { registerOrders } from './orders/order-routes.ts';
import { registerPortfolio } from './portfolio-routes.ts';
import { registerBooks, registerPublic } from './public-routes.ts';
import { KalshiStream } from './stream/stream.ts';
import type { KalshiVenue } from './venue.ts';

export const STREAM_PATH = '/trade-api/ws/v2';
const PING_EVERY_MS = 10_000;

/**
 * Kalshi's wire: REST below `/trade-api/v2`, one socket at `/trade-api/ws/v2`, and what moves it below `/_control/kalshi`.
 * @param registerListings serves the public lists where a real venue is mirrored
 * @returns what takes any connection
 */
export function serveKalshi(
  app: FastifyInstance,
  upgrades: Upgrades,
  venue: KalshiVenue,
  registerListings: ((app: FastifyInstance) => void) | undefined = undefined,
): KalshiStream {
  const budgets = new Budgets(venue.engine.clock);
  const parts = { venue, budgets };
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith(BASE_PATH)) reply.header('date', new Date(venue.engine.clock.servedNow()).toUTCString());
  });
  if (registerListings === undefined) {
    registerPublic(app, parts);
    registerPublicHistory(app, parts);
    registerCandles(app, parts);
  } else registerListings(app);
  registerBooks(app, parts);
  registerOrders(app, parts);
  registerAmendments(app, parts);
  registerOrderGroups(app, parts);
  registerPortfolio(app, parts);
  registerHistory(app, parts);
  registerTransfers(app, parts);
  registerSubaccounts(app, parts);
  const stream = new KalshiStream(venue);
  registerKalshiControl(app, { venue, budgets, stream });
  serveStream(app, upgrades, { venue, stream });
  return stream;
}

/** Who opens a connection with these headers; null where the key is unknown, or may not read. */
export function streamCallerOf(headers: IncomingHttpHeaders, venue: KalshiVenue): Caller | null {
  const caller = callerOf({ headers, method: 'GET', path: STREAM_PATH }, venue);
  return caller !== undefined && isAllowed(caller.key, 'read') ? caller : null;
}

/** Public channels too are served only on a connection that was opened with a key. */
function serveStream(
  app: FastifyInstance,
  upgrades: Upgrades,
  { venue, stream }: { readonly venue: KalshiVenue; readonly stream: KalshiStream },
): void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  upgrades.at(STREAM_PATH, (request, socket, head) => {
    const caller = streamCallerOf(request.headers, venue);
    if (caller === null) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => stream.connect(client, caller));
  });
  const pinging = setInterval(() => {
    for (const client of sockets.clients) client.ping('heartbeat');
  }, PING_EVERY_MS);
  pinging.unref();
  app.addHook('preClose', () => {
    clearInterval(pinging);
    for (const client of sockets.clients) client.terminate();
  });
}
