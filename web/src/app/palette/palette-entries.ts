import type { Batch } from '@dutchbook/contract/batches.ts';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import type { HeldEvent } from '@dutchbook/contract/portfolio.ts';
import type { RelationRow } from '@dutchbook/contract/relations.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import { placingRefusal } from '../../features/opportunities/placing-rule.ts';
import { inCents } from '../../features/relations/relation-words.ts';
import { idFrom } from '../../lists/list-search.ts';
import type { Read } from '../../live/fresher.ts';
import { shortId } from '../../ui/copyable.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { INNER_SCREENS, screensFor } from '../screens.ts';

type Screen = (ReturnType<typeof screensFor> | typeof INNER_SCREENS)[number]['to'];

/** Where an entry leads, or what it does. */
export type Target =
  | { kind: 'screen'; to: Screen }
  | { kind: 'opportunity' | 'simulation' | 'placing' | 'batch' | 'relation'; id: string }
  | { kind: 'event'; title: string }
  | { kind: 'cash_now'; eventId: EventId; title: string }
  | { kind: 'setting'; anchor: string }
  | { kind: 'words' }
  | { kind: 'disarm' };

/** An event whose shares are to become dollars, once that is confirmed. */
export type CashNowAsked = Extract<Target, { kind: 'cash_now' }>;

export type PaletteEntry = {
  key: string;
  label: string;
  /** What tells it from others of its name. */
  detail: string;
  kind: string;
  /** For an opportunity: its live profit is shown instead of the detail. */
  row?: Read<OpportunityRow>;
  /** What it is found by, in small letters. */
  words: readonly string[];
  target: Target;
};

const SHOWN_MAX = 12;

export function screenEntries(user: { is_superuser: boolean } | undefined): PaletteEntry[] {
  const screens = [
    ...screensFor(user).map(({ to, label, goKey }) => ({ to, label, detail: `g ${goKey}` })),
    ...INNER_SCREENS.map(({ to, label, within }) => ({ to, label, detail: `in ${within}` })),
  ];
  return screens.map(({ to, label, detail }) =>
    entry({ label, detail, kind: 'Screen', target: { kind: 'screen', to } }),
  );
}

/** Its page, its simulation, which "s" before its id finds first, and where it may be placed its order, by "p". */
export function opportunityEntries(row: Read<OpportunityRow>, mayPlace: boolean): PaletteEntry[] {
  const { id, name } = row;
  const common = { detail: '', row };
  const entries = [
    entry({ ...common, label: name, kind: 'Opportunity', more: id, target: { kind: 'opportunity', id } }),
    entry({
      ...common,
      label: `Simulate Order of ${name}`,
      kind: 'Action',
      more: `s ${id}`,
      target: { kind: 'simulation', id },
    }),
  ];
  if (!mayPlace || placingRefusal(row) !== undefined) return entries;
  const target = { kind: 'placing', id } as const;
  return [...entries, entry({ ...common, label: `Place Order of ${name}`, kind: 'Action', more: `p ${id}`, target })];
}

/** One press of Enter and no question: disarming is urgent. */
export function disarmEntry(): PaletteEntry {
  return entry({
    label: 'Disarm Trading',
    detail: 'at once: no order leaves',
    kind: 'Action',
    more: 'stop kill switch',
    target: { kind: 'disarm' },
  });
}

/** Entry of an event whose shares can be converted into dollars now. */
export function cashNowEntry({ event_id, title }: Pick<HeldEvent, 'event_id' | 'title'>): PaletteEntry {
  return entry({
    label: `Cash Now: ${title}`,
    detail: 'asks before it converts',
    kind: 'Action',
    target: { kind: 'cash_now', eventId: event_id as EventId, title },
  });
}

export function relationEntry({ id, title, event_title, distance }: RelationRow): PaletteEntry {
  return entry({
    label: title,
    detail: distance === null ? 'no price' : distance < 0 ? `pays ${inCents(distance)}` : `${inCents(distance)} away`,
    kind: 'Relation',
    more: `${event_title} ${id}`,
    target: { kind: 'relation', id },
  });
}

/** Each event once, with its relations. */
export function eventEntries(relations: readonly Pick<RelationRow, 'event_id' | 'event_title'>[]): PaletteEntry[] {
  const titles = new Map(relations.map(({ event_id, event_title }) => [event_id, event_title]));
  return [...new Set(titles.values())].map((title) =>
    entry({ label: title, detail: 'its relations', kind: 'Event', target: { kind: 'event', title } }),
  );
}

export function batchEntry({ id, name, opportunity_id, status, total_orders, expected_orders }: Batch): PaletteEntry {
  return entry({
    label: `${name ?? shortId(id)}: ${statusWords(status)}, ${total_orders}/${expected_orders} orders`,
    detail: shortId(id),
    kind: 'Batch',
    more: `${id} ${opportunity_id}`,
    target: { kind: 'batch', id },
  });
}

/** A field of System Settings, which is found by the name that calls have as well. */
export function settingEntry(anchor: string, label: string): PaletteEntry {
  const more = `${anchor} ${anchor.split(/[-_]/).join(' ')}`;
  return entry({ label, detail: 'in System Settings', kind: 'Setting', more, target: { kind: 'setting', anchor } });
}

/** Found by the words that it explains as well. */
export const WORDS_ENTRY: PaletteEntry = entry({
  label: 'What the Words Mean',
  detail: 'set, leg, clip, basis and others',
  kind: 'Help',
  more: 'glossary relation basis distance set leg clip series policy shard locked',
  target: { kind: 'words' },
});

type Parts = Omit<PaletteEntry, 'key' | 'words'> & { more?: string };

function entry({ more = '', ...parts }: Parts): PaletteEntry {
  const { label, kind, target } = parts;
  const words = `${kind} ${label} ${more}`.toLowerCase().split(/[\s,:]+/);
  return { ...parts, words, key: `${target.kind} ${aboutOf(target)}` };
}

function aboutOf(target: Target): string {
  switch (target.kind) {
    case 'screen':
      return target.to;
    case 'event':
      return target.title;
    case 'cash_now':
      return target.eventId;
    case 'setting':
      return target.anchor;
    case 'words':
    case 'disarm':
      return '';
    default:
      return target.id;
  }
}

/** The entries that have every word typed, or its beginning; those that have them whole come first. */
export function entriesFor(typed: string, entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const sought = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = entries
    .map((candidate) => ({ candidate, rank: rankOf(candidate, sought) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
  const found = ranked.slice(0, SHOWN_MAX).map(({ candidate }) => candidate);
  return found.length === 0 ? byIdAlone(typed.trim()) : found;
}

/** How many of the words it has whole; `undefined` where it lacks one. */
function rankOf({ words }: PaletteEntry, sought: readonly string[]): number | undefined {
  if (!sought.every((word) => words.some((own) => own.startsWith(word)))) return undefined;
  return sought.filter((word) => words.includes(word)).length;
}

/** An id that is not among those that were read may still be one. */
function byIdAlone(typed: string): PaletteEntry[] {
  const id = idFrom(typed);
  if (id === undefined) return [];
  return [
    entry({ label: id, detail: '', kind: 'Opportunity', target: { kind: 'opportunity', id } }),
    entry({ label: id, detail: '', kind: 'Batch', target: { kind: 'batch', id } }),
  ];
}
