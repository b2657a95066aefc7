import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { secondWords } from '../../ui/date-format.ts';

const LEAVES: Record<SystemStatus['automatic'], string> = {
  all: 'orders leave, by hand and automatically.',
  brought:
    'orders leave by hand, and automatically for opportunities that were added. Found ones are placed only by hand.',
  off: 'orders leave only by hand. Automatic placing is off.',
};

type Arming = Pick<SystemStatus, 'armed' | 'armed_changed' | 'automatic' | 'disarm_not_stored'>;

/** Whether orders leave, and since whose doing; of several venues that differ, at each. */
export function armedSentence({ venues, ...status }: Arming & Pick<SystemStatus, 'venues'>): string {
  if (venues === undefined) return sentenceOf(status);
  const { automatic } = status;
  const sentences = venues.map((each) => sentenceOf({ ...each, automatic }));
  const [first] = sentences;
  if (first !== undefined && sentences.every((sentence) => sentence === first)) return first;
  return venues.map(({ venue }, place) => `${VENUE_LABELS[venue]}: ${sentences[place]}`).join(' ');
}

function sentenceOf({ armed, armed_changed, automatic, disarm_not_stored }: Arming): string {
  if (disarm_not_stored)
    return 'Trading is halted in this process. That is stored as soon as the database answers; other processes may go on until then.';

  const state = armed ? `Trading is armed: ${LEAVES[automatic]}` : 'Trading is disarmed: no order leaves.';
  if (armed_changed === null) return state;
  const action = armed ? 'Armed' : 'Disarmed';
  const by = armed_changed.by === null ? '' : ` by ${armed_changed.by}`;
  return `${state} ${action}${by} on ${secondWords(armed_changed.at)}.`;
}
