import { afterEach, expect, it, vi } from 'vitest';
import { heldReads } from '../calls/held-reads.ts';
import { createLive } from './open-live.ts';

const opened: ScriptedSocket[] = [];

class ScriptedSocket {
  onopen = () => {};
  onmessage = (_message: { data: string }) => {};
  onclose = (_end: { code: number }) => {};
  send = () => {};
  close = () => {};

  constructor() {
    opened.push(this);
  }

  say(frame: object): void {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  opened.length = 0;
});

const system = (seq: number, armed: boolean) => ({
  seq,
  topic: 'system',
  type: 'system',
  id: 'system',
  data: {
    venue: 'simulated',
    armed,
    armed_changed: null,
    arming_refusal: null,
    feed: 'live',
    unknown_orders: 0,
    automatic: 'all',
    trigger: { profit_percentage: 0.8, judged_by: 'depth', depth_usd: 10 },
    sale_loss_warning: 5,
  },
});

it('shows what a process tells whose numbers are lower than those of the one before, which has gone', () => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', ScriptedSocket);
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' });
  vi.stubGlobal('localStorage', { getItem: () => 'a token' });
  const { store, stream } = createLive(() => {});
  const isArmed = () => {
    vi.advanceTimersByTime(500);
    return store.read('system', 'system')?.data.armed;
  };
  stream.open();
  const [young] = opened;
  young?.onopen();
  young?.say({ type: 'ready', seq: 5000 });
  young?.say(system(6000, true));
  expect(isArmed()).toBe(true);

  young?.onclose({ code: 1001 });
  vi.advanceTimersByTime(1000);
  const old = opened[1];
  old?.onopen();
  old?.say({ type: 'resync', seq: 300 });
  old?.say(system(1324, false));
  expect(isArmed()).toBe(false);
  stream.close();
});

function openedLive() {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', ScriptedSocket);
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' });
  vi.stubGlobal('localStorage', { getItem: () => 'a token' });
  const onResync = vi.fn();
  const live = createLive(onResync);
  live.stream.open();
  opened[0]?.onopen();
  return { ...live, onResync, socket: opened[0] };
}

it('holds the first reads until the page is drawn and all it follows is sent, so that none is repeated', () => {
  const { stream, onDrawn, onResync, socket } = openedLive();
  socket?.say({ type: 'ready', seq: 5000 });
  expect(heldReads()).toBeDefined();
  onDrawn();
  expect(heldReads()).toBeUndefined();
  expect(onResync).not.toHaveBeenCalled();
  socket?.say({ type: 'resync', seq: 6000 });
  expect(onResync).toHaveBeenCalledTimes(1);
  stream.close();
});

it('lets reads go where the stream is late, and has them repeated once it is there', () => {
  const { stream, onDrawn, onResync, socket } = openedLive();
  onDrawn();
  expect(heldReads()).toBeDefined();
  vi.advanceTimersByTime(300);
  expect(heldReads()).toBeUndefined();
  socket?.say({ type: 'ready', seq: 5000 });
  expect(onResync).toHaveBeenCalledTimes(1);
  stream.close();
});
