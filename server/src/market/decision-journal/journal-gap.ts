/**
 * Since when something that a process has noted is not in the database, in a file of its own beside the recordings while that is
 * so: what a process leaves that was killed then says which rows are lost.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Instant, instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { Noted } from './write.ts';

const NAME = /^(?:journal-gap|facts-behind)-[0-9a-f]{8}$/;
/** A process that is alive has written its notes long before, as long as the database accepts writes. */
const LOOK_MS = 15_000;

export type JournalGap = {
  /** Stores that `waiting` rows are unwritten. `lostFrom`: since when rows were dropped; null once that is noted. Never throws. */
  keep: (waiting: readonly Noted[], lostFrom: Instant | null) => Promise<void>;
  /**
   * Writes which rows of other processes are lost, by the marks that were there at the last look as well, 15 seconds ago or more: until
   * `standingNotedAt`, when this process had noted all that stands, or until now where the other one died after that.
   */
  takeLeft: (
    now: Instant,
    standingNotedAt: Instant,
    write: (from: Instant, until: Instant) => Promise<void>,
  ) => Promise<void>;
};

export function openJournalGap(
  { config, random, log }: Pick<Runtime, 'config' | 'random' | 'log'>,
  venue: string,
): JournalGap {
  const folder = path.join(config.dataDir, 'recordings', venue);
  const own = `journal-gap-${Buffer.from(random.bytes(4)).toString('hex')}`;
  const failures = openFailureLog(log, 'warn', 'unwritten decision journal not marked');
  let isKept = false;
  let lookedAt: Instant | null = null;
  let seen: readonly string[] = [];

  return {
    keep: async (waiting, lostFrom) => {
      const isBehind = waiting.length > 0 || lostFrom !== null;
      if (isKept === isBehind) return;
      const file = path.join(folder, own);
      try {
        if (isBehind) await writeWhole(file, instantToIso(oldestOf(waiting, lostFrom ?? (Infinity as Instant))));
        else await rm(file, { force: true });
        isKept = isBehind;
        failures.succeeded();
      } catch (error) {
        failures.failed(error);
      }
    },
    takeLeft: async (now, standingNotedAt, write) => {
      if (lookedAt !== null && now < lookedAt + LOOK_MS) return;
      const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name) && name !== own);
      for (const name of names.filter((each) => seen.includes(each))) {
        const file = path.join(folder, name);
        const from = instantFromIso(await readFile(file, 'utf8'));
        await write(from, from < standingNotedAt ? standingNotedAt : now);
        await rm(file, { force: true });
      }
      lookedAt = now;
      seen = names;
    },
  };
}

function oldestOf(waiting: readonly Noted[], lostFrom: Instant): Instant {
  return waiting.reduce((oldest, { at }) => (at < oldest ? at : oldest), lostFrom);
}

/** A process that is killed in the middle of it leaves none. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
