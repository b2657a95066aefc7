/** How bytes reach a venue: over the machine's own network unless a process hands in another, as a simulation does. */
import WebSocket from 'ws';

/** The part of a WebSocket client that a stream is read through; those of `ws` are such. */
export type VenueSocket = {
  readonly readyState: number;
  send(text: string): void;
  /** Breaks the connection off at once. */
  terminate(): void;
  /** Reads nothing more from the connection until `resume`. Left out where nothing can pile up. */
  pause?(): void;
  resume?(): void;
  /** `ping`: the venue asks whether the connection still stands; it is answered by itself. */
  on(event: 'open' | 'close' | 'ping', listener: () => void): unknown;
  on(event: 'message', listener: (data: { toString(): string }, isBinary: boolean) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
};

export type VenueNetwork = {
  fetch: typeof fetch;
  /** `headers`: what the opening call says besides, as who opens it. */
  openSocket: (url: string, headers?: Record<string, string>) => VenueSocket;
};

/** A full snapshot of 200 deep books is a fraction of this; anything larger is not for us. */
const FRAME_BYTES_MAX = 8 * 1024 * 1024;
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** A socket of the machine's own network. */
export function openWebSocket(url: string, headers: Record<string, string> = {}): VenueSocket {
  return new WebSocket(url, {
    headers,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
  });
}
