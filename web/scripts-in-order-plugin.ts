/** Refuses a build in which scripts import each other in a circle: one of them would run before the other has what it needs. */
import type { Plugin } from 'vite';

type Imports = ReadonlyMap<string, readonly string[]>;

/** A circle of scripts, the first of them again at the end; null where there is none. */
export function circleOf(imports: Imports): string[] | null {
  const done = new Set<string>();
  const follow = (script: string, way: readonly string[]): string[] | null => {
    const at = way.indexOf(script);
    if (at !== -1) return [...way.slice(at), script];
    if (done.has(script)) return null;
    for (const next of imports.get(script) ?? []) {
      const circle = follow(next, [...way, script]);
      if (circle !== null) return circle;
    }
    done.add(script);
    return null;
  };
  for (const script of imports.keys()) {
    const circle = follow(script, []);
    if (circle !== null) return circle;
  }
  return null;
}

export const scriptsInOrder: Plugin = {
  name: 'scripts-in-order',
  apply: 'build',
  generateBundle(_options, bundle) {
    const scripts = Object.values(bundle).filter((part) => part.type === 'chunk');
    const circle = circleOf(new Map(scripts.map(({ fileName, imports }) => [fileName, imports])));
    if (circle !== null) this.error(`scripts import each other in a circle: ${circle.join(' > ')}`);
  },
};
