import { type ReportSettings, reportSettings } from '@dutchbook/contract/report/report-settings.ts';
import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../forms/form-rules.ts';
import { numberFrom } from './number-from.ts';

/** The settings of the report as they are being typed: both in percent, empty for never pausing. */
export type ReportDraft = { hurdle: string; pause_above_failed: string };

export function reportDraftOf({ hurdle, pause_above_failed }: ReportSettings): ReportDraft {
  return {
    hurdle: percentText(hurdle),
    pause_above_failed: pause_above_failed === null ? '' : percentText(pause_above_failed),
  };
}

/** Without the last digits that a hundredfold adds: 0.044 is 4.4. */
function percentText(fraction: ReportSettings['hurdle']): string {
  return String(Number((fractionToNumber(fraction) * 100).toFixed(4)));
}

const rules = rulesOf<unknown>(reportSettings);

/** Problems by the contract's rules; its fractions are percents on screen. */
export function reportProblems(draft: ReportDraft): Record<string, string> {
  const problems = rules(typed(draft));
  return Object.fromEntries(
    Object.entries(problems).map(([name, text]) => [name, text.replace('at most 1', 'at most 100')]),
  );
}

/** From a draft without problems. */
export function reportSettingsOf(draft: ReportDraft): ReportSettings {
  return z.decode(reportSettings, typed(draft));
}

function typed({ hurdle, pause_above_failed }: ReportDraft) {
  return { hurdle: partOf(hurdle) ?? Number.NaN, pause_above_failed: partOf(pause_above_failed) ?? null };
}

function partOf(percent: string): number | undefined {
  const number = numberFrom(percent);
  return number === undefined ? undefined : Number((number / 100).toFixed(6));
}
