// What can be added to a page, in the order of how often it is.
import { FIELD_TYPE_NAMES, type FieldType } from "@app/shared/form-limits";
import {
  IconAddressBook,
  IconAlignLeft,
  IconArrowsSort,
  IconCake,
  IconCalendar,
  IconCalendarClock,
  IconCalculator,
  IconCheckbox,
  IconCircleDot,
  IconClock,
  IconEyeOff,
  IconFile,
  IconHelp,
  IconInfoCircle,
  IconLetterT,
  IconMail,
  IconMapPin,
  IconNumber123,
  IconPhone,
  IconPhoto,
  IconRepeat,
  IconShieldCheck,
  IconSignature,
  IconStar,
  IconTable,
  IconUser,
  IconCoins,
} from "@tabler/icons-react";

export const FIELD_ICONS = {
  short_text: IconLetterT,
  long_text: IconAlignLeft,
  number: IconNumber123,
  money: IconCoins,
  date: IconCalendar,
  time: IconClock,
  date_time: IconCalendarClock,
  birth_date: IconCake,
  email: IconMail,
  phone: IconPhone,
  name: IconUser,
  address: IconMapPin,
  contact: IconAddressBook,
  yes_no: IconHelp,
  one_of: IconCircleDot,
  any_of: IconCheckbox,
  picture_choice: IconPhoto,
  rating: IconStar,
  matrix: IconTable,
  ranking: IconArrowsSort,
  consent: IconShieldCheck,
  signature: IconSignature,
  file: IconFile,
  repeat_group: IconRepeat,
  statement: IconInfoCircle,
  hidden: IconEyeOff,
  calculated: IconCalculator,
} as const satisfies Record<FieldType, typeof IconMail>;

export const PALETTE: readonly { name: string; types: readonly FieldType[] }[] = [
  { name: "Text", types: ["short_text", "long_text", "number", "money", "date", "time", "date_time"] },
  { name: "Contact", types: ["name", "email", "phone", "address", "birth_date", "contact"] },
  // Pictures to choose from come with the place where they are uploaded.
  { name: "Choice", types: ["yes_no", "one_of", "any_of", "matrix", "rating", "ranking"] },
  { name: "Other", types: ["consent", "signature", "file", "repeat_group", "statement", "calculated", "hidden"] },
];

/** The types whose name, or whose group's, has this in it; all of them for nothing. */
export function paletteFor(search: string): typeof PALETTE {
  const sought = search.trim().toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(sought);
  return PALETTE.map(({ name, types }) => ({
    name,
    types: has(name) ? types : types.filter((type) => has(FIELD_TYPE_NAMES[type])),
  })).filter(({ types }) => types.length > 0);
}
