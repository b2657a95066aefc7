import { useSyncExternalStore } from 'react';

/** The lists with settings of their own. */
export type ListName =
  | 'opportunities'
  | 'batches'
  | 'orders'
  | 'portfolio'
  | 'submissions'
  | 'notifications'
  | 'relations'
  | 'results'
  | 'missed'
  | 'entries';

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

export const VIEWS_MAX = 20;
export const VIEW_NAME_LENGTH_MAX = 40;

/** A search of a list that the user has given a name. */
export type View = { name: string; search: Record<string, unknown> };

export type ListSettings = {
  pageSize: number;
  /** The keys of the columns that are left out. */
  hidden: readonly string[];
  views: readonly View[];
};

/** Settings of lists in this browser. */
type Settings = { density: Density; lists: Partial<Record<ListName, ListSettings>> };

const STORAGE_KEY = 'lists';
const UNCHOSEN: ListSettings = { pageSize: PAGE_SIZES[0], hidden: [], views: [] };

let known: { text: string | null; settings: Settings } | undefined;
const listeners = new Set<() => void>();

export function useListSettings(list: ListName): ListSettings {
  return useSyncExternalStore(watch, () => read().lists[list] ?? UNCHOSEN);
}

export function useDensity(): Density {
  return useSyncExternalStore(watch, () => read().density);
}

export function chooseDensity(density: Density): void {
  write({ ...read(), density });
}

export function changeListSettings(list: ListName, change: Partial<ListSettings>): void {
  const settings = read();
  write({ ...settings, lists: { ...settings.lists, [list]: { ...UNCHOSEN, ...settings.lists[list], ...change } } });
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Returns one object until the settings change, in this tab or another. */
function read(): Settings {
  const text = localStorage.getItem(STORAGE_KEY);
  if (known === undefined || known.text !== text) known = { text, settings: settingsFrom(text) };
  return known.settings;
}

function write(settings: Settings): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  for (const listener of listeners) listener();
}

/** Reads stored settings; invalid parts, of an older version or edited by hand, get their defaults. */
export function settingsFrom(text: string | null): Settings {
  const { density, lists } = objectFrom(parsed(text));
  const kept = Object.entries(objectFrom(lists)).map(([list, settings]) => [list, listSettingsFrom(settings)]);
  return {
    density: DENSITIES.find((known) => known === density) ?? 'comfortable',
    lists: Object.fromEntries(kept),
  };
}

function listSettingsFrom(stored: unknown): ListSettings {
  const { pageSize, hidden, views } = objectFrom(stored);
  return {
    pageSize: PAGE_SIZES.find((known) => known === pageSize) ?? UNCHOSEN.pageSize,
    hidden: arrayFrom(hidden).filter((key) => typeof key === 'string'),
    views: arrayFrom(views).flatMap((view) => {
      const { name, search } = objectFrom(view);
      return typeof name === 'string' ? [{ name, search: objectFrom(search) }] : [];
    }),
  };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function objectFrom(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function arrayFrom(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
