import { instantFromIso } from '@dutchbook/units/instant.ts';
import { PRICE_ZERO } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { eventOf, exclusiveOf, memberOf } from './catalogue-event.fixture.ts';
import type { CatalogueEvent, EventMember } from './catalogue-event.ts';
import { readRelations } from './read-relations.ts';
import type { Relation } from './relation.ts';

/** What was read besides the pairs. */
function together(event: CatalogueEvent): Relation[] {
  return readRelations(event).relations.filter(({ kind }) => kind !== 'pair');
}

describe('what a relation depends on', () => {
  const event = exclusiveOf(['a', 'b'], { series: 'cups' });
  const changedBy = (fields: Partial<EventMember>) => exclusiveOf([memberOf('a', fields), 'b'], { series: 'cups' });
  const print = (read: CatalogueEvent) => together(read)[0]?.fingerprintText;

  it.each<[string, Partial<EventMember>]>([
    ['question', { marketId: 'a', question: 'a?' }],
    ['rules', { rules: 'By lot.' }],
    ['clarifications', { clarifications: 'A tie is shared.' }],
    ['source', { resolutionSource: 'https://example.com' }],
    ['end', { endDate: instantFromIso('2027-01-01T00:00:00Z') }],
    ['labels', { outcomes: ['Yes', 'Never'] }],
    ['tokens', { tokenIds: ['1', '2'] }],
    ['strike', { strike: { kind: 'above', floor: 1, hasFloor: null } }],
    ['id', { marketId: 'another' }],
  ])('is another where the %s of a member is', (_field, fields) => {
    expect(print(changedBy(fields))).not.toBe(print(event));
  });

  it('is what it was before there were fields that most markets lack', () => {
    const member = (id: string, place: number) =>
      `["${id}","${id}","","","","2026-12-31T00:00:00.000Z",["Yes","No"],["${id}:yes","${id}:no"],${place},null,null]`;
    const text = `["exactly_one",[["e1","enforced",false,null]],[${member('a', 0)},${member('b', 1)}]]`;
    expect(print(event)).toBe(text);
    expect(print(changedBy({ clarifications: null }))).toBe(text);
  });

  it('is another where the order or a flag is', () => {
    expect(print(exclusiveOf(['b', 'a'], { series: 'cups' }))).not.toBe(print(event));
    const atMost = (fields: Partial<CatalogueEvent>) => print(exclusiveOf(['a', 'b'], { augmented: true, ...fields }));
    expect(atMost({ nested: 'declared' })).not.toBe(atMost({}));
  });

  it('is the same however a member ends, and whatever its rules hold', () => {
    expect(print(changedBy({ closed: true, resolvedValue: PRICE_ZERO }))).toBe(undefined);
    const three = (fields: Partial<EventMember>) => print(exclusiveOf([memberOf('a', fields), 'b', 'c']));
    expect(three({ closed: true, resolvedValue: PRICE_ZERO })).toBe(three({}));
    const rules = '<script>alert(1)</script>'.repeat(4_000);
    expect(three({ rules })).toContain('<script>');
  });

  it('is alike for events of a series whose words differ by numbers and dates alone, and known for no other', () => {
    const template = (day: string, series: string | null = 'coin') =>
      together(
        eventOf([`Will it close above $4 on ${day}?`, `Will it close above $5 on ${day}?`], { id: day, series }),
      )[0]?.template;
    expect(template('May 1')).toBe(template('June 12'));
    expect(template('May 1')).not.toBe(template('May 1', 'other'));
    expect(template('May 1', null)).toBeNull();
  });
});
