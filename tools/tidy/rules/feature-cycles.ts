import type { House } from '../house.ts';
import type { Finding, Rule } from '../rule.ts';

const FEATURE = /^web\/src\/features\/([\w-]+)\//;

interface Edge {
  readonly to: string;
  readonly path: string;
  readonly line: number;
}

/** Features of the web may use each other in one direction only. */
export const featureCycles: Rule = { name: 'no cycle between features of the web', find: findCycles };

function findCycles(house: House): Finding[] {
  const edges = edgesBetweenFeatures(house);
  const findings: Finding[] = [];
  const settled = new Set<string>();
  const visit = (feature: string, trail: readonly string[]): void => {
    if (settled.has(feature)) return;
    for (const { to, path, line } of edges.get(feature) ?? []) {
      const start = [...trail, feature].indexOf(to);
      if (start === -1) visit(to, [...trail, feature]);
      else
        findings.push({ path, line, reason: `closes the cycle ${[...trail, feature, to].slice(start).join(' > ')}` });
    }
    settled.add(feature);
  };
  for (const feature of edges.keys()) visit(feature, []);
  return findings;
}

/** By feature, the first import of each other feature. */
function edgesBetweenFeatures(house: House): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>();
  for (const file of house.sources) {
    const from = file.path.match(FEATURE)?.[1];
    if (from === undefined) continue;
    for (const { specifier, line } of file.imports) {
      const to = house.resolve(file.path, specifier)?.match(FEATURE)?.[1];
      const known = edges.get(from) ?? [];
      if (to === undefined || to === from || known.some((edge) => edge.to === to)) continue;
      edges.set(from, [...known, { to, path: file.path, line }]);
    }
  }
  return edges;
}
