import { readSeries } from '@dutchbook/contract/placing.ts';
import { pauseOf } from '@dutchbook/engine/desk/next-clip.ts';
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
    const state = seriesState(series, row === undefined ? [] : positionsOf(row.marketCombinations), desks);
    const uneven = await unevenClips(runtime.db, series.seriesId);
    const { size, ...current } = deskSettings(settings.current());
    return {
      series: {
        series_id: series.seriesId,
        clips: series.clips,
        clips_max: size.clipsMax,
        spent_usd: series.spent,
        pause: pauseOf(state, opportunity, { ...current, size }, runtime.clock.now()),
        uneven: uneven.map(({ id: batchId, clipNumber, worstLoss }) => ({
          batch_id: batchId,
          clip_number: clipNumber,
          worst_loss_usd: worstLoss,
        })),
      },
    };
  });
}
