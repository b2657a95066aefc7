import {
  type DiscoverySettingsForm,
  discoverySettingsForm,
  writeDiscoverySettings,
} from '@dutchbook/contract/discovery-settings.ts';
import { settingWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { call } from '../../calls/call.ts';
import styles from './discovery-card.module.css';
import { DollarField } from './dollar-field.tsx';
import { formDraft } from './form-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { discoverySettingsQuery } from './settings-queries.ts';
import { labelsOf, type Switch, Switches } from './switches.tsx';
import pageStyles from './system-settings.module.css';

type DiscoverySwitch = Exclude<keyof DiscoverySettingsForm, 'min_profit_usd' | 'price_low' | 'price_high'>;

const READING: readonly Switch<DiscoverySwitch>[] = [
  { name: 'enabled', label: 'Discovery', effect: 'The events of the venue are read and their relations watched.' },
];
const KINDS: readonly Switch<DiscoverySwitch>[] = [
  { name: 'pair', label: 'Pair', effect: 'The two outcomes of one market pay a dollar together.' },
  { name: 'at_most_one', label: 'At most one', effect: 'No two members come true together.' },
  { name: 'exactly_one', label: 'Exactly one', effect: 'One member comes true, and only one.' },
  { name: 'ladder', label: 'Ladder', effect: 'Each member implies all that follow it.' },
  { name: 'buckets', label: 'Buckets', effect: 'Ranges of one variable against thresholds on it.' },
];
const PLACING: readonly Switch<DiscoverySwitch>[] = [
  {
    name: 'auto_place_found',
    label: 'Place found opportunities automatically',
    effect: `Where ${settingWords('AUTO_PLACE_ORDER_ENABLED')} is on and no gate refuses.`,
  },
];

const LABELS = {
  ...labelsOf([...READING, ...KINDS, ...PLACING]),
  min_profit_usd: 'Least profit',
  price_low: 'Lowest price of a found position',
  price_high: 'Highest price of a found position',
};

const DISCOVERY = formDraft(discoverySettingsForm, ['min_profit_usd']);

/** What discovery does with what it finds. */
export function DiscoveryCard() {
  return (
    <SettingsCard
      {...DISCOVERY}
      labels={LABELS}
      title="Discovery"
      what="discovery settings"
      query={discoverySettingsQuery}
      height={480}
      write={(body) => call(writeDiscoverySettings, { body })}
      rehearsed={(discovery) => ({ discovery })}
    >
      {(form) => (
        <>
          <Switches of={READING} form={form} />
          <fieldset className={styles.kinds}>
            <legend>Kinds that trade without approval</legend>
            <p className="hint">Where the basis is enforced or declared; the others always need approval.</p>
            <Switches of={KINDS} anchor="discovery" form={form} />
          </fieldset>
          <div className={pageStyles.amounts}>
            <DollarField
              label={LABELS.min_profit_usd}
              anchors={['discovery-min_profit_usd']}
              description="Dollars that a hit must make at its best size to become an opportunity."
              {...form.getInputProps('min_profit_usd')}
            />
            <DollarField
              label={LABELS.price_low}
              anchors={['discovery-price_low']}
              description={`Where the contract or the venue says that the set pays, in place of ${settingWords('PRICE_LOW_THRESHOLD')}. Left empty: that holds.`}
              {...form.getInputProps('price_low')}
            />
            <DollarField
              label={LABELS.price_high}
              description={`Where the contract or the venue says that the set pays, in place of ${settingWords('PRICE_HIGH_THRESHOLD')}. Left empty: that holds.`}
              {...form.getInputProps('price_high')}
            />
          </div>
          <Switches of={PLACING} anchor="discovery" form={form} />
        </>
      )}
    </SettingsCard>
  );
}
