import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { packageTable } from './package-table.ts';

const findings = (workspace: string, name: string) =>
  placesFound(packageTable, { [`${workspace}/package.json`]: JSON.stringify({ dependencies: { [name]: '*' } }) });

test('lets a package import what the table gives it, and the packages of others', () => {
  expect(findings('engine', '@dutchbook/units')).toEqual([]);
  expect(findings('e2e', '@dutchbook/exchange')).toEqual([]);
  expect(findings('server', 'fastify')).toEqual([]);
});

test.each([
  ['units', '@dutchbook/engine'],
  ['server', '@dutchbook/exchange'],
  ['recordings', '@dutchbook/engine'],
  ['web', '@dutchbook/e2e'],
])('refuses %s > %s', (workspace, name) => {
  expect(findings(workspace, name)).toEqual([`${workspace}/package.json:1`]);
});
