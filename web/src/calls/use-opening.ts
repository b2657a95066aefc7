import { useState } from 'react';

/**
 * When a dialog is open. `opening` is its React key, 0 before the first: each opening starts afresh, unless its call was still being
 * answered when it was closed; then the next one shows the answer.
 */
export function useOpening() {
  const [{ opened, opening }, setState] = useState({ opened: false, opening: 0, kept: false });
  return {
    opened,
    opening,
    open: () =>
      setState((last) => ({ opened: true, opening: last.kept ? last.opening : last.opening + 1, kept: false })),
    close: (isSubmitting: boolean) => setState((last) => ({ ...last, opened: false, kept: isSubmitting })),
  };
}
