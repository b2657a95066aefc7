import type { Batch } from '@dutchbook/contract/batches.ts';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { idFrom } from '../../lists/list-search.ts';
import { shortId } from '../../ui/copyable.tsx';
import { clockWords } from '../../ui/date-format.ts';
import { statusWords } from '../../ui/status-badge.tsx';
import { INNER_SCREENS, screensFor } from '../screens.ts';

type Screen = (ReturnType<typeof screensFor> | typeof INNER_SCREENS)[number]['to'];

/** Where an entry leads. */
export type Target = { kind: 'screen'; to: Screen } | { kind: 'opportunity' | 'simulation' | 'batch'; id: string };

export type PaletteEntry = {
  key: string;
  label: string;
  /** What tells it from others of its name. */
  detail: string;
  kind: string;
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

/** Two for an opportunity: its page, and its simulation, which "s" before its id finds first. */
export function opportunityEntries(opportunity: OpportunityRow): PaletteEntry[] {
  const { id, name: label } = opportunity;
  const profit = profitWords(opportunity);
  return [
    entry({ label, detail: profit, kind: 'Opportunity', more: id, target: { kind: 'opportunity', id } }),
    entry({
      label: `Simulate Order of ${label}`,
      detail: profit,
      kind: 'Action',
      more: `s ${id}`,
      target: { kind: 'simulation', id },
    }),
  ];
}

function profitWords({ profit_percentage, outdated }: OpportunityRow): string {
  if (profit_percentage === null) return 'no price';
  const profit = formatPercent(profit_percentage);
  return outdated === null ? profit : `${profit} as of ${clockWords(outdated.as_of)}`;
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

type Parts = Omit<PaletteEntry, 'key' | 'words'> & { more?: string };

function entry({ more = '', ...parts }: Parts): PaletteEntry {
  const { label, kind, target } = parts;
  const words = `${kind} ${label} ${more}`.toLowerCase().split(/[\s,:]+/);
  return { ...parts, words, key: `${target.kind} ${target.kind === 'screen' ? target.to : target.id}` };
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
