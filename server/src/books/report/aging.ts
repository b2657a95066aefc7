import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { lt } from 'drizzle-orm';
import { missedTriggers } from '../../market/prices/table.ts';
import { deleteInSteps, type openRelationAging } from '../../market/relations/retention.ts';

const DAY_MS = 86_400_000;

type Age = ReturnType<typeof openRelationAging>;

/** Ages relations, and lets triggers that were missed go after as many days as hits. */
export function openReportAging(ageRelations: Age): Age {
  return async (db, now, signal) => {
    await ageRelations(db, now, signal);
    await deleteInSteps(db, missedTriggers, lt(missedTriggers.at, instantFromMs(now - HISTORY_DAYS * DAY_MS)), signal);
  };
}
