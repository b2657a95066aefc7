import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';

/**
 * Lets what is typed into `form` follow what is saved, by whomever. `rebased` answers the draft once `saved` stands where
 * `before` stood; it is one function for as long as the form lives.
 */
export function useRebased<Draft, Saved>(
  form: UseFormReturnType<Draft>,
  saved: Saved,
  rebased: (draft: Draft, before: Saved, saved: Saved) => Draft,
): void {
  const { setValues } = form;
  const known = useRef(saved);
  useEffect(() => {
    const before = known.current;
    known.current = saved;
    if (before !== saved) setValues((draft) => rebased(draft as Draft, before, saved));
  }, [saved, setValues, rebased]);
}

/** For a draft that is what is saved, letter by letter: a field that nobody has touched follows, the others stay. */
export function rebasedFields<Draft extends Record<string, unknown>>(draft: Draft, before: Draft, saved: Draft): Draft {
  const kept = Object.entries(draft).filter(([name, value]) => value !== before[name]);
  return { ...saved, ...Object.fromEntries(kept) };
}
