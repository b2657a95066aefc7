import { type ClientFrame, clientFrame, STREAM_CLOSED } from '@dutchbook/contract/stream.ts';
import type { WebSocket } from 'ws';
import * as z from 'zod/mini';
import type { Session, Sessions } from '../http/signed-in.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenHub, Subscription } from './hub.ts';

const AUTHENTICATE_WITHIN_MS = 5000;
/** A page sends one frame when it opens; no person clicks faster than this. */
const FRAMES_PER_SECOND = 20;

/** One connected tab. It has no session until its first frame has proven one. */
export type Tab = {
  session: () => Session | null;
  close: (code: number, reason: string) => void;
};

type Around = { runtime: Pick<Runtime, 'timers' | 'log'>; sessions: Sessions; hub: OpenHub };

/** Speaks the stream's protocol over `socket` until it closes: first `auth`, then any number of `subscribe`. */
export function serveTab(socket: WebSocket, { runtime, sessions, hub }: Around): Tab {
  let session: Session | null = null;
  let subscription: Subscription | null = null;
  let work = Promise.resolve();

  const close = (code: number, reason: string) => {
    socket.send(JSON.stringify({ type: 'error', message: reason }));
    socket.close(code, reason);
  };
  const stopWaiting = runtime.timers.after(AUTHENTICATE_WITHIN_MS, () =>
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

  let frames = 0;
  const stopCounting = runtime.timers.every(1000, () => {
    frames = 0;
  });

  // Frames are handled in order: a subscribe waits for the auth before it.
  socket.on('message', (raw, isBinary) => {
    frames += 1;
    if (frames > FRAMES_PER_SECOND) {
      // Frames after the close are ignored.
      if (socket.readyState === socket.OPEN) close(STREAM_CLOSED.badFrame, 'Too many frames');
      else socket.terminate();
      return;
    }
    const frame = isBinary ? null : parseFrame(String(raw));
    work = work
      .then(() => obey(frame))
      .catch((error) => {
        runtime.log.error({ err: error }, 'frame of a tab failed');
        socket.close(1011);
      });
  });
  socket.on('error', (error) => runtime.log.debug({ err: error }, 'connection of a tab broke'));
  socket.on('close', () => {
    stopWaiting();
    stopCounting();
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
