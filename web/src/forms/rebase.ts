/** What stands for a value that was typed, where the same can be written in several ways: 5.0 is 5. */
type MeaningOf = (typed: unknown) => unknown;

const asTyped: MeaningOf = (typed) => typed;

/** The fields of a draft in which it is not what is `saved`. */
export function changedFields<Draft extends object>(draft: Draft, saved: Draft, meaningOf = asTyped) {
  const names = Object.keys(draft) as (keyof Draft & string)[];
  return names.filter((name) => meaningOf(draft[name]) !== meaningOf(saved[name]));
}

/**
 * The draft once `saved` stands where `before` stood, by any writer: an untouched field follows, and so does one
 * that asks for just what was saved.
 */
export function rebasedFields<Draft extends object>(
  draft: Draft,
  before: Draft,
  saved: Draft,
  meaningOf = asTyped,
): Draft {
  const unsaved = changedFields(draft, saved, meaningOf);
  const kept = changedFields(draft, before, meaningOf).filter((name) => unsaved.includes(name));
  return { ...saved, ...Object.fromEntries(kept.map((name) => [name, draft[name]])) };
}
