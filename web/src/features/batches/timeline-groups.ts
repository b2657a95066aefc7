import type { TimelineEntry, TimelineEvent } from '@dutchbook/contract/execution.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { Tone } from '../../ui/status-badge.tsx';
import { delayWords } from './delay-words.ts';

type Words = { text: string; tone: Tone };

/** The name of each event, and how it is shown. */
export const EVENT_WORDS: Record<TimelineEvent, Words> = {
  decided: { text: 'Decided', tone: 'active' },
  retry_requested: { text: 'Retry requested', tone: 'active' },
  cancel_requested: { text: 'Cancel requested', tone: 'inactive' },
  sale_decided: { text: 'Sale decided', tone: 'active' },
  committed: { text: 'Committed', tone: 'pending' },
  sent: { text: 'Sent', tone: 'pending' },
  acknowledged: { text: 'Acknowledged', tone: 'active' },
  refused: { text: 'Refused', tone: 'error' },
  in_doubt: { text: 'Outcome unknown', tone: 'warning' },
  never_sent: { text: 'Never sent', tone: 'error' },
  filled: { text: 'Filled', tone: 'success' },
  settled: { text: 'Settled', tone: 'success' },
  settlement_failed: { text: 'Settlement failed', tone: 'error' },
  order_canceled: { text: 'Canceled', tone: 'inactive' },
  completed: { text: 'Completed', tone: 'success' },
  partial_completed: { text: 'Partially completed', tone: 'warning' },
  failed: { text: 'Failed', tone: 'error' },
  canceled: { text: 'Batch canceled', tone: 'inactive' },
  sold: { text: 'Became cash', tone: 'success' },
  conversion_planned: { text: 'Planned for the chain', tone: 'active' },
  conversion_sent: { text: 'Sent to the chain', tone: 'pending' },
  conversion_unknown: { text: 'Unknown on the chain', tone: 'warning' },
  conversion_mined: { text: 'Mined', tone: 'pending' },
  conversion_confirmed: { text: 'Confirmed on the chain', tone: 'success' },
  conversion_failed: { text: 'Failed on the chain', tone: 'error' },
};

/** Done by contracts, not by an order that buys or sells. */
export const isOfChain = (event: TimelineEvent) => event.startsWith('conversion_');

/** One event of several orders in a row, with nothing else between them. */
export type EventGroup = { event: TimelineEvent; at: Instant; entries: readonly TimelineEntry[] };

/** Equal events in a row are shown once, with their orders below. */
export function groupEvents(entries: readonly TimelineEntry[]): readonly EventGroup[] {
  const groups: { event: TimelineEvent; at: Instant; entries: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.event === entry.event && entry.order_id !== null) last.entries.push(entry);
    else groups.push({ event: entry.event, at: entry.at, entries: [entry] });
  }
  return groups;
}

/** Words for the count of a group: an order may have several trades, or be committed again. The report counts to the last. */
export function countWords({ entries, at }: EventGroup, all: readonly TimelineEntry[]): string {
  const count = new Set(entries.map(({ order_id }) => order_id)).size;
  const orders = count === 1 ? '1 order' : `${count} orders`;
  const counted = count === entries.length ? orders : `${entries.length} times, ${orders}`;
  const last = entries.at(-1)?.at ?? at;
  return last === at ? counted : `${counted}, the last +${delayWords(offsetMs(all, last))}`;
}

/** Milliseconds since the batch was decided, which its first event tells. */
export function offsetMs(entries: readonly TimelineEntry[], at: Instant): number {
  const start = entries.find(({ event }) => event === 'decided') ?? entries[0];
  return start === undefined ? 0 : elapsedMs(start.at, at);
}

const HASH = /0x[0-9a-f]{64}/i;

/** A detail around the hash of a transaction in it; `undefined` where it has none. */
export function hashIn(detail: string): { before: string; hash: string; after: string } | undefined {
  const [hash] = HASH.exec(detail) ?? [];
  if (hash === undefined) return undefined;
  const [before = '', after = ''] = detail.split(hash);
  return { before, hash, after };
}
