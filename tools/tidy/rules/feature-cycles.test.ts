import { expect, test } from 'vitest';
import { houseWith } from '../house.fixture.ts';
import { featureCycles } from './feature-cycles.ts';

const features = (imports: Readonly<Record<string, string>>) =>
  houseWith(
    Object.fromEntries(
      Object.entries(imports).map(([name, other]) => [
        `web/src/features/${name}/${name}.tsx`,
        other ? `import { x } from '../${other}/${other}.tsx';` : '',
      ]),
    ),
  );

test('finds a cycle through several features and names it', () => {
  const findings = featureCycles.find(features({ batches: 'orders', orders: 'markets', markets: 'batches' }));
  expect(findings.map(({ reason }) => reason)).toEqual(['closes the cycle batches > orders > markets > batches']);
});

test('accepts a chain', () => {
  expect(featureCycles.find(features({ batches: 'orders', orders: 'markets', markets: '' }))).toEqual([]);
});
