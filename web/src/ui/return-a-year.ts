import { formatPercent, PERCENT_ZERO, type Percent, percentFromNumber } from '@dutchbook/units/percent.ts';

/** What is cash again within minutes makes a figure that compares with nothing. */
const SHOWN_TO = percentFromNumber(10_000);

/** As screens show it: a dash for what loses or is not known. */
export function returnAYear(annualised: Percent | null): string {
  if (annualised === null || annualised <= PERCENT_ZERO) return '–';
  return annualised > SHOWN_TO ? `over ${formatPercent(SHOWN_TO)}` : formatPercent(annualised);
}
