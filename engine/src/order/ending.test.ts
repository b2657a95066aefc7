import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ABSENCE_MS, ARRIVAL_MAX_MS, type EndingInput, endingOf, type OrderWord, TRADES_FOLLOW_MS } from './ending.ts';

const NOW = 10_000_000;
const INPUTS: EndingInput = {
  word: 'absent',
  size: sharesFromText('100'),
  matched: sharesFromText('40'),
  sentAt: instantFromMs(NOW - 1_000_000),
  wasShown: true,
  isReportedGone: false,
  goneAt: null,
  now: instantFromMs(NOW),
};
const ago = (ms: number) => instantFromMs(NOW - ms);
const short = sharesFromText('99.997714');

describe('when an order has ended', () => {
  it.each<[string, Partial<EndingInput>, 'matched' | 'canceled' | null]>([
    ['it rests', { word: 'open', goneAt: ago(ABSENCE_MS), isReportedGone: true }, null],
    ['it is delayed', { word: 'delayed', goneAt: ago(ABSENCE_MS), isReportedGone: true }, null],
    ['it rests with almost nothing left', { word: 'open', matched: short }, null],
    ['the venue says canceled', { word: 'ended' }, 'canceled'],
    ['all is matched', { word: 'traded', matched: INPUTS.size }, 'matched'],
    ['matched, a little short', { word: 'matched', matched: short }, 'matched'],
    ['forgotten, matched a little short', { word: 'traded', matched: short }, 'matched'],
    ['matched, a hundredth short', { word: 'matched', matched: sharesFromText('99.99') }, null],
    ['the same, and its trades had time', { word: 'matched', goneAt: ago(TRADES_FOLLOW_MS) }, 'matched'],
    ['absent for the first time', {}, null],
    ['absent for almost long enough', { goneAt: ago(ABSENCE_MS - 1) }, null],
    ['absent for long', { goneAt: ago(ABSENCE_MS) }, 'canceled'],
    ['only its trades show it, for long', { word: 'traded', goneAt: ago(ABSENCE_MS) }, 'canceled'],
    ['reported gone just now', { isReportedGone: true }, null],
    ['reported gone, and its trades had time', { isReportedGone: true, goneAt: ago(TRADES_FOLLOW_MS) }, 'canceled'],
    [
      'never shown, may not have arrived',
      { wasShown: false, sentAt: ago(ARRIVAL_MAX_MS - 1), goneAt: ago(99_999) },
      null,
    ],
    [
      'never shown, long since sent',
      { wasShown: false, sentAt: ago(ARRIVAL_MAX_MS), goneAt: ago(ABSENCE_MS) },
      'canceled',
    ],
  ])('%s', (_name, fields, end) => {
    expect(endingOf({ ...INPUTS, ...fields }).end).toBe(end);
  });

  it('never ends one that a reading has shown at rest or delayed within the time that its trades take to follow', () => {
    const words = fc.constantFrom<OrderWord>('open', 'delayed', 'absent', 'traded', 'matched');
    const readings = fc.array(
      fc.record({ word: words, afterMs: fc.integer({ min: 1, max: 20_000 }), isReportedGone: fc.boolean() }),
    );
    fc.assert(
      fc.property(readings, fc.boolean(), (read, wasShown) => {
        let { goneAt } = INPUTS;
        let now = NOW;
        let shownAt = NOW;
        for (const { word, afterMs, isReportedGone } of read) {
          now += afterMs;
          if (word === 'open' || word === 'delayed') shownAt = now;
          const ending = endingOf({ ...INPUTS, word, isReportedGone, wasShown, goneAt, now: instantFromMs(now) });
          if (ending.end !== null) {
            expect(now - shownAt).toBeGreaterThan(TRADES_FOLLOW_MS);
            return;
          }
          goneAt = ending.goneAt;
        }
      }),
    );
  });
});
