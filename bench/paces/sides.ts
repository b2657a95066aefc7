/** Those that read what the sender plays, each a process of its own, and what they use of the processor. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { marketTokens } from '../feed/desk.ts';
import { answerOf, type Pace, type Sender } from './sender.ts';

/** What a side is told to begin with. */
export type SideTask = { url: string; tokens: number };

/** Since it began. `isRight`: nothing that it holds is in doubt. */
export type SideReport = { cpuUs: number; frames: number; isRight: boolean };

export type Side = {
  name: string;
  /** Processor time, in us, that the process has used for each changed level of what was played. */
  cpuUs: (pace: Pace) => Promise<number>;
  close: () => Promise<void>;
};

const POLL_MS = 20;
const READ_MS_MAX = 30_000;

/**
 * `script`: in this folder, of the checkout `root` where that is another one. `also`: begins to count what else is used for the
 * side, and answers with what counts it, in us.
 */
export async function openSide(
  sender: Sender,
  { name, script, tokens, root }: { name: string; script: string; tokens: number; root?: string },
  also: () => Promise<() => number> | (() => number) = () => () => 0,
): Promise<Side> {
  const folder = root === undefined ? import.meta.dirname : path.join(root, 'bench/paces');
  const task: SideTask = { url: sender.url(name), tokens };
  const child = fork(path.join(folder, script), [JSON.stringify(task)], { execArgv: [] });
  await sender.whenSubscribed(name, tokens);
  const report = () => {
    const answer = answerOf<SideReport>(child);
    child.send('report');
    return answer;
  };
  return {
    name,
    cpuUs: async (pace) => {
      const before = await report();
      const usedAlso = await also();
      const { frames, changes } = await sender.play(name, pace);
      const givenUpAt = performance.now() + READ_MS_MAX;
      let now = await report();
      for (; now.frames < frames || !now.isRight; now = await report()) {
        if (performance.now() > givenUpAt)
          throw new Error(
            `${name} has read ${now.frames} frames of ${frames}, and ${now.isRight ? 'trusts' : 'does not trust'} its books`,
          );
        await pause(POLL_MS);
      }
      return (now.cpuUs - before.cpuUs + usedAlso()) / changes;
    },
    close: () => endOf(child),
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

/** Called by the process of a side: answers whenever it is asked, and ends when nobody asks any more. */
export function answerReports(state: () => Omit<SideReport, 'cpuUs'>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, ...state() } satisfies SideReport);
  });
  process.once('disconnect', () => process.exit());
}

/** What the process of a side was told to begin with. */
export function sideTask(): SideTask {
  return JSON.parse(process.argv[2] ?? '') as SideTask;
}

/** The played tokens market by market, but for the other one of every eighth, which is asked for after all these. */
export function wantedTokens(count: number): string[] {
  const tokens = marketTokens(count);
  const isLate = (place: number) => place % 16 === 1;
  return [...tokens.filter((_, place) => !isLate(place)), ...tokens.filter((_, place) => isLate(place))];
}
