/** Judges a placing: the orders that it would send, and every gate that refuses it. */
import { type Assessment, assess, sentences } from '@dutchbook/engine/desk/assess.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import { stillVerified } from '../../../market/prices/quotes/verified-quotes.ts';
import { deskSettings } from '../../../people/system-settings/in-units.ts';
import { leftOf, tokensOf } from '../../practice/taken.ts';
import { beyondSignedOff, changedSince, placingToSignOff } from '../signed-off-batches.ts';
import type { PlacingInputs, Wanted } from './inputs.ts';
import type { PlaceParts, PlacingRequest } from './request.ts';
import { isDisarmedSince } from './series-state.ts';
import { splitBlockers } from './split-way.ts';

/** A batch can complete while a second click, made before it, is still being assessed: the second click must not buy again. */
const PLACED_MEANWHILE = 'Another batch of this opportunity was placed meanwhile.';

/** Refusal of a found opportunity whose basket was replaced. */
export const REPLACED_MEANWHILE =
  'Other positions, which make more, have taken the place of those that were looked at.';

/** A trade of a clip can fail on its way to the chain while the next one is decided. */
const UNEVEN_MEANWHILE = 'A batch of this opportunity has come to hold shares of some positions alone.';

/** Disarming ends a series, also where trading is armed again. */
const DISARMED_MEANWHILE = 'Trading was disarmed after the last clip was placed.';

/** Between the decision and its record. */
const SWITCHED_MEANWHILE = 'Order simulation was switched on or off meanwhile.';

/** The settings and terms that a request is judged by. */
export function wantedFor({ runtime, settings }: PlaceParts, request: PlacingRequest): Wanted {
  const { opportunity, quotes, askedBy, clip } = request;
  return {
    practice: settings.current().ORDER_SIMULATION_ENABLED,
    opportunityId: opportunity.id,
    ...(clip !== undefined && { seriesId: clip.seriesId }),
    tokenIds: tokensOf(quotes),
    askedBy: askedBy && { userId: askedBy.userId, at: runtime.clock.now() },
  };
}

function planInputs({ settings, quotes: books }: PlaceParts, { opportunity, quotes, size, split }: PlacingRequest) {
  return {
    ...{ opportunity, quotes: stillVerified(books, quotes), size, way: split?.way ?? null },
    settings: deskSettings(settings.current()),
  };
}

export function judge(parts: PlaceParts, request: PlacingRequest, inputs: PlacingInputs, now: Instant): Assessment {
  const { quotes, split, quotedPrice, askedBy, clip } = request;
  const { activeBatchId, account, taken, askedLately } = inputs;
  const assessed = assess({
    ...planInputs(parts, { ...request, quotes: leftOf(quotes, taken) }),
    ...{ quotedPrice, automatic: askedBy === null, now, activeBatchId, ...account, askedLately },
    ...(clip !== undefined && { seriesSpent: clip.spent }),
    ...(parts.survival !== undefined && { survival: parts.survival() }),
  });
  if (split === null) return assessed;
  return { ...assessed, blockers: [...splitBlockers(split.way, parts.settings.current()), ...assessed.blockers] };
}

/**
 * Why what was looked at is not what would be placed under the locks, in sentences: what others have changed since, and what an
 * approver did not see.
 */
export function changedMeanwhile(
  { settings }: PlaceParts,
  { opportunity, quotes, askedBy, clip }: PlacingRequest,
  { standing, practice, isSwitched, armedChanges }: PlacingInputs,
): string[] {
  const isSwitchedHere =
    settings.current().ORDER_SIMULATION_ENABLED !== practice || (clip !== undefined && clip.simulated !== practice);
  const switched = isSwitched || isSwitchedHere ? [SWITCHED_MEANWHILE] : [];
  const before = askedBy ?? clip;
  if (standing === null || before === undefined) return switched;
  const { opportunity: now, batches, uneven } = standing;
  if (now === null) return ['The opportunity was deleted.'];
  const { placedBefore } = before;
  const signedOff = askedBy?.signedOff ?? null;
  const changed = signedOff === null ? [] : changedSince(signedOff, now, settings.current());
  const placed = batches === placedBefore ? [] : [PLACED_MEANWHILE];
  const isUneven = clip !== undefined && uneven > 0;
  const spoiled = isUneven ? [UNEVEN_MEANWHILE] : [];
  const isDisarmed = clip !== undefined && isDisarmedSince(clip, quotes, (venue) => armedChanges.get(venue) ?? null);
  const disarmed = isDisarmed ? [DISARMED_MEANWHILE] : [];
  const [first = []] = [[...changed, ...editedSince(opportunity, now)], placed, spoiled, disarmed, switched].filter(
    ({ length }) => length > 0,
  );
  return first;
}

/** Refuses when the opportunity was edited since it was judged. */
function editedSince(
  judged: StoredOpportunity,
  now: Pick<StoredOpportunity, 'active' | 'contentHash' | 'targetPrice'>,
): string[] {
  if (judged.active && !now.active) return ['The opportunity is not active.'];
  if (now.contentHash !== judged.contentHash) return [REPLACED_MEANWHILE];
  if (now.targetPrice === judged.targetPrice) return [];
  const [before, after] = [judged.targetPrice, now.targetPrice].map(formatPrice);
  return [`The target price was changed from ${before} to ${after} meanwhile.`];
}

/** Why nothing is placed, in sentences. @throws SignOffNeeded where one person may not spend as much */
export function refusalsOf(
  { settings }: PlaceParts,
  { opportunity, quotedPrice, askedBy }: PlacingRequest,
  { blockers, plan, unsigned }: Assessment,
): string[] {
  if (blockers.length > 0) return sentences(blockers);
  if (askedBy === null) return [];
  const { signedOff, wayIn } = askedBy;
  if (signedOff === null) {
    if (unsigned.length > 0)
      throw placingToSignOff(opportunity, plan, { quotedPrice, wayIn, settings: settings.current() });
    return [];
  }
  const beyond = beyondSignedOff(plan, signedOff);
  return beyond === null ? [] : [beyond];
}
