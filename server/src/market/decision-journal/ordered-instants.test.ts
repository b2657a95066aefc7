import { instantFromMs } from '@dutchbook/units/instant.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderInstants } from './ordered-instants.ts';

const anyEvents = fc.array(fc.record({ isDecision: fc.boolean(), passedMs: fc.integer({ min: -1, max: 2 }) }));

it('tells by instants alone which changes each decision has seen, however many are of one millisecond', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      let now = 1000;
      const instants = orderInstants({ now: () => instantFromMs(now) });
      const reported = events.map(({ isDecision, passedMs }) => {
        now += passedMs;
        return { isDecision, at: isDecision ? instants.ofDecision() : instants.ofChange() };
      });
      for (const [place, decision] of reported.entries()) {
        if (!decision.isDecision) continue;
        const seen = reported.map(({ isDecision, at }) => !isDecision && at < decision.at);
        expect(seen).toEqual(reported.map(({ isDecision }, index) => !isDecision && index < place));
      }
    }),
  );
});
