import { Counter, Gauge, type Registry } from 'prom-client';
import type { NotingState, OpenDecisionJournal } from './note.ts';

/** Metrics of the decision journal; none where this process does not write it. */
export function measureJournal(registry: Registry, { state }: Pick<OpenDecisionJournal, 'state'>): void {
  if (state() === null) return;
  const counter = (name: string, help: string, read: (state: NotingState) => number) =>
    new Counter({
      ...{ name: `dutchbook_decision_journal_${name}_total`, help, registers: [registry] },
      collect() {
        const now = state();
        this.reset();
        if (now !== null) this.inc(read(now));
      },
    });
  counter('written', 'Rows of the decision journal that were written', ({ written }) => written);
  counter('dropped', 'Rows that were dropped because the database did not take them', ({ dropped }) => dropped);
  new Gauge({
    ...{ name: 'dutchbook_decision_journal_waiting', help: 'Rows that are noted and not written yet' },
    registers: [registry],
    collect() {
      this.set(state()?.waiting ?? 0);
    },
  });
}
