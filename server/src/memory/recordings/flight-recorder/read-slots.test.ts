import { EventEmitter } from 'node:events';
import { setImmediate as tick } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { openReadSlots } from './read-slots.ts';

function callers() {
  const takeSlot = openReadSlots();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (userId: string, name: string, destroyed = false) => {
    const raw = Object.assign(new EventEmitter(), { destroyed });
    const answer = takeSlot({ userId, reply: { raw } as unknown as FastifyReply }, async (signal) => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      signal.throwIfAborted();
      return name;
    });
    answer.catch(() => {});
    return { answer, hangUp: () => raw.emit('close') };
  };
  return { call, begun, end: (name: string) => ends.get(name)?.() };
}

describe('reading the past', () => {
  it('is done for a user one after the other, and for two users at once', async () => {
    const { call, begun, end } = callers();
    const first = call('ann', 'ann 1');
    call('ann', 'ann 2');
    call('bob', 'bob 1');
    const last = call('cat', 'cat 1');
    await tick();
    expect(begun).toEqual(['ann 1', 'bob 1']);
    end('ann 1');
    expect(await first.answer).toBe('ann 1');
    await tick();
    expect(begun).toEqual(['ann 1', 'bob 1', 'cat 1']);
    end('cat 1');
    await last.answer;
    await tick();
    expect(begun).toEqual(['ann 1', 'bob 1', 'cat 1', 'ann 2']);
  });

  it('ends, or does not begin, for a caller who has hung up', async () => {
    const { call, begun, end } = callers();
    const running = call('ann', 'ann 1');
    const waiting = call('ann', 'ann 2');
    await tick();
    waiting.hangUp();
    running.hangUp();
    end('ann 1');
    await expect(running.answer).rejects.toMatchObject({ status: 499 });
    await expect(waiting.answer).rejects.toMatchObject({ status: 499 });
    await expect(call('ann', 'ann 0', true).answer).rejects.toMatchObject({ status: 499 });
    expect(begun).toEqual(['ann 1']);
    const next = call('ann', 'ann 3');
    await tick();
    end('ann 3');
    expect(await next.answer).toBe('ann 3');
  });

  it('is refused to a caller that has more waiting than a person looks at', async () => {
    const { call } = callers();
    const asked = Array.from({ length: 6 }, (_, place) => call('ann', `ann ${place}`));
    await expect(asked.at(-1)?.answer).rejects.toMatchObject({ status: 429 });
  });
});
