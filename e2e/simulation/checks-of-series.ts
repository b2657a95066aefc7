/** An opportunity that is bought in clips: one after the other, each once the ones before it are whole, and none after a disarming. */
import type { Stored, StoredBatch } from './truth.ts';
import { must } from './violation.ts';

/** Holds at every moment. `before`: at the moment before, of which what has been placed since is judged. */
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
    // What was uneven at one of the two moments alone may not have been when the clip was placed.
    const isUneven = other.unhedged !== null && known.get(other.id)?.unhedged != null;
    must(!isUneven, 'series', () => `clip ${clip.id} was placed while clip ${other.id} was uneven`);
    const disarmed = audit.find(
      ({ action, at }) => action === 'trading.disarmed' && at > other.created_at && at < clip.created_at,
    );
    must(disarmed === undefined, 'series', () => `clip ${clip.id} was placed after a disarming, in a series before it`);
  }
}
