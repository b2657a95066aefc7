import { id } from '@dutchbook/contract/listing.ts';
import { useSyncExternalStore } from 'react';

/** More than a glance takes in. */
export const PINS_MAX = 20;

const STORAGE_KEY = 'pinned_opportunities';
const listeners = new Set<() => void>();
let known: { text: string | null; pins: readonly string[] } | undefined;

/** The opportunities that were pinned in this browser, the latest first. */
export function usePins(): readonly string[] {
  return useSyncExternalStore(watch, read);
}

export function togglePin(opportunityId: string): void {
  const pins = read();
  const others = pins.filter((each) => each !== opportunityId);
  const next = others.length < pins.length ? others : [opportunityId, ...others].slice(0, PINS_MAX);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Returns one array until the pins change, in this tab or another. */
function read(): readonly string[] {
  const text = localStorage.getItem(STORAGE_KEY);
  if (known === undefined || known.text !== text) known = { text, pins: pinsFrom(text) };
  return known.pins;
}

/** Whatever is stored, only ids come out. */
function pinsFrom(text: string | null): string[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    const pins = Array.isArray(stored) ? stored.filter((each) => id.safeParse(each).success) : [];
    return [...new Set(pins as string[])].slice(0, PINS_MAX);
  } catch {
    return [];
  }
}
