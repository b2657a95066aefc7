/** A venue's market channel in a process of its own, which plays a recorded game on many markets, to one side at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** `games`: how often the game is played at once; `recordedFrames`: how many of its frames there are, played again from the first. */
export type Stage = { games: number; recordedFrames: number };

/**
 * At a steady rate, or so many as fast as they are taken. Changes are changed levels, each counted once however many connections
 * hear of it.
 */
export type Pace = { changesPerSecond: number; seconds: number } | { changes: number };

/** `side`: the path of the connections that are meant, which the answer names as well. */
export type Command = { kind: 'tokens'; side: string } | { kind: 'play'; side: string; pace: Pace };

/** `frames`: how many frames of changes the side has been sent since it was opened; `changes`, `lateMs`: of this play. */
export type Played = { side: string; frames: number; changes: number; lateMs: number };

export type Subscribed = { side: string; tokens: number };

export type Sender = {
  /** Where a side of this name connects to. */
  url: (side: string) => string;
  /** Resolves when so many tokens are subscribed to by the side, and each has been sent its book. */
  whenSubscribed: (side: string, tokens: number) => Promise<void>;
  /** For several sides at once, where it is asked for them. */
  play: (side: string, pace: Pace) => Promise<Played>;
  close: () => void;
};

const POLL_MS = 20;

export async function openSender(stage: Stage): Promise<Sender> {
  const child = fork(path.join(import.meta.dirname, 'sender-process.ts'), [JSON.stringify(stage)]);
  const port = await answerOf<number>(child);
  const ask = <Answer extends { side: string }>(command: Command) =>
    new Promise<Answer>((resolve) => {
      const hear = (message: unknown) => {
        const answer = message as Answer;
        if (answer.side !== command.side) return;
        child.off('message', hear);
        resolve(answer);
      };
      child.on('message', hear);
      child.send(command);
    });
  return {
    url: (side) => `ws://127.0.0.1:${port}/${side}`,
    whenSubscribed: async (side, tokens) => {
      while ((await ask<Subscribed>({ kind: 'tokens', side })).tokens < tokens) await pause(POLL_MS);
    },
    play: (side, pace) => ask<Played>({ kind: 'play', side, pace }),
    close: () => child.disconnect(),
  };
}

/** What the process says next. */
export async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}
