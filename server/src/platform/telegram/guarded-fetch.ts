/**
 * HTTP to one server outside. `fetch` says neither whether a request has left, without which a message might be sent twice,
 * nor which address a name has led to, which attack S17 in docs/security.md may have changed into one of this network.
 */
import { lookup as resolve } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress, isLoopbackHost, isPublicAddress } from '../config/public-address.ts';

/** More than anything but what many people have written takes. */
const ANSWER_BYTES_MAX = 65_536;
const HEAD_BYTES = 200;

/** The request never left: there was no server to take it. Any other error leaves open what became of it. */
export class NeverLeft extends Error {
  override readonly name = 'NeverLeft';
}

/** The answer was longer than it may be, and was not read to the end. `head`: how it begins. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
  readonly head: string;

  constructor(head: string) {
    super('The answer is too long');
    this.head = head;
  }
}

type Request = {
  method: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** The most that is read of an answer. */
  bytesMax?: number;
};

/**
 * Sends one request over a connection of its own. The name is resolved once, and what it resolves to must be public, or
 * within this machine where the URL itself says so. Redirects are answers like others. @throws NeverLeft
 */
export function guardedFetch(
  url: URL,
  { method, headers, body, signal, bytesMax = ANSWER_BYTES_MAX }: Request,
): Promise<Response> {
  return new Promise((answer, fail) => {
    let isConnected = false;
    const isTls = url.protocol === 'https:';
    const lookup = lookupFor(url.hostname);
    const request = (isTls ? requestTls : requestPlain)(url, {
      method,
      headers: { ...headers, connection: 'close' },
      signal,
      lookup,
      agent: false,
    });
    request.on('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    request.on('error', (error) => fail(isConnected ? error : new NeverLeft(error.message, { cause: error })));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > bytesMax) response.destroy(new AnswerTooLong(headOf(chunks)));
      });
      response.on('error', fail);
      response.on('end', () => answer(new Response(Buffer.concat(chunks), { status: statusOf(response.statusCode) })));
    });
    request.end(body);
  });
}

function headOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES).toString('latin1');
}

/** `Response` takes no status that goes without a body. */
function statusOf(given = 0): number {
  return given >= 200 && given <= 599 && ![204, 205, 304].includes(given) ? given : 502;
}

function lookupFor(host: string): LookupFunction {
  const isAllowed = isLoopbackHost(host) ? isLoopbackAddress : isPublicAddress;
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const allowed = (found ?? []).filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (error !== null) done(error, '', 4);
      else if (first === undefined) done(new Error(`${hostname} is not a public address`), '', 4);
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}
