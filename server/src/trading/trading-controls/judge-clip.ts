import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { formatUsd, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import { readSettings, type SettingsChange } from '../../people/system-settings/store.ts';
import type { JsonRow } from '../../platform/database/json-rows.ts';
import { executeNamed } from '../../platform/database/named.ts';
import { Invalid } from '../../platform/http/errors.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { controlsRows, standingBy, WHOLE_DESK } from './store.ts';
import type { TradingControls } from './trading-controls.ts';

/** Settings that must not exceed a limit, with the words of the refusal. */
const JUDGED = { CLIP_USD: 'never allows such a clip', LOSS_ALLOWANCE_USD: 'never lets a clip lose as much' } as const;

/**
 * Settings have been changed in this transaction. An allowance that a limit keeps from mattering is no policy that it forbids: it is
 * refused only where it is set itself.
 * @throws Invalid where a limit never allows a clip as large as they say
 */
export async function judgeClip(
  tx: Db,
  { config: { venueMode } }: Pick<Runtime, 'config'>,
  venues: readonly Pick<TradingControls, 'venue' | 'label'>[],
  { after }: SettingsChange,
): Promise<void> {
  const isOfClips = after.SIZE_POLICY !== undefined || after.CLIP_USD !== undefined;
  const isOfAllowance = after.LOSS_ALLOWANCE_USD !== undefined;
  if (!isOfClips && !isOfAllowance) return;
  const { settings } = await readSettings(tx);
  if (settings.SIZE_POLICY === 'smallest') return;
  const standing = standingBy(await executeNamed<JsonRow>(tx, controlsRows(venueMode, false)), venueMode);
  const owners = venues.map(({ venue, label }) => [venue, label === null ? '' : ` on ${label}`] as const);
  for (const [of, whose] of [...owners, [WHOLE_DESK, ' of the whole desk'] as const]) {
    const { perBatch, perDay, openExposure } = standing(of).limits;
    const limits: [string, Usd | null][] = [
      [`limit per batch${whose}`, perBatch],
      [`limit per day${whose}`, perDay],
      [`limit on open exposure${whose}`, openExposure],
    ];
    for (const [name, limit] of limits) {
      if (isOfClips) refuseAbove('CLIP_USD', settings, name, limit);
      if (isOfAllowance) refuseAbove('LOSS_ALLOWANCE_USD', settings, name, limit);
    }
  }
}

function refuseAbove(setting: keyof typeof JUDGED, settings: Settings, name: string, limit: Usd | null): void {
  const value = usdFromNumber(settings[setting]);
  if (limit === null || value <= limit) return;
  const least = usdFromNumber(SETTINGS[setting].min);
  const allowed = limit < least ? 'no value of it is allowed' : `${formatUsd(least)} to ${formatUsd(limit)} is allowed`;
  const said = `${setting} is ${formatUsd(value)} and the ${name} is ${formatUsd(limit)}, which ${JUDGED[setting]}; ${allowed}`;
  throw new Invalid(['body', setting], said, settings[setting]);
}
