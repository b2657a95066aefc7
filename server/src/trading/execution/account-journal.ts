/**
 * Notes the settings, and what the account can do: once a minute, within a second where it has become something else, and at once where
 * limits are set: those of the whole desk stand in the database alone.
 */
import type { JournaledAccount } from '../../market/decision-journal/journaled.ts';
import type { DecisionJournal } from '../../market/decision-journal/note.ts';
import type { WatchedSettings } from '../../people/system-settings/watched-settings.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
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
  const { pubsub, timers, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'account journal not read');
  let known: JournaledAccount | null = null;
  let shown = '';
  let looks = 0;
  let limitsSet = 0;
  let limitsNoted = 0;

  /** Without what changes by itself all the time, and without what the database would have to be asked for. */
  const showing = () => {
    const { ORDER_SIMULATION_ENABLED } = settings.current();
    return JSON.stringify([readiness(), ORDER_SIMULATION_ENABLED, ...desks.all.map(showingOf)]);
  };
  const look = oneAtATime(async () => {
    const now = showing();
    const set = limitsSet;
    looks += 1;
    if (now === shown && set === limitsNoted && looks < LOOKS_PER_MINUTE) return;
    try {
      const practice = settings.current().ORDER_SIMULATION_ENABLED;
      known = (await readInputs(parts, { practice })).account;
      journal.note('account', '', known);
      failures.succeeded();
      shown = now;
      limitsNoted = set;
      looks = 0;
    } catch (error) {
      failures.failed(error);
    }
  });
  const noteLimits = () => {
    limitsSet += 1;
    void look();
  };
  const noteSettings = () => journal.note('settings', '', settings.current());
  noteSettings();
  journal.onRetell(function* () {
    yield { topic: 'settings', subject: '', data: settings.current() };
    if (known !== null) yield { topic: 'account', subject: '', data: known };
  });
  const stops = [
    settings.onChange(noteSettings),
    pubsub.subscribe('trading_controls_changed', noteLimits),
    timers.every(LOOK_MS, look),
  ];
  void look();
  return () => {
    for (const stop of stops) stop();
  };
}
