/** Processes of the product as a service manager keeps them: each is started again when it ends, whatever ended it. */
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../product/eventually.ts';
import type { Running } from '../product/process.ts';

const START_AGAIN_MS = 300;

export type Supervised = {
  roles: string;
  /** Where it listens, as soon as it does. */
  url: () => Promise<string>;
  /** Where it listened last; null before it did. */
  address: () => string | null;
  /** Asks it to end, and resolves when what `next` starts in its place listens. */
  replace: (next: () => Running) => Promise<void>;
  kill: () => void;
  /** It does nothing for so long, and knows nothing of it. */
  freeze: (ms: number) => Promise<void>;
  /** What was printed by those of it that ended by themselves. */
  failures: () => string[];
  stop: () => Promise<void>;
};

export function supervise(roles: string, firstLaunch: () => Running): Supervised {
  let launch = firstLaunch;
  let isStopped = false;
  let address: string | null = null;
  const failures: string[] = [];
  const start = () => {
    const started = launch();
    const listens = listening(started);
    void listens.then((url) => {
      address = url ?? address;
    });
    return [started, listens] as const;
  };
  let [running, url] = start();
  const whenListening = () => eventually(`a process with ${roles} listened`, () => url);

  async function keep(): Promise<void> {
    while (!isStopped) {
      const { code } = await running.ended;
      if (code !== null && code !== 0) failures.push(running.output());
      if (isStopped) return;
      await pause(START_AGAIN_MS);
      [running, url] = start();
    }
  }
  const keeping = keep();
  return {
    roles,
    url: whenListening,
    address: () => address,
    async replace(next) {
      launch = next;
      const replaced = running;
      replaced.kill('SIGTERM');
      await eventually(`a process with ${roles} ended and another began`, async () =>
        running === replaced ? null : true,
      );
      await whenListening();
    },
    kill: () => running.kill('SIGKILL'),
    async freeze(ms) {
      const frozen = running;
      frozen.kill('SIGSTOP');
      await pause(ms);
      frozen.kill('SIGCONT');
    },
    failures: () => failures,
    async stop() {
      isStopped = true;
      running.kill('SIGKILL');
      await keeping;
    },
  };
}

/** Null where it ends before. */
function listening(running: Running): Promise<string | null> {
  return running.line(/(http:\/\/127\.0\.0\.1:\d+)/).then(
    ([, url]) => url ?? null,
    () => null,
  );
}
