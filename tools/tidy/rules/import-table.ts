import type { House } from '../house.ts';
import { MAY_IMPORT, workspaceOf } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import type { Import, SourceFile } from '../source-file.ts';

/** Workspaces import each other as the table allows, and by their package name. */
export const importTable: Rule = {
  name: 'imports between workspaces follow the table',
  find: (house) => house.sources.flatMap((file) => file.imports.flatMap((one) => judge(house, file, one))),
};

function judge(house: House, file: SourceFile, { specifier, line }: Import): Finding[] {
  const target = house.resolve(file.path, specifier);
  const from = workspaceOf(file.path);
  const to = target === undefined ? packageWorkspace(specifier) : workspaceOf(target);
  if (to === undefined || to === from) return [];
  const broken = (reason: string) => [{ path: file.path, line, reason }];
  if (!(MAY_IMPORT[from] ?? []).includes(to))
    return broken(`${from || 'the top'} may not import ${to || 'the top'} (${specifier})`);
  if (specifier.startsWith('.')) return broken(`${specifier} reaches into ${to}: import it as @dutchbook/${to}/...`);
  return [];
}

function packageWorkspace(specifier: string): string | undefined {
  return specifier.match(/^@dutchbook\/([\w-]+)/)?.[1];
}
