// Which folder may import which, and which files are read in which light. All paths are relative to the top of the
// repository, with slashes.

const EVERYTHING = ['units', 'contract', 'engine', 'venues', 'exchange', 'recordings', 'server', 'web', 'tools'];

/** What each workspace may import of the others. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  units: [],
  contract: ['units'],
  engine: ['units'],
  venues: ['units', 'engine'],
  exchange: ['units', 'recordings'],
  recordings: ['units'],
  server: ['units', 'contract', 'engine', 'venues', 'recordings'],
  web: ['units', 'contract'],
  e2e: EVERYTHING,
  bench: [...EVERYTHING, 'e2e'],
  tools: ['units', 'server'],
};

const PURE_FOLDERS = ['units/', 'engine/', 'contract/', 'exchange/src/matching/'];
const TEST_FILE = /\.(test|spec)\.tsx?$/;
/** What tests are written with, by its name: `testing/`, `fixtures/`, `conformance/`, `test-*.ts`, `*.fixture.ts`, `*.testing.ts`. */
const TEST_SUPPORT = /(^|\/)(testing|fixtures|conformance)\/|(^|\/)test-[\w-]+\.tsx?$|[.-](testing|fixture)\.tsx?$/;
const CONFIGURATION_FILE = /(^|\/)[\w-]+\.config\.ts$/;

/** The workspace a file belongs to, or the empty string for a file at the top. */
export function workspaceOf(path: string): string {
  const [folder = ''] = path.split('/');
  return Object.hasOwn(MAY_IMPORT, folder) ? folder : '';
}

/** Code whose result depends on its arguments alone: no clock, no random, no I/O. */
export function isPure(path: string): boolean {
  return PURE_FOLDERS.some((folder) => path.startsWith(folder)) && isShipped(path);
}

/** A test, or what tests are written with. */
export function isTest(path: string): boolean {
  return TEST_FILE.test(path) || TEST_SUPPORT.test(path);
}

/** Written by a program, and held to that program's taste. */
export function isGenerated(path: string): boolean {
  return path.includes('.gen.');
}

/** Part of the product itself, not of what checks, measures or starts it. */
export function isShipped(path: string): boolean {
  const workspace = workspaceOf(path);
  if (isTest(path) || CONFIGURATION_FILE.test(path) || workspace === '') return false;
  return !['e2e', 'bench', 'tools'].includes(workspace);
}
