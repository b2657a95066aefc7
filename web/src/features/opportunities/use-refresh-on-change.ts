import { useEffect, useRef } from 'react';

type Refreshing = {
  /** What is read is of the version that stood when this was first rendered. */
  version: number;
  /** Off while nobody looks, or while a reading is under way. */
  enabled: boolean;
  intervalMs: number;
  refresh: () => unknown;
};

/** Calls `refresh` when `version` has changed, at most once every `intervalMs`; the last change is never left out. */
export function useRefreshOnChange({ version, enabled, intervalMs, refresh }: Refreshing): void {
  const readVersion = useRef(version);
  const lastMs = useRef(0);
  useEffect(() => {
    if (!enabled || version === readVersion.current) return;
    const delayMs = Math.max(0, lastMs.current + intervalMs - Date.now());
    const timer = setTimeout(() => {
      readVersion.current = version;
      lastMs.current = Date.now();
      refresh();
    }, delayMs);
    return () => clearTimeout(timer);
  }, [version, enabled, intervalMs, refresh]);
}
