import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import type { ContactRow } from "@app/shared/contacts";

export const rolesOf = ({ roles }: Pick<ContactRow, "roles">): string =>
  roles.map((role) => CONTACT_ROLE_NAMES[role]).join(", ");

/** What a telephone takes. */
export const dialling = (number: string): string => `tel:${number.replace(/[^+\d]/g, "")}`;
