// `npm run test:upgrade -- [commit]`: five processes of an older build on one PostgreSQL, replaced one by one by those of
// this one while people call and prices trigger. Without a commit it is the newest of this branch with fewer migrations,
// and where none has fewer the oldest with the same.
import { runInstalled } from './test/command.ts';
import { checkOutBuild, findOlderCommit } from './upgrade/older-build.ts';

try {
  const commit = process.argv[2] ?? findOlderCommit();
  using build = checkOutBuild(commit);
  const environment = { MANY_OLDER_PROGRAM: build.serverProgram };
  const upgrade = ['run', 'e2e/trading/many.test.ts', '--testNamePattern', 'replaced one by one'];
  process.exitCode = runInstalled('vitest/vitest.mjs', upgrade, environment) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
