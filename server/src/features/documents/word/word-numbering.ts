// How lists of a Word document are counted (ISO/IEC 29500-1, 17.9). mammoth tells of a paragraph how its list is counted,
// and neither at which number that begins nor that it begins anew: both are written down here for it before it reads.

/** Of more lists than that, those that begin anew are not told apart. */
const LISTS_MAX = 2000;
const START_STYLE = "start-";
const NUMBER_MAX = 10_000;

const ABSTRACT = ["<w:abstractNum ", "</w:abstractNum>"] as const;
const LEVEL = ["<w:lvl ", "</w:lvl>"] as const;
const NUM = ["<w:num ", "</w:num>"] as const;
const OVERRIDE = ["<w:lvlOverride ", "</w:lvlOverride>"] as const;
type Tag = readonly [begin: string, end: string];

/** The same numbering, with the beginning of each level in the place of a style's name, and lists that begin anew apart. */
export function separateLists(xml: string): string {
  const abstracts = new Map<string, string>();
  mapElements(xml, ABSTRACT, (one) => {
    abstracts.set(attribute(one, "w:abstractNumId"), one);
    return one;
  });
  const copies: string[] = [];
  const separated = mapElements(xml, NUM, (num) => {
    const starts = startsIn(num);
    const abstract = abstracts.get(attribute(num, "w:val"));
    if (starts.size === 0 || abstract === undefined || copies.length === LISTS_MAX) return num;
    const id = `anew-${attribute(num, "w:numId")}`;
    copies.push(withStarts(withAttribute(abstract, "w:abstractNumId", id), starts));
    return withAttribute(num, "w:val", id);
  });
  const told = mapElements(separated, ABSTRACT, (one) => withStarts(one, new Map()));
  const at = told.indexOf(NUM[0]);
  return at === -1 ? told : told.slice(0, at) + copies.join("") + told.slice(at);
}

/** Where the list of this level begins. */
export function startOf(paragraphStyleId: string | undefined): number {
  const start = paragraphStyleId?.startsWith(START_STYLE) ? Number(paragraphStyleId.slice(START_STYLE.length)) : 1;
  return Number.isInteger(start) && start >= 0 && start <= NUMBER_MAX ? start : 1;
}

/** The text with each such element changed; what has no end stays as it is. */
function mapElements(xml: string, [begin, end]: Tag, change: (element: string) => string): string {
  const parts = [];
  let from = 0;
  for (let at = xml.indexOf(begin); at !== -1; at = xml.indexOf(begin, from)) {
    const to = xml.indexOf(end, at);
    if (to === -1) break;
    parts.push(xml.slice(from, at), change(xml.slice(at, to + end.length)));
    from = to + end.length;
  }
  return parts.join("") + xml.slice(from);
}

/** Where the value of the first attribute of this name begins and ends. */
function placeOf(xml: string, name: string): [number, number] | null {
  const at = xml.indexOf(`${name}="`);
  if (at === -1) return null;
  const from = at + name.length + 2;
  const to = xml.indexOf('"', from);
  return to === -1 ? null : [from, to];
}

const attribute = (xml: string, name: string): string => {
  const place = placeOf(xml, name);
  return place ? xml.slice(...place) : "";
};

const withAttribute = (xml: string, name: string, value: string): string => {
  const place = placeOf(xml, name);
  return place ? xml.slice(0, place[0]) + value + xml.slice(place[1]) : xml;
};

/** By level: where a list begins, whatever others like it do. */
function startsIn(num: string): Map<string, string> {
  const starts = new Map<string, string>();
  mapElements(num, OVERRIDE, (one) => {
    const at = one.indexOf("<w:startOverride ");
    if (at !== -1) starts.set(attribute(one, "w:ilvl"), attribute(one.slice(at), "w:val"));
    return one;
  });
  return starts;
}

/** A copy has no names of styles: by the first of that name its paragraphs are counted. */
const withStarts = (abstract: string, starts: ReadonlyMap<string, string>): string =>
  mapElements(abstract, LEVEL, (level) => {
    const named = level.indexOf("<w:pStyle ");
    if (named !== -1 && starts.size === 0) return level;
    const at = level.indexOf("<w:start ");
    const start = starts.get(attribute(level, "w:ilvl")) ?? (at === -1 ? "1" : attribute(level.slice(at), "w:val"));
    const style = `${START_STYLE}${start}`;
    if (named !== -1) return level.slice(0, named) + withAttribute(level.slice(named), "w:val", style);
    return level.slice(0, -LEVEL[1].length) + `<w:pStyle w:val="${style}"/>${LEVEL[1]}`;
  });
