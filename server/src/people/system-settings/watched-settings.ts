import type { Settings } from '@dutchbook/contract/system-settings.ts';

export type SystemSettings = {
  /** The settings in force now; a change made in any process reaches this at once, or within a second at the latest. */
  current: () => Settings;
};

export type WatchedSettings = SystemSettings & {
  /** Settings whose stored value is out of range: their default holds, and nothing is bought. */
  corrupt: () => readonly string[];
  /** Reads at once. A change awaits this, so that the next call is decided by what it wrote. */
  refresh: () => Promise<void>;
  /** Calls back after they have changed. @returns what ends it */
  onChange: (react: () => void) => () => void;
};
