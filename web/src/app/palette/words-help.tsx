import { Dialog } from '../../ui/dialog.tsx';
import styles from './shortcut-help.module.css';

/** Each word as the glossary of the documents has it, from what is found to what becomes of it. */
const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  ['Relation', 'A statement about markets that holds whatever happens, as “exactly one of these eight wins”.'],
  [
    'Basis',
    'Who says that a relation holds: the contract enforces it, the venue declares it, the product parsed it from words, or a person stated it. The last two have to be approved.',
  ],
  ['Distance', 'How much a set costs more than it surely pays, after fees.'],
  ['Opportunity', 'What is to be bought together, and what a set of it pays: its target price.'],
  ['Leg', 'One part of an opportunity: an outcome of a market, or several that are bought in equal shares.'],
  [
    'Set',
    'One share of everything that an opportunity is made of. Whole sets pay whatever happens; parts of one do not.',
  ],
  ['Batch', 'One placement of an opportunity: an order for each position.'],
  ['Policy', 'How much is bought automatically: the smallest order, up to a full clip, or the best size.'],
  ['Clip', 'One of several batches in which an opportunity is bought, as large as the policy and the limits allow.'],
  ['Series', 'All clips of an opportunity, bought one after the other while it triggers.'],
  ['Locked in', 'What whole sets that are held surely pay, less what they cost. It becomes cash later.'],
  ['Leg risk', 'More is held of some positions of a batch than of others, so its sets are not whole.'],
  ['Shard', 'A part of the cash at Kalshi. A market is paid from one shard alone; cash can be moved between them.'],
  ['Armed', 'Orders may leave. Disarm stops them at once.'],
];

type WordsHelpProps = { opened: boolean; onClose: () => void };

/** The words of the screens that a trader does not bring along. */
export function WordsHelp({ opened, onClose }: WordsHelpProps) {
  return (
    <Dialog opened={opened} title="What the Words Mean" size={640} unsaved={false} onClose={onClose}>
      <dl className={styles.words}>
        {WORDS.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
