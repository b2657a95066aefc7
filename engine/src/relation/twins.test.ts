import { describe, expect, it } from 'vitest';
import { END, eventOf, memberOf } from './catalogue-event.fixture.ts';
import type { CatalogueEvent, EventMember } from './catalogue-event.ts';
import { isTwinKey, readTwins, twinTextOf } from './twins.ts';

const QUESTION = 'Will it rain in Oslo on May 1?';
const RULES = 'It resolves by the record of the institute.';

function listed(id: string, fields: Partial<EventMember> = {}, event: Partial<CatalogueEvent> = {}): CatalogueEvent {
  const member = memberOf(QUESTION, {
    marketId: `m${id}`,
    rules: RULES,
    resolutionSource: 'https://met.example',
    ...fields,
  });
  return eventOf([member], { id: `e${id}`, ...event });
}

const read = (...events: CatalogueEvent[]) =>
  readTwins(events).map(({ members }) => members.map(({ marketId }) => marketId));

describe('a question that is listed twice', () => {
  it('implies itself both ways, by approval alone, and loses where one is voided', () => {
    const [relation, ...others] = readTwins([listed('1'), listed('2')]);
    expect(others).toHaveLength(1);
    expect(relation).toMatchObject({
      key: 'ladder:twin:m1:m2',
      kind: 'ladder',
      basis: 'parsed',
      isVoidSafe: false,
      template: null,
      members: [
        { eventId: 'e1', marketId: 'm1', role: 'threshold' },
        { eventId: 'e2', marketId: 'm2', role: 'threshold' },
      ],
    });
    expect(others[0]?.key).toBe('ladder:twin:m2:m1');
    expect([isTwinKey(others[0]?.key ?? ''), isTwinKey('ladder:e1:m1')]).toEqual([true, false]);
  });

  it('is the same in other case and with other white space', () => {
    const fields = {
      question: ` will it rain  in oslo\non May 1? `,
      rules: RULES.toUpperCase(),
      outcomes: ['YES', 'no'],
    };
    expect(read(listed('1'), listed('2', fields))).toHaveLength(2);
  });

  it.each<[string, CatalogueEvent]>([
    ['question', listed('2', { question: 'Will it rain in Oslo on May 2?' })],
    ['punctuation', listed('2', { question: 'Will it rain in Oslo on May 1' })],
    ['rules', listed('2', { rules: `${RULES} Snow counts.` })],
    ['clarifications', listed('2', { clarifications: 'Snow counts.' })],
    ['source', listed('2', { resolutionSource: 'https://other.example' })],
    ['outcomes', listed('2', { outcomes: ['No', 'Yes'] })],
    ['end', listed('2', { endDate: (END + 1) as typeof END })],
  ])('is another question where the %s is another', (_field, other) => {
    expect(read(listed('1'), other)).toEqual([]);
  });

  it.each<[string, CatalogueEvent]>([
    ['is in the same event', eventOf([...listed('1').members, ...listed('2').members], { id: 'e1' })],
    ['is the same market', listed('2', { marketId: 'm1' })],
    ['is closed', listed('2', { closed: true })],
    ['cannot be traded here', listed('2', { leftOut: 'version v9 is not known' })],
    ['is of an event that is over', listed('2', {}, { closed: true })],
  ])('has no second one that %s', (_why, other) => {
    expect(read(listed('1'), other)).toEqual([]);
  });

  it.each<[string, Partial<EventMember>]>([
    ['rules', { rules: ' ' }],
    ['an end', { endDate: null }],
    ['words', { question: '' }],
  ])('is not known to be the same without %s', (_what, fields) => {
    expect(read(listed('1', fields), listed('2', fields))).toEqual([]);
    const event = listed('1', fields);
    expect(event.members[0] && twinTextOf(event, event.members[0])).toBeNull();
  });

  it('is compared with three others at most: a text that more share tells nothing apart', () => {
    const many = ['1', '2', '3', '4', '5'].map((id) => listed(id));
    expect(read(...many.slice(0, 4))).toHaveLength(12);
    expect(read(...many)).toEqual([]);
  });

  it('depends on the rules, ids and flags of both', () => {
    const print = (other: CatalogueEvent) => readTwins([listed('1'), other])[0]?.fingerprintText;
    expect(print(listed('2', { tokenIds: ['7', '8'] }))).not.toBe(print(listed('2')));
    expect(print(listed('2', {}, { exclusive: 'enforced' }))).not.toBe(print(listed('2')));
  });
});
