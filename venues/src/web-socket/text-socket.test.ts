import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { CERTIFICATE } from './certificate.fixture.ts';
import { TextSocket } from './text-socket.ts';

const LIMITS = { handshakeMs: 10_000, bytes: 1_000_000 };

/** In order: `open`, `error: ...`, `close`, and what was read. */
let told: string[];
let client: TextSocket;
let server: Server;
let closing: (() => void)[];

beforeEach(() => {
  [told, closing] = [[], []];
});

afterEach(async () => {
  client.terminate();
  for (const close of closing) close();
  await new Promise((resolve) => server.close(resolve));
  await expect.poll(() => client.readyState).toBe(3);
});

async function listen(opened: Server): Promise<number> {
  server = opened;
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server of the usual library; resolves with its end of the connection. */
async function connectTo(opened: Server, protocol = 'ws'): Promise<WebSocket> {
  const streams = new WebSocketServer({ server: opened as ReturnType<typeof createServer>, perMessageDeflate: false });
  closing.push(() => {
    for (const stream of streams.clients) stream.terminate();
  });
  const port = await listen(opened);
  const connected = new Promise<WebSocket>((resolve) => streams.once('connection', resolve));
  open(`${protocol}://localhost:${port}/ws/market?a=b`);
  const stream = await connected;
  await expect.poll(() => told).toContain('open');
  return stream;
}

function open(url: string, limits = LIMITS): void {
  const log = told;
  client = new TextSocket(url, limits);
  client.on('open', () => log.push('open'));
  client.on('message', (text, isBinary) => log.push(isBinary ? 'binary' : text));
  client.on('error', ({ message }) => log.push(`error: ${message}`));
  client.on('close', () => log.push('close'));
}

/** A server that says what it is told to, whatever it is asked. */
async function answerWith(answer: (socket: Socket) => void): Promise<string> {
  const port = await listen(
    createPlainServer((socket) => {
      closing.push(() => socket.destroy());
      socket.on('error', () => {});
      answer(socket);
    }),
  );
  return `ws://localhost:${port}`;
}

describe.each(['ws', 'wss'])('a connection over %s', (protocol) => {
  let trusted: string[];
  beforeEach(() => {
    trusted = getCACertificates('default');
    setDefaultCACertificates([CERTIFICATE.cert]);
  });
  afterEach(() => setDefaultCACertificates(trusted));
  const connect = () => connectTo(protocol === 'ws' ? createServer() : createSecureServer(CERTIFICATE), protocol);

  it('carries texts of any size both ways', async () => {
    const stream = await connect();
    const texts = ['', '{"a":1}', 'größer '.repeat(20_000), ...Array.from({ length: 2000 }, (_, nth) => `${nth}`)];
    const heard: string[] = [];
    stream.on('message', (data) => heard.push(String(data)));
    for (const text of texts) {
      stream.send(text);
      client.send(text);
    }
    stream.send(Buffer.from('{}'));
    await expect.poll(() => told.length + heard.length).toBe(2 * texts.length + 2);
    expect(told).toEqual(['open', ...texts, 'binary']);
    expect(heard).toEqual(texts);
  });

  it('answers keep-alives and closes when it is asked to', async () => {
    const stream = await connect();
    const answer = new Promise((resolve) => stream.once('pong', (data) => resolve(String(data))));
    stream.ping('there?');
    expect(await answer).toBe('there?');
    const ended = new Promise((resolve) => stream.once('close', resolve));
    stream.close(1001);
    await ended;
    await expect.poll(() => told).toEqual(['open', 'close']);
    expect(client.readyState).toBe(3);
  });

  it('is gone when the other side breaks it off', async () => {
    const stream = await connect();
    stream.terminate();
    await expect.poll(() => told).toEqual(['open', 'close']);
    client.send('into the void');
    client.terminate();
    expect(client.readyState).toBe(3);
  });
});

describe('what is no such connection', () => {
  it('is a server whose certificate nobody has signed', async () => {
    const port = await listen(createSecureServer(CERTIFICATE));
    open(`wss://localhost:${port}`);
    await expect.poll(() => told.at(-1)).toBe('close');
    expect(told).toEqual([expect.stringContaining('self-signed'), 'close']);
  });

  it.each([
    ['refuses', 'HTTP/1.1 429 Too Many Requests\r\n\r\n', 'the handshake was answered with 429'],
    ['speaks something else', 'SSH-2.0\r\n\r\n', 'the handshake was answered with something else than HTTP'],
    [
      'answers somebody else',
      'HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n',
      'the answer belongs to another handshake',
    ],
    ['never comes to the point', 'HTTP/1.1 101 Yes\r\n'.padEnd(20_000, 'x'), 'the answer to the handshake is too long'],
  ])('is a server that %s', async (_, answer, reason) => {
    open(await answerWith((socket) => socket.write(answer)));
    await expect.poll(() => told).toEqual([`error: WebSocket: ${reason}`, 'close']);
  });

  it('is one that says nothing in time, or is given up before', async () => {
    const url = await answerWith(() => {});
    open(url, { ...LIMITS, handshakeMs: 20 });
    await expect.poll(() => told).toEqual(['error: WebSocket: no handshake within 20 ms', 'close']);
    told = [];
    open(url);
    client.terminate();
    await expect.poll(() => told).toEqual(['close']);
  });
});
