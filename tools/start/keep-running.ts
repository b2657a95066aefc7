import type { Child } from './child.ts';

const RESTARTS_MAX = 5;
const WITHIN_MS = 60_000;

type Kept = {
  name: string;
  start: () => Child;
  /** Why it need not go on. */
  untilStopped: Promise<unknown>;
  say: (line: string) => void;
  nowMs: () => number;
};

/**
 * Starts a program, and again when it ends by itself, at most five times in a minute. One that ends before it first listens
 * is not started again: its environment or its data is wrong, and it has said why. @returns the process that ran last, once
 * `untilStopped` or its last end has come
 */
export async function keepRunning({ name, start, untilStopped, say, nowMs }: Kept): Promise<Child> {
  const restarts: number[] = [];
  let hasListened = false;
  for (;;) {
    const child = start();
    void child.listening.then(() => {
      hasListened = true;
    });
    const code = await Promise.race([child.ended, untilStopped.then(() => null)]);
    if (code === null) return child;
    const now = nowMs();
    const recent = restarts.filter((at) => now - at < WITHIN_MS).length;
    const ended = `${name} has ended by itself, with code ${code}`;
    if (!hasListened) {
      say(`${ended}.`);
      return child;
    }
    if (recent >= RESTARTS_MAX) {
      say(`${ended}, after ${RESTARTS_MAX} restarts in a minute. It is not started again.`);
      return child;
    }
    say(`${ended}. It is started again, for the ${ORDINALS[recent]} time in a minute.`);
    restarts.push(now);
  }
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;
