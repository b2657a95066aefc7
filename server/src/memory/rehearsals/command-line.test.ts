/** The command beside a product that runs on a PostgreSQL of its own, as an operator types it. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrations.ts';
import { openProducts, type Products } from '../../platform/database/own-postgres/products.fixture.ts';
import { findRunningPostgres } from '../../platform/database/own-postgres/running-postgres.ts';

const REPOSITORY = path.join(import.meta.dirname, '../../../..');
const run = promisify(execFile);

describe('npm run rehearse', () => {
  let products: Products;
  let dataDir: string;
  beforeAll(() => {
    products = openProducts();
    dataDir = path.join(products.folder, 'data');
  });
  afterAll(async () => {
    await products.stopAll();
    await products.remove();
  });

  const rehearse = async (...asked: string[]) => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    return await run(process.execPath, ['server/src/rehearse.ts', ...asked], { cwd: REPOSITORY, env });
  };

  it('says that there is no database where there is none', async () => {
    await expect(rehearse('--from', '-1h')).rejects.toThrow(/There is no database in/);
    expect(findRunningPostgres(dataDir)).toBeNull();
  });

  it('reads the database of a product that runs, and of one that does not', async () => {
    const product = await products.start(dataDir);
    expect(findRunningPostgres(dataDir)).toBe(product.said);
    const pool = new Pool({ connectionString: product.said, max: 1 });
    await migrate(pool).finally(() => pool.end());
    const asked = ['--from', '-1h', '--set', 'MIN_PROFIT_TRIGGER_THRESHOLD=0.5'];
    const { stdout } = await rehearse(...asked);
    expect(stdout).toMatch(/^0 triggers instead of 0, /);
    expect(stdout).toMatch(/Unknown .*: nothing was recorded\./);
    await product.end('SIGTERM');
    expect(findRunningPostgres(dataDir)).toBeNull();
    const json = JSON.parse((await rehearse(...asked, '--json')).stdout) as { result: { unknown: unknown[] } };
    expect(json.result.unknown).toHaveLength(1);
  });
});
