import type { Change, ClientFrame } from '@dutchbook/contract/stream.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClockChange } from './clock-change.fixture.ts';
import { type SocketListeners, StreamClient } from './stream-client.ts';

type Connection = { listeners: SocketListeners; sent: ClientFrame[]; closed: boolean };

const STATUS = {
  venue: 'simulated',
  armed: true,
  armed_changed: null,
  arming_refusal: null,
  feed: 'live',
  unknown_orders: 0,
  automatic: 'all',
  trigger: { profit_percentage: 0.8, judged_by: 'depth', depth_usd: 10 },
  sale_loss_warning: 5,
};

let clock: ClockChange;
let connections: Connection[];
let changes: Change[];
let resyncs: number;
let refusals: number;
let stream: StreamClient;

beforeEach(() => {
  clock = new ClockChange();
  connections = [];
  changes = [];
  resyncs = 0;
  refusals = 0;
  stream = new StreamClient({
    openSocket: (listeners) => {
      const connection: Connection = { listeners, sent: [], closed: false };
      connections.push(connection);
      return {
        send: (text) => connection.sent.push(JSON.parse(text)),
        close: () => {
          connection.closed = true;
        },
      };
    },
    readToken: () => 'a token',
    clock,
    random: () => 1,
    onChange: (change) => changes.push(change),
    onResync: () => {
      resyncs += 1;
    },
    onRefused: () => {
      refusals += 1;
    },
  });
});

const latest = () => {
  const connection = connections.at(-1);
  if (connection === undefined) throw new Error('nothing was opened');
  return connection;
};
const say = (frame: object) => latest().listeners.onText(JSON.stringify(frame));
const system = (seq: number) => ({ seq, topic: 'system', type: 'system', id: 'system', data: STATUS });

function connect(seq = 7) {
  stream.open();
  latest().listeners.onOpen();
  say({ type: 'ready', seq });
}

describe('a connection', () => {
  it('proves who it is before it asks for anything', () => {
    stream.follow('jobs');
    connect();
    expect(latest().sent).toEqual([
      { type: 'auth', token: 'a token' },
      { type: 'subscribe', topics: ['jobs'] },
    ]);
    expect(stream.link()).toBe('live');
  });

  it('reads everything again after its first subscription: something may have changed before it', () => {
    connect();
    expect(resyncs).toBe(1);
  });

  it('hands on what it understands and skips what it does not', () => {
    connect();
    say(system(8));
    say({ seq: 9, topic: 'system', type: 'system', id: 'system', data: { venue: 'the moon' } });
    latest().listeners.onText('not JSON');
    expect(changes.map(({ seq }) => seq)).toEqual([8]);
  });

  it('asks once for topics that appear together, and only for what is missing since', async () => {
    connect();
    stream.follow('jobs');
    stream.follow('opportunities');
    const leave = stream.follow('batches');
    leave();
    await Promise.resolve();
    expect(latest().sent.slice(2)).toEqual([{ type: 'subscribe', topics: ['jobs', 'opportunities'], since: 7 }]);
  });
});

describe('silence', () => {
  it('makes it ask, and an answer keeps it live', () => {
    connect();
    clock.change(2_000);
    expect(latest().sent.at(-1)).toMatchObject({ type: 'subscribe', since: 7 });
    say({ type: 'ready', seq: 7 });
    clock.change(900);
    expect(stream.link()).toBe('live');
    expect(resyncs).toBe(1);
  });

  it('counts from the last frame, however many came before it', () => {
    connect();
    for (let seq = 8; seq <= 60; seq++) {
      clock.change(100);
      say(system(seq));
    }
    expect(latest().sent).toHaveLength(2);
    clock.change(1_499);
    expect(latest().sent).toHaveLength(2);
    clock.change(1);
    expect(latest().sent.at(-1)).toMatchObject({ type: 'subscribe', since: 60 });
  });

  it('shows as stale within three seconds, and a late frame makes it live again', () => {
    connect();
    clock.change(3_000);
    expect(stream.link()).toBe('stale');
    say(system(8));
    expect(stream.link()).toBe('live');
  });

  it('that lasts gives the connection up and opens another', () => {
    connect();
    clock.change(8_000);
    expect(stream.link()).toBe('offline');
    expect(latest().closed).toBe(true);
    clock.change(250);
    expect(connections).toHaveLength(2);
  });
});

