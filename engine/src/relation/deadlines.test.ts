import { instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { memberOf } from './catalogue-event.fixture.ts';
import { readDeadline } from './deadlines.ts';

function read(question: string, endDate: string | null = '2026-12-31T00:00:00Z') {
  const found = readDeadline(memberOf(question, { endDate: endDate === null ? null : instantFromIso(endDate) }));
  return found === null ? null : [instantToIso(found.deadline).slice(0, 10), found.rest];
}

describe('a date until which something happens once', () => {
  it.each([
    ['Will the strike end by June 30, 2026?', '2026-06-30', 'will the strike end by #day?'],
    ['Will the strike end by December 31?', '2026-12-31', 'will the strike end by #day?'],
    ['Will it ship at least 5 times by end of 2026?', '2026-01-01', 'will it ship at least 5 times by end of #year?'],
    ['GTA VI released before June 2026?', '2026-06-01', 'gta vi released before #month?'],
    ['Will he be out before 2027?', '2027-01-01', 'will he be out before #year?'],
  ])('is read: %s', (question, deadline, rest) => {
    expect(read(question)).toEqual([deadline, rest]);
  });

  it('has the year that lies nearest to the end, also over New Year', () => {
    expect(read('Will it end by December 31?', '2026-01-01T04:59:00Z')?.[0]).toBe('2025-12-31');
    expect(read('Will it end by January 2?', '2025-12-31T00:00:00Z')?.[0]).toBe('2026-01-02');
  });

  it.each([
    ['nothing says which year it is of', 'Will it end by June 30?', null],
    ['its year would be a guess', 'Will it end by June 30?', '2026-12-31T00:00:00Z'],
    ['there are two', 'Will it begin by May 1, 2026 and end by June 30, 2026?', null],
    ['it is a day on which something holds', 'Will he be president on June 30, 2026?', null],
    ['it asks for what lasts', 'Will he remain president by June 30, 2026?', null],
    ['it asks for a rank', 'Will Nvidia be the largest company by June 30, 2026?', null],
    ['it asks for what may come back', 'Will the rate be below 3% by June 30, 2026?', null],
    ['it is reversed', 'Will there not be a deal by June 30, 2026?', null],
  ])('is not read where %s', (_why, question, endDate) => {
    expect(read(question, endDate)).toBeNull();
  });
});
