/** How much a rehearsal buys: in clips, and by the size policy. */
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { feeCategoryOf } from '@dutchbook/engine/market/fee-category.ts';
import { feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordShown } from '../../trading/survival/store.ts';
import { recordingFolder } from '../recordings/recorder.fixture.ts';
import { accountWith, BEST_ASK, costs, openTape, withTape } from './tape.fixture.ts';

describe('the size of a rehearsed batch', () => {
  it('buys in clips what still pays, by what the clips before have left of the books', async () => {
    await withTape(async (tape) => {
      // Of 100 sets that make 3 cents each, a clip takes 25.
      costs(tape.note('settings', '', BEST_ASK), [1.01, 0.97, 0.97, 0.97, 0.97], 100);
      const settings = { SIZE_POLICY: 'best', CLIP_USD: 25, LOSS_ALLOWANCE_USD: 25, CLIPS_MAX: 20 } as const;
      const { result, differences } = await tape.rehearse({ changes: { settings }, untilMs: 9000 });
      expect(result.present).toMatchObject({ triggers: 1, batches: 1, clips: 0 });
      expect(result.proposed).toMatchObject({ triggers: 1, batches: 4, clips: 3 });
      expect(result.proposed.models.measured).toMatchObject({ completed: 4, profit_usd: usdFromNumber(3) });
      // The dearer leg of one clip: they follow one another.
      expect(result.proposed.worst_at_risk_usd).toBe(usdFromNumber(13));
      expect(differences).toMatchObject([{ present_triggers: 1, proposed_triggers: 1, proposed_batches: 4 }]);
      const made = result.policies?.map(({ policy, totals, course }) => [
        policy,
        totals.batches,
        course.at(-1)?.profit_usd,
      ]);
      expect(made).toEqual([
        ['smallest', 1, usdFromNumber(0.15)],
        ['up_to', 4, usdFromNumber(3)],
        ['best', 4, usdFromNumber(3)],
      ]);
      const few = await tape.rehearse({ changes: { settings: { ...settings, CLIPS_MAX: 2 } }, untilMs: 9000 });
      expect(few.result.proposed).toMatchObject({ batches: 2, clips: 1 });
    });
    await withTape(async (tape) => {
      costs(tape.note('settings', '', BEST_ASK), [1.01, 0.97], 100);
      // Gone when the orders of the first clip come: leg 1 is sold again, and nothing follows.
      tape.at(2100).book('b:yes', [[0.6, 100]], [[0.3, 100]]);
      tape.at(2900).book('b:yes', [[0.52, 100]], [[0.3, 100]]);
      const settings = { SIZE_POLICY: 'best', CLIP_USD: 25 } as const;
      const { result } = await tape.rehearse({ changes: { settings }, untilMs: 2800 });
      expect(result.proposed).toMatchObject({ batches: 1, clips: 0, models: { measured: { unwound: 1 } } });
    });
  });

  it('counts for the best size what was still there one latency later, once 30 books were seen to change', async () => {
    await withTape(async (tape) => {
      tape
        .note('settings', '', BEST_ASK)
        .note('account', '', accountWith({ balance: usdFromNumber(100_000) }))
        .at(0)
        .book('a:yes', [[0.45, 100]], [[0.4, 100]]);
      for (let ms = 0; ms <= 66_000; ms += 2000) {
        tape.at(ms).book('b:yes', [[0.58, 90]], [[0.3, 90]]);
        tape.at(ms + 1000).book('b:yes', [[0.52, 90]], [[0.3, 90]]);
        // Half of them are gone when an order would come.
        tape.at(ms + 1100).book('b:yes', [[0.52, 45]], [[0.3, 90]]);
      }
      const settings = { SIZE_POLICY: 'best', CLIP_USD: 1000, LOSS_ALLOWANCE_USD: 1000, CLIPS_MAX: 1 } as const;
      const sizesBy = async (SIZE_POLICY: Settings['SIZE_POLICY']) => {
        const { proposed } = await tape.rehearse({ changes: { settings: { ...settings, SIZE_POLICY } } });
        return proposed.map((line) => JSON.parse(line)[5] / 1e6);
      };
      const all = Array(34).fill(90);
      expect(await sizesBy('up_to')).toEqual(all);
      expect(await sizesBy('best')).toEqual([...all.slice(3), 45, 45, 45]);
    });
  });

  it('begins with what was measured before the span, so that the best size is another from the first moment on', async () => {
    await using test = await openTestRuntime();
    using place = recordingFolder();
    const tape = openTape(test, place.folder);
    tape.note('account', '', accountWith({ balance: usdFromNumber(100_000) }));
    costs(tape.note('settings', '', BEST_ASK), [1.01, 0.97], 90);
    const sizeBy = async (SIZE_POLICY: Settings['SIZE_POLICY']) => {
      const settings = { SIZE_POLICY, CLIP_USD: 1000, LOSS_ALLOWANCE_USD: 1000, CLIPS_MAX: 1 } as const;
      const { proposed } = await tape.rehearse({ changes: { settings } });
      return proposed.map((line) => JSON.parse(line)[5] / 1e6);
    };
    const measure = (count: number, atMs: number) =>
      recordShown(
        test.runtime.db,
        Array.from({ length: count }, () => ({
          ...{
            opportunityId: test.runtime.random.uuid(),
            at: instantFromMs(tape.from + atMs),
            tokenId: 'b:yes' as const,
          },
          order: {
            ...{
              venue: 'polymarket' as const,
              category: feeCategoryOf(marketOf('b', { feeSchedule: feeOf(0) })),
              bookAgeMs: 0,
            },
            ...{ size: sharesFromNumber(90), limit: priceFromNumber(0.5), shown: sharesFromNumber(90) },
            met: sharesFromNumber(45),
          },
        })),
      );
    await measure(29, -1000);
    // Not known yet as the span begins.
    await measure(30, -299);
    expect(await sizeBy('best')).toEqual([90]);
    await measure(1, -300);
    expect([await sizeBy('up_to'), await sizeBy('best')]).toEqual([[90], [45]]);
  });
});
