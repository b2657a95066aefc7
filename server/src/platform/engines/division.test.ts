import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_PARTITIONS, endingsOf, inPartitionOf, movesOf, PARTITIONS, partitionOf } from './division.ts';

type Owners = Map<number, string | null>;

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const engines = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 });
const owners = fc
  .array(fc.constantFrom(...NAMES, null), { minLength: PARTITIONS, maxLength: PARTITIONS })
  .map((each): Owners => new Map(each.map((owner, partition) => [partition, owner])));

/** Each does, one after another and by what stands then, what it has to do. Answers how many partitions moved. */
function round(alive: readonly string[], standing: Owners): number {
  let moved = 0;
  for (const engine of alive) {
    const { give, take } = movesOf(engine, alive, standing);
    for (const partition of give) standing.set(partition, null);
    for (const partition of take) standing.set(partition, engine);
    moved += give.length + take.length;
  }
  return moved;
}

const counts = (alive: readonly string[], standing: Owners) =>
  alive.map((engine) => [...standing.values()].filter((owner) => owner === engine).length);

describe('the partitions of the engines alive', () => {
  it('become even from wherever they are, and then stay where they are', () => {
    fc.assert(
      fc.property(engines, owners, (alive, standing) => {
        for (let nth = 0; nth < 3; nth += 1) round(alive, standing);
        const each = counts(alive, standing);
        expect(each.reduce((sum, count) => sum + count, 0)).toBe(PARTITIONS);
        expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
        expect(round(alive, standing)).toBe(0);
      }),
    );
  });

  it('are never wanted by two who look at the same, and never taken from one who is alive', () => {
    fc.assert(
      fc.property(engines, owners, (alive, standing) => {
        const taken = alive.flatMap((engine) => movesOf(engine, alive, standing).take);
        expect(new Set(taken).size).toBe(taken.length);
        for (const partition of taken) expect(alive).not.toContain(standing.get(partition));
      }),
    );
  });

  it('move no further than one who joins or leaves makes them', () => {
    const standing: Owners = new Map(ALL_PARTITIONS.map((partition) => [partition, null]));
    round(['a', 'b', 'c'], standing);
    const before = new Map(standing);
    round(['a', 'b'], standing);
    round(['a', 'b'], standing);
    for (const [partition, owner] of before) if (owner !== 'c') expect(standing.get(partition)).toBe(owner);
  });
});

describe('the partition of an opportunity', () => {
  it('is found by its last digits, which the database can do as well', () => {
    for (let count = 0; count < 200; count += 1) {
      const id = randomUUID();
      expect(endingsOf([partitionOf(id)])).toContain(id.slice(-2));
    }
    expect(new Set(endingsOf(ALL_PARTITIONS)).size).toBe(256);
  });

  it('is that of its event, and events are spread over all partitions', () => {
    const count = 16_000;
    const perPartition = new Map<number, number>();
    for (let event = 0; event < count; event += 1) {
      const [one, other] = [randomUUID(), randomUUID()].map((id) => inPartitionOf(`event ${event}`, id));
      if (one === undefined || other === undefined) throw new Error('each event has two');
      expect(partitionOf(one)).toBe(partitionOf(other));
      expect(one).not.toBe(other);
      perPartition.set(partitionOf(one), (perPartition.get(partitionOf(one)) ?? 0) + 1);
    }
    const each = [...perPartition.values()];
    expect(each).toHaveLength(PARTITIONS);
    expect(Math.max(...each)).toBeLessThan((1.4 * count) / PARTITIONS);
    expect(Math.min(...each)).toBeGreaterThan((0.6 * count) / PARTITIONS);
  });
});
