import type { AnsweredFile, AnswerValue } from "@app/shared/form-answers";
import type { AskedField, InnerField } from "@app/shared/form-fields";

/** What every question is given; one of a repeat group is asked like any other. */
export interface QuestionProps<Asked extends AskedField | InnerField = AskedField | InnerField> {
  field: Asked;
  /** Of its element: unique on the page, also in the rows of a repeat group. */
  id: string;
  answer: AnswerValue | undefined;
  currency: string;
  isRequired: boolean;
  /** By the path below the question; "" for the question itself. */
  problems: Readonly<Record<string, string>>;
  /** Ids of what describes it. */
  describedBy: string | undefined;
  onAnswer: (answer: AnswerValue | null) => void;
  files: FileWays;
}

/** The way of files, which goes past the answers. */
export interface FileWays {
  upload: (fieldId: string, file: File, onProgress: (sentBytes: number) => void) => Upload;
  remove: (fieldId: string, id: string) => Promise<void>;
  /** By question, what is to be done about a file that was chosen and is not there. */
  unkept: Map<string, string>;
}

interface Upload {
  done: Promise<AnsweredFile>;
  cancel: () => void;
}

/** What belongs to one kind of question. */
export type Of<Type extends AskedField["type"]> = QuestionProps<Extract<AskedField | InnerField, { type: Type }>>;
