import { ALERT_AT } from '@dutchbook/contract/attention.ts';

/** As it is typed: a profit in percent. */
export type AlertDraft = { at: string; byMail: boolean };

const PROBLEM = `Profit must be a number from ${ALERT_AT.min} to ${ALERT_AT.max} percent`;

export function alertProblems({ at }: AlertDraft): Record<string, string> {
  const value = Number(at);
  const isGood = at.trim() !== '' && Number.isFinite(value) && value >= ALERT_AT.min && value <= ALERT_AT.max;
  return isGood ? {} : { at: PROBLEM };
}
