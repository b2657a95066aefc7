import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

const STORAGE_KEY = 'theme';

/** The stored choice, in the words of the appearance setting; Mantine says `auto` where the product says `system`. */
export function createColourSchemeManager(): MantineColorSchemeManager {
  let onStorage: ((event: StorageEvent) => void) | undefined;
  return {
    get: (initial) => fromStored(localStorage.getItem(STORAGE_KEY)) ?? initial,
    set: (scheme) => localStorage.setItem(STORAGE_KEY, scheme === 'auto' ? 'system' : scheme),
    subscribe: (onUpdate) => {
      onStorage = ({ key, newValue }) => {
        if (key === STORAGE_KEY) onUpdate(fromStored(newValue) ?? 'auto');
      };
      window.addEventListener('storage', onStorage);
    },
    unsubscribe: () => {
      if (onStorage) window.removeEventListener('storage', onStorage);
    },
    clear: () => localStorage.removeItem(STORAGE_KEY),
  };
}

function fromStored(text: string | null): MantineColorScheme | undefined {
  if (text === 'light' || text === 'dark') return text;
  return text === 'system' ? 'auto' : undefined;
}
