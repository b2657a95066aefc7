/** The PostgreSQL server that a product starts for itself where DATABASE_URL names none. */
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { keptSecret } from '../../config/kept-secret.ts';
import { type Cluster, dataOf, initialise, newPassword } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { findPlace, handOver, type Place, pointElsewhere } from './place.ts';
import { readablePrograms } from './readable-programs.ts';
import { keepServerRunning } from './server.ts';

/** For data folders that only root may enter. */
const ELSEWHERE = '/var/lib/dutchbook';

export type OwnPostgres = {
  url: string;
  /** Call it when the server is not needed any more. */
  stop: () => Promise<void>;
};

/**
 * Starts the server on its data in `dataDir`, which are laid out the first time. Should it end, it is started again at the
 * same address. @throws NoOwnPostgres, FolderInUse
 */
export async function openOwnPostgres(dataDir: string, log: Logger, elsewhere = ELSEWHERE): Promise<OwnPostgres> {
  const place = findPlace(dataDir, elsewhere);
  const release = lockAll(place);
  try {
    const cluster = { ...place, programs: readablePrograms(place.user, place.folder) };
    const password = keptSecret(dataDir, 'database-password', newPassword);
    await layOutWhereMissing(cluster, place, password);
    handOver(place);
    if (place.folder !== place.inDataDir)
      log.warn({ folder: place.folder }, `The database is in ${place.folder}: PostgreSQL's user cannot enter DATA_DIR`);
    const server = await keepServerRunning(cluster, password, log);
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        handOver(place);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Locks also where the data are: the file that names that folder may have been copied to another data folder. */
function lockAll({ inDataDir, folder }: Place): () => void {
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases) each();
  };
  try {
    for (const each of new Set([inDataDir, folder])) releases.push(lockFolder(each));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

async function layOutWhereMissing(cluster: Cluster, place: Place, password: string): Promise<void> {
  if (existsSync(dataOf(cluster))) return;
  await initialise(cluster, password);
  if (place.folder !== place.inDataDir) pointElsewhere(place);
}
