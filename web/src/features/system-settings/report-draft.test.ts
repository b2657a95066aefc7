import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { expect, it } from 'vitest';
import { reportDraftOf, reportProblems, reportSettingsOf } from './report-draft.ts';

it('shows parts of one in percent, and reads them back as they were', () => {
  const saved = { hurdle: fractionFromNumber(0.044), pause_above_failed: fractionFromNumber(0.07) };
  const draft = reportDraftOf(saved);
  expect(draft).toEqual({ hurdle: '4.4', pause_above_failed: '7' });
  expect(reportSettingsOf(draft)).toEqual(saved);
  expect(reportSettingsOf({ ...draft, pause_above_failed: ' ' }).pause_above_failed).toBeNull();
});

it('refuses what is no percentage, and lets the share alone be empty', () => {
  expect(reportProblems({ hurdle: '4.4', pause_above_failed: '' })).toEqual({});
  expect(reportProblems({ hurdle: '', pause_above_failed: 'x' })).toEqual({
    hurdle: 'Hurdle must be a number',
    pause_above_failed: 'Share of failed settlements must be a number',
  });
  expect(reportProblems({ hurdle: '-1', pause_above_failed: '101' })).toEqual({
    hurdle: 'Hurdle must be at least 0',
    pause_above_failed: 'Share of failed settlements must be at most 100',
  });
});
