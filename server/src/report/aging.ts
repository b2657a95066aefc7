import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { lt } from 'drizzle-orm';
import { deleteInSteps, type openRelationAging } from '../relations/retention.ts';
import { missedTriggers } from './table.ts';

const DAY_MS = 86_400_000;

type Age = ReturnType<typeof openRelationAging>;

/** Ages relations, and lets triggers that were missed go after as many days as hits. */
export function openReportAging(ageRelations: Age): Age {
  return async (db, now, signal) => {
    await ageRelations(db, now, signal);
    await deleteInSteps(db, missedTriggers, lt(missedTriggers.at, instantFromMs(now - HISTORY_DAYS * DAY_MS)), signal);
  };
}
