import type { WebSocket } from 'ws';

/** Text keep-alive of both streams. */
const PING = 'PING';
const PONG = 'PONG';

/** Reads JSON messages of a stream client and answers its text pings; anything unreadable is ignored. */
export function readMessages(socket: WebSocket, onMessage: (message: unknown) => void): void {
  socket.on('message', (data) => {
    const text = data.toString();
    if (text === PING) {
      socket.send(PONG);
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
