/** Those that read what the sender plays, each a process of its own, and what they use of the processor. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { marketTokens } from '../feed/markets.ts';
import { median, say } from '../rows.ts';
import { answerOf, type Pace, type Sender } from './sender.ts';

/** What every side gets at its start; some get more. */
export type SideTask = { url: string; tokens: number };

/** Since it began. `isRight`: everything that it holds is verified. */
export type SideReport = { cpuUs: number; frames: number; isRight: boolean };

export type Side = {
  name: string;
  /** Processor time, in us, that the process has used for each changed level of what was played. */
  cpuUs: (pace: Pace) => Promise<number>;
  close: () => Promise<void>;
};

/**
 * `script`: in this folder. `more`: what it is given beside a `SideTask`.
 * `also`: begins to count what else is used for the side, and answers with what counts it, in us.
 */
export type SidePlan = {
  name: string;
  script: string;
  tokens: number;
  more?: object;
  also?: () => Promise<() => Promise<number>>;
};

const POLL_MS = 50;
/** After so many of them without a frame nothing more comes. */
const QUIET_POLLS = 40;

export async function openSide(sender: Sender, { name, script, tokens, more, also }: SidePlan): Promise<Side> {
  const task: SideTask = { url: sender.url(name), tokens, ...more };
  const child = fork(path.join(import.meta.dirname, script), [JSON.stringify(task)], { execArgv: [] });
  await sender.whenSubscribed(name, tokens);
  const report = () => {
    const answer = answerOf<SideReport>(child);
    child.send('report');
    return answer;
  };
  let lost = 0;
  const cpuUs = async (pace: Pace) => {
    const before = await report();
    const usedAlso = await also?.();
    const { frames, changes } = await sender.play(name, pace);
    let now = await report();
    for (let quietPolls = 0; (now.frames + lost < frames || !now.isRight) && quietPolls < QUIET_POLLS; ) {
      await pause(POLL_MS);
      const next = await report();
      quietPolls = next.frames === now.frames ? quietPolls + 1 : 0;
      now = next;
    }
    // On a machine that is late, connections are given up and opened again.
    const newlyLost = frames - now.frames - lost;
    if (newlyLost > 0) say(`  ${name}: ${newlyLost} frames were lost, read this figure with care`);
    lost += newlyLost;
    if (!now.isRight) say(`  ${name} does not trust all of its books, read this figure with care`);
    const [own, other] = [(now.cpuUs - before.cpuUs) / changes, ((await usedAlso?.()) ?? 0) / changes];
    if (also !== undefined) say(`  ${name}: server ${own.toFixed(1)}, database ${other.toFixed(1)} us`);
    return own + other;
  };
  return { name, cpuUs, close: () => endOf(child) };
}

/** The median of so many rounds for each side, all at work at once: what one of them does late is counted in its next round. */
export async function atOnce(sides: readonly Side[], pace: Pace, rounds: number): Promise<number[]> {
  const used = sides.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, us] of (await Promise.all(sides.map((side) => side.cpuUs(pace)))).entries())
      used[index]?.push(us);
  }
  return used.map(median);
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

/** Called by the process of a side: answers whenever it is asked, and ends when no question comes any more. */
export function answerReports(state: () => Omit<SideReport, 'cpuUs'>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, ...state() } satisfies SideReport);
  });
  process.once('disconnect', () => process.exit());
}

/** What the process of a side got at its start. */
export function sideTask<Task extends SideTask = SideTask>(): Task {
  return JSON.parse(process.argv[2] ?? '') as Task;
}

/** The played tokens market by market, but for the other one of every eighth, which is asked for after all these. */
export function wantedTokens(count: number): string[] {
  const tokens = marketTokens(count);
  const isLate = (place: number) => place % 16 === 1;
  return [...tokens.filter((_, place) => !isLate(place)), ...tokens.filter((_, place) => isLate(place))];
}
