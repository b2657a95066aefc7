import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { STREAM_PATH } from '@dutchbook/contract/stream.ts';
import { endSession, readAccessToken } from '../calls/access-token.ts';
import { holdReads } from '../calls/held-reads.ts';
import { browserClock } from './clock.ts';
import type { Live } from './live.ts';
import { LiveStore } from './live-store.ts';
import { type Socket, type SocketListeners, StreamClient } from './stream-client.ts';

function openSocket({ onOpen, onText, onClose }: SocketListeners): Socket {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${API_PREFIX}${STREAM_PATH}`);
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => onText(String(data));
  socket.onclose = ({ code }) => onClose(code);
  return { send: (text) => socket.send(text), close: () => socket.close() };
}

/** Longer than a stream takes that opens at once; without it the page is read, and read again once there is one. */
const READS_HELD_MS = 300;

/** The browser's own store and stream; `onResync` reads again what is on screen, unless nothing has been read yet. */
export function createLive(onResync: () => void): Live {
  const reads = holdReads(READS_HELD_MS);
  let isDrawn = false;
  const store = new LiveStore(browserClock);
  const stream = new StreamClient({
    openSocket,
    readToken: readAccessToken,
    clock: browserClock,
    random: Math.random,
    onChange: (change) => store.put(change),
    onResync: () => {
      store.renumber();
      if (!reads.areHeld()) onResync();
    },
    onCurrent: () => {
      if (isDrawn) reads.release();
    },
    onRefused: () => endSession('Could not validate credentials'),
  });
  const onDrawn = () => {
    isDrawn = true;
    if (stream.isCurrent()) reads.release();
  };
  return { store, stream, onDrawn };
}

/** Opens the stream and returns at once when the machine is back online or the tab back in sight. */
export function keepOpen({ store, stream }: Live): () => void {
  // Listened to on every page, by code that comes late: asked for at once, so that the stream is not asked a second time
  // and then has to have the page read again what has come between.
  const leave = stream.follow('notifications');
  stream.open();
  window.addEventListener('online', stream.retryNow);
  document.addEventListener('visibilitychange', stream.retryNow);
  return () => {
    window.removeEventListener('online', stream.retryNow);
    document.removeEventListener('visibilitychange', stream.retryNow);
    leave();
    stream.close();
    store.clear();
  };
}
