import { databaseNow, openDatabaseClock, openExchangeClock, realClock } from './clock.ts';
import type { Config } from './config.ts';
import { crashPoints } from './crash-point.ts';
import { openDatabase } from './database.ts';
import { realDice } from './dice.ts';
import { openLog } from './log.ts';
import { openMail } from './mail.ts';
import { openTelegram } from './telegram.ts';
import { realTimers } from './timers.ts';
import type { World } from './world.ts';

/** The world as `config` says, with its database migrated. @throws when the database cannot be opened, FolderInUse */
export async function openWorld(config: Config): Promise<{ world: World; close: () => Promise<void> }> {
  const log = openLog(config);
  const timers = realTimers(log);
  const { db, urgentDb, patientDb, queueOptions, notices, close } = await openDatabase(config, timers, log);
  const { clock, stop } = await openClock(config, { db, timers, log }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const pass = crashPoints(config.crashAt, () => process.kill(process.pid, 'SIGKILL'));
  const mail = openMail({ config, clock, dice: realDice, log });
  const chat = openTelegram(config.telegramApiRoot);
  return {
    world: {
      config,
      clock,
      databaseNow,
      timers,
      dice: realDice,
      db,
      urgentDb,
      patientDb,
      queueOptions,
      notices,
      mail,
      chat,
      log,
      pass,
    },
    close: async () => {
      stop();
      await close();
    },
  };
}

/** One clock for all processes on a server's database; the machine's own where there is only one process. */
async function openClock(config: Config, world: Pick<World, 'db' | 'timers' | 'log'>) {
  const own = { clock: realClock, stop: () => {} };
  const told = config.databaseUrl === null ? own : await openDatabaseClock(realClock, world);
  if (config.venueMode !== 'simulated') return told;
  const moved = await openExchangeClock(told.clock, config.polymarket.clobUrl, world.timers, world.log);
  return {
    clock: moved.clock,
    stop: () => {
      moved.stop();
      told.stop();
    },
  };
}
