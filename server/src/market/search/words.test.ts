import { describe, expect, it } from 'vitest';
import { mayBeMistyped, nameInAddress, slipsBetween, storedWords, wantedWords, wordsIn } from './words.ts';

describe('words', () => {
  it('are divided alike, with accents or without, in any case, and with figures as they are written', () => {
    expect(wordsIn('Querétaro vs. León')).toEqual(['queretaro', 'vs', 'leon']);
    expect(wordsIn('LÓDŹ Łódź Straße Ørsted')).toEqual(['lodz', 'lodz', 'strasse', 'orsted']);
    expect(wordsIn("Trump’s $1,250,000 (U.S.) O'Neal")).toEqual(['trumps', '1250000', 'us', 'oneal']);
    expect(wordsIn('over/under 43.5')).toEqual(['over', 'under', '43', '5']);
    expect(storedWords(['<250k', '250K people'])).toEqual(['250k', 'people', '250000']);
    expect(wordsIn(' ?! ')).toEqual([]);
  });

  it('of a search are the beginning of others, unless they are too short and not the last', () => {
    expect(wantedWords('us elections 25')).toEqual([
      [{ word: 'us', isPrefix: false }],
      [
        { word: 'elections', isPrefix: true },
        { word: 'election', isPrefix: false },
      ],
      [{ word: '25', isPrefix: true }],
    ]);
    expect(wantedWords('btc 100k')[0]).toContainEqual({ word: 'bitcoin', isPrefix: false });
    expect(wantedWords('btc 100k')[1]).toContainEqual({ word: '100000', isPrefix: false });
    expect(wantedWords('word '.repeat(99))).toHaveLength(1);
  });

  it('of an address are those of its last part', () => {
    expect(nameInAddress('https://polymarket.com/event/some-event/some-market?tid=1')).toBe('some-market');
    expect(nameInAddress('polymarket.com/event/some-event/')).toBe('some-event');
    expect(nameInAddress('some-market')).toBeNull();
  });

  it('are told from others by the slips of a typist between them', () => {
    expect(slipsBetween('nuggets', 'nuggets')).toBe(0);
    expect(slipsBetween('nugegts', 'nuggets')).toBe(1);
    expect(slipsBetween('nuggts', 'nuggets')).toBe(1);
    expect(slipsBetween('nuggetts', 'nuggets')).toBe(1);
    expect(slipsBetween('naggets', 'nuggets')).toBe(1);
    expect(slipsBetween('presidnetail', 'presidential')).toBe(2);
    expect(['12345', 'cup', 'k100k'].map(mayBeMistyped)).toEqual([false, false, false]);
  });
});
