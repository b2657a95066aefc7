import type { House, Manifest } from '../house.ts';
import { isShipped, workspaceOf } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import { type Import, isNodeModule, type SourceFile } from '../source-file.ts';

const NOTHING: Manifest = { dependencies: new Set(), devDependencies: new Set(), sourceFolder: '' };

/**
 * What a file imports stands in its workspace's package.json: under dependencies for what ships, there or under
 * devDependencies (its own or the top's) for tests, tools and configuration.
 */
export const declaredDependencies: Rule = {
  name: 'every imported package is declared',
  find: (house) => house.sources.flatMap((file) => file.imports.flatMap((one) => judge(house, file, one))),
};

function judge(house: House, file: SourceFile, { specifier, line, isType }: Import): Finding[] {
  const name = packageName(specifier);
  if (name === undefined) return [];
  const found = (reason: string): Finding[] => [{ path: file.path, line, reason }];
  if (isNodeModule(specifier)) {
    return specifier.startsWith('node:') ? [] : found(`write node:${specifier} for Node's own module`);
  }
  const workspace = workspaceOf(file.path);
  const own = house.manifests.get(workspace) ?? NOTHING;
  const top = house.manifests.get('') ?? NOTHING;
  const ownOnly = isShipped(file.path);
  const allowed = [
    own.dependencies,
    ...(isType || !ownOnly ? [own.devDependencies] : []),
    ...(ownOnly ? [] : [top.dependencies, top.devDependencies]),
  ];
  if (name === `@dutchbook/${workspace}` || allowed.some((names) => names.has(name))) return [];
  return found(
    `${name} is not declared in ${workspace ? `${workspace}/` : ''}package.json${ownOnly ? ' under dependencies' : ''}`,
  );
}

function packageName(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('/') || specifier.startsWith('virtual:')) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
