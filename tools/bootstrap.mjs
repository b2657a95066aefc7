// What `npm start`, `npm test` and the other scripts run first. It is plain JavaScript for the Node the machine happens
// to have: it installs the packages when they are missing or out of date, and hands over to tools/<command>.ts on the
// Node 24 that comes with them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE_MAJOR = 20;
const OLDEST_NODE_MAJOR_THAT_RUNS_TYPESCRIPT = 24;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = '', ...commandArguments] = process.argv.slice(2);

// What cannot be written there, as on a full disk, would end the process, and what it has started.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const say = (sentence) => process.stdout.write(`${sentence}\n`);

/** Ends the run with a reason. `npm test` promises a totals line whatever happens, so a failed preparation counts as one. */
function giveUp(reason) {
  process.stderr.write(`${reason}\n`);
  if (command === 'test') say('0 passed, 1 failed');
  process.exit(1);
}

function majorOf(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10);
}

function requireSupportedNode() {
  if (majorOf(process.version) >= OLDEST_NODE_MAJOR) return;
  giveUp(`Node ${OLDEST_NODE_MAJOR} or later is needed to start; this is ${process.version} (${process.execPath}).`);
}

function readPackagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/** Compares package-lock.json with the record npm itself leaves as the last act of a completed installation. */
function installedMatchesLock() {
  const wanted = readPackagesOf(join(root, 'package-lock.json'));
  const installed = readPackagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined)
    giveUp('package-lock.json is missing or unreadable: the packages to install are not known.');
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (path === '' || (optional && !installed[path])) return true;
    return link ? existsSync(join(root, path)) : installed[path]?.version === version;
  });
}

/** The environment without this repository's own commands, so that npm runs on the machine's Node while they are replaced. */
function environmentForNpm() {
  const ownCommands = join('node_modules', '.bin');
  const outside = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.endsWith(sep + ownCommands));
  return { ...process.env, PATH: outside.join(delimiter) };
}

function runForInstallation(program, programArguments, directory) {
  const outcome = spawnSync(program, programArguments, {
    cwd: directory,
    env: environmentForNpm(),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (outcome.error?.code === 'ENOENT') giveUp(`${program} was not found on this machine; it comes with Node.`);
  return outcome.status === 0;
}

function installPackages() {
  const first = !existsSync(join(root, 'node_modules'));
  say(
    first
      ? 'Installing packages: the first time takes a minute or two.'
      : 'Installing packages: package-lock.json has changed.',
  );
  const startedAt = Date.now();
  if (!runForInstallation('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], root)) {
    giveUp(
      'npm ci failed, for the reason printed above. It needs the npm registry; run the same command again to retry.',
    );
  }
  say(`Packages installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

/** The path of a Node that runs TypeScript: the installed package's, fetched now if npm was told to skip install scripts. */
function findProjectNode() {
  const packageDirectory = join(root, 'node_modules', 'node');
  const binary = join(packageDirectory, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  say('The npm package "node" has not fetched its binary (npm skipped its install script): fetching it now.');
  if (existsSync(packageDirectory)) {
    runForInstallation('node', ['installArchSpecificPackage'], packageDirectory);
    if (existsSync(binary)) return binary;
  }
  if (majorOf(process.version) >= OLDEST_NODE_MAJOR_THAT_RUNS_TYPESCRIPT) {
    say(`It could not be fetched; going on with this machine's own Node ${process.version}.`);
    return process.execPath;
  }
  return giveUp(
    `Node ${OLDEST_NODE_MAJOR_THAT_RUNS_TYPESCRIPT} is needed to run the product and could not be fetched from npm ` +
      `(package "node"). Allow its install script, or install Node ${OLDEST_NODE_MAJOR_THAT_RUNS_TYPESCRIPT}, and run the same command again.`,
  );
}

function handOver(node, script) {
  // Node keeps what it compiled, TypeScript too: each process started later begins a third sooner.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env };
  const child = spawn(node, [script, ...commandArguments], { cwd: process.cwd(), stdio: 'inherit', env });
  // A terminal's Ctrl-C reaches the child as well; the tools count a repeated signal within a second as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => giveUp(`${node} could not be run: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

requireSupportedNode();
const script = join(root, 'tools', `${command}.ts`);
if (!/^[a-z-]+$/.test(command) || !existsSync(script)) giveUp(`There is no tools/${command}.ts to run.`);
if (!installedMatchesLock()) installPackages();
handOver(findProjectNode(), script);
