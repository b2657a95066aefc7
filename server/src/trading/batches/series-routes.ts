import { readSeries } from '@dutchbook/contract/placing.ts';
import { clipsMaxOf, pauseOf, SERIES_MS } from '@dutchbook/engine/desk/next-clip.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { positionsOf } from '../../market/opportunities/identity.ts';
import type { LivePrices } from '../../market/opportunities/live-prices.ts';
import { readOpportunity } from '../../market/opportunities/store.ts';
import { deskSettings } from '../../people/system-settings/in-units.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { PlaceParts } from '../execution/placing/request.ts';
import { seriesState } from '../execution/placing/series-state.ts';
import { readSeriesOf, unevenClips } from '../orders/series.ts';

type SeriesParts = Pick<PlaceParts, 'runtime' | 'settings' | 'desks'> & { live: Pick<LivePrices, 'rowsNow'> };

export function registerSeries(app: App, { runtime, settings, desks, live }: SeriesParts): void {
  route(app, readSeries, async ({ params: { opportunity_id: id } }) => {
    const [stored, series] = await Promise.all([readOpportunity(runtime.db, id), readSeriesOf(runtime.db, id)]);
    if (series === null) {
      if (stored === null) throw new NotFound('Opportunity not found');
      return { series: null };
    }
    const [row] = stored === null ? [] : live.rowsNow([stored]);
    const opportunity = row ?? { active: false, triggered: false };
    const positions = row === undefined ? [] : positionsOf(row.marketCombinations);
    const { lastEndedAt } = series;
    const endedAt = lastEndedAt === null ? null : instantFromMs(lastEndedAt + SERIES_MS);
    const state = seriesState(series, positions, desks, endedAt);
    const uneven = await unevenClips(runtime.db, series.seriesId);
    const current = deskSettings(settings.current());
    const now = runtime.clock.now();
    return {
      series: {
        series_id: series.seriesId,
        clips: series.clips,
        clips_max: clipsMaxOf(state, opportunity, current, now),
        spent_usd: series.spent,
        pause: pauseOf(state, opportunity, current, now),
        uneven: uneven.map(({ id: batchId, clipNumber, worstLoss }) => ({
          batch_id: batchId,
          clip_number: clipNumber,
          worst_loss_usd: worstLoss,
        })),
      },
    };
  });
}
