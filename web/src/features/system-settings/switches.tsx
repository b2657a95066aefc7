import type { GetInputPropsReturnType } from '@mantine/form';
import { useId } from 'react';
import field from './setting-field.module.css';
import styles from './switches.module.css';

/** `effect`: a sentence on what it does while it is on. */
export type Switch<Name extends string> = { name: Name; label: string; effect: string };

type SwitchesProps<Name extends string> = {
  of: readonly Switch<Name>[];
  form: {
    values: Record<Name, unknown>;
    getInputProps: (name: Name, options: { type: 'checkbox'; withError: false }) => GetInputPropsReturnType;
  };
};

/** Settings that are on or off. */
export function Switches<Name extends string>({ of, form }: SwitchesProps<Name>) {
  // A page may have one form for each of several venues.
  const id = useId();
  return of.map(({ name, label, effect }) => (
    <div key={name} className={styles.switch}>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        type="checkbox"
        role="switch"
        className={field.switch}
        aria-checked={form.values[name] === true}
        aria-describedby={`${id}-${name}-effect`}
        {...form.getInputProps(name, { type: 'checkbox', withError: false })}
      />
      <p id={`${id}-${name}-effect`} className="hint">
        {effect}
      </p>
    </div>
  ));
}

/** The label of each by its name. */
export function labelsOf<Name extends string>(of: readonly Switch<Name>[]): Record<Name, string> {
  return Object.fromEntries(of.map(({ name, label }) => [name, label])) as Record<Name, string>;
}
