import { type Repository, repositoryOf } from './read-repository.ts';
import type { Rule } from './rule.ts';

/** A repository of these files. */
export function repositoryWith(files: Readonly<Record<string, string>>): Repository {
  return repositoryOf(new Map(Object.entries(files)));
}

/** What a rule finds in such a repository, each as `path:line`. */
export function placesFound(rule: Rule, files: Readonly<Record<string, string>>): string[] {
  return rule.find(repositoryWith(files)).map(({ path, line }) => `${path}:${line}`);
}
