/** The part of a stream client's connection that the streams use; the sockets of `ws` are such. */
export interface StreamSocket {
  readonly bufferedAmount: number;
  send(text: string): void;
  /** Sends at the end of a round of the event loop, with what else there is by then. */
  sendSoon?(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message', listener: (data: { toString(): string }) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
}

/** The part of a TCP connection that gathers what is written to it. */
interface Corked {
  cork(): void;
  uncork(): void;
}

/**
 * What is sent in one go, as the frames of one change of a book, leaves in one write, and so does what may wait for the end of a round of
 * the event loop, as what many connections of a mirrored venue bring: writing costs more than making a frame.
 */
export class GatheringSocket implements StreamSocket {
  readonly #client: StreamSocket;
  readonly #connection: Corked;
  #isGathering = false;

  constructor(client: StreamSocket, connection: Corked) {
    this.#client = client;
    this.#connection = connection;
  }

  get bufferedAmount(): number {
    return this.#client.bufferedAmount;
  }

  send(text: string): void {
    this.#gather(process.nextTick);
    this.#client.send(text);
  }

  sendSoon(text: string): void {
    this.#gather(setImmediate);
    this.#client.send(text);
  }

  close(code: number, reason: string): void {
    this.#client.close(code, reason);
  }

  terminate(): void {
    this.#client.terminate();
  }

  #gather(until: (leave: () => void) => void): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#connection.cork();
    until(() => {
      this.#isGathering = false;
      this.#connection.uncork();
    });
  }

  on(event: 'message' | 'close' | 'error', listener: (data: { toString(): string }) => void): unknown {
    return this.#client.on(event as 'message', listener);
  }
}

/** Text keep-alive of both streams. */
const PING = 'PING';
export const PONG = 'PONG';

/** Reads JSON messages of a stream client and answers its text pings where `answersPing` says so; anything unreadable is ignored. */
export function readMessages(
  socket: StreamSocket,
  onMessage: (message: unknown) => void,
  answersPing: () => boolean = () => true,
): void {
  socket.on('message', (data) => {
    const text = data.toString();
    if (text === PING) {
      if (answersPing()) socket.send(PONG);
      return;
    }
    const message = parse(text);
    if (message !== undefined) onMessage(message);
  });
  socket.on('error', () => socket.terminate());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
