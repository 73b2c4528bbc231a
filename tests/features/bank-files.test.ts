// What is read of the files of banks, whatever bank wrote them, and what is refused.
import { BankLineModel } from "@app/server/features/bank-statements/bank-statements.model";
import { bankAmount, bankDay, dateOrderIn, decimalSignIn } from "@app/server/features/bank-statements/bank-values";
import { readdirSync } from "node:fs";
import path from "node:path";
import { settings } from "@app/server/core/settings";
import { beforeEach, describe, expect, test } from "vitest";
import {
  aBankCsv,
  aCamt,
  aCamtEntry,
  anOfx,
  anOfxTransaction,
  readStatement,
  sendStatement,
  takenIn,
} from "../support/server/bank-files.ts";
import { STATEMENTS } from "../support/hostile/hostile.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const linesOf = async (id: string) =>
  (await practice.api.bankStatements.lines.query({ id })).items.map(({ on, amountMinor, text, payerName }) => ({
    on,
    amountMinor,
    text,
    payerName,
  }));

describe("the values of banks", () => {
  test.each([
    ["1,234.56", ".", 123_456],
    ["1.234,56", ",", 123_456],
    ["£12", ".", 1200],
    ["+12.5", ".", 1250],
    ["(12.50)", ".", -1250],
    ["12.50 CR", ".", 1250],
    ["12.50DR", ".", -1250],
    ["−12.50", ".", -1250],
    ["12,50-", ",", -1250],
    ["12,50", ".", null],
    ["12.505", ".", null],
    ["12.500", ".", 1250],
    ["twelve", ".", null],
    ["99999999999999999999", ".", null],
  ] as const)("an amount %s with the decimals after %s is %s", (cell, decimal, expected) => {
    expect(bankAmount(cell, decimal, 2)).toBe(expected);
  });

  test.each([
    ["31/12/2025", "dmy", "2025-12-31"],
    ["31-12-25", "dmy", "2025-12-31"],
    ["12/31/2025", "mdy", "2025-12-31"],
    ["2025-12-31T09:30:00Z", "dmy", "2025-12-31"],
    ["31.12.2025 09:30", "dmy", "2025-12-31"],
    ["31 Dec 2025", "dmy", "2025-12-31"],
    ["20251231", "dmy", "2025-12-31"],
    ["31/02/2026", "dmy", null],
  ] as const)("a day %s, read as %s, is %s", (cell, order, expected) => {
    expect(bankDay(cell, order)).toBe(expected);
  });

  test("the order of day and month: told by a day above 12, and by nothing where all are below", () => {
    expect(dateOrderIn(["01/02/2026", "13/02/2026"])).toBe("dmy");
    expect(dateOrderIn(["01/02/2026", "02/13/2026"])).toBe("mdy");
    expect(dateOrderIn(["01/02/2026"])).toBeNull();
    expect(dateOrderIn(["2026-02-01"])).toBe("dmy");
    expect(decimalSignIn(["1.200,00", "12,50", "3"])).toBe(",");
  });
});

