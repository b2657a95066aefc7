import { databaseNow, openExchangeClock, realClock } from './clock.ts';
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
  const { db, queueOptions, notices, close } = await openDatabase(config, timers, log);
  const { clock, stop } =
    config.venueMode === 'simulated'
      ? await openExchangeClock(config.polymarket.clobUrl, timers, log)
      : { clock: realClock, stop: () => {} };
  const pass = crashPoints(config.crashAt, () => process.kill(process.pid, 'SIGKILL'));
  const mail = openMail({ config, clock, dice: realDice, log });
  const chat = openTelegram(config.telegramApiRoot);
  return {
    world: { config, clock, databaseNow, timers, dice: realDice, db, queueOptions, notices, mail, chat, log, pass },
    close: async () => {
      stop();
      await close();
    },
  };
}
