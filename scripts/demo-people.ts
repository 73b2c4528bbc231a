import { type CreateClient, DEFAULT_SAFE_CONTACT, type SafeContact } from "@app/shared/clients";

// Invented people. Telephone numbers are from the range that Ofcom keeps free for drama, addresses end in example.org.
const FIRST_NAMES = [
  "Ife",
  "Marcus",
  "Owen",
  "Tobias",
  "Priya",
  "Saoirse",
  "Aled",
  "Farah",
  "Sian",
  "Maya",
  "Daniel",
  "Helena",
  "Petr",
  "Samuel",
  "Rosalind",
  "Gareth",
  "Jonah",
  "Callum",
  "Beatrix",
  "Dorothea",
  "Lena",
  "Conor",
  "Winifred",
  "Arun",
  "Isolde",
  "Niamh",
  "Kofi",
  "Leonie",
  "Hamish",
  "Zofia",
];
const LAST_NAMES = [
  "Oyelaran",
  "Castell",
  "Arkwright-Senn",
  "Nandakumar",
  "Callan",
  "Rhydderch",
  "Qureshi-Bell",
  "Ellery",
  "Vaskovic",
  "Adeyemi",
  "Pemberly",
  "Fenwick",
  "Strand",
  "Lindqvist",
  "Holloway",
  "Thorne",
  "Ridley",
  "Achterberg",
  "Moss",
  "Kessler",
  "O'Dowd",
  "Farrow",
  "Dace",
  "Mehta-Voss",
  "Quayle",
  "Brightwater",
  "Trelawny",
  "Szymborska",
  "Macrae",
  "Okonjo",
];
const STREETS = [
  "Kiln Row",
  "Harbour Street",
  "Mill Lane",
  "Orchard Rise",
  "Station Road",
  "Chapel Walk",
  "Quarry Bank",
];
const POSTCODES = ["LS6 2QX", "M21 9ND", "BS3 4TW", "CF11 8AA", "NE2 3PL", "SE15 5BT", "B13 8LQ"];
const TAGS = ["children", "finances", "legal aid", "interpreter", "shuttle", "urgent"];
const ORGANISATIONS = [
  "Brightwater Ltd",
  "Fenwick & Daughters",
  "Northgate Housing Co-operative",
  "Tern and Wick Joinery",
];

const RULES: Partial<SafeContact>[] = [
  { mayPost: false, note: "Shares a letter box." },
  { codeWord: "heron", mayLeaveVoicemail: false },
  { mayPhone: false, mayEmail: true, note: "Text first, then agree a time." },
  { safeTimes: "Weekdays 09:30 to 14:30" },
  { mayPhone: false, mayEmail: false, mayPost: false, mayText: true },
];

const pick = <Item>(items: readonly Item[], index: number, fallback: Item): Item =>
  items[index % items.length] ?? fallback;

export const isDemoOrganisation = (index: number): boolean => index % 17 === 16;

/** The `index`th invented client; the same index always gives the same person. */
export function demoClient(index: number): CreateClient {
  const isOrganisation = isDemoOrganisation(index);
  const firstName = pick(FIRST_NAMES, index * 7, "Maya");
  const lastName = pick(LAST_NAMES, index * 11 + Math.floor(index / LAST_NAMES.length), "Ellery");
  const address = `${firstName}.${lastName}.${index}`.toLowerCase().replace(/[^a-z0-9.]/g, "");
  const birthYear = 1956 + ((index * 13) % 45);
  const hasRule = index % 5 === 2;
  return {
    kind: isOrganisation ? "organisation" : "person",
    title: "",
    firstName: isOrganisation ? "" : firstName,
    lastName: isOrganisation ? "" : lastName,
    knownAs: "",
    organisation: isOrganisation ? pick(ORGANISATIONS, index, "Brightwater Ltd") : "",
    dateOfBirth: isOrganisation ? "" : `${birthYear}-${two((index % 12) + 1)}-${two((index % 27) + 1)}`,
    email: index % 9 === 8 ? "" : `${address}@example.org`,
    phones: [
      {
        type: isOrganisation ? "work" : "mobile",
        number: `07700 900${String(index % 1000).padStart(3, "0")}`,
        isPreferred: true,
      },
    ],
    address: {
      lines: [`${(index % 80) + 1} ${pick(STREETS, index, "Kiln Row")}`],
      postcode: pick(POSTCODES, index, "LS6 2QX"),
      country: "United Kingdom",
    },
    isAddressConfidential: index % 23 === 4,
    safeContact: { ...DEFAULT_SAFE_CONTACT, ...(hasRule ? pick(RULES, Math.floor(index / 5), {}) : {}) },
    needs: index % 13 === 5 ? "British Sign Language interpreter at meetings." : "",
    tags: index % 3 === 0 ? [pick(TAGS, index / 3, "children")] : [],
  };
}

const two = (number: number) => String(number).padStart(2, "0");

/** Why somebody was reached by a way that is not marked as safe: some of these people said later what is. */
export const AGAINST_BECAUSE = "Done before they said which ways are safe";
