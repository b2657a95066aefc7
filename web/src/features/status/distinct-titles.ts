import { withoutVenue } from '@dutchbook/units/ids.ts';

/** A venue's own name of an event or market says its date and its kind; a number that long says nothing more. */
const NAME_LENGTH_MAX = 28;

/** What each is called, by id: where several that are shown have one title, the venue's own name of it stands behind. */
export function distinctTitles(shown: readonly { id: string; title: string }[]): (id: string) => string | undefined {
  const idsOf = new Map<string, Set<string>>();
  for (const { id, title } of shown) idsOf.set(title, (idsOf.get(title) ?? new Set()).add(id));
  const names = new Map(
    shown.map(({ id, title }) => {
      const isAlone = (idsOf.get(title)?.size ?? 0) < 2;
      return [id, isAlone ? title : `${title} · ${withoutVenue(id).slice(0, NAME_LENGTH_MAX)}`];
    }),
  );
  return (id) => names.get(id);
}
