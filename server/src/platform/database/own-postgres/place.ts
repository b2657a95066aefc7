/** Where a product keeps its own PostgreSQL, and as whom that runs. */
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDataFolder } from '../../config/data-folder.ts';
import { flushFolder } from './cluster.ts';
import { NoOwnPostgres } from './no-own-postgres.ts';
import { canEnter } from './readable-programs.ts';
import { findUnprivilegedUser, type SystemUser } from './unprivileged-user.ts';

export type Place = {
  /** `database` in the data folder. */
  inDataDir: string;
  /** Where the data are: the same, or one that PostgreSQL's user can enter. */
  folder: string;
  user: SystemUser | undefined;
};

/** Beside the lock in the data folder: names the folder elsewhere. */
export const POINTER = 'is-in';
const OTHERS_MAY_PASS = 0o011;

/**
 * As root, PostgreSQL runs as the owner of `dataDir` or of the folder above it, so that these can start the product
 * themselves the next time; where both are root's, as a user of the machine who owns nothing but the data.
 * @throws NoOwnPostgres
 */
export function findPlace(dataDir: string, elsewhere: string): Place {
  const inDataDir = join(dataDir, 'database');
  makeDataFolder(dataDir);
  mkdirSync(inDataDir, { recursive: true, mode: 0o700 });
  const user = findUnprivilegedUser(ownersOf(dataDir));
  const pointed = pointedFolder(inDataDir);
  const folder = pointed ?? (user === undefined ? inDataDir : folderFor(user, dataDir, inDataDir, elsewhere));
  const place = { inDataDir: realpathSync(inDataDir), folder: realpathSync(folder), user };
  handOver(place);
  refuseDataOfOthers(join(folder, 'data'), user);
  return place;
}

/** What root has made in the meantime is its user's as well, where that is the owner of the data folder. */
export function handOver({ inDataDir, folder, user }: Place): void {
  if (user === undefined) return;
  const dataDir = dirname(inDataDir);
  if (ownersOf(dataDir).includes(user.uid)) for (const each of [dataDir, folder]) handTo(user, each);
  else if (existsSync(join(folder, 'data'))) handTo(user, join(folder, 'data'));
}

/** From now on the data are looked for there alone. */
export function pointElsewhere({ inDataDir, folder }: Place): void {
  writeFileSync(join(inDataDir, POINTER), `${folder}\n`, { flush: true });
  flushFolder(inDataDir);
}

function ownersOf(dataDir: string): number[] {
  return [dataDir, dirname(dataDir)].map((folder) => statSync(folder).uid);
}

/** @throws NoOwnPostgres when there is nothing any more: to begin anew beside it would look like a loss of everything */
function pointedFolder(inDataDir: string): string | null {
  const pointer = join(inDataDir, POINTER);
  if (!existsSync(pointer)) return null;
  const folder = readFileSync(pointer, 'utf8').trim();
  if (existsSync(join(folder, 'data'))) return folder;
  throw new NoOwnPostgres(`The database is in ${folder}, says ${pointer}, and nothing is there: restore it.`);
}

function folderFor(user: SystemUser, dataDir: string, inDataDir: string, elsewhere: string): string {
  if (!ownersOf(dataDir).includes(user.uid))
    for (const folder of [dataDir, inDataDir]) chmodSync(folder, statSync(folder).mode | OTHERS_MAY_PASS);
  else handTo(user, dataDir);
  if (canEnter(user, inDataDir)) return inDataDir;
  if (existsSync(join(inDataDir, 'data')))
    throw new NoOwnPostgres(`PostgreSQL runs as user id ${user.uid}, who may not enter ${inDataDir}: let it.`);
  return makeElsewhere(user, elsewhere);
}

function makeElsewhere(user: SystemUser, elsewhere: string): string {
  try {
    mkdirSync(elsewhere, { recursive: true });
    chmodSync(elsewhere, statSync(elsewhere).mode | OTHERS_MAY_PASS);
    const folder = mkdtempSync(join(elsewhere, 'database-'));
    chmodSync(folder, 0o711);
    if (canEnter(user, folder)) return folder;
  } catch {
    // As where it cannot be entered.
  }
  throw new NoOwnPostgres(`PostgreSQL runs as user id ${user.uid}, who may not enter DATA_DIR nor ${elsewhere}.`);
}

/** Links are left alone: with one, a file elsewhere could be had. */
function handTo({ uid, gid }: SystemUser, folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.uid === uid) continue;
    if (stats.isDirectory() || (stats.isFile() && stats.nlink === 1)) lchownSync(path, uid, gid);
  }
}

/** @throws NoOwnPostgres when the data are not this process's, and it cannot change that */
function refuseDataOfOthers(data: string, user: SystemUser | undefined): void {
  if (user !== undefined || !existsSync(data)) return;
  const { uid } = statSync(data);
  if (uid === process.getuid?.()) return;
  throw new NoOwnPostgres(`The database in ${data} belongs to user id ${uid}: start as that user, or as root.`);
}
