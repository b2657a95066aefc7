import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inOrder } from './in-order.ts';

async function* pages(count: number, failsAt = count) {
  for (let page = 0; page < count; page += 1) {
    if (page === failsAt) throw new Error('no answer');
    yield page;
  }
}

describe('pages read ahead', () => {
  it('are handed on in their order, however long the work on each takes, and no more of them at once than said', async () => {
    let atOnce = 0;
    let most = 0;
    const work = async (page: number) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await pause((page * 7) % 5);
      atOnce -= 1;
      return `page ${page}`;
    };
    const read: string[] = [];
    for await (const page of inOrder(pages(20), work, 3)) read.push(page);
    expect(read).toEqual(Array.from({ length: 20 }, (_, page) => `page ${page}`));
    expect(most).toBe(3);
  });

  it('are all handed on before a failure behind them is thrown', async () => {
    const read: number[] = [];
    const reading = async () => {
      for await (const page of inOrder(pages(9, 5), async (page) => page, 4)) read.push(page);
    };
    await expect(reading()).rejects.toThrow('no answer');
    expect(read).toEqual([0, 1, 2, 3, 4]);
  });

  it('are not read any further once the reader has left', async () => {
    const begun: number[] = [];
    async function* noted() {
      for await (const page of pages(50)) {
        begun.push(page);
        yield page;
      }
    }
    for await (const page of inOrder(noted(), async (page) => page, 3)) if (page === 2) break;
    await pause(1);
    expect(begun.length).toBeLessThan(8);
  });
});
