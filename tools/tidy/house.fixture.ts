import { type House, houseOf } from './house.ts';
import type { Rule } from './rule.ts';

const SOURCE_EXPORTS = { './*': './src/*' };
const MANIFESTS = {
  'package.json': { devDependencies: { vitest: '1' } },
  'units/package.json': { exports: SOURCE_EXPORTS },
  'engine/package.json': { exports: SOURCE_EXPORTS, dependencies: { '@dutchbook/units': '*' } },
  'server/package.json': {
    exports: SOURCE_EXPORTS,
    dependencies: { '@dutchbook/engine': '*', fastify: '1' },
    devDependencies: { '@types/ws': '1' },
  },
};

/** A house of these files, with a package.json for the top, units, engine and server. */
export function houseWith(files: Readonly<Record<string, string>>): House {
  const manifests = Object.entries(MANIFESTS).map(([path, manifest]) => [path, JSON.stringify(manifest)] as const);
  return houseOf(new Map([...manifests, ...Object.entries(files)]));
}

/** What a rule finds in such a house, each as `path:line`. */
export function placesFound(rule: Rule, files: Readonly<Record<string, string>>): string[] {
  return rule.find(houseWith(files)).map(({ path, line }) => `${path}:${line}`);
}
