import { describe, expect, it } from 'vitest';
import { aboutOf, kindInWords, nameOfQuotes, opportunityName } from './name.ts';
import { marketOf } from './quotes.fixture.ts';

const event = {
  ...{ id: 'e', title: 'First private crew to lunar orbit', negRisk: true, augmented: false },
  marketIds: ['m1', 'm2', 'm3', 'm4'],
};
const quote = (id: string, outcome: string, rules = {}) => ({ marketId: id, outcome, market: marketOf(id, rules) });
const bought = (...named: string[]) =>
  named.map((each) => {
    const [marketId = '', outcome = ''] = each.split(' ');
    return { marketId, outcome };
  });

describe('the name of an opportunity', () => {
  it('is its event and what is bought of it', () => {
    const quotes = event.marketIds.map((id) => quote(id, 'No', { event }));
    expect(nameOfQuotes(quotes)).toBe('First private crew to lunar orbit · No on all 4');
  });

  it('is the question where all is one market, whatever its event has besides', () => {
    expect(nameOfQuotes([quote('m1', 'Yes', { event }), quote('m1', 'No', { event })])).toBe(
      'Will m1 happen? · Yes and No',
    );
  });

  it('counts what else there is where it is about several', () => {
    expect(aboutOf([quote('m1', 'No', { event }), quote('m2', 'No', { event }), quote('x', 'Yes')])).toBe(
      'First private crew to lunar orbit and 1 more',
    );
    expect(aboutOf([quote('x', 'No'), quote('y', 'No'), quote('z', 'Yes')])).toBe('Will x happen? and 2 more');
  });

  it('says what is bought while its markets are not known', () => {
    expect(nameOfQuotes([{ marketId: 'm1', outcome: 'No', market: undefined }])).toBe('No');
    expect(aboutOf([])).toBeNull();
  });

  it('has a bounded length', () => {
    expect(opportunityName('😀'.repeat(500), bought('a Yes'))).toBe(`${'😀'.repeat(119)}… · Yes`);
    expect(aboutOf([quote('m1', 'Yes', { question: '😀'.repeat(500) })])).toBe(`${'😀'.repeat(119)}…`);
  });

  it('names what is bought by outcomes and markets', () => {
    expect(kindInWords(bought('a Yes'))).toBe('Yes');
    expect(kindInWords(bought('a Yes', 'b Yes'))).toBe('Yes on both');
    expect(kindInWords(bought('a Yes', 'b No', 'c No', 'd No'))).toBe('Yes + 3 × No');
    expect(kindInWords(bought('a Yes', 'a No', 'b No'))).toBe('Yes + 2 × No');
  });
});
