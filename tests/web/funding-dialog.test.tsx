// Legal aid in a case that the agency does not pay for.
import type { Case, Party } from "@app/shared/cases";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { FundingDialog } from "../../web/src/features/casework/funding-dialog.tsx";
import { draw } from "./page.tsx";
import { A_PARTY } from "./parties.ts";
import { STATUS } from "./signed-in.ts";

function openDialog(issueScope: Case["issueScope"], type: Party["funding"]["type"], domain: Case["domain"] = "family") {
  const parties = [{ ...A_PARTY, funding: { type, shareBp: 10_000, payerContactId: "" } }];
  rememberSession(STATUS);
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <FundingDialog theCase={{ id: "k1", version: 0, parties, domain, issueScope }} onClose={() => {}} />
      </QueryClientProvider>
    </api.Provider>,
  );
}

const HINT = /The Legal Aid Agency pays only for cases about children, property and finance, or both/;

test("funding: when legal aid is chosen in a case about other issues, then the dialog says which cases the agency pays for", () => {
  openDialog("other", "private");
  expect(screen.queryByText(HINT)).toBeNull();
  fireEvent.change(screen.getByLabelText("Funding of Bea Winslow"), { target: { value: "legal_aid" } });
  expect(screen.getByText(HINT)).toBeTruthy();
});

test.each(["all_issues", "property_finance", "child_only"] as const)(
  "funding: legal aid in a case about %s is as it should be, and nothing is said",
  (issueScope) => {
    openDialog(issueScope, "legal_aid");
    expect(screen.queryByText(HINT)).toBeNull();
  },
);

test("funding: what the agency pays for is no matter of a case in which it never does", () => {
  openDialog("other", "legal_aid", "civil");
  expect(screen.queryByText(HINT)).toBeNull();
});
