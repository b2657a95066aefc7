import { describe, expect, it } from 'vitest';
import { memberOf } from './catalogue-event.fixture.ts';
import type { Strike } from './catalogue-event.ts';
import { readStrike } from './strikes.ts';

const above = (floor: number, hasFloor: boolean | null): Strike => ({ kind: 'above', floor, hasFloor });
const below = (cap: number, hasCap: boolean | null): Strike => ({ kind: 'below', cap, hasCap });
const between = (floor: number, cap: number): Strike => ({ kind: 'between', floor, cap, hasFloor: null, hasCap: null });

function read(question: string) {
  return readStrike(memberOf(question));
}

describe('a number in a question', () => {
  it.each([
    [
      'Will the price of Solana be above $120 on February 8?',
      above(120, false),
      'will the price of solana be #$ on february 8?',
    ],
    ['Metamask FDV above $4B one day after launch?', above(4e9, false), 'metamask fdv #$ one day after launch?'],
    [
      'MegaETH market cap (FDV) >$2.5B one day after launch?',
      above(2.5e9, false),
      'megaeth market cap (fdv) #$ one day after launch?',
    ],
    ['Will the sale price be over $16 million?', above(16e6, false), 'will the sale price be #$?'],
    ['Will Trump deport 750,000 or more people in 2025?', above(750_000, true), 'will trump deport # people in 2025?'],
    ['Will the high be 42°F or higher on May 10?', above(42, true), 'will the high be #°f on may 10?'],
    ['Anthony Kay: 2+ strikeouts?', above(2, true), 'anthony kay: # strikeouts?'],
    ['Will there be at least 3 storms?', above(3, true), 'will there be # storms?'],
    ['Will Bitcoin reach $150k in February?', above(150_000, null), 'will bitcoin #$ in february?'],
    ['Will there be no more than 5 cuts?', below(5, true), 'will there be # cuts?'],
    ['Will it cost less than $1.5 million?', below(1.5e6, false), 'will it cost #$?'],
    ['Will the high be 39°F or below on May 10?', below(39, true), 'will the high be #°f on may 10?'],
    ['Will the night be below -15 degrees?', below(-15, false), 'will the night be # degrees?'],
    ['Will the high be between 40-41°F on May 10?', between(40, 41), 'will the high be #°f on may 10?'],
    [
      'Will Elon Musk post 200-219 tweets from February 6 to February 13, 2026?',
      between(200, 219),
      'will elon musk post # tweets from february 6 to february 13, 2026?',
    ],
    ['Will Trump sell 101-1k Gold Cards in 2026?', between(101, 1000), 'will trump sell # gold cards in 2026?'],
    ['Will Trump sell 1k-2.5k Gold Cards in 2026?', between(1000, 2500), 'will trump sell # gold cards in 2026?'],
    ['Will it raise between $10 and $20 million?', between(10e6, 20e6), 'will it raise #$?'],
  ])('is read: %s', (question, strike, rest) => {
    expect(read(question)).toEqual({ strike, rest });
  });

  it.each([
    ['a misspelled range', 'Will Trump deport 500,000-750,000- people?'],
    ['no number', 'Will Serbia record a medal at the 2026 Winter Olympics?'],
    ['two of them', 'Will it snow more than 5 days and less than 9 days?'],
    ['one that is reversed', 'Will Bitcoin not close above $100,000?'],
    ['a score', 'Will Northgate win 3-1?'],
    ['a season', 'Will Arsenal win the 2025-26 Premier League?'],
    ['days of a month', 'Will it rain on February 6-13?'],
    ['a version', 'Will GPT-5 be released?'],
    ['both sides of a line', 'Total Rounds Over/Under 46.5'],
    ['more words than a question has', `Will ${'it '.repeat(300)} be above 5?`],
  ])('is not read where there is %s', (_what, question) => {
    expect(read(question)).toBeNull();
  });

  it('is not read where the first outcome is not the one that the question asks for', () => {
    const question = 'Rounds: over 46.5?';
    expect(readStrike(memberOf(question, { outcomes: ['Over', 'Under'] }))?.strike).toEqual(above(46.5, false));
    expect(readStrike(memberOf(question, { outcomes: ['Under', 'Over'] }))).toBeNull();
    expect(readStrike(memberOf(question, { outcomes: ['No', 'Yes'] }))).toBeNull();
  });

  it('says nothing of its end where the rules give a result on it to one side', () => {
    const rules =
      'If the reported value falls exactly between two brackets, then it resolves to the higher range bracket.';
    expect(readStrike(memberOf('Will Solana be greater than $150?', { rules }))?.strike).toEqual(above(150, null));
  });

  it('is less than the venue’s own field, whatever the words', () => {
    const strike = below(91, false);
    const read = readStrike(memberOf('Will the high be 91-92° on Jan 3, market T91?', { strike }));
    expect(read?.strike).toEqual(strike);
    expect(readStrike(memberOf('Games Total: O/U 3.5', { strike: above(3.5, false) }))?.rest).toBe(
      'games total: o/u #',
    );
  });

  it('is looked for in a moment, however long the text', () => {
    const rules = '<p>1-2 '.repeat(20_000);
    expect(readStrike(memberOf('Will it be above 5?', { rules }))?.strike).toEqual(above(5, false));
    expect(read('9,'.repeat(50_000))).toBeNull();
  });
});
