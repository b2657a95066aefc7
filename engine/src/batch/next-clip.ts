/** When what still pays after a batch is bought by another one, without waiting for the profit to fall and rise again. */
import type { BatchStatus } from './life.ts';

/** What is stored of an opportunity that is bought in clips. */
export type SeriesState = {
  /** Of the last batch of the opportunity, which is one of the series. */
  status: BatchStatus;
  /** A person, or disarming, has asked for its end. */
  cancelRequested: boolean;
  /** A clip holds shares of some positions without the rest of their set. */
  isUneven: boolean;
  /** How many clips the series has. */
  clips: number;
};

/** Whether the next clip may be bought while the opportunity stands at its trigger. `clipsMax`: CLIPS_MAX. */
export function isNextClipDue({ status, cancelRequested, isUneven, clips }: SeriesState, clipsMax: number): boolean {
  const isWhole = status === 'completed' || status === 'sold';
  return isWhole && !cancelRequested && !isUneven && clips < clipsMax;
}
