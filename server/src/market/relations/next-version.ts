import { instantToIso } from '@dutchbook/units/instant.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { relations } from './table.ts';

/** Now, as what `updated_at` becomes. Followers tell versions of relations apart by it, so that no two share one. */
export function nextVersion({ clock }: Pick<Runtime, 'clock'>): SQL {
  return sql`greatest(${instantToIso(clock.now())}::timestamptz, ${relations.updatedAt} + interval '1 millisecond')`;
}
