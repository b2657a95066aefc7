/** `venueOf` of `units/ids.ts` in SQL. */
import { idAt, VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

const PREFIXED = VENUE_NAMES.map((venue) => ({ venue, prefix: idAt(venue, '') })).filter(({ prefix }) => prefix !== '');
const [UNPREFIXED = 'polymarket'] = VENUE_NAMES.filter((venue) => idAt(venue, '') === '');

/** The name of the venue of an id. */
export function venueIn(id: SQLWrapper): SQL {
  const cases = PREFIXED.map(
    ({ venue, prefix }) => sql`when ${id} like ${sql.raw(`'${prefix}%'`)} then ${sql.raw(`'${venue}'`)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} else ${sql.raw(`'${UNPREFIXED}'`)} end`;
}

/** Whether one of the ids of an array is at the venue. */
export function isAnyAt(ids: SQLWrapper, venue: VenueName): SQL {
  return sql`exists (select 1 from unnest(${ids}) as listed(id) where ${venueIn(sql`listed.id`)} = ${venue})`;
}
