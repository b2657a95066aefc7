/** Callers over real sockets who close their connection before they can have read an answer. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

export type HastyCall = {
  method: 'POST' | 'PUT';
  /** Below /api/v1. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

export type HungUpProduct = WholeProduct & {
  /**
   * Sends a whole call and closes the connection. Answers, once all that it was to do is done, whether it got as far as the
   * handler: from there on nothing depends on who called.
   */
  callAndHangUp: (call: HastyCall, when: HangUp) => Promise<boolean>;
};

/** When the caller hangs up: milliseconds after sending, or as the handler begins, before it has recorded anything. */
export type HangUp = number | 'taken_up';

const STEP_MS = 50;

/** The whole product, which listens. */
export async function openHungUpProduct(): Promise<HungUpProduct> {
  const takenUp = new Set<unknown>();
  const over = new Set<unknown>();
  const onTakenUp = new Map<unknown, () => void>();
  const closing = new Set<Promise<unknown>>();
  const product = await openWholeProduct({
    prepare: (http) => {
      http.addHook('preHandler', async ({ headers, raw: { socket } }) => {
        takenUp.add(headers['x-caller']);
        const hangUp = onTakenUp.get(headers['x-caller']);
        if (hangUp === undefined) return;
        closing.add(new Promise((closed) => socket.once('close', closed)));
        hangUp();
      });
      http.addHook('onSend', async ({ headers }) => void over.add(headers['x-caller']));
    },
    beforeTransaction: async () => void (await Promise.all(closing)),
  });
  const { http, test } = product;
  const known = new Set<unknown>();
  const open = new Set<unknown>();
  http.server.on('connection', (socket) => {
    const { remotePort } = socket;
    known.add(remotePort);
    open.add(remotePort);
    socket.once('close', () => open.delete(remotePort));
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.address() as AddressInfo;

  // Who has hung up before being let in is never answered: the body of such a call is not read any more.
  const isOver = (caller: string) => over.has(caller) || !takenUp.has(caller);
  let callers = 0;
  return {
    ...product,
    callAndHangUp: async ({ method, path, headers = {}, body = '' }, when) => {
      callers += 1;
      const caller = `caller-${callers}`;
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      const from = socket.localPort;
      while (!known.has(from)) await nextTick();
      const hangUp = () => void socket.resetAndDestroy();
      if (when === 'taken_up') onTakenUp.set(caller, hangUp);
      const lines = Object.entries({ ...headers, 'X-Caller': caller, 'Content-Length': Buffer.byteLength(body) });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.write(`${method} /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${head}\r\n${body}`);
      if (when !== 'taken_up') void pause(when).then(hangUp);
      await passUntil(
        test,
        () => !open.has(from),
        () => isOver(caller),
      );
      return takenUp.has(caller);
    },
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

/** Until what was under way when the connection had closed is done. */
async function passUntil(
  { idle, time }: WholeProduct['test'],
  isClosed: () => boolean,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    const wasClosed = isClosed();
    await idle();
    if (wasClosed && isOver()) return;
    await time.advance(STEP_MS);
    await nextTick();
  }
}
