// OFX and CAMT.053, read tag by tag: no entity of the document's own is ever resolved, and nothing is fetched.
import { Parser } from "htmlparser2";
import { TooMuch } from "../../core/foreign-work.ts";

const DEPTH_MAX = 100;
const TEXT_MAX = 2000;

interface Events {
  /** The path of what is open, from the outermost, without prefixes. */
  open: (path: readonly string[], attributes: Readonly<Record<string, string>>) => void;
  text: (path: readonly string[], text: string) => void;
  close: (path: readonly string[]) => void;
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1);

export function readMarkup(text: string, { open, text: told, close }: Events): void {
  const path: string[] = [];
  let said = "";
  const flush = () => {
    const whole = said.trim();
    said = "";
    if (whole !== "" && path.length > 0) told(path, whole);
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        flush();
        path.push(withoutPrefix(name));
        if (path.length > DEPTH_MAX) throw new TooMuch("this is nested too deeply");
        open(path, attributes);
      },
      ontext(piece) {
        if (said.length < TEXT_MAX) said += piece.slice(0, TEXT_MAX);
      },
      onclosetag() {
        flush();
        close(path);
        path.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(text);
  parser.end();
}
