/** The part of a stream client's connection that the streams use; the sockets of `ws` are such. */
export interface StreamSocket {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message', listener: (data: { toString(): string }) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
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
