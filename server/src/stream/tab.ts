import { type ClientFrame, clientFrame, STREAM_CLOSED } from '@dutchbook/contract/stream.ts';
import type { WebSocket } from 'ws';
import * as z from 'zod/mini';
import type { Sessions } from '../login/sessions.ts';
import type { Session } from '../login/tokens.ts';
import type { World } from '../world/world.ts';
import type { OpenHub, Subscription } from './hub.ts';

const AUTHENTICATE_WITHIN_MS = 5000;

/** One connected tab. It has no session until its first frame has proven one. */
export type Tab = {
  session: () => Session | null;
  close: (code: number, reason: string) => void;
};

type Around = { world: Pick<World, 'timers' | 'log'>; sessions: Sessions; hub: OpenHub };

/** Speaks the stream's protocol over `socket` until it closes: first `auth`, then any number of `subscribe`. */
export function serveTab(socket: WebSocket, { world, sessions, hub }: Around): Tab {
  let session: Session | null = null;
  let subscription: Subscription | null = null;
  let work = Promise.resolve();

  const close = (code: number, reason: string) => {
    socket.send(JSON.stringify({ type: 'error', message: reason }));
    socket.close(code, reason);
  };
  const stopWaiting = world.timers.after(AUTHENTICATE_WITHIN_MS, () =>
    close(STREAM_CLOSED.notAuthenticated, 'Not authenticated'),
  );

  const authenticate = async (token: string) => {
    const found = await sessions.authenticate(token);
    if (found.kind === 'inactive') return close(STREAM_CLOSED.refused, 'Inactive user');
    if (found.kind === 'invalid') return close(STREAM_CLOSED.refused, 'Could not validate credentials');
    if (socket.readyState !== socket.OPEN) return;
    session = found.session;
    subscription = hub.join(socket);
  };
  const obey = async (frame: ClientFrame | null) => {
    if (socket.readyState !== socket.OPEN) return;
    if (frame === null) return close(STREAM_CLOSED.badFrame, 'Not a frame of this protocol');
    if (frame.type === 'auth') {
      stopWaiting();
      if (session === null) await authenticate(frame.token);
    } else if (subscription === null) close(STREAM_CLOSED.notAuthenticated, 'Not authenticated');
    else subscription.subscribe(frame.topics, frame.since);
  };

  // One frame after the other: a subscribe right behind its auth waits for it.
  socket.on('message', (raw, isBinary) => {
    const frame = isBinary ? null : parseFrame(String(raw));
    work = work
      .then(() => obey(frame))
      .catch((error) => {
        world.log.error({ err: error }, 'A stream frame could not be obeyed');
        socket.close(1011);
      });
  });
  socket.on('error', (error) => world.log.debug({ err: error }, 'A stream connection broke'));
  socket.on('close', () => {
    stopWaiting();
    subscription?.end();
  });
  return { session: () => session, close };
}

function parseFrame(text: string): ClientFrame | null {
  try {
    const read = z.safeParse(clientFrame, JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
