import { describe, expect, it } from 'vitest';
import { marketOf } from './quotes.fixture.ts';
import { subjectOf } from './subject.ts';

const event = { id: 'e', title: 'Mayor of Meridian', negRisk: true, augmented: false, marketIds: ['m1', 'm2'] };
const quote = (leg: number, id: string, rules = {}) => ({ leg, market: marketOf(id, rules) });

describe('what an opportunity is about', () => {
  it('is the event that all of its markets belong to', () => {
    expect(subjectOf([quote(1, 'm1', { event }), quote(2, 'm2', { event })])).toBe('Mayor of Meridian, 2 legs');
  });

  it('is its first market and how many more there are, where they belong to several or none', () => {
    expect(subjectOf([quote(1, 'm1', { event }), quote(2, 'm2'), quote(2, 'm3')])).toBe(
      'Will m1 happen? and 2 more, 2 legs',
    );
    expect(subjectOf([quote(1, 'm1')])).toBe('Will m1 happen?, 1 leg');
  });

  it('leaves out what is not known, and has a bounded length', () => {
    expect(subjectOf([{ leg: 1, market: undefined }])).toBe('1 leg');
    expect(subjectOf([quote(1, 'm1', { question: '😀'.repeat(500) })])).toBe(`${'😀'.repeat(119)}…, 1 leg`);
  });
});
