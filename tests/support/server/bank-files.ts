// Files of banks, and how the page sends them.
import { newId } from "@app/server/core/ids";
import type { BankColumnOrNone } from "@app/shared/bank-columns";
import { type BankStatement, type UploadedStatement, uploadedStatementSchema } from "@app/shared/bank-statements";
import type { TestPerson } from "./people.ts";
import type { TestApp } from "./test-app.ts";

export interface Said {
  id?: string;
  name?: string;
  columns?: BankColumnOrNone[] | null;
  dateOrder?: "dmy" | "mdy" | null;
}

type Person = Pick<TestPerson, "cookies">;

export async function sendStatement(
  app: TestApp,
  person: Person,
  content: string | Uint8Array<ArrayBuffer>,
  { id = newId(), name = "bank.csv", columns = null, dateOrder = null }: Said = {},
): Promise<{ status: number; body: string }> {
  const upload = encodeURIComponent(JSON.stringify({ id, name, columns, dateOrder }));
  const reply = await fetch(`${app.url}/bank-statements?upload=${upload}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" },
    body: content,
  });
  return { status: reply.status, body: await reply.text() };
}

/** What the server makes of it; throws where it is refused. */
export async function readStatement(...args: Parameters<typeof sendStatement>): Promise<UploadedStatement> {
  const { status, body } = await sendStatement(...args);
  if (status > 201) throw new Error(`the statement was refused: ${status} ${body}`);
  return uploadedStatementSchema.parse(JSON.parse(body));
}

/** Takes it in, a table by the columns that are proposed. */
export async function takenIn(
  app: TestApp,
  person: Person,
  content: string | Uint8Array<ArrayBuffer>,
  said: Said = {},
): Promise<BankStatement> {
  const first = await readStatement(app, person, content, said);
  if (first.outcome === "taken_in") return first.statement;
  const { columns, dateOrder } = first.table;
  const second = await readStatement(app, person, content, { columns, dateOrder, ...said });
  if (second.outcome !== "taken_in") throw new Error("the columns are asked a second time");
  return second.statement;
}

export interface Came {
  on: string;
  amount: string;
  text: string;
}

/** As a bank of this country writes it. */
export const aBankCsv = (lines: readonly Came[]): string =>
  [
    "Date,Description,Paid in,Paid out,Balance",
    ...lines.map(({ on, amount, text }) => `${on},"${text}",${amount},,1000.00`),
  ].join("\r\n");

export const anOfx = (transactions: string): string => `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKACCTFROM><BANKID>200000<ACCTID>12345678</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260101<DTEND>20260131
${transactions}
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

export const anOfxTransaction = ({ on, amount, text }: Came): string =>
  `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${on}120000[0:GMT]<TRNAMT>${amount}<FITID>1<NAME>R LARKIN<MEMO>${text}</STMTTRN>`;

export const aCamt = (entries: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>GB33BUKB20201555555555</IBAN></Id></Acct>
<Bal><Amt Ccy="GBP">5000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
${entries}
</Stmt></BkToCstmrStmt></Document>`;

interface CamtEntry extends Came {
  direction?: "CRDT" | "DBIT";
  status?: string;
  more?: string;
}

export const aCamtEntry = ({ on, amount, text, direction = "CRDT", status = "BOOK", more = "" }: CamtEntry): string =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${more}<Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>${on}</Dt></BookgDt><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>R &amp; S Larkin</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
