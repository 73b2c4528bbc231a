import type { Permission } from "@app/shared/access";

/** Each switch in the words of the practice, in the groups of the page. */
export const PERMISSION_GROUPS = [
  {
    title: "Clients and cases",
    permissions: [
      ["clients.read", "See clients and cases"],
      ["clients.write", "Change clients and cases"],
      ["notes.private.read", "Read mediators’ private notes"],
      ["screening.read", "Read safety screening"],
      ["safeguarding.read", "Read the safeguarding record"],
    ],
  },
  {
    title: "Work",
    permissions: [
      ["calendar.manage", "Manage the calendar"],
      ["forms.manage", "Build forms"],
      ["documents.manage", "Manage documents"],
      ["mail.send", "Send mail"],
      ["mail.read", "Read mail"],
    ],
  },
  {
    title: "Money and reports",
    permissions: [
      ["payments.read", "See payments"],
      ["payments.manage", "Manage payments"],
      ["reports.read", "See reports"],
      ["legalaid.export", "Make legal aid file"],
    ],
  },
  {
    title: "Practice",
    permissions: [
      ["audit.read", "See who did what"],
      ["data.export", "Export data"],
    ],
  },
] as const satisfies readonly { title: string; permissions: readonly (readonly [Permission, string])[] }[];