describe('a topic that is followed', () => {
  const comeBack = () => {
    latest().listeners.onClose(1006);
    clock.change(250);
    latest().listeners.onOpen();
  };

  it('while the link is stale is asked for with the next frame, from where it was followed', async () => {
    connect();
    clock.change(3_000);
    stream.follow('jobs');
    await Promise.resolve();
    say(system(30));
    await Promise.resolve();
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', topics: ['jobs'], since: 7 });
  });

  it('before the greeting is answered is asked for after it, from where it was followed', async () => {
    stream.follow('system');
    connect();
    say(system(9));
    comeBack();
    stream.follow('jobs');
    say(system(30));
    stream.follow('batches');
    say({ type: 'ready', seq: 30 });
    await Promise.resolve();
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', topics: ['system', 'jobs', 'batches'], since: 9 });
  });

  it('before the first greeting is answered is asked for from that answer on, at which all is read again', async () => {
    stream.open();
    latest().listeners.onOpen();
    stream.follow('jobs');
    say({ type: 'ready', seq: 7 });
    await Promise.resolve();
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', topics: ['jobs'], since: 7 });
    expect(resyncs).toBe(1);
  });

  it('is asked for from there again until it is answered', async () => {
    connect();
    stream.follow('jobs');
    await Promise.resolve();
    say(system(20));
    stream.follow('batches');
    await Promise.resolve();
    say({ type: 'ready', seq: 20 });
    say(system(25));
    comeBack();
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', topics: ['jobs', 'batches'], since: 7 });
    say({ type: 'ready', seq: 25 });
    comeBack();
    expect(latest().sent.at(-1)).toMatchObject({ since: 25 });
  });

  it('is not asked for from numbers that a resync has ended', async () => {
    stream.follow('system');
    connect(5_000);
    comeBack();
    stream.follow('jobs');
    say({ type: 'resync', seq: 300 });
    await Promise.resolve();
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', topics: ['system', 'jobs'], since: 300 });
  });
});

describe('a lost connection', () => {
  it('comes back and asks for what it has missed', () => {
    stream.follow('system');
    connect();
    say(system(9));
    latest().listeners.onClose(1006);
    expect(stream.link()).toBe('offline');
    clock.change(250);
    latest().listeners.onOpen();
    expect(latest().sent.at(-1)).toEqual({ type: 'subscribe', topics: ['system'], since: 9 });
    say({ type: 'ready', seq: 9 });
    expect([stream.link(), resyncs]).toEqual(['live', 1]);
  });

  it('reads everything again when too much was missed', () => {
    connect();
    latest().listeners.onClose(1006);
    clock.change(250);
    latest().listeners.onOpen();
    say({ type: 'resync', seq: 5_000 });
    expect(resyncs).toBe(2);
    clock.change(2_000);
    expect(latest().sent.at(-1)).toMatchObject({ since: 5_000 });
  });

  it('that does not open in time is given up for another', () => {
    stream.open();
    clock.change(9_900);
    expect([stream.link(), connections.length]).toEqual(['connecting', 1]);
    clock.change(1_000);
    expect(connections.length).toBe(2);
    expect(connections[0]?.closed).toBe(true);
    latest().listeners.onOpen();
    say({ type: 'ready', seq: 7 });
    expect(stream.link()).toBe('live');
  });

  it('tries ever more rarely, but at least every two seconds', () => {
    stream.open();
    for (let attempt = 1; attempt <= 10; attempt++) {
      latest().listeners.onClose(1006);
      clock.change(2_000);
      expect(connections).toHaveLength(attempt + 1);
    }
    latest().listeners.onClose(1006);
    clock.change(1_999);
    expect(connections).toHaveLength(11);
  });

  it('tries at once when the machine is back online', () => {
    stream.open();
    latest().listeners.onClose(1006);
    stream.retryNow();
    clock.change(0);
    expect(connections).toHaveLength(2);
  });

  it('is not tried again with a session that the server refuses', () => {
    connect();
    latest().listeners.onClose(4403);
    clock.change(60_000);
    expect([refusals, connections.length]).toEqual([1, 1]);
  });

  it('is not missed by a page that has closed it', () => {
    connect();
    stream.close();
    latest().listeners.onClose(1000);
    clock.change(60_000);
    expect(connections).toHaveLength(1);
  });
});
