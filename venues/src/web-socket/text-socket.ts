/**
 * A WebSocket client for texts that come by the thousand a second on many connections: all are read into one piece of memory, and
 * nothing stands between that and the text. Where a frame comes every other millisecond the processor has little of the code at
 * hand that it needs for one, so that the streams beneath the usual client cost more than what is done with the text.
 */
import { createHash, randomBytes } from 'node:crypto';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { VenueSocket } from '../network.ts';
import { clientFrame, FRAME, FrameReader, type FrameSink } from './frames.ts';

/** `handshakeMs`: for name, connection and handshake together; `bytes`: of one message. */
export type TextSocketLimits = { handshakeMs: number; bytes: number };

type Listeners = {
  open: () => void;
  close: () => void;
  error: (error: Error) => void;
  message: (data: string, isBinary: boolean) => void;
};

const STATE = { connecting: 0, open: 1, closing: 2, closed: 3 } as const;
/** For all connections: what was read is taken out of it before anything else is read. */
const READ = Buffer.allocUnsafeSlow(64 * 1024);
const NONE = Buffer.alloc(0);
const HEAD_BYTES_MAX = 16 * 1024;
const HEAD_END = '\r\n\r\n';
/** Both sides hash it with the key, so that nothing else is taken for the answer. */
const PROTOCOL_ID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export class TextSocket implements VenueSocket, FrameSink {
  readonly #key = randomBytes(16).toString('base64');
  readonly #socket: Socket;
  readonly #frames: FrameReader;
  readonly #handshake: NodeJS.Timeout;
  readonly #listeners: { [Event in keyof Listeners]: Listeners[Event][] } = {
    open: [],
    close: [],
    error: [],
    message: [],
  };
  #state: number = STATE.connecting;
  /** The answer to the handshake so far. */
  #head = NONE;

  constructor(url: string, { handshakeMs, bytes }: TextSocketLimits) {
    const to = new URL(url);
    this.#frames = new FrameReader(this, bytes);
    this.#socket = connect(to, (count) => this.#read(count));
    this.#socket.setNoDelay(true);
    this.#socket.on(to.protocol === 'wss:' ? 'secureConnect' : 'connect', () => this.#ask(to));
    this.#socket.on('error', (error) => this.#tell('error', (listener) => listener(error)));
    this.#socket.on('close', () => {
      this.#state = STATE.closed;
      clearTimeout(this.#handshake);
      this.#tell('close', (listener) => listener());
    });
    this.#handshake = setTimeout(() => this.broken(`no handshake within ${handshakeMs} ms`), handshakeMs);
  }

  get readyState(): number {
    return this.#state;
  }

  on<Event extends keyof Listeners>(event: Event, listener: Listeners[Event]): void {
    this.#listeners[event].push(listener);
  }

  send(text: string): void {
    this.#send(FRAME.text, Buffer.from(text));
  }

  terminate(): void {
    if (this.#state === STATE.closed) return;
    this.#end();
    this.#socket.destroy();
  }

  text(text: string): void {
    for (const listener of this.#listeners.message) listener(text, false);
  }

  binary(): void {
    for (const listener of this.#listeners.message) listener('', true);
  }

  ping(payload: Buffer): void {
    this.#send(FRAME.pong, payload);
  }

  close(): void {
    this.#send(FRAME.close, NONE);
    this.#end();
    this.#socket.destroySoon();
  }

  broken(reason: string): void {
    this.#end();
    this.#socket.destroy(new Error(`WebSocket: ${reason}`));
  }

  #end(): void {
    this.#state = STATE.closing;
    this.#frames.stop();
  }

  #send(opcode: number, payload: Buffer): void {
    if (this.#state === STATE.open) this.#socket.write(clientFrame(opcode, payload));
  }

  #tell<Event extends keyof Listeners>(event: Event, tell: (listener: Listeners[Event]) => void): void {
    for (const listener of this.#listeners[event]) tell(listener);
  }

  #ask({ host, pathname, search }: URL): void {
    const head = [
      `GET ${pathname}${search} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${this.#key}`,
    ];
    this.#socket.write(`${head.join('\r\n')}${HEAD_END}`);
  }

  #read(count: number): boolean {
    if (this.#state === STATE.open) this.#frames.read(READ, count);
    else if (this.#state === STATE.connecting) this.#readHead(count);
    return true;
  }

  #readHead(count: number): void {
    this.#head = Buffer.concat([this.#head, READ.subarray(0, count)]);
    const end = this.#head.indexOf(HEAD_END);
    if (end >= 0) this.#open(this.#head.toString('latin1', 0, end), this.#head.subarray(end + HEAD_END.length));
    else if (this.#head.length > HEAD_BYTES_MAX) this.broken('the answer to the handshake is too long');
  }

  #open(head: string, rest: Buffer): void {
    const reason = whyNoWebSocket(head, this.#key);
    if (reason !== null) {
      this.broken(reason);
      return;
    }
    this.#head = NONE;
    this.#state = STATE.open;
    clearTimeout(this.#handshake);
    this.#tell('open', (listener) => listener());
    this.#frames.read(rest, rest.length);
  }
}

function connect({ protocol, hostname, port }: URL, onRead: (count: number) => boolean): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const onread = { buffer: READ, callback: onRead };
  if (protocol !== 'wss:') return connectPlain({ host, port: Number(port || 80), onread });
  const secure = { host, port: Number(port || 443), servername: isIP(host) === 0 ? host : '', onread };
  return connectSecure(secure);
}

/** Null where the head is that of a server which speaks the protocol now. */
function whyNoWebSocket(head: string, key: string): string | null {
  const [status = '', ...lines] = head.split('\r\n');
  const code = /^HTTP\/1\.1 (\d{3})/.exec(status)?.[1];
  if (code !== '101') return `the handshake was answered with ${code ?? 'something else than HTTP'}`;
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const accepted = createHash('sha1').update(`${key}${PROTOCOL_ID}`).digest('base64');
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') return 'the other side changed to another protocol';
  if (headers.get('sec-websocket-accept') !== accepted) return 'the answer belongs to another handshake';
  return headers.has('sec-websocket-extensions') ? 'the other side wants extensions' : null;
}
