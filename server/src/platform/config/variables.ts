/** Reads environment variables one by one and remembers everything that is wrong with them, to be reported together. */
export type Variables = {
  text: (name: string) => string | null;
  wholeNumber: (name: string, fallback: number, min: number, max: number) => number;
  choice: <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice) => Choice;
  url: (name: string, protocols: readonly string[], fallback: string | null) => string;
  complain: (name: string, expected: string) => void;
  complaints: () => readonly string[];
};

/** An empty variable counts as not set. Values never stand in a complaint: some of them are secrets. */
export function variables(env: Readonly<Record<string, string | undefined>>): Variables {
  const complaints: string[] = [];
  const text = (name: string) => env[name]?.trim() || null;
  const complain = (name: string, expected: string) => {
    complaints.push(`${name} ${text(name) === null ? 'is not set' : 'is wrong'}: expected ${expected}`);
  };
  return {
    text,
    complain,
    complaints: () => complaints,
    wholeNumber: (name, fallback, min, max) => {
      const given = text(name);
      if (given === null) return fallback;
      const value = Number(given);
      if (/^\d{1,15}$/.test(given) && value >= min && value <= max) return value;
      complain(name, `a whole number from ${min} to ${max}`);
      return fallback;
    },
    choice: (name, choices, fallback) => {
      const given = text(name);
      if (given === null) return fallback;
      const chosen = choices.find((choice) => choice === given);
      if (chosen === undefined) complain(name, `one of ${choices.join(', ')}`);
      return chosen ?? fallback;
    },
    url: (name, protocols, fallback) => {
      const given = text(name) ?? fallback;
      const parsed = given === null ? null : URL.parse(given);
      if (parsed !== null && protocols.includes(parsed.protocol)) return parsed.href.replace(/\/$/, '');
      complain(name, `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
      return '';
    },
  };
}
