import { type AnsweredFile, filesOf } from "@app/shared/form-answers";
import { FORM_FILES_ADDRESS } from "@app/shared/submission-limits";
import { apiClient } from "../../core/api-client.ts";
import { makeId } from "../../core/new-id.ts";
import type { FileWays } from "../questions/question-props.ts";
import type { Filling } from "./use-filling.ts";

function fileIn(text: string): AnsweredFile {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== "object" || answer === null) throw new Error("The server's answer is no file.");
  const [id, name, bytes] = ["id", "name", "bytes"].map((key): unknown => Reflect.get(answer, key));
  if (typeof id !== "string" || typeof name !== "string" || typeof bytes !== "number")
    throw new Error("The server's answer is no file.");
  return { id, name, bytes };
}

/** How files of this form come and go: what they are added to is saved first, so that there is somewhere to put them. */
export function fileWaysOf({
  save,
  note,
  placeNow,
  answerNow,
}: Pick<Filling, "save" | "note" | "placeNow" | "answerNow">): FileWays {
  const filesNow = (fieldId: string): AnsweredFile[] => filesOf(answerNow(fieldId));
  return {
    upload(fieldId, file, onProgress) {
      const id = makeId();
      let cancel = (): void => undefined;
      let isCancelled = false;
      const send = async () => {
        if (!(await save())) throw new Error("The connection broke off, so nothing was kept. Check it and try again.");
        const { sendFile } = await import("../../core/send-file.ts");
        if (isCancelled) throw new DOMException("cancelled", "AbortError");
        const upload = encodeURIComponent(JSON.stringify({ ...placeNow(), id, fieldId, name: file.name }));
        const sending = sendFile(file, `${FORM_FILES_ADDRESS}?upload=${upload}`, onProgress);
        cancel = sending.cancel;
        const kept = fileIn(await sending.done);
        note(fieldId, [...filesNow(fieldId).filter((one) => one.id !== kept.id), kept]);
        // Tells of those that came from another screen.
        void save();
        return kept;
      };
      return {
        done: send(),
        cancel: () => {
          isCancelled = true;
          cancel();
        },
      };
    },
    async remove(fieldId, id) {
      await apiClient.submissions.filling.removeFile.mutate({ ...placeNow(), id });
      note(
        fieldId,
        filesNow(fieldId).filter((file) => file.id !== id),
      );
    },
    unkept: new Map(),
  };
}
