import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Config } from '../runtime/config.ts';
import { ConfigError, readConfig } from './config.ts';

const exchange = {
  POLYMARKET_CLOB_URL: 'http://127.0.0.1:1',
  POLYMARKET_GAMMA_URL: 'http://127.0.0.1:1/gamma/',
  POLYMARKET_WS_URL: 'ws://127.0.0.1:1/ws',
};

type Reading = {
  /** The data folder of the present test. */
  folder: () => string;
  /** @throws ConfigError */
  read: (env: Record<string, string>) => Config;
  /** What is wrong with the variables, a line each; none where they can be read. */
  complaints: (env: Record<string, string>) => string[];
};

/** Reads variables beside those of a simulated exchange, for the tests of the calling file. */
export function readingConfig(): Reading {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (env: Record<string, string>) => readConfig({ DATA_DIR: folder, ...exchange, ...env });
  return {
    folder: () => folder,
    read,
    complaints: (env) => {
      try {
        read(env);
        return [];
      } catch (error) {
        if (error instanceof ConfigError) return error.message.split('\n');
        throw error;
      }
    },
  };
}
