import path from 'node:path';
import type { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes } from '@dutchbook/recordings/file.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { GrowingFile, recordingName } from './files.ts';
import { HOUR_MS } from './kept/what-goes.ts';

export type BlockQueue = {
  /** Whether there was room for it; its outcome goes to `onWritten` or `onFailure`. */
  add: (block: BlockEncoder) => boolean;
  /** What is added from now on goes to a new file. */
  endFile: () => void;
  fileName: () => string | null;
  waitingBytes: () => number;
  /** Resolves once nothing waits. */
  drained: () => Promise<void>;
};

export type BlockQueuePlan = {
  folder: string;
  venue: string;
  /** Bytes of a file after which the next begins. */
  fileBytes: number;
  waitingBytesMax: number;
  newId: () => string;
  onWritten: (written: { bytes: number; records: number; until: Instant }) => void;
  /** Called when a block could not be written; later blocks of its file are dropped too. */
  onFailure: (error: unknown) => void;
  onDropped: (records: number) => void;
};

type Target = { name: string; file: GrowingFile; hour: number; isBroken: boolean };

/** Compresses blocks and appends them to files, one after the other, beside whatever else goes on. */
export function openBlockQueue(plan: BlockQueuePlan): BlockQueue {
  let target: Target | null = null;
  let work: Promise<void> = Promise.resolve();
  let waitingBytes = 0;

  const endFile = () => {
    const ended = target;
    target = null;
    if (ended !== null) work = work.then(() => ended.file.close()).catch(plan.onFailure);
  };
  const targetFor = (at: Instant): Target => {
    const hour = Math.floor(at / HOUR_MS);
    if (target !== null && target.hour === hour && target.file.bytes < plan.fileBytes) return target;
    endFile();
    const name = recordingName(at, plan.newId());
    target = { name, file: new GrowingFile(path.join(plan.folder, name), plan.venue), hour, isBroken: false };
    return target;
  };
  const write = async (to: Target, block: BlockEncoder, until: Instant) => {
    if (to.isBroken) return plan.onDropped(block.count);
    try {
      const bytes = await to.file.append(await blockBytes(block));
      plan.onWritten({ bytes, records: block.count, until });
    } catch (error) {
      to.isBroken = true;
      plan.onDropped(block.count);
      plan.onFailure(error);
    }
  };

  return {
    add: (block) => {
      const { span, byteLength } = block;
      if (span === null) return true;
      if (waitingBytes + byteLength > plan.waitingBytesMax) return false;
      waitingBytes += byteLength;
      const to = targetFor(span.until);
      work = work
        .then(() => write(to, block, span.until))
        .finally(() => {
          waitingBytes -= byteLength;
        });
      return true;
    },
    endFile,
    fileName: () => target?.name ?? null,
    waitingBytes: () => waitingBytes,
    drained: async () => {
      // More may have been added meanwhile.
      for (let seen: Promise<void> | null = null; seen !== work; await seen) seen = work;
    },
  };
}
