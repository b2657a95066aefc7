import { expect, it, vi } from 'vitest';
import { countWithPage } from './count-with-page.ts';

it('counts no fewer than are on the page and before it, whatever was deleted since it was read', async () => {
  expect(await countWithPage({ skip: 20, limit: 10 }, 10, async () => 25)).toBe(30);
  expect(await countWithPage({ skip: 20, limit: 10 }, 10, async () => 70)).toBe(70);
});

it('lets the last page say where the list ends, whatever was added since it was read', async () => {
  const countAll = vi.fn(async () => 99);
  expect(await countWithPage({ skip: 20, limit: 10 }, 3, countAll)).toBe(23);
  expect(await countWithPage({ skip: 0, limit: 10 }, 0, countAll)).toBe(0);
  expect(countAll).not.toHaveBeenCalled();
  expect(await countWithPage({ skip: 20, limit: 10 }, 0, countAll)).toBe(20);
  expect(await countWithPage({ skip: 20, limit: 10 }, 0, async () => 7)).toBe(7);
});
