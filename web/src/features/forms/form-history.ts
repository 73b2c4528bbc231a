// What was done to a draft, for undo and redo.

const STEPS_MAX = 200;

export interface History<Draft> {
  past: readonly Draft[];
  present: Draft;
  future: readonly Draft[];
  /** What the last step was about: typing on in one field is one step. */
  last: string | null;
}

export const begin = <Draft>(present: Draft): History<Draft> => ({ past: [], present, future: [], last: null });

/** One step further. Steps of one `about` that follow each other become one. */
export function step<Draft>(history: History<Draft>, next: Draft, about: string | null = null): History<Draft> {
  if (next === history.present) return history;
  const goesOn = about !== null && about === history.last;
  const past = goesOn ? history.past : [...history.past, history.present].slice(-STEPS_MAX);
  return { past, present: next, future: [], last: about };
}

export function undo<Draft>(history: History<Draft>): History<Draft> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], last: null };
}

export function redo<Draft>(history: History<Draft>): History<Draft> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, last: null };
}

/** What came from elsewhere: it stands, and is no step that can be undone. */
export const replace = <Draft>(history: History<Draft>, present: Draft): History<Draft> =>
  present === history.present ? history : { ...history, present, last: null };

/** What others changed meanwhile, in every state, so that an undo takes back nothing of theirs. */
export function taking<Draft>(history: History<Draft>, take: (draft: Draft) => Draft): History<Draft> {
  const present = take(history.present);
  if (present === history.present) return history;
  return { past: history.past.map(take), present, future: history.future.map(take), last: null };
}
