import type { GetInputPropsReturnType } from '@mantine/form';
import { useId } from 'react';
import field from './setting-field.module.css';
import styles from './switches.module.css';
import { useMeant } from './use-meant.ts';

/** `effect`: a sentence on what it does while it is on. */
export type Switch<Name extends string> = { name: Name; label: string; effect: string };

type SwitchesProps<Name extends string> = {
  of: readonly Switch<Name>[];
  /** What an address names each by, before its name; without it, none is. */
  anchor?: string;
  form: {
    values: Record<Name, unknown>;
    getInputProps: (name: Name, options: { type: 'checkbox'; withError: false }) => GetInputPropsReturnType;
  };
};

/** Settings that are on or off. */
export function Switches<Name extends string>({ of, anchor, form }: SwitchesProps<Name>) {
  return of.map((each) => <OneSwitch key={each.name} of={each} anchor={anchor} form={form} />);
}

type OneSwitchProps<Name extends string> = Pick<SwitchesProps<Name>, 'form'> & {
  of: Switch<Name>;
  anchor: string | undefined;
};

function OneSwitch<Name extends string>({ of: { name, label, effect }, anchor, form }: OneSwitchProps<Name>) {
  // A page may have one form for each of several venues.
  const id = useId();
  const place = useMeant(...(anchor === undefined ? [] : [`${anchor}-${name}`]));
  return (
    <div ref={place} className={styles.switch}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={field.switch}
        aria-checked={form.values[name] === true}
        aria-describedby={`${id}-effect`}
        {...form.getInputProps(name, { type: 'checkbox', withError: false })}
      />
      <p id={`${id}-effect`} className="hint">
        {effect}
      </p>
    </div>
  );
}

/** The label of each by its name. */
export function labelsOf<Name extends string>(of: readonly Switch<Name>[]): Record<Name, string> {
  return Object.fromEntries(of.map(({ name, label }) => [name, label])) as Record<Name, string>;
}
