import type { Batch } from '@dutchbook/contract/batches.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';

export type Execution = Pick<
  Batch,
  'status' | 'is_final' | 'execution_started_at' | 'execution_completed_at' | 'updated_at'
>;

/** How long a batch has been or was at work; `undefined` before it started. `now` counts only while it runs. */
function executionMs(batch: Execution, now: Instant): number | undefined {
  if (batch.execution_started_at === null) return undefined;
  return Math.max(0, elapsedMs(batch.execution_started_at, executionEnd(batch, now)));
}

function executionEnd(batch: Execution, now: Instant): Instant {
  return batch.execution_completed_at ?? (isOver(batch) ? batch.updated_at : now);
}

/** Whether the clock of the batch has stopped. */
export function isOver({ status, is_final, execution_completed_at }: Execution): boolean {
  return execution_completed_at !== null || is_final || status === 'failed' || status === 'canceled';
}

/** Seconds, minutes and seconds, or hours and minutes: "0.156s", "12s", "3m 5s", "2h 10m". */
export function durationWords(ms: number): string {
  if (ms > 0 && ms < 1_000) return `${(ms / 1_000).toFixed(3)}s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

export function executionWords(batch: Execution, now: Instant): string {
  const ms = executionMs(batch, now);
  return ms === undefined ? 'Not started' : durationWords(ms);
}
