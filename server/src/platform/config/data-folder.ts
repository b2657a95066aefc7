import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const FOR_ITS_OWNER = 0o700;
const OTHERS_MAY_PASS = 0o711;

/**
 * Makes DATA_DIR where it is missing, for its owner alone. The folders above it that were missing too let others pass, whatever the
 * umask: as root, PostgreSQL's user has to get to its files in there.
 */
export function makeDataFolder(dataDir: string): void {
  const first = mkdirSync(dataDir, { recursive: true, mode: FOR_ITS_OWNER });
  if (first === undefined) return;
  for (let above = dirname(dataDir); above.length >= first.length; above = dirname(above))
    chmodSync(above, OTHERS_MAY_PASS);
}
