// The command line with the fail points of the official driver tests: the product's has none.
import { serveFromWords } from "../src/serve-from-words.ts";
import { answerWithFaults } from "./faults.ts";

await serveFromWords(console.log, answerWithFaults());
