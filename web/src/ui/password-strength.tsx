import styles from './password-strength.module.css';

const SEGMENTS = 4;

/** How many of these a password has: length, more length, both cases, and digits with other signs. */
export function passwordScore(password: string): number {
  const merits = [
    password.length >= 8,
    password.length >= 12,
    /[a-z]/.test(password) && /[A-Z]/.test(password),
    /\d/.test(password) && /[^A-Za-z0-9]/.test(password),
  ];
  return merits.filter(Boolean).length;
}

export type Strength = 'Low' | 'Medium' | 'High';

/** The words for `value` out of `max`: below a third low, from two thirds (66 %) high. */
export function strengthOf(value: number, max: number = SEGMENTS): Strength {
  const percent = (value / max) * 100;
  if (percent < 33) return 'Low';
  return percent < 66 ? 'Medium' : 'High';
}

/** A bar of `max` segments and a word; nothing while there is no password. */
export function PasswordStrength({ password, max = SEGMENTS }: { password: string; max?: number }) {
  if (password === '') return null;
  const value = passwordScore(password);
  const strength = strengthOf(value, max);
  return (
    <div className={styles.strength} data-strength={strength}>
      <div className={styles.bar} aria-hidden="true">
        {segments(max).map((segment) => (
          <span key={segment} data-filled={segment <= Math.max(1, value)} />
        ))}
      </div>
      <span role="status" aria-label="Password strength">
        {strength}
      </span>
    </div>
  );
}

const segments = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
