import type { EventHolding, ExitStructure } from '@dutchbook/engine/exit/event-holding.ts';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import type { ExitEvent } from './event-holdings.ts';
import type { OrderLot } from './free-lots.ts';
import { planCashNow } from './plan.ts';

const ENOUGH = { callsMax: 50, submissionsLeft: 100 };

/** Of each member, the shares of its outcomes that each batch has. */
type Held = readonly [yes: string, no: string];

function eventOf(id: string, structure: ExitStructure, batches: readonly (readonly Held[])[]): ExitEvent {
  const lots = batches.flatMap((members, batch) =>
    members.flatMap((sides, member) =>
      sides.flatMap((text, side): OrderLot[] => {
        const shares = sharesFromText(text);
        if (shares === 0) return [];
        const name = `${id} ${member}`;
        return [
          {
            ...{ orderId: `${name} ${side} of ${batch}`, batchId: `batch ${batch}`, batchStatus: 'completed', leg: 1 },
            ...{
              opportunityId: 'opportunity',
              marketId: name,
              marketName: `Will ${name} happen?`,
              held: shares,
              bought: shares,
              resolvedValue: null,
              goneSize: SHARES_ZERO,
            },
            ...{ outcome: side === 0 ? 'Yes' : 'No', tokenId: `${name}-${side === 0 ? 'yes' : 'no'}`, shares },
            cost: usdFromText('1'),
          },
        ];
      }),
    ),
  );
  const sum = (tokenId: string) =>
    lots.filter((lot) => lot.tokenId === tokenId).reduce((total, lot) => total + lot.shares, SHARES_ZERO as number);
  const holding: EventHolding = {
    structure,
    members: (batches[0] ?? []).map((_, member) => {
      const token = (side: string) => {
        const tokenId = `${id} ${member}-${side}`;
        return { tokenId, shares: sum(tokenId) as never, bids: null };
      };
      return { market: marketOf(`${id} ${member}`), tokens: [token('yes'), token('no')] };
    }),
  };
  return { id, holding, lots };
}

const pair = (id: string) => eventOf(id, { kind: 'markets' }, [[['10', '10']]]);
const NEGATIVE_RISK: ExitStructure = { kind: 'negative_risk', feeBips: 0, isComplete: true };

describe('what is submitted', () => {
  it('is one call for NO of 32 members, whatever the length of an event', async () => {
    const basket = eventOf('cup', NEGATIVE_RISK, [Array.from({ length: 32 }, (): Held => ['0', '10'])]);
    const { submissions } = await planCashNow([basket], ENOUGH);
    expect(submissions.map((steps) => steps.map(({ kind, dollars }) => [kind, dollars]))).toEqual([
      [['convert', 310_000_000]],
    ]);
    expect(submissions[0]?.[0]?.parts).toHaveLength(32);
    expect(submissions[0]?.[0]?.handedOut).toEqual([]);
  });

  it('has the calls of an event together, as many as one submission holds', async () => {
    const events = Array.from({ length: 5 }, (_, nth) => pair(`e${nth}`));
    const two = eventOf('two', { kind: 'markets' }, [
      [
        ['5', '5'],
        ['5', '5'],
      ],
    ]);
    const plan = async (callsMax: number) => {
      const { submissions } = await planCashNow([...events.slice(0, 2), two, ...events.slice(2)], {
        ...ENOUGH,
        callsMax,
      });
      return submissions.map((steps) => steps.map(({ marketIds }) => marketIds[0]));
    };
    expect(await plan(50)).toEqual([['e0 0', 'e1 0', 'two 0', 'two 1', 'e2 0', 'e3 0', 'e4 0']]);
    expect(await plan(3)).toEqual([
      ['e0 0', 'e1 0'],
      ['two 0', 'two 1', 'e2 0'],
      ['e3 0', 'e4 0'],
    ]);
    expect(await plan(1)).toHaveLength(7);
  });

  it('is no more than the quota leaves, and says that something is left out', async () => {
    const events = [pair('a'), pair('b'), pair('c')];
    const { submissions, isCut } = await planCashNow(events, { callsMax: 1, submissionsLeft: 2 });
    expect([submissions.length, isCut]).toEqual([2, true]);
    expect(await planCashNow(events, ENOUGH)).toMatchObject({ isCut: false });
  });

  it('is nothing for less than a cent', async () => {
    const dust = eventOf('dust', { kind: 'markets' }, [[['0.009999', '1']]]);
    expect((await planCashNow([dust], ENOUGH)).submissions).toEqual([]);
    const cent = eventOf('cent', { kind: 'markets' }, [[['0.01', '1']]]);
    expect((await planCashNow([cent], ENOUGH)).submissions).toHaveLength(1);
  });

  it('leaves for later what takes shares that an earlier submission hands out', async () => {
    const held: Held[] = [
      ['0', '10'],
      ['0', '10'],
      ['0', '0'],
    ];
    const whole = eventOf('cup', { kind: 'whole_event' }, [held]);
    const { submissions } = await planCashNow([whole], ENOUGH);
    expect(submissions.map((steps) => steps.map(({ kind }) => kind))).toEqual([['convert', 'merge']]);
    expect(submissions.flat().reduce((sum, { dollars }) => sum + dollars, 0)).toBe(10_000_000);
    // One call in each: what the first hands out is not there yet, and by itself it brings nothing.
    const alone = await planCashNow([whole], { ...ENOUGH, callsMax: 1 });
    expect(alone.submissions.map((steps) => steps.map(({ kind, dollars }) => [kind, dollars]))).toEqual([
      [['convert', 0]],
    ]);
    expect([alone.later, alone.steps.map(({ kind }) => kind)]).toEqual([1, ['convert', 'merge']]);
  });

  it('hands what is left over to the batches whose shares it took, in proportion and to the last millionth', async () => {
    const basket = eventOf('cup', NEGATIVE_RISK, [
      [
        ['0', '1'],
        ['0', '1'],
        ['0', '0'],
      ],
      [
        ['0', '2'],
        ['0', '2'],
        ['0', '0'],
      ],
      [
        ['0', '0.000001'],
        ['0', '0.000001'],
        ['0', '0'],
      ],
    ]);
    const { submissions } = await planCashNow([basket], ENOUGH);
    const [step] = submissions.flat();
    expect(
      step?.handedOut.map(({ to, tokenId, shares, marketName }) => [to.batchId, tokenId, shares, marketName]),
    ).toEqual([
      ['batch 0', 'cup 2-yes', 1_000_000, 'Will cup 2 happen?'],
      ['batch 1', 'cup 2-yes', 2_000_000, 'Will cup 2 happen?'],
      ['batch 2', 'cup 2-yes', 1, 'Will cup 2 happen?'],
    ]);
    const dollars = submissions.flat().flatMap(({ parts }) => parts.map((part) => part.dollars));
    expect(dollars.reduce((sum, amount) => sum + amount, 0)).toBe(3_000_001);
  });
});
