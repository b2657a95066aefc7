/** When what still pays after a batch is bought by another one, without waiting for the profit to fall and rise again. */
import type { BatchStatus } from '../batch/life.ts';
import type { DeskSettings } from './desk-settings.ts';

/** What is known of an opportunity that is bought in clips. */
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

export type ClipSettings = Pick<DeskSettings, 'size' | 'placesAutomatically'>;

/** Whether the series goes on while the opportunity pays. */
export function mayGoOn(series: SeriesState, { size, placesAutomatically }: ClipSettings): boolean {
  const { status, cancelRequested, isUneven, clips } = series;
  const isWhole = status === 'completed' || status === 'sold';
  const isInClips = size.kind !== 'smallest' && placesAutomatically;
  return isInClips && isWhole && !cancelRequested && !isUneven && clips < size.clipsMax;
}

/** Whether the next clip is bought now, as far as the gates let it pass. */
export function isNextClipDue(
  series: SeriesState,
  opportunity: { active: boolean; triggered: boolean },
  settings: ClipSettings,
): boolean {
  return opportunity.active && opportunity.triggered && mayGoOn(series, settings);
}
