import { formatUsd, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import { readSettings, type SettingsChange } from '../../people/system-settings/store.ts';
import type { JsonRow } from '../../platform/database/json-rows.ts';
import { executeNamed } from '../../platform/database/named.ts';
import { Invalid } from '../../platform/http/errors.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { controlsRows, standingBy, WHOLE_DESK } from './store.ts';
import type { TradingControls } from './trading-controls.ts';

/** Settings have been changed in this transaction. @throws Invalid where a limit never allows a clip as large as they say */
export async function judgeClip(
  tx: Db,
  { config: { venueMode } }: Pick<Runtime, 'config'>,
  venues: readonly Pick<TradingControls, 'venue' | 'label'>[],
  { after }: SettingsChange,
): Promise<void> {
  if (after.SIZE_POLICY === undefined && after.CLIP_USD === undefined) return;
  const { settings } = await readSettings(tx);
  if (settings.SIZE_POLICY === 'smallest') return;
  const clip = usdFromNumber(settings.CLIP_USD);
  const standing = standingBy(await executeNamed<JsonRow>(tx, controlsRows(venueMode, false)), venueMode);
  const owners = venues.map(({ venue, label }) => [venue, label === null ? '' : ` on ${label}`] as const);
  for (const [of, whose] of [...owners, [WHOLE_DESK, ' of the whole desk'] as const]) {
    const { perBatch, perDay, openExposure } = standing(of).limits;
    const limits: [string, Usd | null][] = [
      ['limit per batch', perBatch],
      ['limit per day', perDay],
      ['limit on open exposure', openExposure],
    ];
    for (const [name, limit] of limits) {
      if (limit === null || clip <= limit) continue;
      const said = `CLIP_USD is ${formatUsd(clip)} and the ${name}${whose} is ${formatUsd(limit)}, which never allows such a clip`;
      throw new Invalid(['body', 'CLIP_USD'], said, settings.CLIP_USD);
    }
  }
}
