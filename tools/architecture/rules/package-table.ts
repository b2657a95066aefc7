import { MAY_IMPORT } from '../places.ts';
import type { Rule } from '../rule.ts';

const OWN = '@dutchbook/';

/** A package.json names what its package imports (knip holds that), and of our own packages no others than the table allows. */
export const packageTable: Rule = {
  name: 'packages depend on each other as the table says',
  find: ({ files }) =>
    Object.entries(MAY_IMPORT).flatMap(([workspace, allowed]) => {
      const path = `${workspace}/package.json`;
      const { dependencies = {}, devDependencies = {} } = JSON.parse(files.get(path) ?? '{}');
      return Object.keys({ ...dependencies, ...devDependencies })
        .filter((name) => name.startsWith(OWN) && !allowed.includes(name.slice(OWN.length)))
        .map((name) => ({ path, line: 1, reason: `${workspace} may not import ${name}` }));
    }),
};
