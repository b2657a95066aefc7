import { expect, test } from 'vitest';
import { repositoryWith } from '../repository.fixture.ts';
import { folderSizes } from './folder-sizes.ts';

function reasonsOf(folder: string, count: number, ending: string): string[] {
  const names = Array.from({ length: count }, (_, index) => [`${folder}/file-${index}${ending}`, '']);
  return folderSizes.find(repositoryWith(Object.fromEntries(names))).map(({ reason }) => reason);
}

test('refuses the twenty-sixth file', () => {
  expect(reasonsOf('server/src/orders', 25, '.ts')).toEqual([]);
  expect(reasonsOf('server/src/orders', 26, '.ts')).toEqual(['26 files, 25 are allowed']);
});

test('counts no tests, fixtures or styles', () => {
  for (const ending of ['.test.ts', '.fixture.ts', '.module.css']) {
    expect(reasonsOf('server/src/orders', 30, ending)).toEqual([]);
  }
});

test('lets a folder with a reason have as many as it has', () => {
  expect(reasonsOf('engine/src/risk', 30, '.ts')).toEqual([]);
  expect(reasonsOf('engine/src/risk', 31, '.ts')).toHaveLength(1);
});
