// What a worker for foreign content loads of a feature: a file that exports `work`.
import type { z } from "zod";

/** What the process says when all is loaded, and what is to be worked on may come. */
export const LOADED = "loaded";

/** It can be read, but takes more than anybody needs for something of its kind. */
export class TooMuch extends Error {}

/** Work on foreign content; what it is given is checked where it is done. */
export const foreignWork =
  <Input, Output>(input: z.ZodType<Input>, run: (given: Input) => Output | Promise<Output>) =>
  async (given: Input): Promise<Output> =>
    run(input.parse(given));
