import type { Instant } from '@dutchbook/units/instant.ts';

/** An object as a call read it, and when it was asked for: it knows nothing of what came later. */
export type Read<Row> = Row & { requestedAtMs: number };

export async function readOne<Row extends object>(ask: () => Promise<Row>): Promise<Read<Row>> {
  const requestedAtMs = Date.now();
  return { ...(await ask()), requestedAtMs };
}

export type ReadPage<Row> = { data: Read<Row>[]; count: number };

export async function readPage<Row extends object>(
  ask: () => Promise<{ data: Row[]; count: number }>,
): Promise<ReadPage<Row>> {
  const requestedAtMs = Date.now();
  const { data, count } = await ask();
  return { data: data.map((row) => ({ ...row, requestedAtMs })), count };
}

type Dated = { updated_at: Instant };

/**
 * Which of the two states of an object to show: the later one, and among equals the one that travelled last, because
 * a live price moves without touching `updated_at`. Of the same millisecond it is the read one: the server answers it
 * after what had come by then, and an old change that comes together with the order to read again must not outlive it.
 */
export function fresher<Row extends Dated>(
  read: Read<Row>,
  live: { data: Row; receivedAtMs: number } | undefined,
): Read<Row> {
  if (live === undefined || live.data.updated_at < read.updated_at) return read;
  const liveIsLater = live.data.updated_at > read.updated_at || live.receivedAtMs > read.requestedAtMs;
  return liveIsLater ? { ...live.data, requestedAtMs: read.requestedAtMs } : read;
}
