import { serveFromWords } from "./serve-from-words.ts";

try {
  await serveFromWords(console.log);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
