import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { dateFormat } from '../../ui/date-format.ts';

const when = dateFormat({ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });

const LEAVES: Record<SystemStatus['automatic'], string> = {
  all: 'orders leave, by hand and automatically.',
  brought:
    'orders leave by hand, and automatically for opportunities that were added. Found ones are placed only by hand.',
  off: 'orders leave only by hand. Automatic placing is off.',
};

/** Whether orders leave, and since whose doing. */
export function armedSentence({
  armed,
  armed_changed,
  automatic,
  disarm_not_stored,
}: Pick<SystemStatus, 'armed' | 'armed_changed' | 'automatic' | 'disarm_not_stored'>): string {
  if (disarm_not_stored)
    return 'Trading is halted in this process. That is stored as soon as the database answers; other processes may go on until then.';

  const state = armed ? `Trading is armed: ${LEAVES[automatic]}` : 'Trading is disarmed: no order leaves.';
  if (armed_changed === null) return state;
  const action = armed ? 'Armed' : 'Disarmed';
  const by = armed_changed.by === null ? '' : ` by ${armed_changed.by}`;
  return `${state} ${action}${by} on ${when(armed_changed.at)}.`;
}
