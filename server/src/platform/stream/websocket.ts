import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { STREAM_CLOSED, STREAM_PATH } from '@dutchbook/contract/stream.ts';
import proxyAddress from '@fastify/proxy-addr';
import { type WebSocket, WebSocketServer } from 'ws';
import { networkOf } from '../http/attempts.ts';
import { isForeign } from '../http/same-origin.ts';
import type { Sessions } from '../http/signed-in.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenHub } from './hub.ts';
import { serveTab, type Tab } from './tab.ts';

/** A hundred topics and a token fit. */
const FRAME_BYTES_MAX = 16_384;
const TABS_MAX = 2000;
/** Connections from one address that have not said who they are; a further one takes the place of the oldest. */
const UNPROVEN_PER_ADDRESS = 100;
const PING_MS = 20_000;
const CHECK_SESSIONS_MS = 2000;
const CLOSE_WITHIN_MS = 1000;

/**
 * Serves the live stream on `server`. Connections whose session has ended are closed within seconds, those that do not
 * answer a ping within the next interval as well. @returns what closes them all
 */
export function serveStream(
  server: Server,
  runtime: Pick<Runtime, 'config' | 'timers' | 'log'>,
  sessions: Sessions,
  hub: OpenHub,
): () => void {
  const trust = proxyAddress.compile([...runtime.config.trustedProxies]);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false });
  const tabs = new Map<WebSocket, ConnectedTab>();

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url !== `${API_PREFIX}${STREAM_PATH}`) return refuse(socket, '404 Not Found');
    if (isForeign(request, runtime.config)) return refuse(socket, '403 Forbidden');
    const address = networkOf(proxyAddress(request, trust));
    if (!madeRoom(tabs, address)) return refuse(socket, '503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (opened) => {
      tabs.set(opened, { ...serveTab(opened, { runtime, sessions, hub }), address });
      opened.on('close', () => tabs.delete(opened));
    });
  });

  const stopPinging = runtime.timers.every(PING_MS, pingAll(tabs));
  const stopChecking = runtime.timers.every(CHECK_SESSIONS_MS, () => closeEnded(tabs, sessions));
  return () => {
    stopPinging();
    stopChecking();
    for (const tab of tabs.values()) tab.close(STREAM_CLOSED.stopping, 'Stopping');
    sockets.close();
    runtime.timers.after(CLOSE_WITHIN_MS, () => {
      for (const socket of tabs.keys()) socket.terminate();
    });
  };
}

type ConnectedTab = Tab & { address: string };

/** Whether one more may come: the oldest that has not proven a session goes first, those of the same address before others. */
function madeRoom(tabs: Map<WebSocket, ConnectedTab>, address: string): boolean {
  const unproven = [...tabs].filter(([, tab]) => tab.session() === null);
  const own = unproven.filter(([, tab]) => tab.address === address);
  const isFull = tabs.size >= TABS_MAX;
  if (!isFull && own.length < UNPROVEN_PER_ADDRESS) return true;
  const [oldest] = own.length >= UNPROVEN_PER_ADDRESS ? own : unproven;
  if (oldest === undefined) return false;
  tabs.delete(oldest[0]);
  oldest[0].terminate();
  return true;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function pingAll(tabs: ReadonlyMap<WebSocket, Tab>): () => void {
  const silent = new WeakSet<WebSocket>();
  return () => {
    for (const socket of tabs.keys()) {
      if (silent.has(socket)) socket.terminate();
      silent.add(socket);
      socket.once('pong', () => silent.delete(socket));
      socket.ping();
    }
  };
}

async function closeEnded(tabs: ReadonlyMap<WebSocket, Tab>, sessions: Sessions): Promise<void> {
  const held = [...tabs.values()].flatMap((tab) => {
    const session = tab.session();
    return session === null ? [] : [{ tab, session }];
  });
  const ended = await sessions.ended(held.map(({ session }) => session));
  for (const { tab, session } of held)
    if (ended.has(session)) tab.close(STREAM_CLOSED.refused, 'Could not validate credentials');
}
