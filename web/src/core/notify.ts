export interface Notice {
  message: string;
  /** Errors stay until they are closed. */
  isError: boolean;
  action?: {
    label: string;
    onAct: () => void;
    /** For how long it can be done, where that is not five seconds. */
    seconds?: number;
  };
}

type Listener = (notice: Notice) => void;

const WAIT_MAX_MS = 10_000;
let waiting: { notice: Notice; since: number }[] = [];
let show: Listener | null = null;

function give(notice: Notice): void {
  if (show) show(notice);
  else waiting.push({ notice, since: Date.now() });
}

/** Says that something was done, for five seconds. */
export const notify = (message: string, action?: Notice["action"]): void =>
  give({ message, isError: false, ...(action ? { action } : {}) });

/** Says that something failed and what to do. */
export const notifyError = (message: string): void => give({ message, isError: true });

/** The layout that can show notices; what was said just before it stood there is shown now. */
export function onNotice(listener: Listener): () => void {
  show = listener;
  const isRecent = ({ since }: { since: number }) => Date.now() - since < WAIT_MAX_MS;
  for (const { notice } of waiting.filter(isRecent)) listener(notice);
  waiting = [];
  return () => {
    if (show === listener) show = null;
  };
}
