import { ONE_AT_A_RISE } from '@dutchbook/engine/desk/next-clip.ts';
import { inArray, isNotNull, sql } from 'drizzle-orm';
import type { BatchesSince } from '../../market/relations/hits.ts';
import { ACTIVE_STATUSES } from './batch-store.ts';
import { batches } from './table.ts';

/** After the last batch of an opportunity that pays still, where no gate has refused more. */
const WHY_NO_MORE = sql`case
  when ${inArray(batches.status, [...ACTIVE_STATUSES])} then 'It was over while a batch of it was still being bought'
  when ${isNotNull(batches.seriesId)} then 'It was over before the next clip of it was bought'
  when ${batches.automatic} then ${ONE_AT_A_RISE}
  else 'A batch of it had been placed by hand, and nothing is added to that automatically' end`;

/** What became of an opportunity since a moment, as terms of a statement. */
export const batchesSince: BatchesSince = (opportunityId, since) => {
  const those = sql`from ${batches} where ${batches.opportunityId} = ${opportunityId} and ${batches.createdAt} >= ${since}`;
  return {
    hasSimulated: sql`exists (select ${those} and ${batches.simulated})`,
    firstSent: sql`(select ${batches.id} ${those} and not ${batches.simulated} order by ${batches.createdAt} limit 1)`,
    whyNoMore: sql`(select ${WHY_NO_MORE} from ${batches} where ${batches.opportunityId} = ${opportunityId}
      order by ${batches.createdAt} desc limit 1)`,
  };
};
