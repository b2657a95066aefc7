/** Why an event's markets are not watched together: a few sentences, so that they can be counted once their figures are taken out. */
import { type CatalogueEvent, type EventMember, isReversed } from './catalogue-event.ts';

/** Open, and to be had here. */
export function isTraded({ closed, leftOut, outcomes, tokenIds }: EventMember): boolean {
  return !closed && leftOut === null && outcomes.length === 2 && tokenIds.length === 2 && !isReversed({ outcomes });
}

/** Why nothing but pairs was read from an event. Null where its only market is watched. */
export function whyNotTogether(event: CatalogueEvent, members: readonly EventMember[]): string | null {
  const traded = members.filter(isTraded);
  if (traded.length > 1) return whyApart(event, members);
  if (traded.length === 0) return whyNothing(event, members);
  if (members.length > 1) return `Only 1 of its ${members.length} markets is open and can be traded here`;
  return event.exclusive !== null && !event.isWhole
    ? 'Only a page of markets was read of it, with 1 of its markets'
    : null;
}

function whyNothing({ isWhole }: CatalogueEvent, members: readonly EventMember[]): string {
  if (members.length === 0)
    return isWhole ? 'The venue lists no market of it' : 'The venue did not say which markets it has';
  const [reason] = members.flatMap(({ closed, leftOut }) => (closed ? [] : (leftOut ?? [])));
  if (reason !== undefined) return `None of its markets can be traded here: ${reason}`;
  return members.every(({ closed }) => closed) ? 'All of its markets are closed' : 'None of its markets has two tokens';
}

function whyApart({ exclusive, nested }: CatalogueEvent, members: readonly EventMember[]): string {
  const { length } = members;
  if (exclusive !== null) return `It is exclusive, and the venue does not say which of its ${length} markets are`;
  if (nested !== null) return `The venue says that its ${length} markets are nested, and their order could not be read`;
  const types = [...new Set(members.flatMap(({ game }) => game?.type ?? []))].sort();
  if (types.length > 0)
    return `Of its ${length} markets of a game none is known to follow from another, by their types: ${listed(types)}`;
  return `Several of its ${length} markets may come true together, and no order between them was read from their words`;
}

const TYPES_SHOWN = 3;

function listed(types: readonly string[]): string {
  const shown = types.slice(0, TYPES_SHOWN).join(', ');
  return types.length > TYPES_SHOWN ? `${shown} and ${types.length - TYPES_SHOWN} more` : shown;
}
