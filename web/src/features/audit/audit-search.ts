import { dayFrom, pageFrom, type RawSearch } from '../../lists/list-search.ts';

/** What the log is narrowed to, as it stands in the address: the days are those of the reader's own calendar. */
export type AuditFilter = {
  action?: string | undefined;
  actor?: string | undefined;
  object?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
};

/** The state of /admin: which tab, which page of it, and the filters of the audit log. */
export type AdminSearch = AuditFilter & { page: number; tab?: string | undefined };

export function adminSearchFrom(raw: RawSearch): AdminSearch {
  return {
    page: pageFrom(raw.page),
    tab: wordFrom(raw.tab),
    action: wordFrom(raw.action),
    actor: wordFrom(raw.actor),
    object: wordFrom(raw.object),
    from: dayFrom(raw.from),
    until: dayFrom(raw.until),
  };
}

export function filterOf({ action, actor, object, from, until }: AdminSearch): AuditFilter {
  return { action, actor, object, from, until };
}

const WORD_LENGTH_MAX = 254;

/** The router reads an address like `?object=17` as a number. */
function wordFrom(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).slice(0, WORD_LENGTH_MAX) || undefined;
}
