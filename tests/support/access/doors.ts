import { newId } from "@app/server/core/ids";
import { randomUUID } from "node:crypto";
import type { Door } from "./door.ts";
import { BOOKINGS_ACCESS } from "./bookings-access.ts";
import { CASEWORK_ACCESS } from "./casework-access.ts";
import { COMPOSE_ACCESS } from "./compose-access.ts";
import { CONTACTS_ACCESS } from "./contacts-access.ts";
import { DOCUMENTS_ACCESS } from "./documents-access.ts";
import { FINANCES_ACCESS } from "./finances-access.ts";
import { FORMS_ACCESS } from "./forms-access.ts";
import { IMPORTS_ACCESS } from "./imports-access.ts";
import { INBOX_ACCESS } from "./inbox-access.ts";
import { INVOICES_ACCESS } from "./invoices-access.ts";
import { LEADS_ACCESS } from "./leads-access.ts";
import { MAILBOXES_ACCESS } from "./mailboxes-access.ts";
import { MAILINGS_ACCESS } from "./mailings-access.ts";
import { PAYMENTS_ACCESS } from "./payments-access.ts";
import { SIGNATURES_ACCESS } from "./signatures-access.ts";
import { SUBMISSIONS_ACCESS } from "./submissions-access.ts";
import { aClient, clientFields, PASSWORD } from "../server/people.ts";
import { ROUTES } from "./routes-access.ts";

const fields = { firstName: "Tom", lastName: "Birch" };
const token = "t".repeat(43);
const registration = () => ({
  ...fields,
  email: `${randomUUID()}@example.org`,
  password: PASSWORD,
  practiceName: "Quillfeather",
  region: "england_wales",
  mediatorType: "family",
});

