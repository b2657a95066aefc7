import { Counter, Gauge, type Registry } from 'prom-client';
import type { NotingState, OpenDecisionJournal } from './note.ts';

/** What this process notes of what decisions look at: nothing of it is measured where it does not. */
export function measureFacts(registry: Registry, { state }: Pick<OpenDecisionJournal, 'state'>): void {
  if (state() === null) return;
  const counter = (name: string, help: string, read: (state: NotingState) => number) =>
    new Counter({
      ...{ name: `dutchbook_decision_facts_${name}_total`, help, registers: [registry] },
      collect() {
        const now = state();
        this.reset();
        if (now !== null) this.inc(read(now));
      },
    });
  counter('written', 'Facts that decisions depend on which were written', ({ written }) => written);
  counter('dropped', 'Facts that were dropped because the database did not take them', ({ dropped }) => dropped);
  new Gauge({
    ...{ name: 'dutchbook_decision_facts_waiting', help: 'Facts that are noted and not written yet' },
    registers: [registry],
    collect() {
      this.set(state()?.waiting ?? 0);
    },
  });
}
