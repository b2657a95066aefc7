import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { openPostgres } from '../database/database.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type OpenHub, openHub } from './hub.ts';
import { type Relay, relayStream } from './relay.ts';

type Frame = { type: string; id?: string; seq: number; data?: { message: string | null } };

type Process = { relay: Relay; hub: OpenHub; frames: Frame[]; listen: (topics: string[]) => void };

function openProcess(runtime: Runtime): Process {
  const hub = openHub(runtime);
  const frames: Frame[] = [];
  const { subscribe } = hub.join({ send: (text) => void frames.push(JSON.parse(text)), bufferedAmount: 0 });
  return {
    hub,
    frames,
    relay: relayStream(runtime, hub, () => false),
    listen: (topics) => subscribe(topics, undefined),
  };
}

async function withTwo(test: TestRuntime, story: (here: Process, there: Process) => Promise<void>): Promise<void> {
  const url = test.runtime.queueOptions.connectionString;
  const { close, ...reached } = await openPostgres(url, test.time.timers, test.runtime.log);
  const processes = [openProcess(test.runtime), openProcess({ ...test.runtime, ...reached })] as const;
  await story(...processes);
  for (const { relay, hub } of processes) {
    relay.stop();
    hub.stop();
  }
  await close();
}

const ONE = '00000000-0000-4000-8000-000000000001';
const TWO = '00000000-0000-4000-8000-000000000002';

const job = (id: string, message: string) => ({
  topic: 'jobs',
  type: 'job' as const,
  id,
  data: {
    id,
    kind: 'check_all' as const,
    status: 'running' as const,
    done: 0,
    total: 0,
    message,
    started_at: 0 as never,
    finished_at: null,
  },
});

/** Lets time pass, a little at once, until `check` holds. */
async function eventually({ time }: TestRuntime, check: () => void): Promise<void> {
  await vi.waitFor(
    async () => {
      await time.advance(100);
      check();
    },
    { timeout: 60_000, interval: 1 },
  );
}

describe('a tab at one of several processes', () => {
  it('receives what another has published, however long and in whatever letters, and nothing twice', async () => {
    await using test = await openTestRuntime();
    await withTwo(test, async (here, there) => {
      there.listen(['jobs']);
      await eventually(test, () => expect(here.relay.stream.watched('jobs')).toBe(true));
      const long = 'Ω 𝄞 "\\ '.repeat(10_000);
      here.relay.stream.publish(job(ONE, long));
      here.relay.stream.publish(job(TWO, 'short'));
      await eventually(test, () => expect(there.frames.filter(({ type }) => type === 'job')).toHaveLength(2));
      const [one, two] = there.frames.filter(({ type }) => type === 'job');
      expect([one?.data?.message, two?.data?.message]).toEqual([long, 'short']);
      // The first one has no such tab: nothing of it comes back.
      expect(here.frames).toEqual([]);
    });
  });

  it('costs nothing while no other process listens, nor of what every process finds out by itself', async () => {
    await using test = await openTestRuntime();
    await withTwo(test, async (here, there) => {
      there.listen(['system', 'jobs', 'opportunity:1']);
      await eventually(test, () => expect(here.relay.stream.watched('jobs')).toBe(true));
      // Who has just begun does not know yet what others listen to.
      await eventually(test, () => expect(here.relay.stream.watched('batches')).toBe(false));
      for (const topic of ['system', 'opportunity:1']) expect(here.relay.stream.watched(topic)).toBe(false);
      there.listen([]);
      there.relay.stop();
      await eventually(test, () => expect(here.relay.stream.watched('jobs')).toBe(false));
    });
  });

  it('reads again what another process had found out before it knew that the tab listens, and no more often', async () => {
    await using test = await openTestRuntime();
    await withTwo(test, async (here, there) => {
      await eventually(test, () => expect(here.relay.stream.watched('jobs')).toBe(false));
      here.relay.stream.publish(job(ONE, 'no tab listens'));
      there.listen(['jobs']);
      expect(there.frames.map(({ type }) => type)).toEqual(['ready']);
      // Once after a while, and once when the other process says that it has caught up.
      const both = ['ready', 'resync', 'resync'];
      await eventually(test, () => expect(there.frames.map(({ type }) => type)).toEqual(both));
      there.listen(['jobs']);
      await test.time.advance(5000);
      expect(there.frames.map(({ type }) => type)).toEqual([...both, 'ready']);
    });
  });

  it('reads again also where the other process learns late that it listens', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const late = new Set<() => Promise<void>>();
    const publishEach: Runtime['pubsub']['publishEach'] = async (tx, topic, about) => {
      if (topic === 'stream_watched') late.add(() => runtime.pubsub.publishEach(tx, topic, about));
      else await runtime.pubsub.publishEach(tx, topic, about);
    };
    const slow = { ...runtime, pubsub: { ...runtime.pubsub, publishEach } };
    const [here, there] = [openProcess(runtime), openProcess(slow)];
    await eventually(test, () => expect(here.relay.stream.watched('jobs')).toBe(false));
    there.listen(['jobs']);
    await eventually(test, () => expect(there.frames.map(({ type }) => type)).toEqual(['ready', 'resync']));
    await time.advance(4000);
    for (const publish of late) await publish();
    await eventually(test, () => expect(there.frames.map(({ type }) => type)).toEqual(['ready', 'resync', 'resync']));
    for (const { relay, hub } of [here, there]) {
      relay.stop();
      hub.stop();
    }
  });

  it('reads everything anew when its process may have missed something', async () => {
    await using test = await openTestRuntime();
    await withTwo(test, async (here, there) => {
      there.listen(['jobs']);
      await test.runtime.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'dutchbook pubsub'`);
      await eventually(test, () => expect(there.frames.at(-1)).toMatchObject({ type: 'resync' }));
      await eventually(test, () => expect(here.relay.stream.watched('jobs')).toBe(true));
      here.relay.stream.publish(job(ONE, 'after that'));
      await eventually(test, () => expect(there.frames.at(-1)?.data?.message).toBe('after that'));
    });
  });

  it('is not believed to know what another process has sent, whatever its number', async () => {
    await using test = await openTestRuntime();
    await withTwo(test, async (here, there) => {
      for (const { listen } of [here, there]) listen(['jobs']);
      const known = here.frames.at(-1)?.seq ?? 0;
      const answers: Frame[] = [];
      const tab = there.hub.join({ send: (text) => void answers.push(JSON.parse(text)), bufferedAmount: 0 });
      tab.subscribe(['jobs'], known);
      expect(answers).toMatchObject([{ type: 'resync' }]);
    });
  });
});