/** Every procedure of the router. */
const PROCEDURES: Record<string, Door> = {
  ...BOOKINGS_ACCESS,
  ...CASEWORK_ACCESS,
  ...COMPOSE_ACCESS,
  ...CONTACTS_ACCESS,
  ...DOCUMENTS_ACCESS,
  ...FINANCES_ACCESS,
  ...FORMS_ACCESS,
  ...IMPORTS_ACCESS,
  ...INBOX_ACCESS,
  ...INVOICES_ACCESS,
  ...LEADS_ACCESS,
  ...MAILBOXES_ACCESS,
  ...MAILINGS_ACCESS,
  ...PAYMENTS_ACCESS,
  ...SIGNATURES_ACCESS,
  ...SUBMISSIONS_ACCESS,
  "auth.status": { access: "public" },
  "auth.signIn": {
    access: "public",
    input: () => ({ email: "nobody@example.org", password: PASSWORD, isRemembered: false }),
  },
  "auth.signOut": { access: "public" },
  "auth.verifySecondFactor": { access: "public", input: () => ({ code: "000000" }) },
  "auth.setUp": { access: "public", input: registration },
  "auth.register": { access: "public", input: registration },
  "auth.registration": { access: "public", input: () => ({ token }) },
  "auth.confirmRegistration": {
    access: "public",
    input: () => {
      const { email: _proved, ...details } = registration();
      return { ...details, token };
    },
  },
  "auth.invitation": { access: "public", input: () => ({ token }) },
  "auth.acceptInvitation": { access: "public", input: () => ({ ...fields, token, password: PASSWORD }) },
  "auth.requestPasswordReset": { access: "public", input: () => ({ email: "nobody@example.org" }) },
  "auth.resetPassword": { access: "public", input: () => ({ token, password: PASSWORD }) },

  "auth.changePassword": {
    access: "protected",
    input: () => ({ currentPassword: PASSWORD, password: PASSWORD + " again" }),
    stranger: "own",
  },
  "auth.confirmIdentity": { access: "protected", input: () => ({ password: PASSWORD }), stranger: "own" },
  "auth.requireConfirmation": { access: "protected", stranger: "own" },
  "auth.listDevices": { access: "protected", stranger: "own" },
  "auth.endDevice": { access: "protected", input: ({ deviceId }) => ({ id: deviceId }), stranger: "missing" },
  "auth.signOutEverywhere": { access: "protected", stranger: "own" },
  "auth.startTwoFactor": { access: "protected", input: () => ({ password: PASSWORD }), stranger: "own" },
  "auth.enableTwoFactor": {
    access: "protected",
    input: () => ({ code: "000000" }),
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },
  "auth.disableTwoFactor": {
    access: "protected",
    input: () => ({ password: PASSWORD, code: "000000" }),
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },

  "users.profile": { access: "protected", stranger: "own" },
  "users.updateProfile": {
    access: "protected",
    input: () => {
      // Nobody else of a practice has this name or number.
      const number = randomUUID().slice(0, 8);
      const lastName = `Q${number.replaceAll(/\d/g, "g")}`;
      return { firstName: "Quill", lastName, isAccredited: true, accreditationNumber: number, version: 0 };
    },
    stranger: "own",
  },
  "users.colleagues": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "staff.list": { access: "owner", stranger: "own" },
  "staff.invite": {
    access: "owner",
    input: () => ({ id: newId(), ...fields, email: `${randomUUID()}@example.org`, role: 3 }),
    stranger: "own",
  },
  "staff.update": {
    access: "owner",
    input: ({ staffId }) => ({ id: staffId, role: 3, permissions: ["clients.read"], version: 1 }),
    stranger: "missing",
  },
  "staff.confirmAccreditation": {
    access: "owner",
    input: ({ staffId }) => ({ id: staffId, number: "1234A", isConfirmed: true }),
    stranger: "missing",
    // This person claims no number.
    passedGatesWith: "CONFLICT",
  },
  "staff.suspend": { access: "owner", input: ({ staffId }) => ({ id: staffId }), stranger: "missing" },
  "staff.reactivate": {
    access: "owner",
    input: ({ staffId }) => ({ id: staffId }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "staff.removeInvitation": { access: "owner", input: ({ invitedId }) => ({ id: invitedId }), stranger: "missing" },

  "letterheads.get": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "letterheads.removeLogo": { access: "owner", stranger: "own" },
  "practices.get": { access: "protected", stranger: "own" },
  "practices.update": {
    access: "owner",
    input: () => ({
      practiceName: "Renamed",
      region: "scotland",
      mediatorType: "civil",
      timeZone: "Europe/London",
      caseNumberPrefix: "RN",
      isTwoFactorRequired: false,
      certificatesCountFrom: "issue",
      version: 0,
    }),
    stranger: "own",
  },

  "subscriptions.get": { access: "protected", stranger: "own" },
  "access.onChange": { access: "protected" },
  "subscriptions.startCheckout": {
    access: "protected",
    input: () => ({ plan: "pro", interval: "yearly" }),
    stranger: "own",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "subscriptions.openPortal": { access: "protected", stranger: "own", passedGatesWith: "PRECONDITION_FAILED" },

  "mail.listUnsent": { access: "owner", input: () => ({ page: 1 }), stranger: "own" },
  "support.reportError": {
    access: "protected",
    input: () => ({ component: "Router", message: "The check failed" }),
    stranger: "own",
  },

  "clients.list": { access: "subscribed", permission: "clients.read", input: () => ({}), stranger: "own" },
  "clients.get": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ clientId }) => ({ id: clientId }),
    stranger: "missing",
  },
  "clients.create": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: () => aClient({ firstName: "New" }),
    stranger: "own",
  },
  "clients.update": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ clientId }) => ({ id: clientId, version: 0, client: clientFields({ firstName: "Changed" }) }),
    stranger: "missing",
  },
  "clients.confirmContact": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ clientId }) => ({ id: clientId, version: 0 }),
    stranger: "missing",
  },
  "clients.setStatus": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ clientId }) => ({ ids: [clientId], status: "archived" }),
    stranger: "own",
  },
};

/**
 * Every way into the server: procedures by their path, routes by method and pattern. One that the server has and that
 * is not listed here fails the run.
 */
export const DOORS: Record<string, Door> = { ...PROCEDURES, ...ROUTES };
