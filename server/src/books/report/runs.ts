/** Which run a figure is about: the present one, unless another is asked for. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { listRuns } from '../../trading/under-way/start-overs.ts';
import type { InRun, ReportFilter } from './filter.ts';

/** @returns what was asked for, with the span of its run; a run that there is not has nothing */
export async function inRun<Asked extends Pick<ReportFilter, 'run' | 'since'>>(
  db: Db,
  asked: Asked,
): Promise<Asked & InRun> {
  const runs = await listRuns(db);
  const [present] = runs;
  const meant = asked.run === undefined ? present : runs.find(({ number }) => number === asked.run);
  if (meant === undefined) return { ...asked, span: { from: NEVER, until: NEVER } };
  const { from, until } = meant;
  return from === null && until === null ? asked : { ...asked, span: { from, until } };
}

const NEVER = instantFromMs(0);
