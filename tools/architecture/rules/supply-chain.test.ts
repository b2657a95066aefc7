import { expect, test } from 'vitest';
import { repositoryOf } from '../read-repository.ts';
import { supplyChain } from './supply-chain.ts';

function reasonsFor(files: Record<string, unknown>): string[] {
  const texts = Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)] as const);
  return supplyChain.find(repositoryOf(new Map(texts))).map(({ path, reason }) => `${path}: ${reason}`);
}

const lock = (packages: Record<string, unknown>) => ({ 'package-lock.json': { packages } });
const sound = { integrity: 'sha512-x', license: 'MIT' };

test('accepts pinned, hashed and licensed packages, and workspaces at any version', () => {
  const files = {
    'package.json': { allowScripts: { node: true } },
    'server/package.json': { dependencies: { '@dutchbook/units': '*', fastify: '5.12.8', odd: '18.4.0-beta.17' } },
    ...lock({
      '': {},
      'node_modules/@dutchbook/units': { link: true },
      'node_modules/fastify': sound,
      'node_modules/a/node_modules/b': { ...sound, license: '(GPL-3.0 OR MIT)' },
      'node_modules/d': { ...sound, license: 'LGPL-3.0', dev: true },
      'node_modules/argparse': { ...sound, license: 'Python-2.0', dev: true },
      'node_modules/node': { ...sound, hasInstallScript: true },
    }),
  };
  expect(reasonsFor(files)).toEqual([]);
});

test.each(['^1.0.0', '~1.0.0', '1', '*', 'latest', 'git+ssh://example.com/x.git'])(
  'refuses the version %s',
  (version) => {
    const files = { 'web/package.json': { devDependencies: { vite: version } } };
    expect(reasonsFor(files)).toEqual([`web/package.json: vite is at ${version}: name one version`]);
  },
);

test('refuses what has no hash, a licence that asks for more, and a script that is not allowed', () => {
  const files = lock({
    'node_modules/a': { license: 'MIT' },
    'node_modules/b': { ...sound, license: 'GPL-3.0' },
    'node_modules/e': { ...sound, license: 'LGPL-3.0' },
    'node_modules/argparse': { ...sound, license: 'Python-2.0' },
    'node_modules/c': { integrity: 'sha512-x' },
    'node_modules/d': { ...sound, hasInstallScript: true },
  });
  expect(reasonsFor(files)).toEqual([
    'package-lock.json: a has no hash',
    'package-lock.json: b is licensed under GPL-3.0',
    'package-lock.json: e is licensed under LGPL-3.0',
    'package-lock.json: argparse is licensed under Python-2.0',
    'package-lock.json: c is licensed under nothing',
    'package-lock.json: d runs a script when it is installed, which allowScripts does not name',
  ]);
});

test('counts what ships and what is installed', () => {
  const many = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const dependencies = Object.fromEntries(many(50, 'a').map((name) => [name, '1.0.0']));
  const installed = Object.fromEntries(many(351, 'node_modules/p').map((place) => [place, sound]));
  const ofTests = Object.fromEntries(many(100, 'node_modules/t').map((place) => [place, { ...sound, dev: true }]));
  expect(reasonsFor({ 'server/package.json': { dependencies }, ...lock({ ...installed, ...ofTests }) })).toEqual([
    'package.json: 50 packages ship, more than 49',
    'package-lock.json: 351 packages are installed, more than 350',
  ]);
  expect(reasonsFor({ 'e2e/package.json': { dependencies } })).toEqual([]);
});
