import type { MediatorType } from "../regions.ts";
import type { TopicId } from "../screening-topics.ts";

export interface Question {
  id: string;
  /** Asked so that "no" is the answer that worries nobody. */
  text: string;
}

/** One version of what is asked of each party alone. It never changes once somebody was screened with it: a new one is a new file. */
export interface ScreeningTool {
  version: string;
  /** The kinds of case that it is for; none where it is only read any more. */
  domains: readonly MediatorType[];
  groups: readonly { title: string; questions: readonly Question[] }[];
}

/** One that is asked now: of each of its questions it is known what follows from the answer. */
export interface AskedTool extends ScreeningTool {
  groups: readonly { title: string; questions: readonly (Question & { id: TopicId })[] }[];
}
