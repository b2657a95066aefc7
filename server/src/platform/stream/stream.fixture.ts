/** A live stream on a real port, its time in the test's hands, and tabs that connect to it. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { openTestApp, type TestApp } from '../http/app.fixture.ts';
import { type OpenHub, openHub } from './hub.ts';
import { serveStream } from './websocket.ts';

export type Frame = Record<string, unknown>;

export type TestTab = {
  socket: WebSocket;
  send: (frame: unknown) => void;
  /** The next frame that has not been taken yet. */
  next: () => Promise<Frame>;
  /** Resolves with the close code. */
  closed: Promise<number>;
};

export type TestStream = AsyncDisposable & {
  stop: () => void;
  app: TestApp;
  hub: OpenHub;
  connect: (headers?: Record<string, string>) => Promise<TestTab>;
  /** A tab of a signed-in user that listens to these topics, and the number it received. */
  listen: (topics: string[], since?: number) => Promise<{ tab: TestTab; first: Frame }>;
  token: (fields?: Parameters<TestApp['signedIn']>[0]) => Promise<string>;
};

export async function openTestStream(variables: Record<string, string> = {}): Promise<TestStream> {
  const app = await openTestApp({ variables });
  const { runtime } = app.test;
  const hub = openHub(runtime);
  const stop = serveStream(app.http.server, runtime, app.sessions, hub);
  await app.http.listen({ port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const opened: WebSocket[] = [];

  const connect = async (headers: Record<string, string> = {}) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/stream`, { headers });
    opened.push(socket);
    const tab = tabOf(socket);
    await once(socket, 'open');
    return tab;
  };
  const token = async (fields: Parameters<TestApp['signedIn']>[0] = {}) =>
    (await app.signedIn(fields)).headers.authorization.replace('Bearer ', '');
  return {
    app,
    hub,
    stop,
    connect,
    token,
    listen: async (topics, since) => {
      const tab = await connect();
      tab.send({ type: 'auth', token: await token() });
      tab.send({ type: 'subscribe', topics, ...(since !== undefined && { since }) });
      return { tab, first: await tab.next() };
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of opened) socket.terminate();
      stop();
      hub.stop();
      await app[Symbol.asyncDispose]();
    },
  };
}

function tabOf(socket: WebSocket): TestTab {
  const frames: Frame[] = [];
  const waiting: ((frame: Frame) => void)[] = [];
  socket.on('message', (raw) => {
    const frame = JSON.parse(String(raw)) as Frame;
    const taker = waiting.shift();
    if (taker) taker(frame);
    else frames.push(frame);
  });
  return {
    socket,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: () => {
      const frame = frames.shift();
      return frame ? Promise.resolve(frame) : new Promise((resolve) => waiting.push(resolve));
    },
    closed: new Promise((resolve) => socket.on('close', resolve)),
  };
}
