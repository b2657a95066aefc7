import { LIMITS, type LimitName, type Limits, writeDeskLimits, writeLimits } from '@dutchbook/contract/limits.ts';
import type { RehearsalChanges } from '@dutchbook/contract/rehearsals.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { limitAnchor } from '../session/way-to-change.ts';
import { useVenues } from '../status/system-status.ts';
import { DollarField } from './dollar-field.tsx';
import { changedLimits, clipProblem, LIMIT_NAMES, limitsDraftOf, limitsProblems } from './limits-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { deskLimitsQuery, limitsQuery, settingsBesideQuery } from './settings-queries.ts';
import styles from './system-settings.module.css';

/** How much may be bought, and how much of that is used: at each venue and, of several, over all of them. */
export function LimitsCards() {
  const venues = useVenues();
  if (venues === undefined) return null;
  if (venues.length === 0)
    return (
      <LimitsCard
        title="Limits"
        query={limitsQuery()}
        write={(body) => call(writeLimits, { query: {}, body })}
        rehearsed={(limits) => ({ limits })}
        where=" on this venue"
        anchors={(name) => [limitAnchor(name)]}
      />
    );
  return (
    <>
      {venues.map((venue, place) => (
        <LimitsCard
          key={venue}
          title={`Limits at ${VENUE_LABELS[venue]}`}
          query={limitsQuery(venue)}
          write={(body) => call(writeLimits, { query: { venue }, body })}
          where={` at ${VENUE_LABELS[venue]}`}
          anchors={(name) => [...(place === 0 ? [limitAnchor(name)] : []), limitAnchor(name, venue)]}
        />
      ))}
      <LimitsCard
        title="Limits of the Whole Desk"
        query={deskLimitsQuery}
        write={(body) => call(writeDeskLimits, { body })}
        where=""
        anchors={(name) => [limitAnchor(name, 'desk')]}
      />
    </>
  );
}

type Changes = ReturnType<typeof changedLimits>;

type LimitsCardProps = {
  title: string;
  query: ReturnType<typeof limitsQuery>;
  write: (changes: Changes) => Promise<Limits>;
  /** Left out of several venues: a rehearsal changes the limits of all of them. */
  rehearsed?: (changes: Changes) => RehearsalChanges;
  /** Where they hold, behind a sentence. */
  where: string;
  anchors: (name: LimitName) => readonly string[];
};

function LimitsCard({ where, anchors, ...card }: LimitsCardProps) {
  const { data: settings } = useQuery(settingsBesideQuery);
  return (
    <SettingsCard
      {...card}
      what={inText(card.title)}
      height={150}
      draftOf={limitsDraftOf}
      labels={labels(card.title)}
      problems={(draft, { required }) => limitsProblems(draft, required)}
      changed={changedLimits}
    >
      {(form, saved) => (
        <>
          <p className="hint">
            In dollars, fees included. {saved.required ? `All four are required${where}.` : 'Empty is no limit.'} No
            order that would go beyond one is placed, by hand or automatically.
          </p>
          <div className={styles.amounts}>
            {LIMIT_NAMES.map((name) => (
              <DollarField
                key={name}
                label={LIMITS[name]}
                anchors={anchors(name)}
                description={joined(usedOf(name, saved), settings && clipProblem(name, form.values[name], settings))}
                placeholder={saved.required ? '' : 'No limit'}
                {...form.getInputProps(name)}
              />
            ))}
          </div>
        </>
      )}
    </SettingsCard>
  );
}

/** Labels that name the group, where there are several. */
function labels(title: string): Record<LimitName, string> {
  const where = title.replace(/^Limits/, '');
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, `${LIMITS[name]}${where}`])) as Record<LimitName, string>;
}

/** "Limits at Kalshi" as it reads within a sentence. */
function inText(title: string): string {
  return title.replace(/^Limits/, 'limits').replace('Whole Desk', 'whole desk');
}

function joined(...sentences: (string | undefined)[]): string | undefined {
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;
}

/** What counts towards a limit at this moment. */
function usedOf(name: LimitName, { placed_today_usd, open_exposure_now_usd }: Limits): string | undefined {
  if (name === 'per_day_usd') return `${formatUsd(placed_today_usd)} placed since midnight UTC.`;
  if (name === 'open_exposure_usd') return `${formatUsd(open_exposure_now_usd)} in positions and open orders now.`;
  return undefined;
}
