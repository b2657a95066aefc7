/** Notes the settings, and what the account can do: once a minute, and within a second where it has become something else. */
import type { JournaledAccount } from '../../market/decision-journal/journaled.ts';
import type { DecisionJournal } from '../../market/decision-journal/note.ts';
import type { WatchedSettings } from '../../people/system-settings/watched-settings.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { readInputs } from './placing/inputs.ts';
import type { PlaceParts } from './placing/request.ts';

const LOOK_MS = 1000;
const LOOKS_PER_MINUTE = 60;

function showingOf({ name, account, controls, soundness }: VenueDesk) {
  const { cash, allowances } = account.reading() ?? { cash: null, allowances: null };
  const { armed, limits } = controls.current();
  return [name, cash, allowances && [...allowances], armed, limits, soundness().unapproved];
}

export function noteAccount(parts: PlaceParts, settings: WatchedSettings, journal: DecisionJournal): () => void {
  const { runtime, desks, readiness } = parts;
  const { timers, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'account journal not read');
  let known: JournaledAccount | null = null;
  let shown = '';
  let looks = 0;

  /** Without what changes by itself all the time, and without what the database would have to be asked for. */
  const showing = () => {
    const { ORDER_SIMULATION_ENABLED } = settings.current();
    return JSON.stringify([readiness(), ORDER_SIMULATION_ENABLED, ...desks.all.map(showingOf)]);
  };
  const look = async () => {
    const now = showing();
    looks += 1;
    if (now === shown && looks < LOOKS_PER_MINUTE) return;
    try {
      const practice = settings.current().ORDER_SIMULATION_ENABLED;
      known = (await readInputs(parts, { practice })).account;
      journal.note('account', '', known);
      failures.succeeded();
      shown = now;
      looks = 0;
    } catch (error) {
      failures.failed(error);
    }
  };
  const noteSettings = () => journal.note('settings', '', settings.current());
  noteSettings();
  journal.onRetell(function* () {
    yield { topic: 'settings', subject: '', data: settings.current() };
    if (known !== null) yield { topic: 'account', subject: '', data: known };
  });
  const stops = [settings.onChange(noteSettings), timers.every(LOOK_MS, look)];
  void look();
  return () => {
    for (const stop of stops) stop();
  };
}
