/** Every call of the contract. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';

const CONTRACT = path.resolve(import.meta.dirname, '../../../../contract/src');

export async function everyEndpoint(): Promise<Endpoint[]> {
  const files = readdirSync(CONTRACT).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ path.join(CONTRACT, file))),
  );
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'method' in value;
}
