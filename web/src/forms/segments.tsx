import { useId } from 'react';
import styles from './segments.module.css';

type Props<Value extends string> = {
  data: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  'aria-label'?: string;
  'aria-labelledby'?: string;
};

/** One of a few, all in sight. */
export function Segments<Value extends string>({ data, value, onChange, ...named }: Props<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" className={styles.segments} {...named}>
      {data.map((one) => (
        <label key={one.value} className={styles.segment}>
          <input
            type="radio"
            name={name}
            value={one.value}
            checked={one.value === value}
            onChange={() => onChange(one.value)}
          />
          {one.label}
        </label>
      ))}
    </div>
  );
}
