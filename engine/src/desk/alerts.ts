/** When the profit of an alert has been reached, and when the alert is due again. */
import { type Percent, percentFromNumber } from '@dutchbook/units/percent.ts';

/** `armed`: the next profit at `atPct` or above fires it. */
export type Alert = { id: string; atPct: Percent; armed: boolean };

/** `fired`: notify the owner; the alert is no longer armed. `rearmed`: it can fire again. */
export type AlertChange = 'fired' | 'rearmed';

/** An alert rearms this far below its profit, so that a trembling price fires it once. */
export const REARMED_BELOW: Percent = percentFromNumber(0.1);

/** @returns what the profit changes of the alert; null where nothing */
export function alertChange({ atPct, armed }: Alert, profitPct: Percent): AlertChange | null {
  if (armed) return profitPct >= atPct ? 'fired' : null;
  return profitPct < atPct - REARMED_BELOW ? 'rearmed' : null;
}

/** The alerts of all opportunities, as the desk knows them: what has fired is not armed here before that is stored. */
export class Alerts {
  readonly #byOpportunity = new Map<string, readonly Alert[]>();

  /** Replaces the alerts of the opportunity. */
  put(opportunityId: string, alerts: readonly Alert[]): void {
    if (alerts.length === 0) this.#byOpportunity.delete(opportunityId);
    else this.#byOpportunity.set(opportunityId, alerts);
  }

  /** Takes a new profit, and returns the changes of alerts. */
  see(opportunityId: string, profitPct: Percent, changed: (alert: Alert, change: AlertChange) => void): void {
    const alerts = this.#byOpportunity.get(opportunityId);
    if (alerts === undefined) return;
    const seen = alerts.map((alert) => ({ alert, change: alertChange(alert, profitPct) }));
    const after = seen.map(({ alert, change }) =>
      change === null ? alert : { ...alert, armed: change === 'rearmed' },
    );
    this.#byOpportunity.set(opportunityId, after);
    for (const { alert, change } of seen) if (change !== null) changed(alert, change);
  }
}
