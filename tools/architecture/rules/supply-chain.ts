import { posix } from 'node:path';
import { workspaceOf } from '../places.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const OWN = '@dutchbook/';
/** Workspaces of which nothing runs where the product runs. */
const NOT_SHIPPED = ['e2e', 'bench', 'tools'];

/** The last one signs orders: in a fifth of the time that JavaScript takes, which a trigger waits for. */
const DIRECT_MAX = 49;
const INSTALLED_MAX = 350;

/**
 * Licences that ask for no more than their text beside the copy; MPL-2.0, CC-BY-4.0 and, of a font, OFL-1.1 for nothing of
 * a program that uses it.
 */
const LICENCES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  ...['CC0-1.0', 'MPL-2.0', 'CC-BY-4.0', 'OFL-1.1'],
]);

/**
 * Of packages that nothing which ships contains. LGPL-3.0 asks for more of what is built with it: tests run such a package as it was
 * published. Python-2.0 is as permissive as those above, but asks for a summary of each change: `argparse`, behind the generator of
 * a typed client.
 */
const LICENCES_OF_DEVELOPMENT = new Set(['LGPL-3.0', 'Python-2.0']);

type Manifest = {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
};
type Locked = {
  integrity?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
};

/** What others wrote is pinned, told apart by its hash, licensed so that it may be used, and not too much. */
export const supplyChain: Rule = {
  name: 'packages are pinned, hashed, licensed and few',
  find: (repository) => [
    ...manifestsOf(repository).flatMap(unpinned),
    ...tooManyDirect(repository),
    ...lockFindings(repository),
  ],
};

function manifestsOf(repository: Repository): [path: string, manifest: Manifest][] {
  const own = [...repository.files].filter(([path]) => posix.basename(path) === 'package.json');
  return own.map(([path, text]) => [path, JSON.parse(text) as Manifest]);
}

function unpinned([path, { dependencies, devDependencies }]: [string, Manifest]): Finding[] {
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name, version]) => !name.startsWith(OWN) && !EXACT.test(version))
    .map(([name, version]) => at(path, `${name} is at ${version}: name one version`));
}

function tooManyDirect(repository: Repository): Finding[] {
  const shipped = manifestsOf(repository).filter(([path]) => !NOT_SHIPPED.includes(workspaceOf(path)));
  const names = new Set(shipped.flatMap(([, { dependencies = {} }]) => Object.keys(dependencies)));
  const foreign = [...names].filter((name) => !name.startsWith(OWN));
  if (foreign.length <= DIRECT_MAX) return [];
  return [at('package.json', `${foreign.length} packages ship, more than ${DIRECT_MAX}`)];
}

function lockFindings({ files }: Repository): Finding[] {
  const path = 'package-lock.json';
  const text = files.get(path);
  if (text === undefined) return [];
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  const { allowScripts = {} } = JSON.parse(files.get('package.json') ?? '{}') as Manifest;
  const foreign = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link);
  const installed = foreign.filter(([, { dev, optional }]) => !dev && !optional).length;
  return [
    ...foreign.flatMap(([place, locked]) => judge(place, locked, allowScripts).map((reason) => at(path, reason))),
    ...(installed > INSTALLED_MAX ? [at(path, `${installed} packages are installed, more than ${INSTALLED_MAX}`)] : []),
  ];
}

function judge(place: string, locked: Locked, allowScripts: Record<string, boolean>): string[] {
  const name = place.split('node_modules/').at(-1) ?? place;
  const runsUnasked = locked.hasInstallScript === true && !locked.optional && allowScripts[name] !== true;
  return [
    ...(locked.integrity === undefined ? [`${name} has no hash`] : []),
    ...(isLicensed(locked) ? [] : [`${name} is licensed under ${locked.license ?? 'nothing'}`]),
    ...(runsUnasked ? [`${name} runs a script when it is installed, which allowScripts does not name`] : []),
  ];
}

/** Of several in an OR, one is enough. */
function isLicensed({ license = '', dev = false }: Locked): boolean {
  return license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => LICENCES.has(one) || (dev && LICENCES_OF_DEVELOPMENT.has(one)));
}

function at(path: string, reason: string): Finding {
  return { path, line: 1, reason };
}
