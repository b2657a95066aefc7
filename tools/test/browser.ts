import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { say } from '../repository.ts';
import { run } from './command.ts';

/** The shell first: the same engine without a window, at half the processor time of the whole browser. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium on this machine, BROWSER_PATH first; undefined when there is none. */
export function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  const named = process.env.BROWSER_PATH ? [process.env.BROWSER_PATH] : [];
  return [...named, ...onPath, ...MAC_APPLICATIONS].find(isProgram);
}

/**
 * A Chromium to test with, installed with apt-get where there is none yet. Undefined when that cannot be done; what to do
 * has then been said.
 */
export function findOrInstallBrowser(): string | undefined {
  const found = findBrowser();
  if (found !== undefined) {
    say(`Browser tests use ${found}.`);
    return found;
  }
  const aptGet = ['/usr/bin/apt-get', '/bin/apt-get'].find(isProgram);
  if (aptGet === undefined || userInfo().uid !== 0) {
    say('There is no Chromium here, and installing one takes apt-get and root.');
    say('Install chromium or Google Chrome, or name one in BROWSER_PATH, and run the same command again.');
    return undefined;
  }
  say(
    'Installing Chromium with apt-get: the browser tests need one, and this machine has none. This takes a minute or two.',
  );
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  run(aptGet, ['-qq', 'update'], env);
  const install = ['-qq', '--no-install-recommends', '-y', '-o', 'Dpkg::Use-Pty=0', 'install'];
  run(aptGet, [...install, 'chromium-headless-shell'], env);
  // Not every release of Debian and its kin packages the shell.
  if (findBrowser() === undefined) run(aptGet, [...install, 'chromium'], env);
  const installed = findBrowser();
  say(installed === undefined ? 'apt-get did not install Chromium.' : `Chromium is installed: ${installed}.`);
  return installed;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
