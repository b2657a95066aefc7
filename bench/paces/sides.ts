/** Starts the processes that read what the sender plays, and measures their processor time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { marketTokens } from '../feed/markets.ts';
import { median, say } from '../rows.ts';
import { answerOf, type Pace, type Sender } from './sender.ts';

/** What every side gets at its start; some get more. */
export type SideTask = { url: string; tokens: number };

/** Totals since the process began. `isRight`: all its books are verified. */
export type SideReport = { cpuUs: number; frames: number; isRight: boolean };

export type Side = {
  name: string;
  /** Processor time, in us, that the process has used for each changed level of what was played. */
  cpuUs: (pace: Pace) => Promise<number>;
  close: () => Promise<void>;
};

/**
 * `script`: a file of this folder. `more`: further input of the process.
 * `also`: starts to measure other processes that work for the side, and returns a reading in us.
 */
export type SidePlan = {
  name: string;
  script: string;
  tokens: number;
  more?: object;
  also?: () => Promise<() => Promise<number>>;
};

const POLL_MS = 50;
/** After so many polls without a new frame the playing is over. */
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
    // On an overloaded machine the reader drops connections and opens them again.
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

/** Runs all sides at once and returns each one's median over `rounds`; late work counts in the next round. */
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

/** Runs in a side's process: answers each request for a report, and exits when the parent disconnects. */
export function answerReports(state: () => Omit<SideReport, 'cpuUs'>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, ...state() } satisfies SideReport);
  });
  process.once('disconnect', () => process.exit());
}

/** The task that a side's process was started with. */
export function sideTask<Task extends SideTask = SideTask>(): Task {
  return JSON.parse(process.argv[2] ?? '') as Task;
}

/** The played tokens by market; the second token of every eighth market comes last. */
export function wantedTokens(count: number): string[] {
  const tokens = marketTokens(count);
  const isLate = (place: number) => place % 16 === 1;
  return [...tokens.filter((_, place) => !isLate(place)), ...tokens.filter((_, place) => isLate(place))];
}
