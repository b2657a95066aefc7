import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pagesAround } from './pager.tsx';

it.each([
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, undefined, 9]],
  [5, 9, [1, undefined, 4, 5, 6, undefined, 9]],
  [9, 9, [1, undefined, 8, 9]],
])('page %i of %i offers %j', (page, pages, offered) => {
  expect(pagesAround(page, pages)).toEqual(offered);
});

it('always offers the first, the last and the present page, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (pages, offset) => {
      const page = (offset % pages) + 1;
      const offered = pagesAround(page, pages).filter((target) => target !== undefined);
      expect(offered).toEqual([...new Set(offered)].sort((a, b) => a - b));
      expect(offered).toEqual(expect.arrayContaining([1, page, pages]));
    }),
  );
});
