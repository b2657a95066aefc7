import { expect, test } from 'vitest';
import { repositoryWith } from '../repository.fixture.ts';
import { findCircles } from './folder-circles.ts';

const reasons = (imports: Readonly<Record<string, string>>) => {
  const files = Object.entries(imports).map(([name, other]) => [
    `server/src/trading/${name}/${name}.ts`,
    other ? `import { x } from '../${other}/${other}.ts';` : '',
  ]);
  return findCircles(repositoryWith(Object.fromEntries(files))).map(({ reason }) => reason);
};

const CIRCLE = { batches: 'orders', orders: 'markets', markets: 'batches' };

test('names a circle at each import that is part of it', () => {
  const [first, ...others] = reasons(CIRCLE);
  expect(first).toBe(
    'closes the circle server/src/trading/batches > server/src/trading/orders > server/src/trading/markets > server/src/trading/batches',
  );
  expect(others).toHaveLength(2);
});

test('accepts a chain', () => {
  expect(reasons({ ...CIRCLE, markets: '' })).toEqual([]);
});

test('looks at features of the web alike, and not at tests', () => {
  const files = {
    'web/src/features/a/a.ts': "import { b } from '../b/b.ts';",
    'web/src/features/b/b.ts': '',
    'web/src/features/b/b.test.ts': "import { a } from '../a/a.ts';",
  };
  expect(findCircles(repositoryWith(files))).toEqual([]);
  const circle = { ...files, 'web/src/features/b/b.ts': "import type { A } from '../a/a.ts';" };
  expect(findCircles(repositoryWith(circle))).toHaveLength(2);
});
