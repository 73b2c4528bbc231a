// Some changes are refused to somebody who signed in a while ago. The page then asks who sits there, and goes on.
import type { AppRouter } from "@app/server/app-router";
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { isUnconfirmed } from "./errors.ts";

/** Gives true once the person has confirmed who they are, and false where they would rather not. */
type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/** The layout that can ask. */
export function onQuestion(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Asks once, however many calls wait for the answer. */
async function ask(): Promise<boolean> {
  asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => (asking = null));
  return asking;
}

/** A call that wants to know first who sits there waits for the answer, and is then made again by itself. */
export const askAndRepeat: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let isGivenUp = false;
      let call = next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (isUnconfirmed(error)) void askFirst(error);
          else observer.error(error);
        },
      });

      async function askFirst(refusal: TRPCClientError<AppRouter>) {
        try {
          const isConfirmed = await ask();
          if (isGivenUp) return;
          if (isConfirmed) call = next(op).subscribe(observer);
          else observer.error(refusal);
        } catch (error) {
          observer.error(TRPCClientError.from(error instanceof Error ? error : new Error(String(error))));
        }
      }

      return () => {
        isGivenUp = true;
        call.unsubscribe();
      };
    });
