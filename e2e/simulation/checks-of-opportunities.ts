/** What must hold of opportunities after every step: every rise is notified, and nothing is bought on what was edited since. */
import type { Stored, StoredAction, StoredBatch } from './truth.ts';
import { must } from './violation.ts';

export function everyRiseIsNotified({ opportunities }: Stored): void {
  for (const { id, rises, reported } of opportunities)
    must(rises === reported, 'edges', () => `opportunity ${id} has risen ${rises} times, and ${reported} are notified`);
}

const DOLLAR = 1_000_000;

type Standing = { isActive: boolean; targetPrice: number };

/** As they are added to a simulation; a story that edits their targets adds them at a dollar. */
const AS_ADDED: Standing = { isActive: true, targetPrice: DOLLAR };

/** By the audit log, which is written in the order in which things are recorded. */
export function nothingIsBoughtOnWhatWas(stored: Stored): void {
  const batches = new Map(stored.batches.map((batch) => [batch.id, batch]));
  const edited = new Set(
    stored.audit.flatMap(({ object, changed }) => (changed?.target_price === undefined ? [] : object)),
  );
  const standing = new Map<string, Standing>(
    stored.opportunities
      .filter(({ id }) => !edited.has(id))
      .map(({ id, target_price }) => [id, { isActive: true, targetPrice: target_price }]),
  );
  for (const entry of stored.audit) {
    const { action, object } = entry;
    if (object === null) continue;
    standing.set(object, after(standing.get(object) ?? AS_ADDED, entry));
    const batch = action === 'order.placed' ? batches.get(object) : undefined;
    if (batch === undefined) continue;
    const { isActive, targetPrice } = standing.get(batch.opportunity_id) ?? AS_ADDED;
    must(isActive, 'edited', () => `batch ${batch.id} was placed on an opportunity that was off or deleted by then`);
    // A set of what dollars are split into is worth one.
    const right = batch.split_step_id === null ? targetPrice : DOLLAR;
    must(
      batch.target_price === right,
      'edited',
      () => `batch ${batch.id} was placed at a target of ${batch.target_price}, which was ${right} by then`,
    );
    nothingIsRetriedOnWhatWas(stored, batch);
  }
}

function after(before: Standing, { action, changed }: StoredAction): Standing {
  if (action === 'opportunity.deleted') return { ...before, isActive: false };
  const { active = before.isActive, target_price } = changed ?? {};
  return { isActive: active, targetPrice: target_price === undefined ? before.targetPrice : target_price * 1e6 };
}

/** What is missing is bought at the target of its batch, as long as the opportunity is there and on. */
function nothingIsRetriedOnWhatWas({ audit, attempts, orders }: Stored, batch: StoredBatch): void {
  const retried = audit.find(({ action, object }) => action === 'batch.retried' && object === batch.id);
  if (retried === undefined) return;
  const entries = audit.filter(({ object }) => object === batch.opportunity_id);
  const buys = new Set(
    orders.filter(({ batch_id, side }) => batch_id === batch.id && side === 'buy').map(({ id }) => id),
  );
  for (const { order_id, order_hash, created_at } of attempts) {
    if (!buys.has(order_id) || created_at <= retried.at) continue;
    const { isActive } = entries.filter(({ at }) => at < created_at).reduce(after, AS_ADDED);
    must(isActive, 'edited', () => `attempt ${order_hash} retries on an opportunity that was off or deleted by then`);
  }
}

/**
 * An opportunity is bought in clips one after the other, each once the ones before it are whole, and none after a disarming. `before`: at the moment before, of which what has been placed since is judged.
 */
export function checkSeries(stored: Stored, before: Stored | null): void {
  const series = Map.groupBy(
    stored.batches.filter(({ series_id }) => series_id !== null),
    ({ series_id }) => series_id,
  );
  const known = new Map(before?.batches.map((batch) => [batch.id, batch]));
  for (const [id, clips] of series) {
    const numbers = clips.map(({ clip_number }) => clip_number ?? 0).sort((one, other) => one - other);
    const isCounted = numbers.every((number, place) => number === place + 1);
    must(isCounted, 'series', () => `series ${id} has the clips ${numbers}`);
    const of = new Set(clips.map(({ opportunity_id }) => opportunity_id));
    must(of.size === 1, 'series', () => `series ${id} is of the opportunities ${[...of]}`);
    for (const clip of clips.filter((each) => !known.has(each.id))) followsWholeClips(stored, clip, clips, known);
  }
}

function followsWholeClips(
  { audit }: Stored,
  clip: StoredBatch,
  clips: readonly StoredBatch[],
  known: ReadonlyMap<string, StoredBatch>,
): void {
  for (const other of clips) {
    if ((other.clip_number ?? 0) >= (clip.clip_number ?? 0)) continue;
    // What was uneven at one of the two moments alone, or was whole between them, may not have been when the clip was placed.
    const since = known.get(other.id)?.unhedged == null ? null : other.unhedged_since;
    const isUneven = other.unhedged !== null && since !== null && since < clip.created_at;
    must(!isUneven, 'series', () => `clip ${clip.id} was placed while clip ${other.id} was uneven`);
    const disarmed = audit.find(
      ({ action, at }) => action === 'trading.disarmed' && at > other.created_at && at < clip.created_at,
    );
    must(disarmed === undefined, 'series', () => `clip ${clip.id} was placed after a disarming, in a series before it`);
  }
}
