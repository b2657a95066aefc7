import type { RelationRow, RelationState } from '@dutchbook/contract/relations.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Tone } from '../../ui/status-badge.tsx';

/** What each basis means for a trader. */
export const BASIS_MEANING: Record<RelationRow['basis'], string> = {
  enforced: 'The contract cannot resolve otherwise.',
  declared: 'The venue says so in a field of its own.',
  parsed: 'Read here from strikes or words: it trades only once a superuser has approved it.',
  human: 'Stated by a superuser: it trades only once it has been approved.',
};

/** Who says so, which is why one relation trades by itself while another of one title waits for an approval. */
export const BASIS_BY: Record<RelationRow['basis'], string> = {
  enforced: 'by contract',
  declared: 'by the venue',
  parsed: 'from words',
  human: 'by a person',
};

type Judged = Pick<RelationRow, 'state' | 'basis' | 'may_trade' | 'distance'>;
type StateWords = { label: string; tone: Tone; meaning: string };

const DECIDED: Record<Exclude<RelationState, 'proposed'>, StateWords> = {
  approved: { label: 'Approved', tone: 'success', meaning: 'A superuser approved it: its hits become opportunities.' },
  rejected: {
    label: 'Rejected',
    tone: 'inactive',
    meaning: 'A superuser rejected it: it creates no opportunities.',
  },
  void: {
    label: 'Void',
    tone: 'error',
    meaning:
      'What it depends on has changed, or its members have contradicted it: nothing is bought by it until a superuser approves what it says now.',
  },
};

/** Whether nothing is bought of it before a superuser has approved it. */
export function waitsForApproval({ state, basis, may_trade }: Omit<Judged, 'distance'>): boolean {
  return state === 'proposed' && !may_trade && (basis === 'parsed' || basis === 'human');
}

/** How far a relation is from trading, in words. */
export function stateWords(relation: Judged): StateWords {
  const { state, may_trade } = relation;
  if (state !== 'proposed') return DECIDED[state];
  if (may_trade)
    return {
      label: 'Needs no approval',
      tone: 'active',
      meaning: `${BASIS_MEANING[relation.basis]} Its kind is switched on: its hits become opportunities.`,
    };
  if (!waitsForApproval(relation))
    return {
      label: 'Kind off',
      tone: 'inactive',
      meaning: 'Its kind is switched off in the discovery settings.',
    };
  return losesNow(relation)
    ? { label: 'Needs approval', tone: 'inactive', meaning: `${lossWords(relation)} ${BEFORE_APPROVAL}` }
    : {
        label: 'Needs approval',
        tone: 'warning',
        meaning: 'Its hits become opportunities once a superuser approves it.',
      };
}

/** What is to be decided where nothing was, and what that changes. */
export function undecidedWords(relation: Judged): string {
  if (waitsForApproval(relation))
    return 'It is not decided yet. Approved, its hits become opportunities; rejected, it is not proposed again.';
  return relation.may_trade
    ? 'Nothing has to be decided. Approved, it creates opportunities also while its kind is switched off; rejected, it creates none.'
    : 'Nothing is decided. Approved, it creates opportunities although its kind is switched off; rejected, it creates none once that is switched on.';
}

const BEFORE_APPROVAL = 'Nothing is bought of it until it pays, and not before a superuser has approved it.';

/** Whether its best basket costs more now than it surely pays. */
export function losesNow({ distance }: Pick<RelationRow, 'distance'>): boolean {
  return distance !== null && distance > 0;
}

/** What buying it now would lose; empty where it would not. */
export function lossWords({ distance }: Pick<RelationRow, 'distance'>): string {
  return distance !== null && distance > 0 ? `Bought now, it loses ${inCents(distance)} a set after fees.` : '';
}

const MICRO_PER_CENT = 10_000;

/** An amount without its sign, in cents with one decimal: what counts is a fraction of a cent a set. */
export function inCents(usd: Usd): string {
  const cents = Math.abs(usd) / MICRO_PER_CENT;
  return cents > 0 && cents < 0.05 ? 'under 0.1 c' : `${cents.toFixed(1)} c`;
}

type Placed = Pick<RelationRow, 'distance' | 'quoted' | 'members'>;

/** "1.6 c away after fees", "pays 0.8 c after fees". */
export function distanceWords(of: Placed): string {
  const { distance } = of;
  if (distance === null) return 'cannot be priced';
  if (distance === 0) return 'breaks even after fees';
  return distance < 0 ? `pays ${inCents(distance)} after fees` : `${inCents(distance)} away after fees`;
}

/** What keeps it from paying, or from being priced. */
export function obstacleWords({ distance, limited_by, quoted, members }: Placed & Pick<RelationRow, 'limited_by'>) {
  if (distance === null) return `${quoted} of ${members} members are quoted`;
  return distance < 0 || limited_by === null ? null : `limited by ${limited_by}`;
}
