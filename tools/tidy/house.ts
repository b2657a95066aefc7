import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { workspaceOf } from './places.ts';
import { parseSource, type SourceFile } from './source-file.ts';

/** Made by installing, building, running or testing, and never committed. */
const NOT_OURS = ['node_modules', 'dist', 'data', '.cache', '.git', 'test-results', 'playwright-report'];
const TEXT = /\.(tsx?|mjs|json|jsonl|css|html|md|sql|svg|txt|csv|ya?ml|sh)$|(^|\/)(run|\.gitignore)$/;
const SOURCE = /\.(tsx?|mjs)$/;

/** What a workspace's package.json, or the one at the top, declares. */
export interface Manifest {
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
  /** The folder its package name stands for, such as `units/src/`, from its `exports`. */
  readonly sourceFolder: string;
}

/** The repository as the rules see it. Paths are relative to its top, with slashes. */
export interface House {
  /** Every text file with its contents. */
  readonly files: ReadonlyMap<string, string>;
  /** The TypeScript and JavaScript among them, parsed. */
  readonly sources: readonly SourceFile[];
  /** By workspace; the empty name is the top of the repository. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** The file of this repository a specifier in `importer` means; undefined when it means a package or nothing. */
  resolve(importer: string, specifier: string): string | undefined;
}

/** Reads the repository at `root`. Throws when a source file does not parse. */
export function readHouse(root: string): House {
  const paths = listFiles(root, '').filter((path) => TEXT.test(path));
  return houseOf(new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')])));
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (NOT_OURS.includes(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** The house made of these files. */
export function houseOf(files: ReadonlyMap<string, string>): House {
  const sources = [...files].filter(([path]) => SOURCE.test(path)).map(([path, text]) => parseSource(path, text));
  const manifests = new Map<string, Manifest>();
  for (const [path, text] of files) {
    if (posix.basename(path) === 'package.json') manifests.set(workspaceOf(path), readManifest(path, text));
  }
  const resolve = (importer: string, specifier: string) => {
    const path = pathOf(manifests, importer, specifier.replace(/\?.*$/, ''));
    return path !== undefined && files.has(path) ? path : undefined;
  };
  return { files, sources, manifests, resolve };
}

function readManifest(path: string, text: string): Manifest {
  const { dependencies = {}, devDependencies = {}, exports = {} } = JSON.parse(text);
  return {
    dependencies: new Set(Object.keys(dependencies)),
    devDependencies: new Set(Object.keys(devDependencies)),
    sourceFolder: posix.join(posix.dirname(path), String(exports['./*'] ?? './*').replace('*', '')),
  };
}

function pathOf(manifests: House['manifests'], importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier);
  const [, workspace = '', inside = ''] = specifier.match(/^@dutchbook\/([\w-]+)\/(.+)/) ?? [];
  const manifest = manifests.get(workspace);
  return workspace === '' || manifest === undefined ? undefined : posix.join(manifest.sourceFolder, inside);
}
