/** When what still pays after a batch is bought by another one, without waiting for the profit to fall and rise again. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { type BatchStatus, isActive } from '../batch/life.ts';
import { NOT_ASKED } from '../relation/why-not-taken.ts';
import type { DeskSettings } from './desk-settings.ts';

/** A series that has bought nothing for longer is over. */
export const SERIES_MS = 3_600_000;

/** State of a series: an opportunity that is bought in clips. */
export type SeriesState = {
  /** Status of the opportunity's last batch, which belongs to the series. */
  status: BatchStatus;
  /** A person, or disarming, has asked for its end. */
  cancelRequested: boolean;
  /** A clip holds shares of some positions without the rest of their set. */
  isUneven: boolean;
  /** Trading was disarmed at a venue of it after its last clip was placed. */
  isDisarmedSince: boolean;
  /** How many clips the series has. */
  clips: number;
};

export type ClipSettings = Pick<DeskSettings, 'size' | 'placesAutomatically'>;

/** Why no further clip is bought. */
export type SeriesPause =
  | ('switched off' | 'canceled' | 'under way' | 'uneven' | 'not whole' | 'disarmed' | 'clips max')
  | ('quiet' | 'inactive' | 'below trigger');

type Judged = { active: boolean; triggered: boolean };

/** `lastEndedAt`: when its last clip ended; `clipsMax`: CLIPS_MAX when that was placed. */
type StandingSeries = SeriesState & { lastEndedAt: Instant | null; clipsMax: number };

/**
 * Null: the next clip is bought as soon as the gates let it pass. A series that is over keeps the reason of its end: settings that have changed since
 * do not count.
 */
export function pauseOf(
  series: StandingSeries,
  judged: Judged,
  settings: ClipSettings,
  now: Instant,
): SeriesPause | null {
  const { clips, isDisarmedSince } = series;
  const pause = pauseOfClips(series);
  if (pause !== null) return pause;
  if (clips >= clipsMaxOf(series, judged, settings, now)) return 'clips max';
  if (isDisarmedSince) return 'disarmed';
  if (isQuiet(series, now)) return 'quiet';
  if (isSwitchedOff(settings)) return 'switched off';
  if (!judged.active) return 'inactive';
  return judged.triggered ? null : 'below trigger';
}

/** How many clips it may have: by the settings of now while they could buy another one, else by those of its last clip. */
export function clipsMaxOf(series: StandingSeries, judged: Judged, settings: ClipSettings, now: Instant): number {
  const isOver = series.isDisarmedSince || isQuiet(series, now) || isSwitchedOff(settings);
  const current = settings.size.clipsMax;
  return isOver || !judged.active || !judged.triggered ? series.clipsMax : current;
}

function isQuiet({ lastEndedAt }: StandingSeries, now: Instant): boolean {
  return now - (lastEndedAt ?? now) > SERIES_MS;
}

function isSwitchedOff({ size, placesAutomatically }: ClipSettings): boolean {
  return size.kind === 'smallest' || !placesAutomatically;
}

/** What its clips alone say. */
function pauseOfClips({ status, cancelRequested, isUneven }: SeriesState): SeriesPause | null {
  if (cancelRequested) return 'canceled';
  if (isActive(status)) return 'under way';
  if (isUneven) return 'uneven';
  return status === 'completed' || status === 'sold' ? null : 'not whole';
}

function pauseWhilePaying(series: SeriesState, settings: ClipSettings): SeriesPause | null {
  if (isSwitchedOff(settings)) return 'switched off';
  const pause = pauseOfClips(series);
  if (pause !== null) return pause;
  if (series.isDisarmedSince) return 'disarmed';
  return series.clips < settings.size.clipsMax ? null : 'clips max';
}

/** Reason why a batch of the smallest size has no further clips. */
export const ONE_AT_A_RISE =
  'The smallest size was bought when the profit came up to the trigger, and SIZE_POLICY buys no more before the next time';

const NEXT_RISE = 'more are bought once the profit has fallen below the trigger and come up again';

/** Why nothing more is bought of what pays still, in one sentence; null where the next clip is bought as soon as no gate refuses it. */
export function whyNoMore(series: SeriesState, settings: ClipSettings): string | null {
  const { size, placesAutomatically } = settings;
  switch (pauseWhilePaying(series, settings)) {
    case 'switched off':
      return placesAutomatically ? ONE_AT_A_RISE : NOT_ASKED;
    case 'canceled':
      return 'The end of its last clip was asked for';
    case 'uneven':
      return 'A clip of it holds shares of some positions without the rest of their set';
    case 'not whole':
      return 'Its last clip was not filled whole';
    case 'disarmed':
      return 'Trading was disarmed after its last clip';
    case 'clips max':
      return `As many clips in a row were bought as CLIPS_MAX allows (${series.clips} of ${size.clipsMax}); ${NEXT_RISE}`;
    default:
      return null;
  }
}

/** Whether the series goes on while the opportunity pays. */
export function mayGoOn(series: SeriesState, settings: ClipSettings): boolean {
  return pauseWhilePaying(series, settings) === null;
}

/** Whether the next clip is bought now, as far as the gates let it pass. */
export function isNextClipDue(series: SeriesState, opportunity: Judged, settings: ClipSettings): boolean {
  return opportunity.active && opportunity.triggered && mayGoOn(series, settings);
}