describe("POST /bank-statements", () => {
  test("a table under the name and number of the account, with a mark of its encoding, then its columns are proposed and asked", async () => {
    const csv = `\uFEFFAccount name:;Practice\r\nSort code:;20-00-00\r\n\r\nDate;Description;Amount;Balance\r\n05.01.2026;"LARKIN; INV-0001";1.250,00;9.000,00\r\n06.01.2026;Rent;-900,00;8.100,00\r\nx;y;z;\r\n`;
    const asked = await readStatement(app, practice, csv);
    expect(asked).toMatchObject({
      outcome: "asks_columns",
      table: { columns: ["date", "text", "amount", ""], dateOrder: "dmy", isDateOrderSure: false, rows: 3 },
    });
    expect(await BankLineModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
    const statement = await takenIn(app, practice, csv);
    expect(await linesOf(statement.id)).toEqual([
      { on: "2026-01-05", amountMinor: 125_000, text: "LARKIN; INV-0001", payerName: "" },
    ]);
    expect(statement.notes).toEqual([
      "1 amount that went out is left out.",
      "1 row could not be read: 7. Look at them in the file, and record by hand what came in.",
    ]);
  });

  test("a table without headings, and one whose columns are corrected, then each line is what it says", async () => {
    const bare = "05/01/2026,LARKIN INV-0001,100.00\n13/01/2026,Rent,-900.00\n";
    expect(await linesOf((await takenIn(app, practice, bare)).id)).toMatchObject([
      { on: "2026-01-05", amountMinor: 10_000 },
    ]);
    const odd = "When,What,Sum,Kind\n2026-01-05,Fee,100.00,Credit\n2026-01-06,Fee,200.00,Debit\n";
    const corrected = await takenIn(app, practice, odd, { columns: ["date", "text", "amount", "direction"] });
    expect(await linesOf(corrected.id)).toMatchObject([{ amountMinor: 10_000, text: "Fee" }]);
    const wrong = await sendStatement(app, practice, odd, { columns: ["date", "", "", ""] });
    expect(wrong.body).toMatch("Choose the column with the amount");
  });

  test("OFX, then what came in is read and what went out is left out", async () => {
    const ofx = anOfx(
      anOfxTransaction({ on: "20260105", amount: "100.00", text: "INV-0001" }) +
        anOfxTransaction({ on: "20260106", amount: "-12.00", text: "Fee" }),
    );
    const statement = await takenIn(app, practice, ofx);
    expect(statement).toMatchObject({
      format: "ofx",
      counts: { open: 1 },
      notes: ["1 amount that went out is left out."],
    });
    expect(await linesOf(statement.id)).toEqual([
      { on: "2026-01-05", amountMinor: 10_000, text: "INV-0001", payerName: "R LARKIN" },
    ]);
  });

  test("CAMT.053 in one long line, then booked credits are read, and reversals and what is pending are not", async () => {
    const batch = `<Ntry><Amt Ccy="GBP">30.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><DtTm>2026-01-07T10:00:00</DtTm></BookgDt><NtryDtls><TxDtls><Amt Ccy="GBP">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>INV-0002</Ustrd></RmtInf></TxDtls><TxDtls><AmtDtls><TxAmt><Amt Ccy="GBP">20.00</Amt></TxAmt></AmtDtls><RmtInf><Strd><CdtrRefInf><Ref>INV-0003</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`;
    const camt = aCamt(
      [
        aCamtEntry({ on: "2026-01-05", amount: "100.00", text: "INV-0001" }),
        aCamtEntry({ on: "2026-01-05", amount: "5.00", text: "Out", direction: "DBIT" }),
        aCamtEntry({ on: "2026-01-05", amount: "6.00", text: "Back", more: "<RvslInd>true</RvslInd>" }),
        aCamtEntry({ on: "2026-01-05", amount: "7.00", text: "Later", status: "PDNG" }),
        batch,
      ].join(""),
    ).replaceAll("\n", "");
    const statement = await takenIn(app, practice, camt);
    expect(await linesOf(statement.id)).toEqual([
      { on: "2026-01-05", amountMinor: 10_000, text: "INV-0001", payerName: "R & S Larkin" },
      { on: "2026-01-07", amountMinor: 1000, text: "INV-0002", payerName: "" },
      { on: "2026-01-07", amountMinor: 2000, text: "INV-0003", payerName: "" },
    ]);
    expect(statement.notes).toHaveLength(2);
  });
});

const bomb = `<!DOCTYPE Document [<!ENTITY a "CANARY">${Array.from({ length: 40 }, (_, n) => `<!ENTITY b${n} "&a;&a;&a;&a;&a;&a;&a;&a;">`).join("")}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;

describe("S57 POST /bank-statements: hostile files", () => {
  beforeEach(async () => {
    await BankLineModel.deleteMany({ ownerId: practice.ownerId });
  });

  test("entities of a document's own, then none of them is resolved and nothing is fetched", async () => {
    const camt = aCamt(aCamtEntry({ on: "2026-01-05", amount: "1.00", text: "&a;&b39;&f;" })).replace(
      "?>",
      `?>${bomb}`,
    );
    const statement = await takenIn(app, practice, camt);
    const [line] = await linesOf(statement.id);
    expect(line?.text).not.toMatch(/CANARY|root:/);
  });

  test.each([
    ["nothing", "", "empty"],
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0, 0]), "no table"],
    ["a page", "<html><script>alert(1)</script></html>", "no bank statement"],
    [
      "a quotation mark that is never closed",
      `Date,Text,Amount\n2026-01-05,"open,1.00\n${"x,y,z\n".repeat(200)}`,
      "quotation mark",
    ],
    ["more rows than a period has", `Date,Text,Amount\n${"2026-01-05,a,-1.00\n".repeat(20_001)}`, "20,000 rows"],
    [
      "more that came in than anybody looks through",
      anOfx(anOfxTransaction({ on: "20260105", amount: "1.00", text: "a" }).repeat(2001)),
      "2,000 amounts",
    ],
    ["CAMT without bookings", aCamt(""), "no transactions"],
  ])("%s, then it is refused in words and nothing of it stays", async (_what, content, words) => {
    const answer = await sendStatement(app, practice, content, { columns: null });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toMatch(words);
    expect(await BankLineModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
    expect(readdirSync(path.join(settings().dataDir, "spool"))).toEqual([]);
  });

  test.each(Object.entries(STATEMENTS))(
    "S74 %s, then it is refused in words and nobody waits for it",
    async (_what, make) => {
      const sent = sendStatement(app, practice, make());
      expect((await practice.api.clients.list.query({})).total).toBe(0);
      const { status, body } = await sent;
      expect([status, body]).toEqual([400, expect.stringMatching(/takes too long|too long|cannot be read|No amount/)]);
    },
  );

  test("more than 5 MB, then it is refused, and a table with a name of a path is taken in under a plain one", async () => {
    expect((await sendStatement(app, practice, "x".repeat(5 * 1024 * 1024 + 1))).status).toBe(413);
    const csv = aBankCsv([{ on: "05/01/2026", amount: "1.00", text: "=HYPERLINK(1)" }]);
    const statement = await takenIn(app, practice, csv, { name: "../../etc/pass\u202Ewd.csv" });
    expect(statement.fileName).not.toContain("\u202E");
  });
});
