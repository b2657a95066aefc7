import { type Percent, percentFromNumber } from '@dutchbook/units/percent.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Alerts, alertChange, REARMED_BELOW } from './alerts.ts';

const pct = percentFromNumber;
const alertAt = (at: number, armed = true) => ({ id: `at ${at}`, atPct: pct(at), armed });

/** What an alert at 1.5 % says of these profits, one after the other. */
function saidOf(profits: readonly number[], at = 1.5): string[] {
  const alerts = new Alerts();
  const said: string[] = [];
  alerts.put('one', [alertAt(at)]);
  for (const profit of profits)
    alerts.see('one', pct(profit), (_alert, change) => void said.push(`${change} ${profit}`));
  return said;
}

describe('an alert', () => {
  it('fires where its profit is reached to the millionth, and not just below', () => {
    expect(saidOf([1.499999])).toEqual([]);
    expect(saidOf([1.5])).toEqual(['fired 1.5']);
  });

  it('fires once for each time that it is reached', () => {
    expect(saidOf([1, 1.6, 1.9, 1.7, 1, 1.6])).toEqual(['fired 1.6', 'rearmed 1', 'fired 1.6']);
  });

  it('is not armed again by a profit that trembles around it', () => {
    expect(saidOf([1.5, 1.49, 1.5, 1.4, 1.5, 1.399999, 1.5])).toEqual(['fired 1.5', 'rearmed 1.399999', 'fired 1.5']);
  });

  it('fires never twice without having been armed between, whatever the profits', () => {
    const profits = fc.array(fc.integer({ min: -3_000_000, max: 3_000_000 }), { minLength: 1 });
    fc.assert(
      fc.property(profits, fc.integer({ min: -1_000_000, max: 2_000_000 }), (seen, at) => {
        const alerts = new Alerts();
        const changes: { change: string; profit: number }[] = [];
        alerts.put('one', [{ id: 'one', atPct: at as Percent, armed: true }]);
        for (const profit of seen)
          alerts.see('one', profit as Percent, (_, change) => void changes.push({ change, profit }));
        changes.forEach(({ change, profit }, nth) => {
          expect(change).toBe(nth % 2 === 0 ? 'fired' : 'rearmed');
          if (change === 'fired') expect(profit).toBeGreaterThanOrEqual(at);
          else expect(profit).toBeLessThan(at - REARMED_BELOW);
        });
        if (seen.some((profit) => profit >= at)) expect(changes.length).toBeGreaterThan(0);
      }),
    );
  });

  it('is as it was stored: one that has fired before a restart is silent until it is armed again', () => {
    expect(alertChange(alertAt(1.5, false), pct(2))).toBeNull();
    expect(alertChange(alertAt(1.5, false), pct(1))).toBe('rearmed');
  });
});

it('each alert of an opportunity is judged by itself, and no other opportunity’s is', () => {
  const alerts = new Alerts();
  const said: string[] = [];
  const see = (id: string, profit: number) =>
    alerts.see(id, pct(profit), (alert, change) => void said.push(`${id}: ${alert.id} ${change}`));
  alerts.put('one', [alertAt(1), alertAt(2)]);
  alerts.put('two', [alertAt(1)]);
  see('one', 1.5);
  see('one', 2.5);
  expect(said).toEqual(['one: at 1 fired', 'one: at 2 fired']);
  alerts.put('one', []);
  see('one', 0);
  see('one', 3);
  expect(said).toHaveLength(2);
});
