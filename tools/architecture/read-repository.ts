import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSource, type SourceFile } from './source-file.ts';

/** Made by installing, building, running or testing, and never committed. */
const NOT_OURS = ['node_modules', 'dist', 'data', '.cache', '.git', 'test-results', 'playwright-report'];
const TEXT = /\.(tsx?|mjs|json|jsonl|css|html|md|sql|svg|txt|csv|ya?ml|sh)$|(^|\/)(run|\.gitignore)$/;
const SOURCE = /\.(tsx?|mjs)$/;

/** The repository as the rules see it. Paths are relative to its top, with slashes. */
export interface Repository {
  /** Every text file with its contents. */
  readonly files: ReadonlyMap<string, string>;
  /** The TypeScript and JavaScript among them, parsed. */
  readonly sources: readonly SourceFile[];
}

/** Reads the repository at `root`. Throws when a source file does not parse. */
export function readRepository(root: string): Repository {
  const paths = listFiles(root, '').filter((path) => TEXT.test(path));
  return repositoryOf(new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')])));
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (NOT_OURS.includes(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** The repository made of these files. */
export function repositoryOf(files: ReadonlyMap<string, string>): Repository {
  const sources = [...files].filter(([path]) => SOURCE.test(path)).map(([path, text]) => parseSource(path, text));
  return { files, sources };
}
