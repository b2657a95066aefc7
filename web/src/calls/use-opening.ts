import { useState } from 'react';

/**
 * When a dialog is open. `opening` is its React key, 0 before the first: each opening starts afresh, unless something still ran in it when it
 * was closed; then the next one shows what came of that.
 */
export function useOpening() {
  const [{ opened, opening }, setState] = useState({ opened: false, opening: 0, kept: false });
  return {
    opened,
    opening,
    open: () =>
      setState((last) => ({ opened: true, opening: last.kept ? last.opening : last.opening + 1, kept: false })),
    close: (running: boolean) => setState((last) => ({ ...last, opened: false, kept: running })),
  };
}
