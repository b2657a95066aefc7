import { modeOf } from '@dutchbook/contract/status.ts';
import { openDatabase } from './platform/database/database.ts';
import { watchDatabase } from './platform/database/database-down.ts';
import { openStops } from './platform/http/stops.ts';
import { openMail } from './platform/mail/mail.ts';
import { databaseNow, openDatabaseClock, openExchangeClock, realClock } from './platform/runtime/clock.ts';
import type { Config } from './platform/runtime/config.ts';
import { crashPoints } from './platform/runtime/crash-point.ts';
import { watchDisk } from './platform/runtime/disk.ts';
import { openKeptStops } from './platform/runtime/kept-stops.ts';
import { openLog } from './platform/runtime/log.ts';
import { openLogSink } from './platform/runtime/log-sink.ts';
import { systemRandom } from './platform/runtime/random.ts';
import type { Runtime } from './platform/runtime/runtime.ts';
import { realTimers } from './platform/runtime/timers.ts';
import { markedChat } from './platform/telegram/marked-chat.ts';
import { openTelegram } from './platform/telegram/telegram.ts';

/** The runtime as `config` says, with its database migrated. @throws when the database cannot be opened, FolderInUse */
export async function openRuntime(config: Config): Promise<{ runtime: Runtime; close: () => Promise<void> }> {
  // On standard error: standard output is for the operator.
  const logSink = openLogSink();
  const log = openLog(config, logSink);
  const timers = realTimers(log);
  const { answered, close, ...database } = await openDatabase(config, timers, log);
  const { clock, stop } = await openClock(config, { db: database.db, timers, log }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const databaseWatch = watchDatabase({ clock, timers, dbFor: database.dbFor, answered, log });
  const disk = await watchDisk(config.dataDir, timers);
  const pass = crashPoints(config.crashAt, () => process.kill(process.pid, 'SIGKILL'));
  const mail = openMail({ config, clock, random: systemRandom, log });
  const chat = markedChat(openTelegram(config.telegramApiRoot), config);
  return {
    runtime: {
      config,
      clock,
      databaseNow,
      timers,
      random: systemRandom,
      ...database,
      databaseWatch,
      mail,
      chat,
      log,
      storage: { log: logSink.state, isDiskFull: disk.isFull },
      pass,
      stops: openStops({ timers, log }, openKeptStops(config.dataDir, systemRandom)),
    },
    close: async () => {
      databaseWatch.stop();
      disk.stop();
      stop();
      await close();
    },
  };
}

/** One clock for all processes on a server's database; the machine's own where there is only one process. */
async function openClock(config: Config, runtime: Pick<Runtime, 'db' | 'timers' | 'log'>) {
  const own = { clock: realClock, stop: () => {} };
  const reported = config.databaseUrl === null ? own : await openDatabaseClock(realClock, runtime);
  if (!modeOf(config.venueMode).onExchange) return reported;
  const moved = await openExchangeClock(reported.clock, config.polymarket.clobUrl, runtime.timers, runtime.log);
  return {
    clock: moved.clock,
    stop: () => {
      moved.stop();
      reported.stop();
    },
  };
}
