import { LIMITS, type LimitName, type Limits, writeLimits } from '@dutchbook/contract/limits.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { call } from '../../calls/call.ts';
import { DollarField } from './dollar-field.tsx';
import { changedLimits, LIMIT_NAMES, limitsDraftOf, limitsProblems } from './limits-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { limitsQuery } from './settings-queries.ts';

/** How much may be bought, and how much of that is used. */
export function LimitsCard() {
  return (
    <SettingsCard
      title="Limits"
      what="limits"
      query={limitsQuery}
      height={320}
      draftOf={limitsDraftOf}
      problems={(draft, { required }) => limitsProblems(draft, required)}
      changed={changedLimits}
      write={(body) => call(writeLimits, { query: {}, body })}
      rehearsed={(limits) => ({ limits })}
    >
      {(form, saved) => (
        <>
          <p className="hint">
            In dollars, fees included. {saved.required ? 'All four are required on this venue.' : 'Empty is no limit.'}{' '}
            No order that would go beyond one is placed, by hand or automatically.
          </p>
          {LIMIT_NAMES.map((name) => (
            <DollarField
              key={name}
              label={LIMITS[name]}
              description={usedOf(name, saved)}
              placeholder={saved.required ? '' : 'No limit'}
              {...form.getInputProps(name)}
            />
          ))}
        </>
      )}
    </SettingsCard>
  );
}

/** What counts towards a limit at this moment. */
function usedOf(name: LimitName, { placed_today_usd, open_exposure_now_usd }: Limits): string | undefined {
  if (name === 'per_day_usd') return `${formatUsd(placed_today_usd)} placed since midnight UTC.`;
  if (name === 'open_exposure_usd') return `${formatUsd(open_exposure_now_usd)} in positions and open orders now.`;
  return undefined;
}
